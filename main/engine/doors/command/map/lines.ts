// Places of a text as lines and columns.

/** Lines and columns of places, asked for in order. */
export class Lines {
  readonly #text: string
  #line = 1
  #begin = 0

  constructor(text: string) {
    this.#text = text
  }

  placeOf(at: number): { line: number; column: number } {
    if (at < this.#begin) {
      this.#line = 1
      this.#begin = 0
    }
    for (
      let end = this.#text.indexOf('\n', this.#begin);
      end >= 0 && end < at;
      end = this.#text.indexOf('\n', this.#begin)
    ) {
      this.#line++
      this.#begin = end + 1
    }
    return { line: this.#line, column: at - this.#begin + 1 }
  }
}
