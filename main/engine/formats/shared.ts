// What is read once for all units of a study, such as a database with a graph per rank, and closed with it.

export interface Closable {
  close(): void
}

export class Shared {
  readonly #made = new Map<string, Promise<Closable>>()
  #closed = false

  /** Made by whoever asks first; what fails is forgotten, so that the next one tries again. */
  async once<T extends Closable>(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#made.get(key)
    if (known) return known as Promise<T>
    const made = make()
    this.#made.set(key, made)
    try {
      const value = await made
      if (this.#closed) value.close()
      return value
    } catch (error) {
      this.#made.delete(key)
      throw error
    }
  }

  close(): void {
    this.#closed = true
    for (const made of this.#made.values()) made.then(value => value.close()).catch(() => {})
    this.#made.clear()
  }
}
