// Two axes of a tensor, or of the error of a pair, as blocks: the rest at one index, or its strongest or mean.
import { indexOf } from '../formats/index.ts'
import { type Files, quickFiles, type Root } from '../io/index.ts'
import { problem, Refusal, type HeatQuery, type TensorHeat, type TensorRef } from '../model/index.ts'
import type { Job, TaskContext } from '../work/index.ts'
import { elementsIn, type LookQuery, openedPair, sharesOf, together } from './about.ts'
import { PairSums } from './pair-numbers.ts'
import { Side } from './side.ts'
import { type Range, runner, stretchesOf, type Threads } from './survey.ts'
import { stepsOfAny } from './ulp.ts'

const most = { height: 160, width: 320 }

interface HeatOrder {
  readonly left: TensorRef
  readonly right: TensorRef | null
  readonly look: HeatQuery
  readonly height: number
  readonly width: number
  readonly ranges: readonly Range[]
}

interface Blocks {
  /** What is strongest, or the sum. */
  readonly values: Float64Array
  readonly counts: Float64Array
}

export async function heatOfTensors(
  pool: Threads,
  files: Files,
  { look, ...query }: LookQuery & { readonly look: HeatQuery },
  job: Job,
): Promise<TensorHeat> {
  const run = runner(pool, files, job)
  const pair = await openedPair(run, query)
  const isPair = look.measure !== 'debug' && look.measure !== 'bench'
  const [left, right] = isPair
    ? [query.debug, query.bench]
    : [look.measure === 'bench' ? query.bench : query.debug, null]
  const spec = look.measure === 'bench' ? pair.bench : pair.debug
  if (!left || !spec || (isPair && !(right && together(pair))))
    throw new Refusal(pair.problems[0] ?? problem('no-tensors', left?.file ?? ''))
  const { shape } = spec
  const clean = within(look, shape)
  const [height, width] = [
    Math.min(most.height, clean.rows[1] - clean.rows[0]),
    Math.min(most.width, clean.cols[1] - clean.cols[0]),
  ]
  const shares = clean.rest === 'slice' ? [planeOf(clean, shape)] : sharesOf([spec], null, run.threads)
  const parts = await Promise.all(
    shares.map(ranges =>
      run<Blocks>('heatOfTensors', { left, right, look: clean, height, width, ranges }, elementsIn(ranges)),
    ),
  )
  return { rows: clean.rows, cols: clean.cols, height, width, values: merged(parts, clean.rest) }
}

/** Windows and indices that the tensor has. */
function within(look: HeatQuery, shape: readonly number[]): HeatQuery {
  const lengthOf = (axis: number): number => (axis < 0 ? 1 : (shape[axis] ?? 1))
  const window = ([from, to]: readonly [number, number], axis: number): readonly [number, number] => {
    const length = lengthOf(axis)
    const first = Math.max(0, Math.min(Math.floor(from) || 0, length - 1))
    return [first, Math.max(first + Math.min(1, length), Math.min(Math.ceil(to) || length, length))]
  }
  const axis = (of: number): number => (Number.isInteger(of) && of >= 0 && of < shape.length ? of : -1)
  const [rowAxis, colAxis] = [axis(look.rowAxis), axis(look.colAxis)]
  return {
    ...look,
    rowAxis: rowAxis === colAxis ? -1 : rowAxis,
    colAxis,
    at: shape.map((length, i) => Math.max(0, Math.min(length - 1, Math.floor(look.at[i] ?? 0) || 0))),
    rows: window(look.rows, rowAxis === colAxis ? -1 : rowAxis),
    cols: window(look.cols, colAxis),
  }
}

/** The elements of a slice as few ranges: what lies between them is read where that is less than to go there. */
function planeOf(
  { rowAxis, colAxis, at, rows, cols }: HeatQuery,
  shape: readonly number[],
): readonly Range[] {
  const steps = shape.map((_, axis) => shape.slice(axis + 1).reduce((size, dim) => size * dim, 1))
  const base = at.reduce(
    (sum, index, axis) => (axis === rowAxis || axis === colAxis ? sum : sum + index * steps[axis]),
    0,
  )
  const shown = [
    { step: rowAxis < 0 ? 0 : steps[rowAxis], window: rows },
    { step: colAxis < 0 ? 0 : steps[colAxis], window: cols },
  ].toSorted((a, b) => b.step - a.step)
  const [outer, inner] = shown
  const span = (inner.window[1] - inner.window[0] - 1) * inner.step + 1
  const isNear = inner.step <= nearElements
  const ranges: Range[] = []
  const add = (from: number, to: number): void => {
    const last = ranges.at(-1)
    if (last && from - last.to <= nearElements && from >= last.to)
      ranges[ranges.length - 1] = { from: last.from, to }
    else ranges.push({ from, to })
  }
  for (let o = outer.window[0]; o < outer.window[1]; o++) {
    const first = base + o * outer.step + inner.window[0] * inner.step
    if (isNear) add(first, first + span)
    else
      for (let i = 0; i < inner.window[1] - inner.window[0]; i++)
        add(first + i * inner.step, first + i * inner.step + 1)
  }
  return ranges
}

/** Reading on over so many elements is quicker than another read. */
const nearElements = 512

