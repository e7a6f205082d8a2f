// One tensor or a pair of them for the eye: a slice, the distribution, where and how much they differ.
// Streams; no tensor is held.
import { indexOf, OpenTensor, sameShape, type TensorLayout, walk } from '../formats/index.ts'
import { type Files, quickFiles, type Root } from '../io/index.ts'
import { Cancelled, type Job, type Pool, type TaskContext } from '../work/index.ts'
import {
  problem,
  type Problem,
  Refusal,
  type TensorRef,
  type TensorSideView,
  type TensorView,
} from '../model/index.ts'
import { absoluteError, Largest } from '../measure/index.ts'
import { ErrorMap, ulpOf } from './tensor-errors.ts'

export interface TensorViewQuery {
  readonly debug: TensorRef | null
  readonly bench: TensorRef | null
  /** First index per axis; the last two axes are shown, the others are fixed. */
  readonly at: readonly number[]
  readonly rows: number
  readonly cols: number
}

interface ClosenessQuery {
  readonly debug: TensorRef
  readonly bench: TensorRef
  readonly atol: number
  readonly rtol: number
}

/** Two files by hand: close means |a − b| ≤ atol + rtol · |b|, as numpy.isclose has it. */
interface Closeness {
  readonly dtypes: readonly [string, string]
  readonly shapes: readonly [readonly number[], readonly number[]]
  readonly elements: number
  /** Elements that are not close; all of them when the shapes differ. */
  readonly apart: number
  readonly maxAbs: number
  readonly maxRel: number
  readonly worst: TensorView['worst']
}

const priority = 10

/** What a person looks at goes before what runs in the background. */
export async function tensorView(
  pool: Pool,
  files: Files,
  query: TensorViewQuery,
  job: Job,
): Promise<TensorView> {
  const { view, problems } = await ask<{ view: Omit<TensorView, 'problems'>; problems: readonly Problem[] }>(
    pool,
    'tensorView',
    files,
    query,
    job,
  )
  return { ...view, problems }
}

/** Refuses files that cannot be read. */
export const closeness = (pool: Pool, files: Files, query: ClosenessQuery, job: Job): Promise<Closeness> =>
  ask(pool, 'closeness', files, query, job)

function ask<R>(
  pool: Pool,
  task: string,
  files: Files,
  query: TensorViewQuery | ClosenessQuery,
  job: Job,
): Promise<R> {
  if (job.signal.aborted) return Promise.reject(new Cancelled())
  const tell = (share: unknown): void =>
    job.report({
      what: 'job.reading',
      done: Math.round(Number(share) * 1000),
      total: 1000,
      countedIn: 'items',
    })
  return pool.run<R>(task, { roots: files.roots(), query }, { signal: job.signal, priority, tell })
}

// ---------------------------------------- in the thread

const mostCells = 1 << 16
const bins = 64

export function* tensorViewTask(
  arg: { roots: readonly Root[]; query: TensorViewQuery },
  context: TaskContext,
): Generator<void, { view: Omit<TensorView, 'problems'>; problems: readonly Problem[] }, void> {
  const { query } = arg
  const problems: Problem[] = []
  const open = (side: TensorRef | null): OpenTensor | null => {
    if (!side?.file) return null
    try {
      return new OpenTensor(quickFiles(arg.roots), side)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.push(error.problem)
      return null
    }
  }
  const sides = { debug: open(query.debug), bench: open(query.bench) }
  try {
    return { view: yield* viewOf(sides, query, sharesOf(context)), problems }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { view: nothing, problems: [...problems, error.problem] }
  } finally {
    sides.debug?.close()
    sides.bench?.close()
  }
}

const nothing: Omit<TensorView, 'problems'> = {
  debug: null,
  bench: null,
  sliceRows: 0,
  sliceCols: 0,
  ulp: null,
  histogram: null,
  heat: null,
  worst: [],
}

/** Tells a share of the work now and then. */
function sharesOf(context: TaskContext): (share: number) => void {
  let told = 0
  return share => {
    if (share >= told + 0.01) {
      told = share
      context.tell(share)
    }
  }
}

interface Pair {
  readonly debug: OpenTensor | null
  readonly bench: OpenTensor | null
}

