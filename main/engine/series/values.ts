// Columns that grow as rows come.

/** Numbers, of which any may be missing. */
export class Values {
  #values = new Float64Array(64)
  #has = new Uint8Array(64)

  set(row: number, value: number): void {
    this.#reach(row + 1)
    this.#values[row] = value
    this.#has[row] = 1
  }

  has(row: number): boolean {
    return this.#has[row] === 1
  }

  /** NaN where it is missing. */
  value(row: number): number {
    return this.has(row) ? this.#values[row] : NaN
  }

  /** At least so many rows of it, as they lie. */
  column(length: number): { readonly values: Float64Array; readonly has: Uint8Array } {
    this.#reach(length)
    return { values: this.#values, has: this.#has }
  }

  clear(): void {
    this.#has.fill(0)
  }

  get bytes(): number {
    return this.#values.byteLength + this.#has.byteLength
  }

  #reach(length: number): void {
    while (this.#has.length < length) {
      const values = new Float64Array(this.#values.length * 2)
      values.set(this.#values)
      this.#values = values
      const has = new Uint8Array(this.#has.length * 2)
      has.set(this.#has)
      this.#has = has
    }
  }
}

export function wider(column: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(column.length * 2)
  grown.set(column)
  return grown
}
