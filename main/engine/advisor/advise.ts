// The advisor's door: from a comparison to findings, headline first. Nothing here reads files; tensor data
// comes through `readTensor`.
import { canBeAlike, takenOf } from '../collect/index.ts'
import { type Flow, type FlowSource, inferFlow, inferFlows } from '../flow/index.ts'
import { callsOf, judge } from '../judge/index.ts'
import type {
  Advice,
  Checked,
  Column,
  Comparison,
  DebugItem,
  Dump,
  NoiseProfile,
  OpRow,
  RuleName,
  Side,
  Thresholds,
} from '../model/index.ts'
import {
  findFlips,
  noFlips,
  KnownNoise,
  madeOf,
  type MadeColumns,
  mostOf,
  nothingMade,
} from '../noise/index.ts'
import { align, Direction, isAcross, type Pairing, type SideView, viewsOf } from '../pair/index.ts'
import { defaultThresholds } from '../rules/index.ts'
import { type Job, stepwise } from '../work/index.ts'
import { choose } from './choose.ts'
import { curveOf, noCurve } from './curve.ts'
import { dumpNext } from './dump-next.ts'
import { explainedByNoise, type Found } from './explained.ts'
import { isStored, toFindings } from './findings.ts'
import { growthOf } from './growth.ts'
import { noiseHints, type ReadTensor } from './hints.ts'
import { anyCompared, measureLevels } from './levels.ts'
import { Links, type Case } from './links.ts'
import { floorAt, judgeNoise } from './noise.ts'
import { onlySeemsExact, reducedProducts } from './doubt.ts'
import { stateOf } from './rules/index.ts'
import { Scan, type Scanned } from './scan.ts'
import { beyondLevel, isNeutral, timelineOf } from './timeline.ts'
import { transfersOf } from './transfers.ts'
import { weighWeights } from './weights.ts'

/** What the advisor looks at of a comparison: columns only, so that another thread can do it. */
export type Matched = FlowSource & Pick<Comparison, 'length'> & { readonly pairing: Pick<Pairing, 'ops'> }

export interface AdvisorInput {
  readonly comparison: Matched
  readonly thresholds?: Partial<Thresholds>
  /** What healthy runs told of the noise between the two sides. */
  readonly noise?: NoiseProfile | null
  readonly step?: number | null
  readonly rank?: number | null
  /** msprobe's first failing row. */
  readonly first?: Advice['first']
  /** Dataflow, where it is known already. */
  readonly flows?: Readonly<Record<Side, Flow>>
  /** Values of a tensor item, for the few hints that look at data; null where it cannot be read. */
  readonly readTensor?: ReadTensor
}

/** Without the hashes of tensors that are read for a comparison; by debug dump. */
const preparedFlows = new WeakMap<Dump, Readonly<Record<Side, Flow>>>()

/** Finds out what does not depend on how the dumps compare. */
export async function prepare(debug: Dump, bench: Dump, job: Job): Promise<void> {
  await viewsOf(debug, bench)
  preparedFlows.set(debug, { debug: await inferFlow(debug, { job }), bench: await inferFlow(bench, { job }) })
}

function flowsKnown({ debug, bench, measured }: Matched): Readonly<Record<Side, Flow>> | null {
  const flows = measured ? undefined : preparedFlows.get(debug)
  return flows?.bench.dump === bench ? flows : null
}

/** What was found, and what rows are judged and chosen by. */
export interface Advised {
  readonly advice: Advice
  /** What noise explains of each debug item. */
  readonly explained: Column<Float64Array, DebugItem>
  /** The rows that each finding explains, one bit each; read by `reaches`. */
  readonly reach: readonly Uint8Array[]
  /** What each call made of the error that arrived. */
  readonly made: MadeColumns
}