function* viewOf(
  { debug, bench }: Pair,
  query: TensorViewQuery,
  report: (share: number) => void,
): Generator<void, Omit<TensorView, 'problems'>, void> {
  const window = windowOf(
    [debug, bench].flatMap(side => (side ? [side.layout] : [])),
    query,
  )
  const together = debug && bench && sameShape(debug.layout, bench.layout) ? { debug, bench } : null
  const counts = { debug: new Counts(), bench: new Counts() }
  const map =
    together && debug && bench
      ? new ErrorMap(debug.layout.shape, debug.layout.dtype, bench.layout.dtype)
      : null
  if (together && map) {
    yield* walk(
      [together.debug, together.bench],
      (first, count) => {
        counts.debug.add(together.debug.values, count)
        counts.bench.add(together.bench.values, count)
        map.add(first, count, together.debug.values, together.bench.values)
      },
      share => report(share / 2),
    )
  } else {
    if (debug)
      yield* walk(
        [debug],
        (_, count) => counts.debug.add(debug.values, count),
        share => report(share / 4),
      )
    if (bench)
      yield* walk(
        [bench],
        (_, count) => counts.bench.add(bench.values, count),
        share => report(0.25 + share / 4),
      )
  }
  const histogram = yield* histogramOf({ debug, bench }, counts, share => report(0.5 + share / 2))
  const shown = {
    debug: debug && sideOf(debug, counts.debug, window),
    bench: bench && sideOf(bench, counts.bench, window),
  }
  return {
    ...shown,
    ulp:
      debug && bench && shown.debug && shown.bench
        ? stepsOf(debug, bench, shown.debug.slice, shown.bench.slice)
        : null,
    sliceRows: window.rows,
    sliceCols: window.cols,
    histogram,
    heat: map && debug?.layout.size ? map.heat : null,
    worst: map?.worst ?? [],
  }
}

/** NaN where either number is not finite. */
function stepsOf(
  debug: OpenTensor,
  bench: OpenTensor,
  mine: Float64Array,
  theirs: Float64Array,
): Float64Array {
  const between = ulpOf(debug.layout.dtype, bench.layout.dtype)
  return mine.map((a, i) => (Number.isFinite(a - theirs[i]) ? between(a, theirs[i]) : NaN))
}

/** Counts and sums over all elements; extremes leave NaN out, mean and norm infinities too. */
class Counts {
  max = -Infinity
  min = Infinity
  top = -Infinity
  bottom = Infinity
  nan = 0
  inf = 0
  zero = 0
  #finite = 0
  #sum = 0
  #squares = 0

  add(values: Float64Array, count: number): void {
    let sum = 0
    let squares = 0
    for (let i = 0; i < count; i++) {
      const x = values[i]
      if (x - x !== 0) {
        if (Number.isNaN(x)) this.nan++
        else {
          this.inf++
          this.max = Math.max(this.max, x)
          this.min = Math.min(this.min, x)
        }
        continue
      }
      if (x === 0) this.zero++
      if (x > this.top) this.top = x
      if (x < this.bottom) this.bottom = x
      sum += x
      squares += x * x
      this.#finite++
    }
    this.#sum += sum
    this.#squares += squares
    this.max = Math.max(this.max, this.top)
    this.min = Math.min(this.min, this.bottom)
  }

  get mean(): number {
    return this.#finite ? this.#sum / this.#finite : NaN
  }
  get norm(): number {
    return this.#finite ? Math.sqrt(this.#squares) : NaN
  }
  get any(): boolean {
    return this.#finite > 0 || this.inf > 0
  }
}

interface Window {
  readonly rows: number
  readonly cols: number
  readonly at: readonly number[]
}

/** What part of the last two axes can be shown: the larger side decides, the smaller one is padded. */
function windowOf(layouts: readonly TensorLayout[], query: TensorViewQuery): Window {
  const extent = (axis: number): number =>
    Math.max(
      0,
      ...layouts.map(({ shape }) =>
        shape.length >= -axis ? Math.max(0, (shape.at(axis) ?? 1) - startOf(shape, query.at, axis)) : 1,
      ),
    )
  const cols = Math.min(Math.max(1, query.cols), extent(-1), mostCells)
  const rows = Math.min(
    Math.max(1, query.rows),
    extent(-2),
    Math.max(1, Math.floor(mostCells / Math.max(1, cols))),
  )
  return layouts.length && cols && rows ? { rows, cols, at: query.at } : { rows: 0, cols: 0, at: query.at }
}

/** Where an axis, counted from the end, begins; never beyond its last index. */
function startOf(shape: readonly number[], at: readonly number[], axis: number): number {
  const wanted = at[shape.length + axis] ?? 0
  return Math.max(0, Math.min(Number.isSafeInteger(wanted) ? wanted : 0, (shape.at(axis) ?? 1) - 1))
}

function sideOf(side: OpenTensor, counts: Counts, window: Window): TensorSideView {
  const { dtype, shape } = side.layout
  const { nan, inf, zero, mean, norm } = counts
  return {
    dtype: dtype.name,
    shape,
    max: counts.any ? counts.max : NaN,
    min: counts.any ? counts.min : NaN,
    mean,
    norm,
    nan,
    inf,
    zero,
    ...sliceOf(side, window),
  }
}

