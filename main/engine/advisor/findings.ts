// Events → findings: names, rows, evidence, what they explain, hints; and what is said when no event was found.
import type { Evidence, Finding, FindingKind } from '../../../preload/contract/engine.ts'
import { opName } from '../dump.ts'
import type { Job } from '../job.ts'
import { State, Verdict } from '../model.ts'
import type { Matched } from './index.ts'
import { evidenceOf } from './evidence.ts'
import { Explaining } from './explain.ts'
import { hintsOf, type ReadTensor } from './hints.ts'
import type { Case } from './links.ts'
import type { Event, Scanned } from './scan.ts'
import { Direction } from './side.ts'

export interface Where {
  readonly step: number | null
  readonly rank: number | null
  readonly readTensor: ReadTensor | null
}

const mostRows = 64

export async function toFindings(c: Case, comparison: Matched, scanned: Scanned, events: readonly Event[], where: Where, job: Job): Promise<Finding[]> {
  if (c.debug.api.length === 0 || c.bench.api.length === 0) return [blank('not-decidable', '', where, { why: 'empty' }, [], [])]
  const explaining = new Explaining(c, comparison)
  const findings: Finding[] = []
  const unlike = events.filter(event => event.kind === 'different-weights').length
  for (const [k, event] of events.entries()) {
    const several = event.kind === 'different-weights' && unlike > 1 ? { several: unlike } : {}
    const explains = k < 5 ? explaining.by(event) : { rows: 0, of: explaining.failing, by: 'none' as const }
    findings.push({
      kind: event.kind, node: nameOf(c, event), side: event.debug >= 0 ? 'debug' : 'bench', step: where.step, rank: where.rank,
      rows: rowsOf(c, event), explains, evidence: evidenceOf(c, event), hints: await hintsOf(c, event, k === 0 ? where.readTensor : null),
      facts: { variant: variantOf(event, unlike), ...several, side: event.debug >= 0 ? 'debug' : 'bench', ...placeFacts(c, event), ...event.facts, ...(Number.isFinite(event.jump) && { jump: Number(event.jump.toPrecision(3)) }), ...gapFacts(c, event), partner: event.debug >= 0 && event.bench >= 0 ? opName(c.bench.dump, event.bench) : '' },
    })
    await job.breathe()
  }
  if (findings.length > 0) return findings
  const rest = growth(c, scanned, where) ?? undecided(c, comparison, scanned, where)
  return rest ? [rest] : []
}

/** Which sentence of its kind tells it. */
function variantOf({ kind, facts }: Event, unlikeWeights: number): string {
  if (kind === 'origin') return facts.cast === 1 ? 'cast' : facts.missing !== undefined ? 'missing' : facts.gradient === 1 ? 'gradient' : facts.module === 1 ? 'module' : ''
  if (kind === 'different-weights') return facts.whole === 1 ? 'whole' : unlikeWeights > 1 ? 'several' : ''
  if (kind === 'unmatched-call') return facts.instead === undefined ? '' : 'instead'
  const told = { 'different-input': facts.what, 'uncovered-entry': facts.what, 'hidden-producer': facts.how } as Partial<Record<FindingKind, string | number>>
  return String(told[kind] ?? '')
}

/** Where on the line of time, and behind how many collectives: what the merge over ranks orders by. */
function placeFacts(c: Case, event: Event): Record<string, number> {
  const { time, debug, bench } = c
  let collectives = 0
  for (let at = 0; at < event.at; at++) {
    const [d, b] = [time.debug[at], time.bench[at]]
    if ((d >= 0 ? debug.kind[d] : bench.kind[b]) === 'communication') collectives++
  }
  return { at: event.at, of: time.length, collectives }
}

export const nameOf = (c: Case, event: Event): string =>
  event.debug >= 0 ? opName(c.debug.dump, event.debug) : opName(c.bench.dump, event.bench)

/** Rows of the items, or of all items of the node when none is named. */
function rowsOf(c: Case, event: Event): number[] {
  const { debug, bench, levels } = c
  const own = event.items.filter(item => debug.dump.items.op[item] === event.debug).map(item => levels.rowOfDebug[item])
  const rows = own.length > 0 ? own : event.debug >= 0
    ? range(debug.dump.ops.first, event.debug).map(item => levels.rowOfDebug[item])
    : range(bench.dump.ops.first, event.bench).map(item => levels.rowOfBench[item])
  const read = event.items.map(item => levels.rowOfDebug[item])
  return [...new Set([...rows, ...read])].filter(row => row >= 0).slice(0, mostRows)
}

