// Type, shape and the four statistics of one tensor file, as numpy computes them in the array's own type.
import { decode, type Dtype, halfRound, tensorLayout, tensorReader } from '../formats/index.ts'
import type { Files } from '../io/index.ts'
import type { Job } from '../work/index.ts'

export interface ArrayStatistics {
  /** numpy's name of the type. */
  readonly dtype: string
  readonly shape: readonly number[]
  readonly size: number
  readonly max: number
  readonly min: number
  readonly mean: number
  readonly norm: number
}

const chunkElements = 1 << 16

export async function arrayStatistics(files: Files, path: string, job: Job): Promise<ArrayStatistics> {
  const handle = files.open(path)
  try {
    const layout = tensorLayout(handle, path)
    const reader = tensorReader(handle, layout, path)
    const bytes = new Uint8Array(chunkElements * layout.dtype.bytes)
    const values = new Float64Array(Math.min(chunkElements, layout.size))
    const sums = new Sums(layout.dtype, layout.size)
    for (let first = 0; first < layout.size;) {
      const count = reader.read(first, bytes)
      decode(layout.dtype, bytes, count, values)
      sums.add(values, count)
      first += count
      await job.breathe()
    }
    return { dtype: layout.dtype.array, shape: layout.shape, size: layout.size, ...sums.finish() }
  } finally {
    handle.close()
  }
}

/**
 * Sums in the order and precision of numpy: eight running sums within blocks of 128, blocks added in pairs.
 */
class Sums {
  #max = -Infinity
  #min = Infinity
  #nan = false
  readonly #size: number
  readonly #total: PairwiseSum
  readonly #squares: SquareSum
  readonly #round: (x: number) => number
  readonly #last: (x: number) => number

  constructor(dtype: Dtype, size: number) {
    const narrow = dtype.arithmetic === 'f16' || dtype.arithmetic === 'f32'
    this.#round = narrow ? Math.fround : same
    this.#last = dtype.arithmetic === 'f16' ? halfRound : this.#round
    this.#size = size
    this.#total = new PairwiseSum(size, this.#round)
    const lanes = narrow ? 'single' : 'double'
    this.#squares = new SquareSum(size, dtype.arithmetic === 'f16' ? 'one' : lanes)
  }

  add(values: Float64Array, count: number): void {
    for (let i = 0; i < count; i++) {
      const x = values[i]
      if (x > this.#max) this.#max = x
      if (x < this.#min) this.#min = x
      if (x !== x) this.#nan = true
      this.#squares.add(x)
      this.#total.add(x)
    }
  }

  finish(): { max: number; min: number; mean: number; norm: number } {
    if (this.#size === 0) return { max: NaN, min: NaN, mean: NaN, norm: NaN }
    return {
      max: this.#nan ? NaN : this.#max,
      min: this.#nan ? NaN : this.#min,
      mean: this.#last(this.#total.finish() / this.#size),
      norm: this.#last(Math.sqrt(this.#last(this.#squares.finish()))),
    }
  }
}

const same = (x: number): number => x

/**
 * The dot product of an array with itself, summed as numpy's linear algebra library does with 256-bit
 * registers.
 */
class SquareSum {
  readonly #lanes: Float64Array
  /** Elements that fill whole rounds of lanes; the rest is added one by one. */
  readonly #whole: number
  readonly #round: (x: number) => number
  readonly #narrowTail: boolean
  #at = 0
  #tail = 0

  constructor(size: number, how: 'one' | 'single' | 'double') {
    const lanes = { one: 1, single: 32, double: 16 }[how]
    this.#lanes = new Float64Array(lanes)
    this.#whole = size - (size % lanes)
    this.#round = how === 'double' ? same : Math.fround
    this.#narrowTail = how === 'single'
  }

  add(x: number): void {
    if (this.#at >= this.#whole) this.#tail += this.#narrowTail ? Math.fround(x * x) : x * x
    else {
      const lane = this.#at % this.#lanes.length
      this.#lanes[lane] = this.#round(this.#lanes[lane] + x * x)
    }
    this.#at++
  }

  finish(): number {
    const round = this.#round
    let sums = this.#lanes
    if (sums.length === 1) return sums[0] + this.#tail
    const quarter = sums.length / 4
    sums = Float64Array.from({ length: quarter }, (_, i) =>
      round(round(sums[i] + sums[i + quarter]) + round(sums[i + 2 * quarter] + sums[i + 3 * quarter])),
    )
    if (quarter === 8) sums = Float64Array.from({ length: 4 }, (_, i) => round(sums[i] + sums[i + 4]))
    const dot =
      quarter === 8
        ? round(round(sums[0] + sums[1]) + round(sums[2] + sums[3]))
        : sums[0] + sums[2] + (sums[1] + sums[3])
    return this.#tail + dot
  }
}

/** numpy's pairwise summation over a stream of known length. */
class PairwiseSum {
  readonly #round: (x: number) => number
  /** Lengths of the blocks still to come, the next one last; with the number of sums to join after it. */
  readonly #plan: { readonly length: number; readonly joins: number }[] = []
  readonly #sums: number[] = []
  readonly #block: number[] = []

  constructor(length: number, round: (x: number) => number) {
    this.#round = round
    const plan = (n: number, joins: number): void => {
      if (n <= 128) {
        this.#plan.push({ length: n, joins })
        return
      }
      const left = Math.floor(n / 2) - (Math.floor(n / 2) % 8)
      plan(left, 0)
      plan(n - left, joins + 1)
    }
    if (length > 0) plan(length, 0)
    this.#plan.reverse()
  }

  add(x: number): void {
    this.#block.push(x)
    const next = this.#plan.at(-1)
    if (!next || this.#block.length < next.length) return
    this.#plan.pop()
    this.#sums.push(this.#sumOfBlock())
    this.#block.length = 0
    for (let join = 0; join < next.joins; join++) {
      const right = this.#sums.pop() ?? 0
      this.#sums.push(this.#round((this.#sums.pop() ?? 0) + right))
    }
  }

  finish(): number {
    return this.#sums[0] ?? 0
  }

  #sumOfBlock(): number {
    const round = this.#round
    const block = this.#block
    const n = block.length
    if (n < 8) return block.reduce((sum, x) => round(sum + x), 0)
    const r = block.slice(0, 8)
    const whole = n - (n % 8)
    for (let i = 8; i < whole; i++) r[i % 8] = round(r[i % 8] + block[i])
    let sum = round(
      round(round(r[0] + r[1]) + round(r[2] + r[3])) + round(round(r[4] + r[5]) + round(r[6] + r[7])),
    )
    for (let i = whole; i < n; i++) sum = round(sum + block[i])
    return sum
  }
}
