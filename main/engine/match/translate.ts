// Codes of one text pool as codes of another, each looked up once.
import type { TextPool } from '../columns.ts'

const unknown = -1
const missing = -2

export class Translator {
  readonly #from: TextPool
  readonly #to: TextPool
  readonly #same: boolean
  #known: Int32Array

  constructor(from: TextPool, to: TextPool) {
    this.#from = from
    this.#to = to
    this.#same = from === to
    this.#known = new Int32Array(this.#same ? 0 : from.size).fill(unknown)
  }

  /** -1 stays -1 (none); a text that the other pool lacks becomes a number below -1 that no other text has. */
  code(code: number): number {
    if (this.#same || code < 0) return code
    if (code >= this.#known.length) this.#grow(code)
    let found = this.#known[code]
    if (found === unknown) {
      found = this.#to.findBytes(this.#from.bytes(code))
      this.#known[code] = found < 0 ? missing - code : found
      found = this.#known[code]
    }
    return found
  }

  #grow(code: number): void {
    const grown = new Int32Array(Math.max(this.#from.size, code + 1)).fill(unknown)
    grown.set(this.#known)
    this.#known = grown
  }
}
