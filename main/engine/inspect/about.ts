// What the inspector says of a tensor, or of a pair: health, statistics, the worst elements, the error along each axis; first of
// a sample of large ones, then of all elements.
import { indexOf } from '../formats/index.ts'
import type { Files } from '../io/index.ts'
import { type Problem, Refusal, type TensorAbout, type TensorHealth, type TensorRef } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { AlongAxes, tellingAxis } from './along.ts'
import { PairTotal } from './pair-numbers.ts'
import { ailments, SideSums } from './side-numbers.ts'
import { snippetOf } from './snippet.ts'
import {
  type BothStates,
  type Range,
  rangesOf,
  runner,
  type Runs,
  sameDims,
  type Spec,
  type Threads,
} from './survey.ts'

export interface LookQuery {
  readonly debug: TensorRef | null
  readonly bench: TensorRef | null
}

/** Smaller tensors are read whole before anybody can wait for them. */
export const soonRead = 1 << 21
const samples = { stretches: 48, elements: 1 << 13 }
const worst = 20
const exactly = { atol: 0, rtol: 0 }

export interface OpenedPair {
  readonly debug: Spec | null
  readonly bench: Spec | null
  readonly problems: readonly Problem[]
}

/** What both sides are; why one cannot be read stands beside it. */
export async function openedPair(run: Runs, { debug, bench }: LookQuery): Promise<OpenedPair> {
  const problems: Problem[] = []
  const specOf = async (ref: TensorRef | null): Promise<Spec | null> => {
    if (!ref?.file) return null
    try {
      return (await run<readonly Spec[]>('tensorSpecs', { refs: [ref] }))[0] ?? null
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.push(error.problem)
      return null
    }
  }
  return { debug: await specOf(debug), bench: await specOf(bench), problems }
}

/** Stretches all over a large tensor; null for one that is read whole as soon. */
export function sampleOf(...specs: readonly (Spec | null)[]): readonly Range[] | null {
  const size = Math.min(...specs.flatMap(spec => (spec ? [spec.size] : [])))
  if (!(size > soonRead && size < Infinity)) return null
  // What is packed can only be read forwards.
  if (specs.some(spec => spec?.isPacked)) return [{ from: 0, to: soonRead >> 1 }]
  const step = (size - samples.elements) / (samples.stretches - 1)
  return Array.from({ length: samples.stretches }, (_, i) => {
    const from = Math.floor(i * step)
    return { from, to: from + samples.elements }
  })
}

export const elementsIn = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from, 0)

/** Both can be laid over each other. */
export const together = ({ debug, bench }: OpenedPair): boolean =>
  debug !== null && bench !== null && sameDims(debug.shape, bench.shape)

/** What each thread reads: all of a sample in one, else a part of the whole. */
export const sharesOf = (
  specs: readonly Spec[],
  sample: readonly Range[] | null,
  threads: number,
): readonly (readonly Range[])[] =>
  sample
    ? [sample]
    : rangesOf(
        specs[0].size,
        specs.some(spec => spec.isPacked),
        threads,
      ).map(range => [range])

export async function aboutTensors(
  pool: Threads,
  files: Files,
  query: LookQuery & { readonly sample: boolean },
  job: Job,
): Promise<TensorAbout> {
  const run = runner(pool, files, job)
  const pair = await openedPair(run, query)
  const sample = query.sample ? sampleOf(pair.debug, pair.bench) : null
  const base = { sampled: sample && elementsIn(sample), snippet: snippetOf(query.debug, query.bench) }
  const overlaid = await aboutPair(run, query, pair, sample)
  if (overlaid) return { ...base, ...overlaid, problems: pair.problems }
  const problems = [...pair.problems]
  const one = async (ref: TensorRef | null, spec: Spec | null): Promise<TensorHealth | null> => {
    if (!ref || !spec) return null
    try {
      return healthOf(spec, await alone(run, ref, spec, sample))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.push(error.problem)
      return null
    }
  }
  const [debug, bench] = [await one(query.debug, pair.debug), await one(query.bench, pair.bench)]
  return { ...base, debug, bench, pair: null, worst: [], along: [], telling: null, problems }
}

/** Null where they cannot be laid over each other, and where one ends early: then each is looked at alone. */
async function aboutPair(
  run: Runs,
  query: LookQuery,
  pair: OpenedPair,
  sample: readonly Range[] | null,
): Promise<Omit<TensorAbout, 'sampled' | 'snippet' | 'problems'> | null> {
  const { debug, bench } = pair
  if (!together(pair) || !debug || !bench || !query.debug || !query.bench) return null
  try {
    const { sides, total, along } = await both(run, query.debug, query.bench, [debug, bench], sample)
    const { mismatched, maxAbs, meanAbs, maxRel, cosine, ulp } = total.numbers
    const { errors } = along
    return {
      debug: healthOf(debug, sides[0]),
      bench: healthOf(bench, sides[1]),
      pair: { mismatched, maxAbs, meanAbs, maxRel, cosine, ulp: ulp?.max ?? null },
      worst: total.top.map(({ element, ...rest }) => ({ index: indexOf(element, debug.shape), ...rest })),
      along: errors,
      telling: tellingAxis(errors),
    }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

async function both(
  run: Runs,
  left: TensorRef,
  right: TensorRef,
  specs: readonly [Spec, Spec],
  sample: readonly Range[] | null,
): Promise<{ sides: readonly [SideSums, SideSums]; total: PairTotal; along: AlongAxes }> {
  const order = { left, right, tolerance: exactly, top: worst, along: true }
  const parts = await Promise.all(
    sharesOf(specs, sample, run.threads).map(ranges =>
      run<BothStates>('sumTensors', { ...order, ranges }, elementsIn(ranges)),
    ),
  )
  const sides = [new SideSums(), new SideSums()] as const
  const total = new PairTotal(worst)
  const along = new AlongAxes(specs[0].shape)
  for (const part of parts) {
    sides[0].merge(part.left)
    if (part.right) sides[1].merge(part.right)
    if (part.pair) total.merge(part.pair)
    if (part.along) along.merge(part.along)
  }
  return { sides, total, along }
}

async function alone(
  run: Runs,
  left: TensorRef,
  spec: Spec,
  sample: readonly Range[] | null,
): Promise<SideSums> {
  const parts = await Promise.all(
    sharesOf([spec], sample, run.threads).map(ranges =>
      run<BothStates>(
        'sumTensors',
        { left, right: null, tolerance: exactly, top: 0, ranges },
        elementsIn(ranges),
      ),
    ),
  )
  const sums = new SideSums()
  for (const part of parts) sums.merge(part.left)
  return sums
}

function healthOf({ dtype, shape }: Spec, { numbers }: SideSums): TensorHealth {
  const { count, zeros, counts, where, max, min, mean, std, norm } = numbers
  return {
    dtype,
    shape,
    count,
    zeros,
    max,
    min,
    mean,
    std,
    norm,
    ailments: ailments.map(kind => ({
      kind,
      count: counts[kind],
      first: where[kind] < 0 ? null : indexOf(where[kind], shape),
    })),
  }
}