const range = (first: Uint32Array, op: number): number[] => Array.from({ length: first[op + 1] - first[op] }, (_, k) => first[op] + k)

/** The matched ops before and after the place. */
function gapFacts(c: Case, event: Event): Record<string, string> {
  if (event.kind !== 'uncovered-entry' && event.kind !== 'unmatched-call') return {}
  const { time, debug, aligned } = c
  const facts: Record<string, string> = { before: '…', after: '…' }
  const named = (at: number): boolean => time.debug[at] >= 0 && aligned.mate[time.debug[at]] >= 0 && debug.kind[time.debug[at]] !== 'view' && debug.leaf[time.debug[at]] === 1
  for (let at = event.at - 1; at >= 0; at--) {
    if (!named(at)) continue
    facts.before = opName(debug.dump, time.debug[at])
    break
  }
  for (let at = event.at + 1; at < time.length; at++) {
    if (!named(at) || debug.direction[time.debug[at]] === Direction.gradients) continue
    facts.after = opName(debug.dump, time.debug[at])
    break
  }
  return facts
}

/** Nothing crosses what is to be expected, yet the error has become large: where it grew most. */
function growth(c: Case, scanned: Scanned, where: Where): Finding | null {
  const { debug, aligned, noise } = c
  let [last, worst] = [0, 0]
  const steps: { readonly op: number; readonly by: number }[] = []
  for (let op = 0; op < debug.api.length; op++) {
    if (aligned.mate[op] < 0 || debug.leaf[op] === 0 || debug.direction[op] !== Direction.forward || debug.kind[op] === 'view') continue
    worst = Math.max(worst, scanned.out[op])
    if (scanned.out[op] > scanned.in[op]) steps.push({ op, by: scanned.out[op] - scanned.in[op] })
    last = scanned.out[op]
  }
  if (last < 0.05 || worst < 64 * noise.floor || steps.length === 0) return null
  steps.sort((a, b) => b.by - a.by)
  const evidence: Evidence[] = steps.slice(0, 5).map(step => ({
    row: rowOfOp(c, step.op), label: opName(debug.dump, step.op), metric: 'growth', debug: scanned.in[step.op].toPrecision(3), bench: scanned.out[step.op].toPrecision(3),
    level: scanned.out[step.op],
  }))
  const op = steps[0].op
  return blank('growth', opName(debug.dump, op), where, { last, worst }, evidence.map(one => one.row).filter(row => row >= 0), evidence)
}

function rowOfOp(c: Case, op: number): number {
  for (let i = c.debug.dump.ops.first[op]; i < c.debug.dump.ops.first[op + 1]; i++) {
    if (c.debug.dump.items.state[i] === State.output && c.levels.rowOfDebug[i] >= 0) return c.levels.rowOfDebug[i]
  }
  return -1
}

/** No event, but not because all agrees: says so. */
function undecided(c: Case, comparison: Matched, scanned: Scanned, where: Where): Finding | null {
  const { debug, aligned, noise } = c
  const matched = aligned.mate.reduce((count, mate) => count + (mate >= 0 ? 1 : 0), 0)
  if (matched === 0) return blank('not-decidable', '', where, { why: 'unmatched' }, [], [])
  let known = 0
  for (let i = 0; i < c.levels.equal.length; i++) if (debug.dump.items.tensor[i] === 1 && c.levels.equal[i] !== 2) known++
  if (known === 0) return blank('not-decidable', '', where, { why: 'unknown', rows: scanned.unknown }, [], [])
  if (!noise.exact || scanned.differing === 0) return null
  const rows: number[] = []
  for (let row = 0; row < comparison.length && rows.length < mostRows; row++) if (comparison.verdict[row] === Verdict.disagree) rows.push(row)
  if (rows.length === 0) return null
  const item = comparison.debugItem[rows[0]]
  return blank('not-decidable', item < 0 ? '' : opName(debug.dump, debug.dump.items.op[item]), where, { why: 'no-entry', rows: rows.length }, rows, [])
}

const blank = (
  kind: FindingKind, node: string, where: Where, facts: Finding['facts'], rows: readonly number[], evidence: readonly Evidence[],
): Finding => ({ kind, node, side: 'debug', step: where.step, rank: where.rank, rows, explains: { rows: 0, of: 0, by: 'none' }, evidence, hints: [], facts: { variant: String(facts.why ?? ''), ...facts } })
