// What the inspector says of a tensor, or of a pair, over all elements: health, the error along each axis, the kind of
// difference, and how Python reads the same.
import { type Files, quickFiles, type Root } from '../io/index.ts'
import type { AxisErrors, DifferenceKind, TensorAbout, TensorHealth, TensorRef } from '../model/index.ts'
import type { Job, TaskContext } from '../work/index.ts'
import { kindTask } from './kinds/task.ts'
import { PairSums } from './pair-numbers.ts'
import { Side } from './side.ts'
import { ailments, SideSums } from './side-numbers.ts'
import { snippetOf } from './snippet.ts'
import { indexOf, runner, sameDims, stretches, type Threads } from './survey.ts'

export interface AboutQuery {
  readonly debug: TensorRef | null
  readonly bench: TensorRef | null
}

export const aboutTensors = (
  pool: Threads,
  files: Files,
  query: AboutQuery,
  job: Job,
): Promise<TensorAbout> => runner(pool, files, job)('aboutTensors', query, 1)

/** Longer axes are shown in so many stretches. */
const mostPlaces = 2048

/** Largest and mean error at each index of each axis, or of stretches of them. */
class AlongAxes {
  readonly #shape: readonly number[]
  readonly #axes: readonly { places: number; max: Float64Array; sum: Float64Array; count: Float64Array }[]
  readonly #index: number[]

  constructor(shape: readonly number[]) {
    this.#shape = shape
    this.#index = shape.map(() => 0)
    this.#axes = shape.map(length => {
      const places = Math.min(length, mostPlaces)
      const column = (): Float64Array => new Float64Array(places)
      return { places, max: column(), sum: column(), count: column() }
    })
  }

  /** The errors of elements that follow those added before. */
  add(errors: Float64Array, count: number): void {
    const [shape, index, axes] = [this.#shape, this.#index, this.#axes]
    for (let i = 0; i < count; i++) {
      const error = errors[i]
      for (let axis = 0; axis < axes.length; axis++) {
        const { places, max, sum, count: counts } = axes[axis]
        const place = places === shape[axis] ? index[axis] : Math.floor((index[axis] * places) / shape[axis])
        if (!Number.isNaN(error)) {
          if (error > max[place]) max[place] = error
          sum[place] += error
          counts[place]++
        }
      }
      for (let axis = index.length - 1; axis >= 0 && ++index[axis] === shape[axis]; axis--) index[axis] = 0
    }
  }

  get errors(): readonly AxisErrors[] {
    return this.#axes.flatMap(({ max, sum, count }, axis) =>
      this.#shape[axis] > 1
        ? [
            {
              axis,
              length: this.#shape[axis],
              max,
              mean: sum.map((total, i) => total / Math.max(1, count[i])),
            },
          ]
        : [],
    )
  }
}

export function* aboutTask(
  { roots, debug, bench }: AboutQuery & { readonly roots: readonly Root[] },
  context: TaskContext,
): Generator<void, TensorAbout, void> {
  const files = quickFiles(roots)
  const sides = { debug: debug && new Side(files, debug), bench: null as Side | null }
  try {
    sides.bench = bench && new Side(files, bench)
    const snippet = snippetOf(debug, bench)
    const { debug: mine, bench: theirs } = sides
    const health = { debug: yield* healthOf(mine, context), bench: yield* healthOf(theirs, context) }
    if (!mine || !theirs || !debug || !bench) return { ...health, along: [], kind: null, snippet }
    const along = yield* alongOf(mine, theirs, context)
    const kind =
      along?.equal || mine.isComplex || theirs.isComplex ? null : yield* kindOfPair(roots, debug, bench)
    return { ...health, along: along?.errors ?? [], kind, snippet }
  } finally {
    sides.debug?.close()
    sides.bench?.close()
  }
}

const kindOfPair = (
  roots: readonly Root[],
  left: TensorRef,
  right: TensorRef,
): Generator<void, DifferenceKind, void> => kindTask({ roots, left, right })

function* healthOf(side: Side | null, context: TaskContext): Generator<void, TensorHealth | null, void> {
  if (!side) return null
  const sums = new SideSums()
  for (const [first, count] of stretches([side], { from: 0, to: side.size }, context)) {
    sums.add(side, first, count)
    yield
  }
  const { count, zeros, counts, where, std } = sums.numbers
  return {
    count,
    zeros,
    std,
    ailments: ailments.map(kind => ({
      kind,
      count: counts[kind],
      first: where[kind] < 0 ? null : indexOf(where[kind], side.shape),
    })),
  }
}

function* alongOf(
  mine: Side,
  theirs: Side,
  context: TaskContext,
): Generator<void, { readonly equal: boolean; readonly errors: readonly AxisErrors[] } | null, void> {
  if (!sameDims(mine.shape, theirs.shape) || mine.size === 0) return null
  const pair = new PairSums(mine, theirs, { atol: 0, rtol: 0 }, 0)
  const along = new AlongAxes(mine.shape)
  for (const [first, count] of stretches([mine, theirs], { from: 0, to: mine.size }, context)) {
    pair.add(first, count)
    along.add(pair.errors, count)
    yield
  }
  return { equal: pair.state.mismatched === 0, errors: along.errors }
}
