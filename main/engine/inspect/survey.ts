// All elements of one tensor or of two: what is in them and how far they are apart, exactly. Threads share the ranges.
import { indexOf } from '../formats/index.ts'
import { type Files, quickFiles, type Root } from '../io/index.ts'
import { type DifferenceKind, problem, Refusal, type TensorRef } from '../model/index.ts'
import { betweenSteps, Cancelled, type Job, type Pool, type TaskContext } from '../work/index.ts'
import { AlongAxes, type AlongState } from './along.ts'
import { type Edges, edgesOf, fill } from './bins.ts'
import { PairSums, type PairNumbers, type PairState, PairTotal, type Tolerance } from './pair-numbers.ts'
import { Quick } from './quick.ts'
import { type Exact, Side } from './side.ts'
import { SideSums, type SideNumbers, type SideState } from './side-numbers.ts'
import { cutOf } from './slice.ts'

export interface Spec {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly size: number
  readonly isPacked: boolean
  readonly isComplex: boolean
}

export interface SurveyQuery {
  readonly left: TensorRef
  readonly right: TensorRef | null
  readonly tolerance: Tolerance
  /** How many of the largest differences are listed. */
  readonly top: number
  /** Of the histogram; 0 for none. */
  readonly bins: number
}

export interface Apart {
  readonly index: readonly number[]
  readonly left: Exact
  readonly right: Exact
  readonly abs: number
}

export interface Survey {
  readonly left: Spec
  readonly right: Spec | null
  readonly leftNumbers: SideNumbers
  readonly rightNumbers: SideNumbers | null
  /** Null where there is one side, and where the shapes differ. */
  readonly pair: PairNumbers | null
  readonly top: readonly Apart[]
  readonly histogram: {
    readonly range: readonly [number, number]
    readonly edges: Float64Array
    readonly left: Float64Array
    readonly right: Float64Array | null
  } | null
}

/** Tensors of less than this are not worth a second thread. */
const shared = 1 << 21

/** Threads that tasks are run by. */
export type Threads = Pick<Pool, 'run' | 'size'>

export async function survey(pool: Threads, files: Files, query: SurveyQuery, job: Job): Promise<Survey> {
  const run = runner(pool, files, job)
  const refs = [query.left, ...(query.right ? [query.right] : [])]
  const specs = await run<readonly Spec[]>('tensorSpecs', { refs })
  const [left, right = null] = specs
  const together = right !== null && sameDims(left.shape, right.shape)
  const first = together
    ? await sumBoth(run, query, left, right)
    : {
        sides: await Promise.all(specs.map((spec, i) => sumOne(run, query, refs[i], spec))),
        pair: null,
        top: [],
      }
  const [leftSums, rightSums = null] = first.sides
  const isPlain = !right || !specs.some(spec => spec.isComplex)
  const ranges = first.sides.map(sums => sums.range)
  const edges =
    isPlain && query.bins > 0
      ? edgesOf(
          Math.min(...ranges.map(([low]) => low)),
          Math.max(...ranges.map(([, high]) => high)),
          query.bins,
        )
      : null
  const counts = edges && (await Promise.all(specs.map((spec, i) => binned(run, refs[i], spec, edges))))
  return {
    left,
    right,
    leftNumbers: leftSums.numbers,
    rightNumbers: rightSums?.numbers ?? null,
    pair: first.pair,
    top: first.top,
    histogram: edges &&
      counts && {
        range: [edges.low, edges.high],
        edges: edges.edges,
        left: counts[0],
        right: counts[1] ?? null,
      },
  }
}

type Run = <R>(task: string, arg: object, weight?: number) => Promise<R>

/** Runs tasks for a job, and adds their shares up to one progress. */
export function runner(pool: Threads, files: Files, job: Job): Run & { readonly threads: number } {
  const roots = files.roots()
  let [done, total] = [0, 0]
  const run: Run = (task, arg, weight = 0) => {
    if (job.signal.aborted) return Promise.reject(new Cancelled())
    total += weight
    let told = 0
    const tell = (share: unknown): void => {
      done += (Number(share) - told) * weight
      told = Number(share)
      if (total > 0)
        job.report({
          what: 'job.reading',
          done: Math.round((done / total) * 1000),
          total: 1000,
          countedIn: 'items',
        })
    }
    // What is soon read may come between the steps of what is not: the numbers in view while a whole tensor is summed up.
    const priority = weight > soon ? inBackground : betweenSteps
    return pool.run(task, { roots, ...arg }, { signal: job.signal, priority, tell })
  }
  return Object.assign(run, { threads: pool.size })
}

/** So many elements are read before anybody waits for them. */
const soon = 1 << 22
/** After what is looked at, before comparing the rest. */
const inBackground = betweenSteps - 1

export interface Range {
  readonly from: number
  readonly to: number
}

