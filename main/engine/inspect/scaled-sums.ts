// Sums of products that neither overflow nor vanish: each side is scaled by a power of two when it must be.

/** Squares of numbers between these, and as many of them as there are, stay doubles. */
const [small, large] = [2 ** -400, 2 ** 400]

const powerNear = (x: number): number => 2 ** -Math.max(-1000, Math.min(1000, Math.round(Math.log2(x))))

/** The factor that brings numbers up to `most` into a range whose squares are safe. */
const scaleFor = (most: number, present: number): number =>
  most === 0 || (most * present > small && most * present < large) ? present : powerNear(most)

/** Σl·r, Σl², Σr², each side in its own scale. */
export class ScaledProducts {
  #left = 1
  #right = 1
  #both = 0
  #leftSquares = 0
  #rightSquares = 0

  /** The scales for a stretch whose largest magnitudes are these; older sums follow. */
  scales(mostLeft: number, mostRight: number): readonly [number, number] {
    const left = scaleFor(mostLeft, this.#left)
    const right = scaleFor(mostRight, this.#right)
    if (left !== this.#left || right !== this.#right) this.#rescale(left, right)
    return [left, right]
  }

  /** Sums that were taken in the scales last given. */
  add(both: number, leftSquares: number, rightSquares: number): void {
    this.#both += both
    this.#leftSquares += leftSquares
    this.#rightSquares += rightSquares
  }

  merge([left, right, both, leftSquares, rightSquares]: ScaledState): void {
    // The coarser of both scales holds both.
    const scale = [
      mergedScale(this.#left, this.#leftSquares, left, leftSquares),
      mergedScale(this.#right, this.#rightSquares, right, rightSquares),
    ]
    this.#rescale(scale[0], scale[1])
    const [l, r] = [scale[0] / left, scale[1] / right]
    this.add(both * l * r, leftSquares * l * l, rightSquares * r * r)
  }

  get state(): ScaledState {
    return [this.#left, this.#right, this.#both, this.#leftSquares, this.#rightSquares]
  }

  /** 1 where both sides are zeros, null where one is. */
  get cosine(): number | null {
    if (this.#leftSquares === 0 && this.#rightSquares === 0) return 1
    if (this.#leftSquares === 0 || this.#rightSquares === 0) return null
    const cosine = this.#both / Math.sqrt(this.#leftSquares) / Math.sqrt(this.#rightSquares)
    return Math.max(-1, Math.min(1, cosine))
  }

  /** Norm of the left side. */
  get norm(): number {
    return Math.sqrt(this.#leftSquares) / this.#left
  }

  #rescale(left: number, right: number): void {
    const [l, r] = [left / this.#left, right / this.#right]
    this.#both *= l * r
    this.#leftSquares *= l * l
    this.#rightSquares *= r * r
    this.#left = left
    this.#right = right
  }
}

export type ScaledState = readonly [
  left: number,
  right: number,
  both: number,
  leftSquares: number,
  rightSquares: number,
]

const mergedScale = (mine: number, mySum: number, theirs: number, theirSum: number): number => {
  if (mySum === 0) return theirs
  return theirSum === 0 ? mine : Math.min(mine, theirs)
}