function sliceOf(side: OpenTensor, { rows, cols, at }: Window): Pick<TensorSideView, 'slice' | 'bits'> {
  const { shape, size } = side.layout
  const slice = new Float64Array(rows * cols).fill(NaN)
  const bits = Array.from({ length: rows * cols }, () => '')
  if (size === 0) return { slice, bits }
  const width = shape.at(-1) ?? 1
  const height = shape.at(-2) ?? 1
  const [top, left] = [
    shape.length > 1 ? startOf(shape, at, -2) : 0,
    shape.length ? startOf(shape, at, -1) : 0,
  ]
  let plane = 0
  for (let axis = -shape.length; axis < -2; axis++)
    plane = plane * (shape.at(axis) ?? 1) + startOf(shape, at, axis)
  for (let row = 0; row < Math.min(rows, height - top); row++) {
    const first = (plane * height + top + row) * width + left
    const count = Math.min(cols, width - left)
    for (let done = 0; done < count;) {
      const got = side.read(first + done, count - done)
      slice.set(side.values.subarray(0, got), row * cols + done)
      for (let i = 0; i < got; i++) bits[row * cols + done + i] = bitsOf(side, i)
      done += got
    }
  }
  return { slice, bits }
}

/** The bytes of an element as they are read, the highest first. */
function bitsOf({ bytes, layout }: OpenTensor, i: number): string {
  const width = layout.dtype.bytes
  return Array.from(bytes.subarray(i * width, (i + 1) * width), byte => byte.toString(16).padStart(2, '0'))
    .toReversed()
    .join('')
}

function* histogramOf(
  { debug, bench }: Pair,
  counts: { debug: Counts; bench: Counts },
  report: (share: number) => void,
): Generator<void, TensorView['histogram'], void> {
  const low = Math.min(counts.debug.bottom, counts.bench.bottom)
  const high = Math.max(counts.debug.top, counts.bench.top)
  if (low > high) return null
  const edges = Float64Array.from({ length: bins + 1 }, (_, i) =>
    i === bins ? high : low + (high / bins - low / bins) * i,
  )
  const filled = { debug: new Float64Array(bins), bench: new Float64Array(bins) }
  // A range as wide as doubles go would overflow: halves of it do not.
  const lowest = low / 2
  const width = high / 2 - lowest
  const scale = bins / width
  const fill = (values: Float64Array, count: number, into: Float64Array): void => {
    for (let i = 0; i < count; i++) {
      const x = values[i]
      // A width of nearly nothing has no scale: all of it goes into the first bin.
      if (x - x === 0) into[scale < Infinity ? Math.min(bins - 1, Math.floor((x / 2 - lowest) * scale)) : 0]++
    }
  }
  const both = debug && bench
  if (debug)
    yield* walk(
      [debug],
      (_, count) => fill(debug.values, count, filled.debug),
      share => report(both ? share / 2 : share),
    )
  if (bench)
    yield* walk(
      [bench],
      (_, count) => fill(bench.values, count, filled.bench),
      share => report(both ? 0.5 + share / 2 : share),
    )
  return { edges, ...filled }
}

const mostWorst = 20

export function* closenessTask(
  arg: { roots: readonly Root[]; query: ClosenessQuery },
  context: TaskContext,
): Generator<void, Closeness, void> {
  const {
    query: { atol, rtol, ...query },
  } = arg
  if (!(atol >= 0) || !(rtol >= 0)) throw new Refusal(problem('tolerance-invalid', query.debug.file))
  const files = quickFiles(arg.roots)
  const debug = new OpenTensor(files, query.debug)
  try {
    const bench = new OpenTensor(files, query.bench)
    try {
      return yield* compare(debug, bench, atol, rtol, sharesOf(context))
    } finally {
      bench.close()
    }
  } finally {
    debug.close()
  }
}

function* compare(
  debug: OpenTensor,
  bench: OpenTensor,
  atol: number,
  rtol: number,
  report: (share: number) => void,
): Generator<void, Closeness, void> {
  const { size, shape } = debug.layout
  const worst = new Largest(mostWorst)
  let [apart, maxAbs, maxRel] = [0, 0, 0]
  const same = sameShape(debug.layout, bench.layout)
  if (same) {
    yield* walk(
      [debug, bench],
      (first, count) => {
        const { values: x } = debug
        const { values: y } = bench
        for (let i = 0; i < count; i++) {
          const a = x[i]
          const b = y[i]
          if (a === b) continue
          const size = Math.abs(b)
          let error = Math.abs(a - b)
          // As in numpy, NaN is close to nothing, not even to NaN.
          if (!(error <= atol + rtol * size) || size === Infinity) apart++
          if (!(error < Infinity)) error = absoluteError(a, b)
          if (error > maxAbs) maxAbs = error
          if (error / size > maxRel) maxRel = error / size
          if (error > worst.least) worst.add({ element: first + i, debug: a, bench: b, error })
        }
      },
      report,
    )
  }
  return {
    dtypes: [debug.layout.dtype.name, bench.layout.dtype.name],
    shapes: [shape, bench.layout.shape],
    elements: size,
    apart: same ? apart : size,
    maxAbs: same ? maxAbs : NaN,
    maxRel: same ? maxRel : NaN,
    worst: worst.items.map(({ element, ...rest }) => ({ index: indexOf(element, shape), ...rest })),
  }
}
