// The elements at which two tensors differ most.

/** |a − b|; infinite where NaN or Inf stand on one side only or with another sign. */
export function absoluteError(a: number, b: number): number {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return 0
  const error = Math.abs(a - b)
  return Number.isNaN(error) ? Infinity : error
}

interface Found {
  readonly element: number
  readonly debug: number
  readonly bench: number
  readonly error: number
}

/** Keeps the largest errors, largest first; earlier elements win ties. */
export class Largest {
  readonly items: Found[] = []
  readonly #most: number
  least = 0

  constructor(most: number) {
    this.#most = most
    if (most === 0) this.least = Infinity
  }

  add(found: Found): void {
    const at = this.items.findIndex(item => item.error < found.error)
    this.items.splice(at < 0 ? this.items.length : at, 0, found)
    if (this.items.length > this.#most) this.items.pop()
    if (this.items.length === this.#most) this.least = this.items[this.#most - 1].error
  }
}