function merged(parts: readonly Blocks[], rest: HeatQuery['rest']): Float64Array {
  const [first, ...others] = parts
  for (const other of others)
    for (let i = 0; i < first.values.length; i++) {
      first.counts[i] += other.counts[i]
      if (rest === 'mean') first.values[i] += other.values[i]
      else if (stronger(other.values[i], first.values[i])) first.values[i] = other.values[i]
    }
  return rest === 'mean'
    ? first.values.map((sum, i) => sum / first.counts[i])
    : first.values.map((value, i) => (first.counts[i] === 0 ? NaN : value))
}

/** By size; what is no number stands before all. */
const stronger = (a: number, b: number): boolean =>
  Number.isNaN(a) || (Math.abs(a) > Math.abs(b) && !Number.isNaN(b))

// ---------------------------------------- in the thread

export function* heatTask(
  { roots, left, right, look, height, width, ranges }: HeatOrder & { readonly roots: readonly Root[] },
  context: TaskContext,
): Generator<void, Blocks, void> {
  const files = quickFiles(roots)
  const mine = new Side(files, left)
  let theirs: Side | null = null
  try {
    theirs = right && new Side(files, right)
    const numbers = measured(look.measure, mine, theirs)
    const fold = new Fold(look, mine.shape, height, width)
    for (const [first, count] of stretchesOf(theirs ? [mine, theirs] : [mine], ranges, context)) {
      fold.add(first, numbers(first, count), count)
      yield
    }
    return fold.blocks
  } finally {
    mine.close()
    theirs?.close()
  }
}

/** The numbers of the stretch that was read last. */
function measured(
  measure: HeatQuery['measure'],
  mine: Side,
  theirs: Side | null,
): (first: number, count: number) => Float64Array {
  if (!theirs) return () => mine.values
  const pair = new PairSums(mine, theirs, { atol: 0, rtol: 0 }, 0)
  const steps = measure === 'ulp' ? stepsOfAny(mine, theirs) : null
  const out = new Float64Array(mine.values.length)
  return (first, count) => {
    pair.add(first, count)
    steps?.refresh()
    for (let i = 0; i < count; i++) {
      const error = pair.errors[i]
      const [l, r] = [mine.values[i], theirs.values[i]]
      if (Number.isNaN(error)) out[i] = l === r || (Number.isNaN(l) && Number.isNaN(r)) ? 0 : Infinity
      else if (measure === 'rel') out[i] = error === 0 ? 0 : error / Math.abs(r)
      else if (measure === 'ulp') out[i] = steps ? (error === 0 ? 0 : steps.between(i)) : NaN
      else out[i] = error
    }
    return out
  }
}

/** Brings elements into their blocks, run by run along the last axis. */
class Fold {
  readonly blocks: Blocks
  readonly #look: HeatQuery
  readonly #shape: readonly number[]
  readonly #height: number
  readonly #width: number

  constructor(look: HeatQuery, shape: readonly number[], height: number, width: number) {
    this.#look = look
    this.#shape = shape
    this.#height = height
    this.#width = width
    this.blocks = { values: new Float64Array(height * width), counts: new Float64Array(height * width) }
  }

  add(first: number, numbers: Float64Array, count: number): void {
    const shape = this.#shape
    const last = shape.length - 1
    const index = [...indexOf(first, shape)]
    if (last < 0) return this.#run(index, numbers, 0, count)
    for (let done = 0; done < count;) {
      const many = Math.min(shape[last] - index[last], count - done)
      if (this.#isShown(index, last)) this.#run(index, numbers, done, many)
      done += many
      index[last] += many
      for (let axis = last; axis > 0 && index[axis] === shape[axis]; axis--) {
        index[axis] = 0
        index[axis - 1]++
      }
    }
  }

  /** As far as the axes before the last one say. */
  #isShown(index: readonly number[], last: number): boolean {
    const { rowAxis, colAxis, rows, cols, at, rest } = this.#look
    for (let axis = 0; axis < last; axis++) {
      if (axis === rowAxis) {
        if (index[axis] < rows[0] || index[axis] >= rows[1]) return false
      } else if (axis === colAxis) {
        if (index[axis] < cols[0] || index[axis] >= cols[1]) return false
      } else if (rest === 'slice' && index[axis] !== at[axis]) return false
    }
    return true
  }

  #run(index: readonly number[], numbers: Float64Array, from: number, many: number): void {
    const { rowAxis, colAxis, rows, cols, at, rest } = this.#look
    const [height, width] = [this.#height, this.#width]
    const { values, counts } = this.blocks
    const last = index.length - 1
    const [tall, wide] = [rows[1] - rows[0], cols[1] - cols[0]]
    const row = rowAxis < 0 ? 0 : index[rowAxis]
    const col = colAxis < 0 ? 0 : index[colAxis]
    const start = last < 0 ? 0 : index[last]
    for (let i = 0; i < many; i++) {
      let [r, c] = [row, col]
      if (last === rowAxis && last >= 0) {
        r = start + i
        if (r < rows[0] || r >= rows[1]) continue
      } else if (last === colAxis && last >= 0) {
        c = start + i
        if (c < cols[0] || c >= cols[1]) continue
      } else if (rest === 'slice' && last >= 0 && start + i !== at[last]) continue
      const block =
        Math.floor(((r - rows[0]) * height) / tall) * width + Math.floor(((c - cols[0]) * width) / wide)
      const value = numbers[from + i]
      counts[block]++
      if (rest === 'mean') values[block] += value
      else if (counts[block] === 1 || stronger(value, values[block])) values[block] = value
    }
  }
}
