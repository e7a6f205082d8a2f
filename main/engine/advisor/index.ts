// The advisor's door: from a comparison to findings, headline first. Nothing here reads files; tensor data comes through `readTensor`.
import type { Advice, AdvisorThresholds, Finding } from '../../../preload/contract/engine.ts'
import type { Dump } from '../dump.ts'
import { inferFlow, inferFlows, type Flow, type FlowSource } from '../graph/flow.ts'
import type { Job } from '../job.ts'
import type { Side } from '../model.ts'
import type { Comparison } from '../result.ts'
import { align } from './align.ts'
import { choose } from './choose.ts'
import { curveOf } from './curve.ts'
import { dumpNext } from './dump-next.ts'
import { toFindings } from './findings.ts'
import { noiseHints, type ReadTensor } from './hints.ts'
import { measureLevels } from './levels.ts'
import { Links, type Case } from './links.ts'
import { judgeNoise } from './noise.ts'
import { onlySeemsExact, reducedProducts } from './doubt.ts'
import { Scan } from './scan.ts'
import { SharedNames, viewSide, type DumpView, type SideView } from './side.ts'
import { defaultThresholds } from './thresholds.ts'
import { beyondLevel, isNeutral, timelineOf } from './timeline.ts'
import { weighWeights } from './weights.ts'

/** What the advisor looks at of a comparison: columns only, so that another thread can do it. */
export type Matched = FlowSource & Pick<Comparison, 'length' | 'verdict'>

export interface AdvisorInput {
  readonly comparison: Matched
  readonly thresholds?: Partial<AdvisorThresholds>
  readonly step?: number | null
  readonly rank?: number | null
  /** msprobe's first failing row. */
  readonly first?: Advice['first']
  /** Dataflow, where it is known already. */
  readonly flows?: Readonly<Record<Side, Flow>>
  /** Values of a tensor item, for the few hints that look at data; null where it cannot be read. */
  readonly readTensor?: ReadTensor
}

interface Views {
  readonly debug: DumpView
  readonly bench: DumpView
  /** Without the hashes of tensors that are read for a comparison. */
  flows: Readonly<Record<Side, Flow>> | null
}
const lastViews = new WeakMap<Dump, Views>()

/** Finds out what does not depend on how the dumps compare. */
export async function prepare(debug: Dump, bench: Dump, job: Job): Promise<void> {
  viewsOf(debug, bench).flows = { debug: await inferFlow(debug, { job }), bench: await inferFlow(bench, { job }) }
}

function viewsOf(debug: Dump, bench: Dump): Views {
  const known = lastViews.get(debug)
  if (known?.bench.dump === bench) return known
  const names = new SharedNames()
  const views = { debug: viewSide(debug, names), bench: viewSide(bench, names), flows: null }
  lastViews.set(debug, views)
  return views
}

export async function advise(input: AdvisorInput, job: Job): Promise<Advice> {
  const { comparison } = input
  const limits = { ...defaultThresholds, ...input.thresholds }
  const views = viewsOf(comparison.debug, comparison.bench)
  const flows = input.flows ?? (comparison.measured ? null : views.flows) ?? await inferFlows(comparison, job)
  const debug = { ...views.debug, flow: flows.debug }
  const bench = { ...views.bench, flow: flows.bench }
  await job.breathe()
  const across = isAcross(comparison)
  const aligned = align(debug, bench, givenPairs(comparison), across)
  await job.breathe()
  const levels = measureLevels(debug, bench, aligned, comparison, limits, across)
  await job.breathe()
  const judged = judgeNoise(debug, bench, aligned.mate, levels, limits)
  // Two frameworks split and round their work differently: equal bits there are luck.
  const noise = across ? { ...judged, exact: false } : judged
  const exact: Case = {
    debug, bench, aligned, levels, noise, limits, across, time: timelineOf(debug, bench, aligned),
    neutralDebug: neutrals(debug, bench), neutralBench: neutrals(bench, debug),
  }
  let c = exact
  let weights = weighWeights(c, new Links(c))
  let scanned = await new Scan(c, new Links(c), weights.tolerance).run(() => job.breathe())
  if (noise.exact && onlySeemsExact(c, scanned)) {
    c = { ...exact, noise: { ...noise, exact: false } }
    weights = weighWeights(c, new Links(c))
    scanned = await new Scan(c, new Links(c), weights.tolerance).run(() => job.breathe())
  }
  const reduced = reducedProducts(c, scanned)
  if (reduced > 0) {
    c = { ...c, noise: { ...c.noise, floor: Math.max(c.noise.floor, reduced), reduced } }
    weights = weighWeights(c, new Links(c))
    scanned = await new Scan(c, new Links(c), weights.tolerance).run(() => job.breathe())
  }
  const events = choose(c, scanned, weights)
  const findings: Finding[] = await toFindings(c, comparison, scanned, events, { step: input.step ?? null, rank: input.rank ?? null, readTensor: input.readTensor ?? null }, job)
  return {
    first: input.first ?? null, findings, curve: curveOf(c, scanned, events[0] ?? null), noise: noiseHints(c), dumpNext: dumpNext(c, findings),
  }
}

/** 1: says nothing where it has no partner. */
function neutrals(view: SideView, other: SideView): Uint8Array {
  const beyond = beyondLevel(view, other)
  return Uint8Array.from({ length: view.api.length }, (_, op) => (isNeutral(view, op) || beyond(op) ? 1 : 0))
}

/** Sides of different frameworks: names do not compare, the mapping's pairs are all there is. */
const isAcross = (comparison: Matched): boolean => {
  const dialect = (framework: string): string => (framework === 'mindspore' ? 'mindspore' : framework === '' ? '' : 'pytorch')
  const [d, b] = [dialect(comparison.debug.header.framework), dialect(comparison.bench.header.framework)]
  return d !== '' && b !== '' && d !== b
}

/** Partner of each debug op by the comparison: the one that most of its items met. */
function givenPairs(comparison: Matched): Int32Array {
  const { debug, bench, debugItem, benchItem } = comparison
  const given = new Int32Array(debug.ops.length).fill(-1)
  const votes = new Uint16Array(debug.ops.length)
  for (let row = 0; row < comparison.length; row++) {
    if (debugItem[row] < 0 || benchItem[row] < 0) continue
    const [d, b] = [debug.items.op[debugItem[row]], bench.items.op[benchItem[row]]]
    if (given[d] === b) votes[d]++
    else if (votes[d] === 0) {
      given[d] = b
      votes[d] = 1
    } else votes[d]--
  }
  return given
}
