// Events → findings: names, rows, evidence, what they explain, hints; and what is said when no event was
// found.
import { Direction } from '../pair/index.ts'
import {
  type Column,
  type Comparison,
  type DebugItem,
  type Entry,
  type Evidence,
  type Finding,
  type FindingFacts,
  type FindingKind,
  type ItemRow,
  opName,
  type OpRow,
  type PairRow,
  RowState,
  type RowStateName,
  State,
} from '../model/index.ts'
import { madeAt } from '../noise/index.ts'
import type { Job } from '../work/index.ts'
import type { Matched } from './advise.ts'
import {
  evidenceOf,
  growthEvidence,
  itemOfOp,
  proofOf,
  type Stated,
  stateOf,
  textOf,
  valueOf,
} from './evidence.ts'
import type { Found } from './explained.ts'
import { Explaining } from './explain.ts'
import { hintsOf, type ReadTensor } from './hints.ts'
import { anyCompared, Difference } from './levels.ts'
import type { Case } from './links.ts'
import type { Event, Scanned } from './scan.ts'
import { isTransfer } from './transfers.ts'

interface Where {
  readonly step: number | null
  readonly rank: number | null
  readonly readTensor: ReadTensor | null
}

const mostRows = 64

/** Rows whose states are known. */
export type Judged = Matched & Pick<Comparison, 'state' | 'level'>

/** Findings, headline first, and the rows that each of them explains. */
interface Told {
  readonly findings: Finding[]
  readonly reach: Uint8Array[]
}

/** Of so many findings it is found out what they explain. */
const mostExplained = 5

export async function toFindings(
  found: Found,
  comparison: Judged,
  explained: Float64Array,
  where: Where,
  job: Job,
): Promise<Told> {
  const { c, scanned } = found
  const told: Told = { findings: [], reach: [] }
  if (c.debug.api.length === 0 || c.bench.api.length === 0)
    return alone(blank({ kind: 'not-decidable', variant: 'empty', facts: {} }, '', where, [], []))
  if (isStored(c)) return alone(stored(c, comparison, where))
  const events = withoutEchoes(c, found.events)
  const explaining = new Explaining(c, comparison)
  const stated: Stated = { ...comparison, explained }
  const unlike = events.filter(event => event.kind === 'different-weights').length
  for (const [k, event] of events.entries()) {
    const said = { ...event, ...entryOf(c, event, stated, { unlike, failing: explaining.none.explains.of }) }
    const { explains, rows } = k < mostExplained ? explaining.by(event) : explaining.none
    const evidence = evidenceOf(c, said, stated)
    const nodes = nodesOf(c, event)
    told.findings.push({
      ...({ kind: said.kind, variant: said.variant, facts: said.facts } as Entry),
      ...nodes,
      step: where.step,
      rank: where.rank,
      rows: rowsOf(c, event),
      explains,
      evidence,
      proof: proofOf(nodes.node, evidence),
      hints: await hintsOf(c, said, k === 0 ? where.readTensor : null),
      made: event.debug < 0 ? null : madeAt(found.made, event.debug),
      ...placeOf(c, event),
    })
    told.reach.push(rows)
    await job.breathe()
  }
  if (told.findings.length > 0) return told
  return alone(growth(found, where, stated) ?? undecided(c, comparison, scanned, where))
}

const alone = (finding: Finding | null): Told => ({ findings: finding ? [finding] : [], reach: [] })

/** The backward half of a call that was told repeats it. */
function withoutEchoes({ debug }: Case, events: readonly Event[]): Event[] {
  const told = new Set<string>()
  return events.filter(({ kind, variant, debug: op }) => {
    const forward = op < 0 || debug.direction[op] === Direction.forward ? op : debug.forward[op]
    const again = forward !== op && forward >= 0 && told.has(`${kind} ${variant} ${forward}`)
    told.add(`${kind} ${variant} ${op}`)
    return !again
  })
}

