// How values are spread: equal bins as numpy.histogram counts, octaves of magnitudes, and left against right.
import { type Files, quickFiles, type Root } from '../io/index.ts'
import type { TensorAbout, TensorRef, TensorSpread } from '../model/index.ts'
import type { Job, TaskContext } from '../work/index.ts'
import { elementsIn, type LookQuery, openedPair, sampleOf, sharesOf, together } from './about.ts'
import { binIn, type Edges, edgesOf } from './bins.ts'
import { Side } from './side.ts'
import { type Range, runner, stretchesOf, type Threads } from './survey.ts'

const bins = 64

interface SpreadOrder {
  readonly left: TensorRef
  readonly right: TensorRef | null
  readonly ranges: readonly Range[]
  readonly values: Edges | null
  readonly error: Edges | null
  /** Exponent of the largest magnitude, as its bits have it; null where all is zero. */
  readonly octave: number | null
  readonly paired: boolean
}

interface Counted {
  readonly left: Float64Array
  readonly right: Float64Array
  readonly error: Float64Array
  readonly against: Float64Array
  /** Octaves; the last one is for what is smaller. */
  readonly logs: readonly [left: Float64Array, right: Float64Array, error: Float64Array]
}

const empty = (): Counted => ({
  left: new Float64Array(bins),
  right: new Float64Array(bins),
  error: new Float64Array(bins),
  against: new Float64Array(bins * bins),
  logs: [new Float64Array(bins + 1), new Float64Array(bins + 1), new Float64Array(bins + 1)],
})

/** `about`: what the same elements came to, for the ranges. */
export async function spreadTensors(
  pool: Threads,
  files: Files,
  { about, ...query }: LookQuery & { readonly about: TensorAbout },
  job: Job,
): Promise<TensorSpread> {
  const run = runner(pool, files, job)
  const pair = await openedPair(run, query)
  const sides = (['debug', 'bench'] as const).flatMap(name => {
    const [ref, spec, health] = [query[name], pair[name], about[name]]
    return ref && spec && health ? [{ name, ref, spec, health }] : []
  })
  const nothing: TensorSpread = {
    sampled: about.sampled,
    values: null,
    error: null,
    log: null,
    against: null,
  }
  const [first, second] = sides
  if (!first) return nothing
  const ends = sides.flatMap(({ health: { min, max } }) =>
    min === null || max === null ? [] : [Number(min), Number(max)],
  )
  const values = edgesOf(Math.min(...ends), Math.max(...ends), bins)
  const paired = together(pair) && !sides.some(({ spec }) => spec.isComplex)
  const maxAbs = about.pair?.maxAbs ?? 0
  const error = paired && maxAbs > 0 && maxAbs < Infinity ? edgesOf(-maxAbs, maxAbs, bins) : null
  const most = ends.reduce((size, end) => Math.max(size, Math.abs(end)), paired ? maxAbs : 0)
  const octave = most > 0 && most < Infinity ? exponentOf(most) : null
  const order = { values, error, octave }
  const sample = about.sampled === null ? null : sampleOf(pair.debug, pair.bench)
  const countedOf = async (left: TensorRef, right: TensorRef | null, of: typeof sides): Promise<Counted> => {
    const shares = sharesOf(
      of.map(({ spec }) => spec),
      sample,
      run.threads,
    )
    const parts = await Promise.all(
      shares.map(ranges =>
        run<Counted>(
          'spreadTensors',
          { ...order, left, right, paired: right !== null, ranges },
          elementsIn(ranges),
        ),
      ),
    )
    return parts.reduce(plus)
  }
  const counted = await (paired && second
    ? countedOf(first.ref, second.ref, sides)
    : (async () => {
        const mine = await countedOf(first.ref, null, [first])
        const theirs = second && (await countedOf(second.ref, null, [second]))
        return theirs
          ? { ...mine, right: theirs.left, logs: [mine.logs[0], theirs.logs[0], mine.logs[2]] as const }
          : mine
      })())
  return {
    sampled: about.sampled,
    ...told(
      counted,
      sides.map(({ name }) => name),
      { values, error, octave, paired },
    ),
  }
}

