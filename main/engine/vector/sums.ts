// What the metrics of two whole tensors follow from, added up in doubles over two passes: the second needs means and
// extremes of the first.

/** Nothing below this counts as a divisor or as a length: the machine epsilon of a double. */
export const epsilon = 2.220446049250313e-16
/** The least share of a distribution: the machine epsilon of a float32. */
const floor = 2 ** -23

/** What one pair came to, in this order; plain data that crosses threads. */
export const numberNames = [
  'cosine',
  'maxAbs',
  'accumulated',
  'euclid',
  'divergence',
  'leftMean',
  'leftDeviation',
  'rightMean',
  'rightDeviation',
  'meanAbs',
  'rootMeanSquare',
  'maxRel',
  'meanRel',
  'leftNorm',
  'rightNorm',
] as const
export type NumberName = (typeof numberNames)[number]

/** One side of a pair. */
class Side {
  sum = 0
  squares = 0
  max = -Infinity
  min = Infinity
  nan = false
  /** Second pass: squares of what is left without the mean, and the sum of the distribution. */
  deviations = 0
  shares = 0
  mean = NaN
  #range = NaN

  add(x: number): void {
    this.sum += x
    this.squares += x * x
    if (x > this.max) this.max = x
    if (x < this.min) this.min = x
    if (x !== x) this.nan = true
  }

  /** Ends the first pass. */
  settle(count: number): void {
    this.mean = this.sum / count
    if (this.nan) this.max = this.min = NaN
    this.#range = this.max - this.min
  }

  /** The value's share of the distribution, not yet divided by their sum. */
  share(x: number): number {
    const off = x - this.mean
    this.deviations += off * off
    // Math.max keeps NaN.
    const share = Math.max(this.#range === 0 ? x : (x - this.min) / this.#range, floor)
    this.shares += share
    return share
  }
}

export class PairSums {
  readonly #left = new Side()
  readonly #right = new Side()
  /** Values are taken as float32, unless both sides are truth values. */
  readonly #narrow: boolean
  #count = 0
  #product = 0
  #squares = 0
  #absolute = 0
  #maxAbs = 0
  #relative = 0
  #maxRel = 0
  #divergence = 0

  constructor(narrow = true) {
    this.#narrow = narrow
  }

  /** First pass. The arrays are left as they are. */
  add(left: Float64Array, right: Float64Array, count: number): void {
    let [product, squares, absolute, relative] = [0, 0, 0, 0]
    let [maxAbs, maxRel] = [this.#maxAbs, this.#maxRel]
    for (let i = 0; i < count; i++) {
      const x = this.#narrow ? Math.fround(left[i]) : left[i]
      const y = this.#narrow ? Math.fround(right[i]) : right[i]
      this.#left.add(x)
      this.#right.add(y)
      const off = Math.abs(x - y)
      product += x * y
      squares += off * off
      absolute += off
      // NaN wins and stays.
      if (!(off <= maxAbs)) maxAbs = Number.isNaN(maxAbs) ? NaN : off
      // Also where y is NaN.
      if (!(Math.abs(y) > epsilon)) continue
      const share = Math.abs(x / y - 1)
      relative += share
      if (!(share <= maxRel)) maxRel = Number.isNaN(maxRel) ? NaN : share
    }
    this.#product += product
    this.#squares += squares
    this.#absolute += absolute
    this.#relative += relative
    ;[this.#maxAbs, this.#maxRel] = [maxAbs, maxRel]
    this.#count += count
  }

  /** Between the passes. */
  settle(): void {
    this.#left.settle(this.#count)
    this.#right.settle(this.#count)
  }

  /** Second pass, over the same values. */
  addAgain(left: Float64Array, right: Float64Array, count: number): void {
    let divergence = 0
    for (let i = 0; i < count; i++) {
      const p = this.#left.share(this.#narrow ? Math.fround(left[i]) : left[i])
      const q = this.#right.share(this.#narrow ? Math.fround(right[i]) : right[i])
      divergence += p * Math.log(p / q)
    }
    this.#divergence += divergence
  }

  /** In the order of `numberNames`. */
  numbers(): Float64Array {
    const [left, right, count] = [this.#left, this.#right, this.#count]
    const [leftNorm, rightNorm] = [Math.sqrt(left.squares), Math.sqrt(right.squares)]
    const divergence = this.#divergence / left.shares + Math.log(right.shares / left.shares)
    const none = count === 0
    const by: Readonly<Record<NumberName, number>> = {
      cosine: this.#cosine(leftNorm, rightNorm),
      maxAbs: none ? NaN : this.#maxAbs,
      accumulated: this.#relative,
      euclid: rightNorm <= epsilon ? 0 : Math.sqrt(this.#squares / right.squares),
      divergence: Math.abs(divergence) < epsilon ? 0 : divergence,
      leftMean: left.mean,
      leftDeviation: Math.sqrt(left.deviations / count),
      rightMean: right.mean,
      rightDeviation: Math.sqrt(right.deviations / count),
      meanAbs: this.#absolute / count,
      rootMeanSquare: Math.sqrt(this.#squares / count),
      maxRel: none ? NaN : this.#maxRel,
      meanRel: this.#relative / count,
      leftNorm,
      rightNorm,
    }
    return Float64Array.from(numberNames, name => by[name])
  }

  #cosine(left: number, right: number): number {
    if (left <= epsilon && right <= epsilon) return 1
    if (left <= epsilon ** 2 || right <= epsilon ** 2) return NaN
    const cosine = this.#product / left / right
    return cosine > 1 ? 1 : cosine
  }
}
