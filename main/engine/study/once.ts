// Things that are made when somebody asks, once for all who ask, and kept under the key of what they rest on.

interface Kept {
  readonly key: string
  readonly made: unknown
}

export class Once {
  readonly #kept = new Map<string, Kept>()

  /** A new key replaces what was made under the old one. What fails is forgotten. */
  get<T>(name: string, key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(name)
    if (known?.key === key) return known.made as Promise<T>
    const made = start(make)
    const kept = { key, made }
    this.#kept.set(name, kept)
    made.catch(() => {
      if (this.#kept.get(name) === kept) this.#kept.delete(name)
    })
    return made
  }

  /** The same for what is made at once. */
  now<T>(name: string, key: string, make: () => T): T {
    const known = this.#kept.get(name)
    if (known?.key === key) return known.made as T
    const made = make()
    this.#kept.set(name, { key, made })
    return made
  }

  clear(): void {
    this.#kept.clear()
  }
}

/** What throws before its first wait is a promise that fails, too. */
const start = async <T>(make: () => Promise<T>): Promise<T> => make()