/** Counts by the sides that are there. */
function told(
  { left, right, error, against, logs }: Counted,
  names: readonly ('debug' | 'bench')[],
  edges: Pick<SpreadOrder, 'values' | 'error' | 'octave' | 'paired'>,
): Omit<TensorSpread, 'sampled'> {
  const of = <T>(mine: T, theirs: T): { readonly debug: T | null; readonly bench: T | null } => ({
    debug: names[0] === 'debug' ? mine : null,
    bench: names[0] === 'bench' ? mine : names.length > 1 ? theirs : null,
  })
  const octaves = (counts: Float64Array): Float64Array => counts.slice(0, bins)
  const [mine, theirs] = [logs[0], logs[1]]
  const below = of(mine[bins], theirs[bins])
  return {
    values: edges.values && { edges: edges.values.edges, ...of(left, right) },
    error: edges.error && { edges: edges.error.edges, counts: error },
    log:
      edges.octave === null
        ? null
        : {
            edges: Float64Array.from(
              { length: bins + 1 },
              (_, i) => 2 ** ((edges.octave ?? 0) - 1023 - bins + 1 + i),
            ),
            ...of(octaves(mine), octaves(theirs)),
            error: edges.paired ? octaves(logs[2]) : null,
            below: { debug: below.debug ?? 0, bench: below.bench ?? 0, error: logs[2][bins] },
          },
    against: edges.paired && edges.values ? { bins, counts: against } : null,
  }
}

function plus(a: Counted, b: Counted): Counted {
  const add = (into: Float64Array, other: Float64Array): void => {
    for (let i = 0; i < into.length; i++) into[i] += other[i]
  }
  for (const key of ['left', 'right', 'error', 'against'] as const) add(a[key], b[key])
  a.logs.forEach((log, i) => add(log, b.logs[i]))
  return a
}

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)
/** As the bits have it, without the offset taken off. */
function exponentOf(size: number): number {
  double[0] = size
  return (words[1] >>> 20) & 0x7ff
}

// ---------------------------------------- in the thread

export function* spreadTask(
  {
    roots,
    left,
    right,
    ranges,
    values,
    error,
    octave,
    paired,
  }: SpreadOrder & { readonly roots: readonly Root[] },
  context: TaskContext,
): Generator<void, Counted, void> {
  const files = quickFiles(roots)
  const mine = new Side(files, left)
  let theirs: Side | null = null
  try {
    theirs = right && new Side(files, right)
    const counted = empty()
    const count = counter(counted, { values, error, octave, paired })
    for (const [, many] of stretchesOf(theirs ? [mine, theirs] : [mine], ranges, context)) {
      count(mine.values, theirs?.values ?? null, many)
      yield
    }
    return counted
  } finally {
    mine.close()
    theirs?.close()
  }
}

function counter(
  into: Counted,
  { values, error, octave, paired }: Pick<SpreadOrder, 'values' | 'error' | 'octave' | 'paired'>,
): (left: Float64Array, right: Float64Array | null, count: number) => void {
  const bin = values && binIn(values)
  const errorBin = error && binIn(error)
  const log = (counts: Float64Array, x: number): void => {
    if (octave === null) return
    double[0] = x
    const exponent = (words[1] >>> 20) & 0x7ff
    const place = bins - 1 - octave + exponent
    counts[place >= 0 && exponent > 0 && place < bins ? place : bins]++
  }
  const one = (x: number, counts: Float64Array, logs: Float64Array): number => {
    if (x - x !== 0) return -1
    log(logs, x)
    const place = bin ? bin(x) : -1
    if (place >= 0) counts[place]++
    return place
  }
  return (left, right, count) => {
    for (let i = 0; i < count; i++) {
      const l = left[i]
      const place = one(l, into.left, into.logs[0])
      if (!right || !paired) continue
      const r = right[i]
      const other = one(r, into.right, into.logs[1])
      if (place >= 0 && other >= 0) into.against[other * bins + place]++
      const apart = l - r
      if (apart - apart !== 0) continue
      log(into.logs[2], apart)
      const at = errorBin ? errorBin(apart) : -1
      if (at >= 0) into.error[at]++
    }
  }
}