/** What is said of an event, once it is known of what shape its tensors are and what the rows around it show. */
function entryOf(
  c: Case,
  event: Event,
  stated: Stated,
  { unlike, failing }: { readonly unlike: number; readonly failing: number },
): Entry {
  const { debug, bench, levels } = c
  const reshaped = event.items.find(item => (levels.differs[item] & Difference.shape) !== 0)
  if (reshaped !== undefined && ofItsShape.has(event.kind)) {
    const item = itemOfOp(debug.dump, reshaped)
    const [mine, theirs] = [
      textOf(debug, reshaped, 'shape'),
      textOf(bench, levels.toBench[reshaped], 'shape'),
    ]
    return { kind: 'shape', variant: '', facts: { item, debug: mine, bench: theirs } }
  }
  if (event.kind === 'different-weights' && event.variant === '' && unlike > 1)
    return { kind: 'different-weights', variant: 'several', facts: { several: unlike } }
  if (event.kind === 'origin' && event.variant === '') {
    if (readIn(c, event.debug, stated, 'differs') !== null)
      return { kind: 'origin', variant: 'more', facts: {} }
    const unknown =
      readIn(c, event.debug, stated, 'incomparable') ?? readIn(c, event.debug, stated, 'unpaired')
    if (unknown !== null)
      return { kind: 'origin', variant: 'partly', facts: { item: itemOfOp(debug.dump, unknown) } }
    if (readsUnseen(c, event)) return { kind: 'origin', variant: 'blind', facts: {} }
    if (readIn(c, event.debug, stated, 'noise') !== null)
      return { kind: 'origin', variant: 'noise', facts: {} }
  }
  if (event.kind === 'origin' && event.variant === 'module') {
    const given = otherGiven(c, event.debug)
    if (given) return { kind: 'origin', variant: 'module-given', facts: given }
  }
  if (event.kind === 'uncovered-entry' && event.variant === 'module') {
    const given = otherGiven(c, event.debug)
    if (given)
      return { kind: 'uncovered-entry', variant: 'module-given', facts: { ...event.facts, ...given } }
  }
  if (event.kind === 'unmatched-call' && event.variant === '' && failing === 0)
    return { kind: 'unmatched-call', variant: 'quiet', facts: {} }
  if (event.kind === 'argument' && givesNoise(c, event.debug, stated))
    return { kind: 'argument', variant: 'quiet', facts: {} }
  return { kind: event.kind, variant: event.variant, facts: event.facts } as Entry
}

/** Nothing of what this call reads was dumped, as where results alone are. */
function readsUnseen({ debug }: Case, { debug: op }: Event): boolean {
  const { ops, items } = debug.dump
  if (debug.kind[op] === 'empty' || debug.kind[op] === 'random') return false
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++)
    if (items.state[item] === State.input) return false
  return true
}

/** Results of this call differ, and noise explains all of it. */
function givesNoise(c: Case, op: OpRow, stated: Stated): boolean {
  const { ops, items } = c.debug.dump
  let noisy = false
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
    const state = items.state[item] === State.output ? stateOf(c, item, stated) : 'equal'
    if (state === 'noise') noisy = true
    else if (state !== 'equal') return false
  }
  return noisy
}

/** What a module, or one around it, is given besides tensors and differs. */
function otherGiven(c: Case, op: OpRow): FindingFacts['origin.module-given'] | null {
  const { debug, bench, levels } = c
  const { ops, items } = debug.dump
  for (let module = op; module >= 0; module = debug.parent[module])
    for (let item = ops.first[module]; item < ops.first[module + 1]; item++)
      if (
        items.state[item] === State.input &&
        items.tensor[item] === 0 &&
        levels.toBench[item] >= 0 &&
        (levels.differs[item] & (Difference.value | Difference.kind)) !== 0
      )
        return {
          item: itemOfOp(debug.dump, item),
          module: opName(debug.dump, module),
          debug: valueOf(debug, item),
          bench: valueOf(bench, levels.toBench[item]),
        }
  return null
}

/** Where these tensors are of another shape, that is what is to be said. */
const ofItsShape: ReadonlySet<FindingKind> = new Set(['different-input', 'different-weights', 'origin'])

/** The first tensor that a call reads whose row is in this state. */
function readIn(c: Case, op: OpRow, stated: Stated, state: RowStateName): DebugItem | null {
  const { ops, items } = c.debug.dump
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++)
    if (items.state[item] !== State.output && items.tensor[item] === 1 && stateOf(c, item, stated) === state)
      return item
  return null
}

/** Where on the line of time, and behind how many collectives: what the merge over ranks orders by. */
function placeOf(c: Case, event: Event): Pick<Finding, 'at' | 'of' | 'collectives' | 'jump'> {
  const { time, debug, bench } = c
  let collectives = 0
  for (let at = 0; at < event.at; at++) {
    const [d, b] = [time.debug[at], time.bench[at]]
    const [view, op] = d >= 0 ? [debug, d] : [bench, b]
    if (view.kind[op] === 'communication' && !isTransfer(view, op)) collectives++
  }
  return { at: event.at, of: time.length, collectives, jump: event.jump }
}

function nodesOf(c: Case, event: Event): Pick<Finding, 'node' | 'side' | 'partner'> {
  const [mine, theirs] = [event.debug, event.bench]
  const partner = theirs < 0 ? '' : opName(c.bench.dump, theirs)
  return mine >= 0
    ? { node: opName(c.debug.dump, mine), side: 'debug', partner }
    : { node: partner, side: 'bench', partner: '' }
}

