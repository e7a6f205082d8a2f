// Sums over two tensors side by side. Errors are counted over pairs of finite elements. Two ranges can be put together.
import { Largest } from '../measure/index.ts'
import type { Quick } from './quick.ts'
import { ScaledProducts, type ScaledState } from './scaled-sums.ts'
import type { Side } from './side.ts'
import { type Steps, stepsOf } from './ulp.ts'

export interface Tolerance {
  readonly atol: number
  readonly rtol: number
}

export interface PairNumbers {
  readonly count: number
  /** NaN equals NaN. */
  readonly mismatched: number
  /** Mismatched pairs with a NaN or an infinity. */
  readonly nonFinite: number
  /** Pairs of finite elements; without any the numbers below are null. */
  readonly pairs: number
  readonly maxAbs: number | null
  readonly meanAbs: number | null
  readonly rmse: number | null
  /** |l − r| ÷ |r|; infinite where r is 0 and l is not. */
  readonly maxRel: number | null
  /** Pairs that are not close, as numpy.isclose has it. */
  readonly apart: number
  /** Null where one side is all zeros, and for complex numbers. */
  readonly cosine: number | null
  /** Null where the sides are not floats of one type. */
  readonly ulp: { readonly max: number | string; readonly mean: number; readonly over1: number } | null
}

/** A pair by the number of its elements. */
interface Found {
  readonly element: number
  readonly debug: number
  readonly bench: number
  readonly error: number
}

export interface PairState {
  readonly count: number
  readonly mismatched: number
  readonly nonFinite: number
  readonly pairs: number
  readonly maxAbs: number
  readonly sumAbs: number
  readonly squares: number
  readonly maxRel: number
  readonly apart: number
  readonly products: ScaledState | null
  readonly ulp: {
    readonly max: number
    readonly exact: number | string
    readonly sum: number
    readonly over1: number
  } | null
  readonly top: readonly Found[]
}

export class PairSums {
  readonly #left: Side
  readonly #right: Side
  readonly #tolerance: Tolerance
  readonly #steps: Steps | null
  readonly #differ: Difference
  readonly #errors: Float64Array
  readonly #quick: Quick | null
  readonly #total: PairTotal
  /** Errors of the stretch added last; NaN where both are NaN or the error is no number. */
  get errors(): Float64Array {
    return this.#errors
  }

  /** `quick`: what both sides are read into. */
  constructor(left: Side, right: Side, tolerance: Tolerance, top: number, quick: Quick | null = null) {
    this.#left = left
    this.#right = right
    this.#tolerance = tolerance
    this.#steps = stepsOf(left, right)
    this.#differ = differenceOf(left, right)
    this.#errors = quick?.errors ?? new Float64Array(left.values.length)
    this.#quick = this.#differ.exact ? null : quick
    this.#total = new PairTotal(top)
  }

