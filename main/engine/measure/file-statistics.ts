// Max, min, mean and norm of whole tensor files, in the arithmetic of the stored type as numpy does them.
import {
  decode,
  type Dtype,
  halfRound,
  layoutOf,
  openRef,
  tensorReader,
  type TensorReader,
} from '../formats/index.ts'
import { type Files, quickFiles, type Root } from '../io/index.ts'
import type { Job, Pool } from '../work/index.ts'
import { type Problem, Refusal, type TensorRef } from '../model/index.ts'

/** One file. Numbers are NaN where there are none: `is` says why. */
export interface FileStatistics {
  readonly is: 'read' | 'empty' | 'missing' | 'corrupt'
  /** numpy's name of the array's type, '' when unread. */
  readonly dtype: string
  readonly shape: readonly number[]
  readonly max: number
  readonly min: number
  readonly mean: number
  readonly norm: number
  readonly problem?: Problem
}

const perTask = 64

/** Statistics of every file, in the order given. */
export async function fileStatistics(
  pool: Pool,
  files: Files,
  paths: readonly string[],
  job: Job,
): Promise<readonly FileStatistics[]> {
  const roots = files.roots()
  let done = 0
  const parts = Array.from({ length: Math.ceil(paths.length / perTask) }, (_, i) =>
    paths.slice(i * perTask, (i + 1) * perTask),
  )
  const answers = await Promise.all(
    parts.map(async part => {
      const answer = await pool.run<readonly FileStatistics[]>(
        'statistics',
        { roots, paths: part },
        { signal: job.signal },
      )
      job.report({
        what: 'job.comparing',
        done: (done += part.length),
        total: paths.length,
        countedIn: 'files',
      })
      return answer
    }),
  )
  return answers.flat()
}

export function* statisticsTask(arg: {
  readonly roots: readonly Root[]
  readonly paths: readonly (string | TensorRef)[]
}): Generator<void, readonly FileStatistics[], void> {
  const files = quickFiles(arg.roots)
  const all: FileStatistics[] = []
  for (const path of arg.paths) {
    all.push(yield* statisticsOf(typeof path === 'string' ? { file: path } : path, files))
    yield
  }
  return all
}

const without = (is: FileStatistics['is'], dtype = '', shape: readonly number[] = []): FileStatistics => ({
  is,
  dtype,
  shape,
  max: NaN,
  min: NaN,
  mean: NaN,
  norm: NaN,
})

function* statisticsOf(
  ref: TensorRef,
  files: ReturnType<typeof quickFiles>,
): Generator<void, FileStatistics, void> {
  let handle
  try {
    handle = openRef(files, ref)
    if (!handle) return without('missing')
    const layout = layoutOf(handle, ref)
    const { dtype, shape, size } = layout
    if (size === 0) return without('empty', dtype.array, shape)
    const arithmetic = arithmetics[dtype.arithmetic]
    const values = new Values(
      tensorReader(handle, layout, ref.file, true),
      dtype,
      size,
      new Squares(size, arithmetic),
    )
    const sum = yield* values.inBuffers(arithmetic)
    return {
      is: 'read',
      dtype: dtype.array,
      shape,
      max: values.max,
      min: values.min,
      mean: arithmetic.mean(sum, size),
      norm: arithmetic.norm(values.squares.sum()),
    }
  } catch (error) {
    if (error instanceof Refusal) return { ...without('corrupt'), problem: error.problem }
    throw error
  } finally {
    handle?.close()
  }
}

interface Arithmetic {
  /** Precision in which sums are taken. */
  round(x: number): number
  /** Elements that are summed pairwise at a time; numpy converts other types in buffers of this length. */
  readonly buffer: number
  /** Vector lanes of the library that adds the squares; 0: one after the other. */
  readonly lanes: number
  mean(sum: number, size: number): number
  norm(squares: number): number
}

const double: Arithmetic = {
  round: x => x,
  buffer: Infinity,
  lanes: 4,
  mean: (sum, size) => sum / size,
  norm: Math.sqrt,
}
const arithmetics: Readonly<Record<Dtype['arithmetic'], Arithmetic>> = {
  f16: {
    round: Math.fround,
    buffer: 8192,
    lanes: 0,
    mean: (sum, size) => halfRound(Math.fround(sum / size)),
    norm: squares => halfRound(Math.fround(Math.sqrt(halfRound(squares)))),
  },
  f32: {
    round: Math.fround,
    buffer: Infinity,
    lanes: 8,
    mean: (sum, size) => Math.fround(sum / size),
    norm: squares => Math.fround(Math.sqrt(squares)),
  },
  f64: double,
  int: { ...double, buffer: 8192 },
  complex: double,
}

