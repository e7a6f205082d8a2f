// Two gradient probes: how far the signs of each parameter agree, step by step, and what the csv files say.
import { type Files, join, quickFiles, type QuickFiles } from '../../io/index.ts'
import { type Problem, problem, Refusal, type Rules } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import type { PointSink } from '../points.ts'
import { Gaps } from './gaps.ts'
import { type Probe, probeAt, type ProbeRank } from './probe.ts'
import { compareSigns } from './signs.ts'
import { firstNames, NameOrder, readSummaries } from './summary.ts'

/** How far the signs of one rank agree. Cells lie by parameter and then by step. */
export interface RankSimilarity {
  readonly rank: number
  /** Steps with sign files on both sides. */
  readonly steps: readonly number[]
  /** In the order of the model. */
  readonly params: readonly string[]
  /** Elements that are equal, and all; -1 where nothing could be compared. */
  readonly equal: Float64Array
  readonly size: Float64Array
  /** Share of elements above zero, the larger of both sides. */
  readonly above: Float64Array
}

export interface GradientPair {
  readonly roots: readonly [string, string]
  readonly ranks: readonly RankSimilarity[]
  readonly problems: readonly Problem[]
}

interface Ports {
  readonly files: Files
  readonly job: Job
}

/** Similarity of one cell; null where there is none. An empty parameter has 0, as msprobe writes it. */
export function similarityAt(
  { equal, size, steps }: RankSimilarity,
  param: number,
  step: number,
): number | null {
  const at = param * steps.length + step
  if (size[at] < 0) return null
  return size[at] === 0 ? 0 : equal[at] / size[at]
}

/** Over all parameters that could be compared, weighted by their elements. */
export function summaryAt(
  { equal, size, steps, params }: RankSimilarity,
  step: number,
): { readonly equal: number; readonly size: number } {
  const all = { equal: 0, size: 0 }
  for (let param = 0; param < params.length; param++) {
    const at = param * steps.length + step
    if (size[at] < 0) continue
    all.equal += equal[at]
    all.size += size[at]
  }
  return all
}

/** `sinks` take what the csv files of each side hold. */
export async function compareGradients(
  roots: readonly [string, string],
  rules: Rules,
  sinks: readonly [PointSink, PointSink],
  ports: Ports,
): Promise<GradientPair> {
  const strict = rules !== 'plumbline'
  const problems: Problem[] = []
  const tell = (found: Problem): void => void problems.push(found)
  const probes = roots.map(root => probeAt(ports.files, root, strict))
  for (const { root, ranks, problems: found } of probes) {
    if (ranks.length === 0) throw new Refusal(problem('grad-none', root))
    problems.push(...found)
  }
  const [left, right] = probes
  const met = left.ranks.flatMap((mine): [ProbeRank, ProbeRank][] => {
    const theirs = right.ranks.find(({ rank }) => rank === mine.rank)
    return theirs ? [[mine, theirs]] : []
  })
  tellAlone(left, right, tell)
  tellAlone(right, left, tell)
  if (met.length === 0) throw new Refusal(problem('grad-no-rank', left.root, { other: right.root }))
  const reading = { ...ports, tell }
  const csvNames = [
    await readSummaries({ ranks: met.map(([mine]) => mine) }, sinks[0], reading),
    await readSummaries({ ranks: met.map(([, theirs]) => theirs) }, sinks[1], reading),
  ] as const
  const ranks: RankSimilarity[] = []
  const quick = quickFiles(ports.files.roots())
  for (const pair of met) {
    const names = strict ? await strictNames(pair, reading) : namesOf(pair, csvNames, ports.files)
    ranks.push(await similarityOf(pair, { names, strict }, { ...reading, quick }))
  }
  if (ranks.every(({ size }) => size.every(count => count < 0))) {
    const none = problem('grad-no-signs', left.root, { other: right.root }, strict ? 'error' : 'warning')
    if (strict) throw new Refusal(none)
    tell(none)
  }
  return { roots, ranks, problems }
}

function tellAlone(of: Probe, other: Probe, tell: (found: Problem) => void): void {
  const alone = of.ranks.filter(({ rank }) => !other.ranks.some(theirs => theirs.rank === rank))
  if (alone.length > 0)
    tell(problem('grad-ranks-alone', of.root, { ranks: listed(alone.map(({ rank }) => rank)) }, 'warning'))
}