export async function advise(input: AdvisorInput, job: Job): Promise<Advised> {
  const { comparison } = input
  const exact = await caseOf(input, job)
  const trained = (input.step ?? 0) > 0 && exact.debug.direction.includes(Direction.backward)
  let walked = await walk(exact, trained, job)
  if (exact.noise.exact && !exact.known && onlySeemsExact(exact, walked.scanned))
    walked = await walk({ ...exact, noise: { ...exact.noise, exact: false } }, trained, job)
  const { noise } = walked.c
  const reduced = walked.c.known ? 0 : reducedProducts(walked.c, walked.links, walked.scanned)
  if (reduced > 0) {
    const floor = Math.max(noise.floor, reduced)
    walked = await walk({ ...walked.c, noise: { ...noise, floor, reduced } }, trained, job)
  }
  const { c, weights, scanned } = walked
  const events = choose(c, scanned, weights)
  await job.breathe()
  const stored = isStored(c)
  const made = stored ? nothingMade(c.debug) : madeOf(c.debug, c.levels, c.known)
  const found: Found = { c, scanned, made, events, growth: events.length === 0 ? growthOf(c, scanned) : null }
  await job.breathe()
  const explained = explainedByNoise(found, weights.tolerance)
  const rows = await stepwise(judge(comparison, c.limits, explained), job)
  const { findings, reach } = await toFindings(
    found,
    { ...comparison, state: rows.state, level: rows.level },
    explained,
    { step: input.step ?? null, rank: input.rank ?? null, readTensor: input.readTensor ?? null },
    job,
  )
  return {
    advice: {
      stored,
      first: stored ? null : (input.first ?? null),
      findings,
      curve: stored ? noCurve : curveOf(found),
      noise: anyCompared(c) ? noiseHints(c) : [],
      checked: checkedOf(found),
      ...mostOf(c.debug, made),
      flips: c.flips.found,
      transfers: transfersOf(c),
      dumpNext: stored ? null : dumpNext(c, findings),
      alone: aloneIn(callsOf(comparison.pairing.ops)),
      taken: canBeAlike(comparison.debug, comparison.bench)
        ? takenOf(comparison.debug, comparison.bench)
        : null,
    },
    explained,
    reach,
    made,
  }
}

/** Both sides as they are aligned and measured, with the noise between them. */
async function caseOf(input: AdvisorInput, job: Job): Promise<Case> {
  const { comparison } = input
  const limits = { ...defaultThresholds, ...input.thresholds }
  const views = await viewsOf(comparison.debug, comparison.bench)
  const flows = input.flows ?? flowsKnown(comparison) ?? (await inferFlows(comparison, job))
  const debug = { ...views.debug, flow: flows.debug }
  const bench = { ...views.bench, flow: flows.bench }
  await job.breathe()
  const across = isAcross(comparison.debug, comparison.bench)
  const aligned = align(debug, bench, comparison.pairing.ops, across)
  await job.breathe()
  const levels = await stepwise(measureLevels({ debug, bench, across }, aligned, comparison, limits), job)
  await job.breathe()
  const judged = judgeNoise(debug, bench, aligned.ops.toBench, levels, limits)
  await job.breathe()
  const known = input.noise
    ? new KnownNoise(input.noise, {
        debug,
        bench,
        toBench: aligned.items.toBench,
        floor: item => floorAt({ debug, bench, levels, noise: { ...judged, floor: 0 }, limits }, item),
      })
    : null
  const exact = known?.exact ?? (judged.exact && !across)
  const readTensor: ReadTensor = (side, item) => input.readTensor?.(side, item) ?? Promise.resolve(null)
  await job.breathe()
  const flips = exact ? noFlips(debug.dump) : await findFlips({ debug, bench, levels, readTensor })
  await job.breathe()
  const time = timelineOf(debug, bench, aligned)
  await job.breathe()
  const neutralDebug = neutrals(debug, bench)
  await job.breathe()
  return {
    debug,
    bench,
    aligned,
    levels,
    // Two frameworks split and round their work differently: equal bits there are luck.
    noise: { ...judged, exact },
    known,
    flips,
    limits,
    across,
    time,
    neutralDebug,
    neutralBench: neutrals(bench, debug),
  }
}

interface Walked {
  readonly c: Case
  readonly links: Links
  readonly weights: ReturnType<typeof weighWeights>
  readonly scanned: Scanned
}

async function walk(c: Case, trained: boolean, job: Job): Promise<Walked> {
  const links = new Links(c)
  await job.breathe()
  const weights = weighWeights(c, links, trained)
  await job.breathe()
  const scanned = await new Scan(c, links, weights.tolerance).run(() => job.breathe())
  return { c, links, weights, scanned }
}

/** What became of each rule, and whether the error grew where none of them found anything. */
function checkedOf({ scanned, events, growth }: Found): Checked[] {
  const found = new Map<RuleName, number>()
  for (const { rule } of events) found.set(rule, (found.get(rule) ?? 0) + 1)
  const looked = scanned.out.reduce((count, level) => count + (level > 0 ? 1 : 0), 0)
  const grown = growth ? 1 : 0
  return [
    ...scanned.book.states(found),
    { rule: 'growth', state: stateOf(grown, looked > 0), looked, found: grown, why: '' },
  ]
}

/** Calls without partner. */
const aloneIn = ({ debug, bench }: ReturnType<typeof callsOf>): Advice['alone'] => ({
  debug: debug.all - debug.paired,
  bench: bench.all - bench.paired,
})

/** 1: says nothing where it has no partner. */
function neutrals(view: SideView, other: SideView): Column<Uint8Array, OpRow> {
  const beyond = beyondLevel(view, other)
  return Uint8Array.from({ length: view.api.length }, (_, op) => (isNeutral(view, op) || beyond(op) ? 1 : 0))
}