/** Σx² as numpy's vector library adds it on x86: four vectors of running sums, then what is left in f64. */
class Squares {
  readonly #sums: Float64Array
  readonly #round: (x: number) => number
  readonly #lanes: number
  readonly #inVectors: number
  #at = 0
  #rest = 0

  constructor(size: number, { round, lanes }: Arithmetic) {
    this.#round = round
    this.#lanes = lanes
    this.#sums = new Float64Array(lanes * 4)
    this.#inVectors = lanes ? size - (size % (lanes * 4)) : 0
  }

  add(x: number): void {
    const round = this.#round
    if (this.#at < this.#inVectors) {
      const place = this.#at % this.#sums.length
      this.#sums[place] = round(x * x + this.#sums[place])
    } else this.#rest = this.#lanes ? this.#rest + round(x * x) : round(this.#rest + round(x * x))
    this.#at++
  }

  sum(): number {
    const round = this.#round
    const lanes = this.#lanes
    if (!lanes) return this.#rest
    const vector = (v: number, k: number): number => this.#sums[v * lanes + k]
    let row = Array.from({ length: lanes }, (_, k) =>
      round(round(vector(0, k) + vector(1, k)) + round(vector(2, k) + vector(3, k))),
    )
    for (let half = lanes / 2; half >= 1; half /= 2)
      row = Array.from({ length: half }, (_, k) => round(row[k] + row[k + half]))
    return round(this.#rest + row[0])
  }
}

const stretch = 8192
const pairwiseBlock = 128

/**
 * The elements of a tensor one after the other; what does not depend on the order of adding is gathered on
 * the way.
 */
class Values {
  max = -Infinity
  min = Infinity
  readonly squares: Squares
  readonly #reader: TensorReader
  readonly #dtype: Dtype
  readonly #size: number
  readonly #bytes: Uint8Array
  readonly #values = new Float64Array(stretch)
  #first = 0
  #at = 0
  #held = 0

  constructor(reader: TensorReader, dtype: Dtype, size: number, squares: Squares) {
    this.squares = squares
    this.#reader = reader
    this.#dtype = dtype
    this.#size = size
    this.#bytes = new Uint8Array(stretch * dtype.bytes)
  }

  /** The sum as numpy's reduction takes it. */
  *inBuffers({ round, buffer }: Arithmetic): Generator<void, number, void> {
    let sum = 0
    for (let done = 0; done < this.#size; done += buffer)
      sum = round(sum + (yield* this.#pairwise(Math.min(buffer, this.#size - done), round)))
    return sum
  }

  *#pairwise(count: number, round: (x: number) => number): Generator<void, number, void> {
    if (count <= pairwiseBlock) return this.#block(count, round)
    if (count >= stretch) yield
    const half = Math.floor(count / 2)
    const left = half - (half % 8)
    const sum = yield* this.#pairwise(left, round)
    return round(sum + (yield* this.#pairwise(count - left, round)))
  }

  /** Eight running sums, then the rest one by one. */
  #block(count: number, round: (x: number) => number): number {
    if (count < 8) {
      let sum = 0
      for (let i = 0; i < count; i++) sum = round(sum + this.#next())
      return sum
    }
    const r = Array.from({ length: 8 }, () => this.#next())
    let i = 8
    for (; i < count - (count % 8); i += 8) for (let k = 0; k < 8; k++) r[k] = round(r[k] + this.#next())
    let sum = round(
      round(round(r[0] + r[1]) + round(r[2] + r[3])) + round(round(r[4] + r[5]) + round(r[6] + r[7])),
    )
    for (; i < count; i++) sum = round(sum + this.#next())
    return sum
  }

  #next(): number {
    if (this.#at === this.#held) this.#fill()
    return this.#values[this.#at++]
  }

  #fill(): void {
    this.#held = this.#reader.read(this.#first, this.#bytes)
    this.#first += this.#held
    this.#at = 0
    decode(this.#dtype, this.#bytes, this.#held, this.#values)
    for (let i = 0; i < this.#held; i++) {
      const x = this.#values[i]
      this.squares.add(x)
      // NaN wins and stays.
      if (!(x <= this.max) && !Number.isNaN(this.max)) this.max = x
      if (!(x >= this.min) && !Number.isNaN(this.min)) this.min = x
    }
  }
}