/** Rows of the items, or of all items of the node when none is named. */
function rowsOf(c: Case, event: Event): PairRow[] {
  const { debug, bench, levels } = c
  const { rowOfDebug, rowOfBench } = levels
  const all = (): PairRow[] =>
    event.debug >= 0
      ? range(debug.dump.ops.first, event.debug).map(item => rowOfDebug[item])
      : range(bench.dump.ops.first, event.bench).map(item => rowOfBench[item])
  const own = event.items
    .filter(item => debug.dump.items.op[item] === event.debug)
    .map(item => rowOfDebug[item])
  const read = event.items.map(item => rowOfDebug[item])
  return [...new Set([...(own.length > 0 ? own : all()), ...read])].filter(row => row >= 0).slice(0, mostRows)
}

const range = (first: Column<Uint32Array, OpRow, ItemRow>, op: OpRow): ItemRow[] =>
  Array.from({ length: first[op + 1] - first[op] }, (_, k) => first[op] + k)

/** Nothing crosses what is to be expected, yet the error has become large: where it grew most. */
function growth({ c, scanned, growth: found }: Found, where: Where, stated: Stated): Finding | null {
  if (!found) return null
  const { last, steps } = found
  const evidence = steps
    .slice(0, 5)
    .map(({ op }) => growthEvidence(c, { op, into: scanned.in[op], out: scanned.out[op] }, stated))
  const rows = evidence.map(one => one.row).filter(row => row >= 0)
  const node = opName(c.debug.dump, steps[0].op)
  return blank({ kind: 'growth', variant: '', facts: { last } }, node, where, rows, evidence)
}

/** Nothing of what is compared follows from another part of it. */
export const isStored = ({ debug, bench }: Pick<Case, 'debug' | 'bench'>): boolean =>
  debug.dump.header.stored === true && bench.dump.header.stored === true

/** Of what is only stored the tensor that is furthest apart stands for all. */
function stored(c: Case, comparison: Judged, where: Where): Finding | null {
  const { dump } = c.debug
  const differing: PairRow[] = []
  let all = 0
  for (let row = 0; row < comparison.length; row++) {
    if (comparison.debugItem[row] < 0 || comparison.benchItem[row] < 0) continue
    all++
    if (comparison.state[row] === RowState.differs) differing.push(row)
  }
  const rows = differing
    .toSorted((a, b) => (comparison.level[b] || 0) - (comparison.level[a] || 0))
    .slice(0, mostRows)
  const [worst] = rows
  if (worst === undefined) return null
  const node = opName(dump, dump.items.op[comparison.debugItem[worst]])
  const facts = { differing: differing.length, all }
  return blank({ kind: 'origin', variant: 'stored', facts }, node, where, rows, [])
}

/** No event, but not because all agrees: says so. */
function undecided(c: Case, comparison: Judged, scanned: Scanned, where: Where): Finding | null {
  const { debug, aligned, noise } = c
  const matched = aligned.ops.toBench.reduce((count, partner) => count + (partner >= 0 ? 1 : 0), 0)
  if (matched === 0)
    return blank({ kind: 'not-decidable', variant: 'unmatched', facts: {} }, '', where, [], [])
  if (!anyCompared(c)) {
    const variant = noTensorsMet(c) ? 'apart' : 'unknown'
    return blank({ kind: 'not-decidable', variant, facts: {} }, '', where, [], [])
  }
  if (!noise.exact || scanned.differing === 0) return null
  const rows: PairRow[] = []
  for (let row = 0; row < comparison.length && rows.length < mostRows; row++)
    if (comparison.state[row] === RowState.differs) rows.push(row)
  if (rows.length === 0) return null
  const item = comparison.debugItem[rows[0]]
  return blank(
    { kind: 'not-decidable', variant: 'no-entry', facts: { rows: rows.length } },
    item < 0 ? '' : opName(debug.dump, debug.dump.items.op[item]),
    where,
    rows,
    [],
  )
}

/** A graph tells who meets whom whatever was dumped: that of another run leaves every tensor without a like. */
const noTensorsMet = ({ debug, bench, levels: { toBench } }: Case): boolean =>
  debug.dump.header.framework === 'cann' &&
  // A finished table leads to no tensors at all.
  debug.dump.file !== '' &&
  !toBench.some((to, item) => to >= 0 && debug.dump.tensors.ref(item) && bench.dump.tensors.ref(to))

const blank = (
  entry: Entry,
  node: string,
  where: Where,
  rows: readonly PairRow[],
  evidence: readonly Evidence[],
): Finding => ({
  ...entry,
  node,
  side: 'debug',
  partner: '',
  step: where.step,
  rank: where.rank,
  rows,
  explains: { rows: 0, of: 0, by: 'none' },
  evidence,
  proof: proofOf(node, evidence),
  hints: [],
  made: null,
  at: 0,
  of: 0,
  collectives: 0,
  jump: 0,
})
