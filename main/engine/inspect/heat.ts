// Two axes of a tensor, or of the error of a pair, as blocks: the rest at one index, or its strongest or mean.
import { indexOf } from '../formats/index.ts'
import { type Files, quickFiles, type Root } from '../io/index.ts'
import { problem, Refusal, type HeatQuery, type TensorHeat, type TensorRef } from '../model/index.ts'
import type { Job, TaskContext } from '../work/index.ts'
import { elementsIn, type LookQuery, openedPair, sharesOf, soonRead, together } from './about.ts'
import { PairSums } from './pair-numbers.ts'
import { Quick } from './quick.ts'
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
  { look, sample, ...query }: LookQuery & { readonly look: HeatQuery; readonly sample: boolean },
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
  const size = { height, width }
  const whole = clean.rest === 'slice' ? [planeOf(clean, shape)] : sharesOf([spec], null, run.threads)
  const isPacked = pair.debug?.isPacked || pair.bench?.isPacked
  const some = sample && !isPacked && elementsIn(whole.flat()) > soonRead ? planeOf(clean, shape, size) : null
  const shares = some ? [some] : clean.rest === 'slice' ? sharedOut(whole[0], run.threads) : whole
  const parts = await Promise.all(
    shares.map(ranges =>
      run<Blocks>('heatOfTensors', { left, right, look: clean, ...size, ranges }, elementsIn(ranges)),
    ),
  )
  return {
    sampled: some && elementsIn(some),
    rows: clean.rows,
    cols: clean.cols,
    ...size,
    values: merged(parts, clean.rest),
  }
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

interface Size {
  readonly height: number
  readonly width: number
}

/** Reading on over so many elements is quicker than another read. */
const nearElements = 512
/** What one read brings along for nothing. */
const longestRun = 64
/** A sample reads no more than about so many elements, or goes to so many places. */
const mostSampled = 1 << 20
const mostReads = 1 << 16

/**
 * The elements of a slice as few ranges: what lies between them is read where that is less than to go there. Of a picture of `size`
 * only some of each block; the axes that are not shown stand at their index, or in their middle.
 */
function planeOf(look: HeatQuery, shape: readonly number[], size: Size | null = null): readonly Range[] {
  const { rowAxis, colAxis, at, rows, cols, rest } = look
  const steps = shape.map((_, axis) => shape.slice(axis + 1).reduce((all, dim) => all * dim, 1))
  const base = shape.reduce((sum, length, axis) => {
    if (axis === rowAxis || axis === colAxis) return sum
    return sum + (rest === 'slice' ? at[axis] : length >> 1) * steps[axis]
  }, 0)
  const shown = [
    { step: rowAxis < 0 ? 0 : steps[rowAxis], window: rows, blocks: size?.height ?? 0 },
    { step: colAxis < 0 ? 0 : steps[colAxis], window: cols, blocks: size?.width ?? 0 },
  ].toSorted((a, b) => b.step - a.step)
  const [outer, inner] = shown
  const span = (inner.window[1] - inner.window[0] - 1) * inner.step + 1
  // A sample of rows that are longer than all it may read takes a short run of each block instead.
  const isNear = inner.step <= nearElements && (!size || span * outer.blocks <= mostSampled)
  const innerPlaces = isNear ? [] : placesOf(inner.window, size ? inner.blocks : Infinity, 1)
  const many = Math.max(1, (isNear ? span : innerPlaces.length) * outer.blocks)
  const each = Math.max(1, Math.floor((isNear ? mostSampled : mostReads) / many))
  const run = size && inner.step === 1 ? Math.max(1, Math.min(longestRun, Math.floor(mostSampled / many))) : 1
  const outerPlaces = placesOf(outer.window, size ? outer.blocks : Infinity, each)
  const ranges: Range[] = []
  const add = (from: number, to: number): void => {
    const last = ranges.at(-1)
    if (last && from - last.to <= nearElements && from >= last.to)
      ranges[ranges.length - 1] = { from: last.from, to }
    else ranges.push({ from, to })
  }
  for (const o of outerPlaces) {
    const first = base + o * outer.step
    if (isNear) add(first + inner.window[0] * inner.step, first + inner.window[0] * inner.step + span)
    else
      for (const i of innerPlaces)
        add(first + i * inner.step, first + Math.min(i + run, inner.window[1]) * inner.step - inner.step + 1)
  }
  return ranges
}