  /** Stretches of both sides that were read last. */
  add(first: number, count: number): void {
    if (!this.#addQuick(first, count)) this.#addSlow(first, count)
  }

  /** Whether all errors of the stretch added last are numbers. */
  get isWhole(): boolean {
    return this.#isWhole
  }
  #isWhole = false

  #addQuick(first: number, count: number): boolean {
    const quick = this.#quick
    const { atol, rtol } = this.#tolerance
    this.#isWhole = quick?.pair(count, atol, rtol) ?? false
    if (!quick || !this.#isWhole) return false
    const total = this.#total
    const [mismatched, sum, squares, apart, most, relative, product, leftSquares, rightSquares] = quick.out
    const scales = total.products.scales(quick.out[9], quick.out[10])
    if (scales[0] !== 1 || scales[1] !== 1) return false
    total.mismatched += mismatched
    total.apart += apart
    total.count += count
    total.pairs += count
    total.sumAbs += sum
    total.squares += squares
    total.maxAbs = Math.max(total.maxAbs, most)
    total.maxRel = Math.max(total.maxRel, relative)
    total.products.add(product, leftSquares, rightSquares)
    total.hasCosine = true
    if (most > total.least) this.#keep(first, count)
    if (this.#steps) this.#stepQuick(quick, this.#steps, count)
    return true
  }

  /** Those that are larger than what is listed. */
  #keep(first: number, count: number): void {
    const [errors, total] = [this.#errors, this.#total]
    for (let i = 0; i < count; i++)
      if (errors[i] > total.least)
        total.keep(first + i, this.#left.values[i], this.#right.values[i], errors[i])
  }

  #stepQuick(quick: Quick, steps: Steps, count: number): void {
    if (!quick.steps(this.#left.dtype, count)) {
      steps.refresh()
      return this.#step(steps, count)
    }
    const { ulp } = this.#total
    const [most, sum, beyond] = quick.out
    ulp.known = true
    ulp.sum += sum
    ulp.over1 += beyond
    if (most > ulp.max) [ulp.max, ulp.exact] = [most, most]
  }

  #addSlow(first: number, count: number): void {
    const [left, right, errors, total] = [this.#left.values, this.#right.values, this.#errors, this.#total]
    const { atol, rtol } = this.#tolerance
    const differ = this.#differ
    const isPlain = !differ.exact
    differ.refresh(count)
    this.#steps?.refresh()
    let [pairs, sumAbs, squares, mostLeft, mostRight, apart] = [0, 0, 0, 0, 0, 0]
    for (let i = 0; i < count; i++) {
      const l = left[i]
      const r = right[i]
      if (l - r - (l - r) !== 0 && (l - l !== 0 || r - r !== 0)) {
        errors[i] = NaN
        const same = differ.same(i)
        if (!same) {
          total.mismatched++
          total.nonFinite++
          total.keep(first + i, l, r, Infinity)
        }
        // NaN is close to nothing, not even to NaN.
        if (!same || Number.isNaN(l) || Number.isNaN(r)) apart++
        continue
      }
      pairs++
      const sizeLeft = l < 0 ? -l : l
      const sizeRight = isPlain ? Math.abs(r) : differ.sizeRight(i)
      if (sizeLeft > mostLeft) mostLeft = sizeLeft
      if (sizeRight > mostRight) mostRight = sizeRight
      const error = differ.exact ? differ.error(i) : l > r ? l - r : r - l
      errors[i] = error
      if (error === 0) continue
      total.mismatched++
      sumAbs += error
      squares += error * error
      if (!(error <= atol + rtol * sizeRight)) apart++
      if (error > total.maxAbs) total.maxAbs = error
      const relative = error / sizeRight
      if (relative > total.maxRel) total.maxRel = relative
      if (error > total.least) total.keep(first + i, l, r, error)
    }
    total.apart += apart
    total.count += count
    total.pairs += pairs
    total.sumAbs += sumAbs
    total.squares += squares
    if (differ.hasCosine) this.#multiply(count, mostLeft, mostRight)
    if (this.#steps) this.#step(this.#steps, count)
  }

  #multiply(count: number, mostLeft: number, mostRight: number): void {
    const [left, right, errors] = [this.#left.values, this.#right.values, this.#errors]
    const [l, r] = this.#total.products.scales(mostLeft, mostRight)
    let [both, leftSquares, rightSquares] = [0, 0, 0]
    for (let i = 0; i < count; i++) {
      if (Number.isNaN(errors[i])) continue
      const x = left[i] * l
      const y = right[i] * r
      both += x * y
      leftSquares += x * x
      rightSquares += y * y
    }
    this.#total.products.add(both, leftSquares, rightSquares)
    this.#total.hasCosine = true
  }

  #step(steps: Steps, count: number): void {
    const { ulp } = this.#total
    const errors = this.#errors
    ulp.known = true
    for (let i = 0; i < count; i++) {
      if (!(errors[i] > 0)) continue
      const apart = steps.between(i)
      ulp.sum += apart
      if (apart > 1) ulp.over1++
      if (apart > ulp.max) {
        ulp.max = apart
        ulp.exact = steps.exact(i)
      }
    }
  }

  get state(): PairState {
    return this.#total.state
  }
}

/** What ranges came to, put together. */
export class PairTotal {
  count = 0
  mismatched = 0
  nonFinite = 0
  pairs = 0
  maxAbs = 0
  sumAbs = 0
  squares = 0
  maxRel = 0
  apart = 0
  hasCosine = false
  readonly products = new ScaledProducts()
  readonly ulp = { known: false, max: 0, exact: 0 as number | string, sum: 0, over1: 0 }
  readonly #top: Largest

  constructor(top: number) {
    this.#top = new Largest(top)
  }

  /** Smaller errors are not listed. */
  get least(): number {
    return this.#top.least
  }

  keep(element: number, debug: number, bench: number, error: number): void {
    if (error > this.#top.least) this.#top.add({ element, debug, bench, error })
  }

  merge(other: PairState): void {
    for (const key of ['count', 'mismatched', 'nonFinite', 'pairs', 'sumAbs', 'squares', 'apart'] as const)
      this[key] += other[key]
    this.maxAbs = Math.max(this.maxAbs, other.maxAbs)
    this.maxRel = Math.max(this.maxRel, other.maxRel)
    if (other.products) {
      this.hasCosine = true
      this.products.merge(other.products)
    }
    if (other.ulp) {
      const { ulp } = this
      ulp.known = true
      ulp.sum += other.ulp.sum
      ulp.over1 += other.ulp.over1
      if (other.ulp.max > ulp.max) [ulp.max, ulp.exact] = [other.ulp.max, other.ulp.exact]
    }
    for (const { element, debug, bench, error } of other.top) this.keep(element, debug, bench, error)
  }

  get state(): PairState {
    const { max, exact, sum, over1, known } = this.ulp
    const { count, mismatched, nonFinite, pairs, maxAbs, sumAbs, squares, maxRel, apart } = this
    return {
      count,
      mismatched,
      nonFinite,
      pairs,
      maxAbs,
      sumAbs,
      squares,
      maxRel,
      apart,
      products: this.hasCosine ? this.products.state : null,
      ulp: known ? { max, exact, sum, over1 } : null,
      top: this.#top.items,
    }
  }

  get numbers(): PairNumbers {
    const { count, mismatched, nonFinite, pairs, apart, ulp } = this
    const overPairs = (value: number): number | null => (pairs > 0 ? value : null)
    return {
      count,
      mismatched,
      nonFinite,
      pairs,
      apart,
      maxAbs: overPairs(this.maxAbs),
      meanAbs: overPairs(this.sumAbs / pairs),
      rmse: overPairs(Math.sqrt(this.squares / pairs)),
      maxRel: overPairs(this.maxRel),
      cosine:
        this.hasCosine && pairs > 0 ? (this.mismatched === this.nonFinite ? 1 : this.products.cosine) : null,
      ulp:
        ulp.known && pairs > 0 ? { max: ulp.exact, mean: ulp.sum / pairs, over1: ulp.over1 / pairs } : null,
    }
  }

  get top(): readonly Found[] {
    return this.#top.items
  }
}

/** How two elements differ where doubles do not say it. */
interface Difference {
  /** `error` has to be asked; else it is |l − r|. */
  readonly exact: boolean
  readonly hasCosine: boolean
  refresh(count: number): void
  error(i: number): number
  sizeRight(i: number): number
  /** Of two elements of which one is not finite. */
  same(i: number): boolean
}

function differenceOf(left: Side, right: Side): Difference {
  if (left.isComplex || right.isComplex) return new ComplexDifference(left, right)
  return left.isWide && right.isWide ? new WideDifference(left, right) : new PlainDifference(left, right)
}

class PlainDifference implements Difference {
  readonly exact: boolean = false
  readonly hasCosine: boolean = true
  protected readonly left: Side
  protected readonly right: Side

  constructor(left: Side, right: Side) {
    this.left = left
    this.right = right
  }

  refresh(_count: number): void {}

  error(i: number): number {
    return Math.abs(this.left.values[i] - this.right.values[i])
  }

  sizeRight(i: number): number {
    return Math.abs(this.right.values[i])
  }

  same(i: number): boolean {
    const [l, r] = [this.left.values[i], this.right.values[i]]
    return l === r || (Number.isNaN(l) && Number.isNaN(r))
  }
}

class WideDifference extends PlainDifference {
  override readonly exact = true
  #l: BigInt64Array | BigUint64Array = new BigInt64Array()
  #r: BigInt64Array | BigUint64Array = new BigInt64Array()
  #beyond = false

  override refresh(count: number): void {
    this.#l = this.left.wide()
    this.#r = this.right.wide()
    this.#beyond = false
    for (const { values } of [this.left, this.right])
      for (let i = 0; i < count && !this.#beyond; i++) this.#beyond = Math.abs(values[i]) >= 2 ** 52
  }

  override error(i: number): number {
    if (!this.#beyond) return Math.abs(this.left.values[i] - this.right.values[i])
    const [l, r]: readonly bigint[] = [this.#l[i], this.#r[i]]
    return Number(l > r ? l - r : r - l)
  }
}

class ComplexDifference extends PlainDifference {
  override readonly exact = true
  override readonly hasCosine = false
  #l: DataView = new DataView(new ArrayBuffer(0))
  #r: DataView = this.#l

  override refresh(): void {
    this.#l = this.left.view()
    this.#r = this.right.view()
  }

  override error(i: number): number {
    const [real, imaginary] = this.left.parts(this.#l, i)
    const [otherReal, otherImaginary] = this.right.parts(this.#r, i)
    return Math.hypot(real - otherReal, imaginary - otherImaginary)
  }

  override sizeRight(i: number): number {
    return Math.hypot(...this.right.parts(this.#r, i))
  }

  override same(i: number): boolean {
    const [real, imaginary] = this.left.parts(this.#l, i)
    const [otherReal, otherImaginary] = this.right.parts(this.#r, i)
    const isNaN = (a: number, b: number): boolean => Number.isNaN(a) || Number.isNaN(b)
    return isNaN(real, imaginary)
      ? isNaN(otherReal, otherImaginary)
      : real === otherReal && imaginary === otherImaginary
  }
}
