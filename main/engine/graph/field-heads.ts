// Beginnings of the fields of an item in a graph file.
import type { Page, Piece } from './page.ts'
import { jsonText } from './texts.ts'

export const statKeys = ['Max', 'Min', 'Mean', 'Norm'] as const
/** Ends every field: all of them are texts. */
export const quote = 0x22

/** Beginnings of fields, `"key": "`, with what stands between fields in front. */
export class Heads {
  readonly #page: Page
  readonly #join: string
  readonly #known = new Map<string, Piece>()

  constructor(page: Page, join: string) {
    this.#page = page
    this.#join = join
  }

  /** `first`: nothing stands before it. `closing`: the value before it still lacks its quote. */
  of(key: string, how: 'first' | 'next' | 'closing' = 'next'): Piece {
    const name = `${how} ${key}`
    let head = this.#known.get(name)
    if (head === undefined) {
      const before = { first: '', next: this.#join, closing: `"${this.#join}` }[how]
      head = this.#page.keep(`${before}${jsonText(key)}: "`)
      this.#known.set(name, head)
    }
    return head
  }
}
