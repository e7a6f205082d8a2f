// Names of fields by their bytes: what a message may hold, and what whoever reads it wants to know of that.

const encoder = new TextEncoder()

/** Texts that are found again by their bytes, without making strings of them. */
export class NameTable<T> {
  readonly #names: readonly Uint8Array[]
  readonly #values: readonly T[]
  readonly #slots: Int16Array
  readonly #byName: ReadonlyMap<string, T>

  constructor(entries: readonly (readonly [string, T])[]) {
    this.#names = entries.map(([name]) => encoder.encode(name))
    this.#values = entries.map(([, value]) => value)
    this.#byName = new Map(entries)
    let room = 16
    while (room < entries.length * 4) room *= 2
    this.#slots = new Int16Array(room).fill(-1)
    for (const [i, name] of this.#names.entries()) {
      let slot = hashOf(name, 0, name.length) & (room - 1)
      while (this.#slots[slot] >= 0) slot = (slot + 1) & (room - 1)
      this.#slots[slot] = i
    }
  }

  get(name: string): T | undefined {
    return this.#byName.get(name)
  }

  /** `hash`: of these bytes, by `hashOf` or the same sum made on the way. */
  find(bytes: Uint8Array, from: number, to: number, hash: number): T | undefined {
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = this.#slots[slot]
      if (at < 0) return undefined
      const name = this.#names[at]
      if (name.length !== to - from) continue
      let same = 0
      while (same < name.length && name[same] === bytes[from + same]) same++
      if (same === name.length) return this.#values[at]
    }
  }
}

export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0
  for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + bytes[i]) | 0
  return hash
}

/** A field of a message. `T` is what its reader keeps with it. */
export interface Field<T> {
  readonly name: string
  /** What is in it; null for a value. */
  readonly message: Message<T> | null
  /** A single text of bytes: JSON spells it with C's escapes. */
  readonly bytes: boolean
  readonly tag: T
}

interface FieldSpec<T> {
  readonly tag: T
  readonly message?: Message<T>
  readonly bytes?: true
}

export class Message<T> {
  fields: NameTable<Field<T>> = new NameTable([])

  /** Messages hold each other, so their fields come after them. */
  holds(fields: Readonly<Record<string, FieldSpec<T>>>): void {
    this.fields = new NameTable(
      Object.entries(fields).map(([name, { tag, message = null, bytes = false }]) => [
        name,
        { name, tag, message, bytes },
      ]),
    )
  }
}

/** Whoever reads a message hears of what is in it, in its order. */
export interface Events<T> {
  /**
   * A message begins; false where nothing in it is wanted. What is in it stands from this byte of the file on:
   * in JSON with its braces, in text without.
   */
  open(field: Field<T>, at: number): boolean
  /** It ends before this byte. */
  close(field: Field<T>, at: number): void
  /** A text, number, enum or bool: these bytes, until the next event. */
  value(field: Field<T>, bytes: Uint8Array, from: number, to: number): void
}