const listed = (numbers: readonly number[]): string =>
  numbers.length > 8 ? `${numbers.slice(0, 8).join(', ')} …` : numbers.join(', ')

// ---------------------------------------- names

/** Of the first csv that both have, as msprobe takes them. */
async function strictNames(
  [mine, theirs]: readonly [ProbeRank, ProbeRank],
  reading: Ports & { tell(found: Problem): void },
): Promise<readonly string[]> {
  const names = await firstNames(mine, theirs, reading)
  if (!names) throw new Refusal(problem('grad-strict-csv', mine.folder, { other: theirs.folder }))
  return names
}

/** Those of both sides' csv files and sign files, each beside the one that it stands behind there. */
function namesOf(
  pair: readonly [ProbeRank, ProbeRank],
  csvNames: readonly [ReadonlyMap<number, readonly string[]>, ReadonlyMap<number, readonly string[]>],
  files: Files,
): readonly string[] {
  const order = new NameOrder()
  const merge = (more: Iterable<string>): void => {
    order.begin()
    for (const name of more) order.add(name)
  }
  for (const [i, { rank }] of pair.entries()) merge(csvNames[i].get(rank) ?? [])
  for (const { signs } of pair) for (const folder of signs.values()) merge(signFiles(files, folder).keys())
  return order.names
}

/** Names of parameters and of their sign files. */
const signFiles = (files: Files, folder: string): ReadonlyMap<string, string> =>
  new Map(
    files
      .list(folder)
      .filter(({ name, kind }) => kind === 'file' && /\.(?:npy|pt)$/.test(name))
      .map(({ name }) => [name.slice(0, name.lastIndexOf('.')), name]),
  )

// ---------------------------------------- similarities

async function similarityOf(
  [mine, theirs]: readonly [ProbeRank, ProbeRank],
  { names, strict }: { readonly names: readonly string[]; readonly strict: boolean },
  { files, quick, job, tell }: Ports & { readonly quick: QuickFiles; tell(found: Problem): void },
): Promise<RankSimilarity> {
  const steps = [...mine.signs.keys()].filter(step => theirs.signs.has(step))
  tellSteps(mine, theirs, tell)
  tellSteps(theirs, mine, tell)
  const cells = names.length * steps.length
  const found: RankSimilarity = {
    rank: mine.rank,
    steps,
    params: names,
    equal: new Float64Array(cells),
    size: new Float64Array(cells).fill(-1),
    above: new Float64Array(cells).fill(NaN),
  }
  const gaps = new Gaps([mine.folder, theirs.folder])
  for (const [s, step] of steps.entries()) {
    const folders = [mine.signs.get(step) ?? '', theirs.signs.get(step) ?? '']
    const has = folders.map(folder => signFiles(files, folder))
    for (const [p, name] of names.entries()) {
      const paths = has.map((there, side) => join(folders[side], there.get(name) ?? `${name}.npy`))
      const answer = has.every(there => there.has(name))
        ? await compareSigns(quick, [paths[0], paths[1]], job)
        : { reason: 'missing' as const, problem: null }
      const at = p * steps.length + s
      if (answer.reason === null) {
        found.equal[at] = answer.equal
        found.size[at] = answer.size
        found.above[at] = Math.max(...answer.above) / answer.size
      } else if (strict) throw new Refusal(problem('grad-strict', mine.folder, { name, step }))
      else gaps.add(answer, { name, step, has: has.map(found => found.has(name)) })
    }
    job.report({ what: 'job.comparing', done: s + 1, total: steps.length, countedIn: 'items' })
    await job.breathe()
  }
  for (const gap of gaps.problems()) tell(gap)
  return found
}

function tellSteps(of: ProbeRank, other: ProbeRank, tell: (found: Problem) => void): void {
  const alone = new Set([
    ...[...of.signs.keys()].filter(step => !other.signs.has(step)),
    ...[...of.summaries.keys()].filter(step => !other.summaries.has(step)),
  ])
  if (alone.size > 0)
    tell(
      problem('grad-steps-alone', of.folder, { steps: listed([...alone].sort((a, b) => a - b)) }, 'warning'),
    )
}