/** Equal parts, one per thread; what can only be read forwards is one. */
export function rangesOf(size: number, isPacked: boolean, threads: number): readonly Range[] {
  const parts = isPacked || size < shared ? 1 : Math.max(1, threads)
  const each = Math.ceil(size / parts)
  return Array.from({ length: parts }, (_, i) => ({
    from: Math.min(size, i * each),
    to: Math.min(size, (i + 1) * each),
  }))
}

export type Runs = Run & { readonly threads: number }

async function sumBoth(
  run: Runs,
  { left, right, tolerance, top }: SurveyQuery,
  spec: Spec,
  other: Spec,
): Promise<{ sides: readonly SideSums[]; pair: PairNumbers; top: readonly Apart[] }> {
  const parts = await Promise.all(
    rangesOf(spec.size, spec.isPacked || other.isPacked, run.threads).map(range =>
      run<BothStates>('sumTensors', { left, right, tolerance, top, ranges: [range] }, range.to - range.from),
    ),
  )
  const sides = [new SideSums(), new SideSums()]
  const total = new PairTotal(top)
  for (const part of parts) {
    sides[0].merge(part.left)
    if (part.right) sides[1].merge(part.right)
    if (part.pair) total.merge(part.pair)
  }
  const wanted = total.top.map(found => found.element)
  const exact = await Promise.all(
    [left, right].map(ref => run<readonly Exact[]>('tensorElements', { ref, elements: wanted })),
  )
  return {
    sides,
    pair: total.numbers,
    top: total.top.map(({ element, error }, i) => ({
      index: indexOf(element, spec.shape),
      left: exact[0][i],
      right: exact[1][i],
      abs: error,
    })),
  }
}

/** How two tensors of one shape differ, and nothing of what is in each. */
export async function pairNumbers(
  pool: Threads,
  files: Files,
  query: { readonly left: TensorRef; readonly right: TensorRef; readonly tolerance: Tolerance },
  job: Job,
): Promise<PairNumbers> {
  const run = runner(pool, files, job)
  const specs = await run<readonly Spec[]>('tensorSpecs', { refs: [query.left, query.right] })
  const isPacked = specs.some(spec => spec.isPacked)
  const parts = await Promise.all(
    rangesOf(specs[0].size, isPacked, run.threads).map(range =>
      run<PairState>('sumPair', { ...query, range }, range.to - range.from),
    ),
  )
  const total = new PairTotal(0)
  for (const part of parts) total.merge(part)
  return total.numbers
}

async function sumOne(run: Runs, { tolerance }: SurveyQuery, ref: TensorRef, spec: Spec): Promise<SideSums> {
  const parts = await Promise.all(
    rangesOf(spec.size, spec.isPacked, run.threads).map(range =>
      run<BothStates>(
        'sumTensors',
        { left: ref, right: null, tolerance, top: 0, ranges: [range] },
        range.to - range.from,
      ),
    ),
  )
  const sums = new SideSums()
  for (const part of parts) sums.merge(part.left)
  return sums
}

async function binned(run: Runs, ref: TensorRef, spec: Spec, edges: Edges): Promise<Float64Array> {
  const parts = await Promise.all(
    rangesOf(spec.size, spec.isPacked, run.threads).map(range =>
      run<Float64Array>('binTensor', { ref, edges, range }, range.to - range.from),
    ),
  )
  const all = new Float64Array(edges.edges.length - 1)
  for (const part of parts) for (let i = 0; i < all.length; i++) all[i] += part[i]
  return all
}

export interface CutAnswer {
  readonly shape: readonly number[]
  readonly size: number
  /** In C order, as many as asked for at most. */
  readonly values: readonly Exact[]
}

/** The elements that a slice expression names. */
export const readCut = (
  pool: Threads,
  files: Files,
  query: { readonly ref: TensorRef; readonly expression: string; readonly most: number },
  job: Job,
): Promise<CutAnswer> => runner(pool, files, job)('tensorCut', query)

/** Which of the usual kinds of difference it is, if any. */
export const kindOf = (
  pool: Threads,
  files: Files,
  query: { readonly left: TensorRef; readonly right: TensorRef },
  job: Job,
): Promise<DifferenceKind> => runner(pool, files, job)('differenceKind', query)

/** What a tensor is, without reading its elements. */
export const specsOf = (
  pool: Threads,
  files: Files,
  refs: readonly TensorRef[],
  job: Job,
): Promise<readonly Spec[]> => runner(pool, files, job)('tensorSpecs', { refs })

// ---------------------------------------- in the thread

interface Rooted {
  readonly roots: readonly Root[]
}

export interface BothStates {
  readonly left: SideState
  readonly right: SideState | null
  readonly pair: PairState | null
  readonly along: AlongState | null
}

export function* specsTask({
  roots,
  refs,
}: Rooted & { refs: readonly TensorRef[] }): Generator<void, readonly Spec[]> {
  const specs: Spec[] = []
  for (const ref of refs) {
    specs.push(
      withSide(roots, ref, ({ dtype, shape, size, isPacked, isComplex }) => ({
        dtype: dtype.name,
        shape,
        size,
        isPacked,
        isComplex,
      })),
    )
    yield
  }
  return specs
}