/** Indices of a window: all of them, or so many of each block. */
function placesOf([from, to]: readonly [number, number], blocks: number, each: number): readonly number[] {
  const length = to - from
  const many = Math.min(length, blocks * each)
  return Array.from({ length: many }, (_, i) => from + Math.floor(((i + 0.5) * length) / many))
}

/** Ranges for each thread, where they are worth more than one. */
function sharedOut(ranges: readonly Range[], threads: number): readonly (readonly Range[])[] {
  const all = elementsIn(ranges)
  if (threads < 2 || all <= soonRead) return [ranges]
  const cut = ranges.flatMap(({ from, to }) =>
    Array.from({ length: Math.ceil((to - from) / soonRead) }, (_, i) => ({
      from: from + i * soonRead,
      to: Math.min(to, from + (i + 1) * soonRead),
    })),
  )
  const each = Math.ceil(cut.length / threads)
  return Array.from({ length: Math.ceil(cut.length / each) }, (_, i) => cut.slice(i * each, (i + 1) * each))
}

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
  const quick = new Quick()
  const mine = new Side(files, left, quick.left)
  let theirs: Side | null = null
  try {
    theirs = right && new Side(files, right, quick.right)
    const numbers = measured(look.measure, mine, theirs, quick)
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
  quick: Quick,
): (first: number, count: number) => Float64Array {
  if (!theirs) return () => mine.values
  const pair = new PairSums(mine, theirs, { atol: 0, rtol: 0 }, 0, quick)
  const steps = measure === 'ulp' ? stepsOfAny(mine, theirs) : null
  const out = new Float64Array(mine.values.length)
  return (first, count) => {
    pair.add(first, count)
    if (measure === 'abs' && pair.isWhole) return pair.errors
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
  readonly #width: number
  readonly #rows: Blocked
  readonly #cols: Blocked

  constructor(look: HeatQuery, shape: readonly number[], height: number, width: number) {
    this.#look = look
    this.#shape = shape
    this.#width = width
    this.#rows = new Blocked(look.rows, height)
    this.#cols = new Blocked(look.cols, width)
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
    const last = index.length - 1
    const start = last < 0 ? 0 : index[last]
    const rowBase = rowAxis < 0 ? 0 : this.#rows.of(index[rowAxis]) * this.#width
    const col = colAxis < 0 ? 0 : this.#cols.of(index[colAxis])
    const run = (first: number, end: number, blockOf: (place: number) => number): void => {
      const [low, high] = [Math.max(first, start), Math.min(end, start + many)]
      if (rest === 'mean') this.#sum(numbers, from - start, low, high, blockOf)
      else this.#strongest(numbers, from - start, low, high, blockOf)
    }
    if (last >= 0 && last === colAxis) run(cols[0], cols[1], place => rowBase + this.#cols.of(place))
    else if (last >= 0 && last === rowAxis)
      run(rows[0], rows[1], place => this.#rows.of(place) * this.#width + col)
    else if (last >= 0 && rest === 'slice') run(at[last], at[last] + 1, () => rowBase + col)
    else run(start, start + many, () => rowBase + col)
  }

  #sum(
    numbers: Float64Array,
    offset: number,
    low: number,
    high: number,
    blockOf: (place: number) => number,
  ): void {
    const { values, counts } = this.blocks
    for (let place = low; place < high; place++) {
      const block = blockOf(place)
      values[block] += numbers[offset + place]
      counts[block]++
    }
  }

  #strongest(
    numbers: Float64Array,
    offset: number,
    low: number,
    high: number,
    blockOf: (place: number) => number,
  ): void {
    const { values, counts } = this.blocks
    for (let place = low; place < high; place++) {
      const block = blockOf(place)
      const value = numbers[offset + place]
      const known = values[block]
      if (counts[block]++ === 0) values[block] = value
      else if (value !== value || (value < 0 ? -value : value) > (known < 0 ? -known : known))
        values[block] = value
    }
  }
}

/** The block of each index in a window. */
class Blocked {
  readonly #from: number
  readonly #length: number
  readonly #blocks: number
  readonly #table: Uint16Array | null

  constructor([from, to]: readonly [number, number], blocks: number) {
    this.#from = from
    this.#length = to - from
    this.#blocks = blocks
    this.#table =
      this.#length <= longestTable
        ? Uint16Array.from({ length: this.#length }, (_, i) => Math.floor((i * blocks) / this.#length))
        : null
  }

  of(index: number): number {
    const at = index - this.#from
    return this.#table ? this.#table[at] : Math.floor((at * this.#blocks) / this.#length)
  }
}

const longestTable = 1 << 20