export function* elementsTask({
  roots,
  ref,
  elements,
}: Rooted & { ref: TensorRef; elements: readonly number[] }): Generator<void, readonly Exact[]> {
  yield
  return withSide(roots, ref, side => side.elements(elements))
}

export function* cutTask({
  roots,
  ref,
  expression,
  most,
}: Rooted & { ref: TensorRef; expression: string; most: number }): Generator<void, CutAnswer> {
  yield
  return withSide(roots, ref, side => {
    const cut = cutOf(expression, side.shape, side.file)
    const wanted = Array.from({ length: Math.min(cut.size, most) }, (_, n) => cut.element(n))
    return { shape: cut.shape, size: cut.size, values: side.elements(wanted) }
  })
}

function withSide<T>(roots: readonly Root[], ref: TensorRef, of: (side: Side) => T): T {
  const side = new Side(quickFiles(roots), ref)
  try {
    return of(side)
  } finally {
    side.close()
  }
}

export interface SumOrder extends Rooted {
  readonly left: TensorRef
  readonly right: TensorRef | null
  readonly tolerance: Tolerance
  readonly top: number
  /** One behind the other. */
  readonly ranges: readonly Range[]
  readonly along?: boolean
}

export function* sumTask(
  { roots, left, right, tolerance, top, ranges, along: isAlong = false }: SumOrder,
  context: TaskContext,
): Generator<void, BothStates> {
  const files = quickFiles(roots)
  const quick = new Quick()
  const mine = new Side(files, left, quick.left)
  let theirs: Side | null = null
  try {
    theirs = right && new Side(files, right, quick.right)
    if (theirs && !sameDims(mine.shape, theirs.shape)) throw new Refusal(problem('growing', mine.file))
    const sums = [new SideSums(mine), new SideSums(theirs)]
    const pair = theirs && new PairSums(mine, theirs, tolerance, top, quick)
    const along = pair && isAlong ? new AlongAxes(mine.shape, quick) : null
    for (const [first, count] of stretchesOf(theirs ? [mine, theirs] : [mine], ranges, context)) {
      sums[0].add(mine, first, count)
      if (theirs) sums[1].add(theirs, first, count)
      if (pair) {
        pair.add(first, count)
        along?.add(first, pair.errors, count, pair.isWhole)
      }
      yield
    }
    return {
      left: sums[0].state,
      right: theirs && sums[1].state,
      pair: pair && pair.state,
      along: along && along.state,
    }
  } finally {
    mine.close()
    theirs?.close()
  }
}

export function* pairTask(
  {
    roots,
    left,
    right,
    tolerance,
    range,
  }: Rooted & Pick<SumOrder, 'left' | 'tolerance'> & { readonly right: TensorRef; readonly range: Range },
  context: TaskContext,
): Generator<void, PairState> {
  const files = quickFiles(roots)
  const quick = new Quick()
  const mine = new Side(files, left, quick.left)
  let theirs: Side | null = null
  try {
    theirs = new Side(files, right, quick.right)
    if (!sameDims(mine.shape, theirs.shape)) throw new Refusal(problem('growing', mine.file))
    const pair = new PairSums(mine, theirs, tolerance, 0, quick)
    for (const [first, count] of stretches([mine, theirs], range, context)) {
      pair.add(first, count)
      yield
    }
    return pair.state
  } finally {
    mine.close()
    theirs?.close()
  }
}

export function* binTask(
  { roots, ref, edges, range }: Rooted & { ref: TensorRef; edges: Edges; range: Range },
  context: TaskContext,
): Generator<void, Float64Array> {
  const side = new Side(quickFiles(roots), ref)
  try {
    const counts = new Float64Array(edges.edges.length - 1)
    for (const [, count] of stretches([side], range, context)) {
      fill(edges, side.values, count, counts)
      yield
    }
    return counts
  } finally {
    side.close()
  }
}

/** The same over several ranges. */
export function* stretchesOf(
  sides: readonly Side[],
  ranges: readonly Range[],
  context: TaskContext,
): Generator<readonly [first: number, count: number]> {
  if (ranges.length === 1) return yield* stretches(sides, ranges[0], context)
  for (const [i, range] of ranges.entries()) {
    yield* stretches(sides, range, { signal: context.signal, tell: () => {} })
    context.tell((i + 1) / ranges.length)
  }
}

/** Reads sides next to each other, and tells the share that is done. */
export function* stretches(
  sides: readonly Side[],
  { from, to }: Range,
  context: TaskContext,
): Generator<readonly [first: number, count: number]> {
  let told = 0
  for (let first = from; first < to;) {
    let count = to - first
    for (const side of sides) count = Math.min(count, side.read(first, count))
    if (count === 0) return
    yield [first, count]
    first += count
    const share = (first - from) / (to - from)
    if (share >= told + 0.01) context.tell((told = share))
  }
}

export const sameDims = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((dim, axis) => dim === b[axis])
