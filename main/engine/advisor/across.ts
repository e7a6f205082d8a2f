// Findings of many steps and ranks as one list: what a collective passed on is dropped, equal findings of
// several ranks are one; and how all of them stand together.
import {
  runsOf,
  type Advice,
  type Counts,
  type Finding,
  type Overall,
  type UnitState,
} from '../model/index.ts'
import { defaultThresholds } from '../rules/index.ts'
import { TransferGraph } from './transfers.ts'

export interface AdvisedUnit {
  readonly step: number | null
  readonly rank: number | null
  readonly advice: Pick<Advice, 'findings' | 'transfers'>
}

/**
 * The first step and the earliest finding that a rank has of its own come first; what may be rounding gives
 * way to what plainly is none. `ranks` names those that share a finding.
 */
export function adviseAcross(units: readonly AdvisedUnit[]): readonly Finding[] {
  if (units.length < 2) return units.flatMap(unit => [...unit.advice.findings])
  const steps = [...new Set(units.map(unit => unit.step))].sort((a, b) => (a ?? -1) - (b ?? -1))
  const merged: Finding[] = []
  const heads = new Set(units.map(({ advice }) => advice.findings[0] && keyOf(advice.findings[0])))
  const seen = new Map<string, number>()
  for (const step of steps) {
    for (const finding of ofStep(units.filter(unit => unit.step === step))) {
      const known = seen.get(keyOf(finding))
      if (known === undefined) {
        seen.set(keyOf(finding), merged.length)
        merged.push(finding)
      } else merged[known] = withSteps(merged[known], finding)
    }
  }
  // What cannot be decided somewhere, or only grew, says nothing against what was found elsewhere.
  const decided = merged.filter(finding => !givesWay.has(finding.kind))
  return [
    ...plainFirst(decided, finding => heads.has(keyOf(finding))),
    ...merged.filter(finding => finding.kind === 'growth'),
    ...merged.filter(finding => finding.kind === 'not-decidable'),
  ]
}

const givesWay: ReadonlySet<Finding['kind']> = new Set(['growth', 'not-decidable'])

/** The first finding, unless it may be rounding and the headline of another step or rank plainly is none. */
function plainFirst(findings: readonly Finding[], isHead: (finding: Finding) => boolean): readonly Finding[] {
  const [first] = findings
  const plain = first && findings.find(finding => isHead(finding) && outshines(finding, first))
  return plain ? [plain, ...findings.filter(finding => finding !== plain)] : findings
}

/** So many times larger stands for another kind of error. */
const farLarger = 20

function outshines(one: Finding, first: Finding): boolean {
  const { clearJump, reducedProduct } = defaultThresholds
  const level = levelOf(first)
  const maybeRounding = first.jump < clearJump || (first.kind === 'origin' && level < reducedProduct)
  return maybeRounding && one.jump >= clearJump && levelOf(one) >= farLarger * level
}

/** Largest error level of the evidence; what has none is no matter of levels. */
function levelOf({ evidence }: Finding): number {
  const levels = evidence.map(one => one.level).filter(level => !Number.isNaN(level))
  return levels.length > 0 ? Math.max(...levels) : 1
}

// ---------------------------------------- together

/** A unit as far as it is known. */
export interface StandingUnit extends Pick<Counts, 'differs'> {
  readonly step: number | null
  readonly rank: number | null
  readonly state: UnitState
  /** Of another run than the one that is shown first. */
  readonly aside: boolean
  /** Largest error level of its rows, NaN where there is none. */
  readonly worst: number
  /** Null before findings are known. */
  readonly advice: AdvisedUnit['advice'] | null
}

type Standing = Exclude<keyof Overall, 'first' | 'start' | 'finding'>

function standingOf({ state, differs, advice }: StandingUnit): Standing {
  if (state === 'failed') return 'failed'
  if (state !== 'done' || !advice) return 'coming'
  if (differs > 0) return 'differ'
  const [head] = advice.findings
  if (!head) return 'agree'
  return head.kind === 'not-decidable' ? 'undecided' : 'differ'
}

/** How the units stand together, as far as they are known. */
export function overallOf(units: readonly StandingUnit[]): Overall {
  const stand: Readonly<Record<Standing, number[]>> = {
    differ: [],
    agree: [],
    undecided: [],
    failed: [],
    coming: [],
  }
  for (const [unit, known] of units.entries()) stand[standingOf(known)].push(unit)
  const { first, finding } = leadOf(units, [...units.keys()])
  const own = [...units.keys()].filter(unit => !units[unit].aside)
  const start = own.length < units.length ? leadOf(units, own).first : first
  return { first, start, finding, ...stand }
}

/** Where to look first among some of the units. */
function leadOf(units: readonly StandingUnit[], some: readonly number[]): Pick<Overall, 'first' | 'finding'> {
  const [head] = adviseAcross(
    some.flatMap(unit => {
      const { step, rank, advice } = units[unit]
      return advice ? [{ step, rank, advice }] : []
    }),
  )
  // Several graphs of one step and rank are told apart by what was found in them.
  const holds = ({ step, rank, advice }: StandingUnit, of: Finding): boolean =>
    step === of.step && rank === of.rank && (advice?.findings.some(one => keyOf(one) === keyOf(of)) ?? false)
  const of = head && some.find(unit => holds(units[unit], head))
  if (head && of !== undefined) return { first: of, finding: head }
  const differ = some.filter(unit => standingOf(units[unit]) === 'differ')
  const [worst = null] = differ.toSorted((a, b) => (units[b].worst || 0) - (units[a].worst || 0))
  return { first: worst, finding: null }
}

// ---------------------------------------- one step

function ofStep(units: readonly AdvisedUnit[]): Finding[] {
  const graph = new TransferGraph(units.map(({ rank, advice }) => ({ rank, transfers: advice.transfers })))
  const unitOf = new Map(units.map(({ rank }, unit) => [rank, unit]))
  const placeIn = ({ rank, at }: Finding): { readonly unit: number; readonly at: number } => ({
    unit: unitOf.get(rank) ?? 0,
    at,
  })
  const own = units
    .map(unit => unit.advice.findings[0])
    .filter(finding => finding !== undefined)
    .filter(finding => finding.kind !== 'communication' && !givesWay.has(finding.kind))
  /** What was received had a finding where it was sent from. */
  const sentWrong = (finding: Finding): boolean => {
    const { unit, at } = placeIn(finding)
    const source = graph.sourceOf(unit, at)
    return (
      source !== null &&
      units[source.unit].advice.findings.some(other => !givesWay.has(other.kind) && other.at <= source.at)
    )
  }
  const passedOn = (finding: Finding): boolean =>
    finding.kind === 'communication' &&
    (sentWrong(finding) ||
      own.some(other => other.rank !== finding.rank && other.collectives <= finding.collectives))
  // Where the same collective breaks first on every rank, it is the origin itself.
  const first = units.flatMap(unit => unit.advice.findings.slice(0, 1)).filter(finding => !passedOn(finding))
  const later = units
    .flatMap(unit => (passedOnly(unit, passedOn) ? [] : unit.advice.findings.slice(1)))
    .filter(finding => !passedOn(finding))
  const depth = (finding: Finding): number => {
    const { unit, at } = placeIn(finding)
    return graph.depthOf(unit, at)
  }
  return [...gather(first, depth), ...gather(later, depth)]
}

/** A rank whose first finding came through a collective has no other finding that counts. */
const passedOnly = (unit: AdvisedUnit, passedOn: (finding: Finding) => boolean): boolean =>
  unit.advice.findings[0] !== undefined && passedOn(unit.advice.findings[0])

/** Equal findings of several ranks as one, the earliest first; `depth`: behind how many transfers. */
function gather(findings: readonly Finding[], depth: (finding: Finding) => number): Finding[] {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) groups.set(keyOf(finding), [...(groups.get(keyOf(finding)) ?? []), finding])
  return [...groups.values()]
    .map(group => {
      const [first] = group.toSorted((a, b) => depth(a) - depth(b))
      const ranks = group.map(finding => finding.rank).filter(rank => rank !== null)
      return ranks.length < 2 ? first : { ...first, ranks: runsOf(ranks) }
    })
    .sort((a, b) => depth(a) - depth(b) || a.collectives - b.collectives || place(a) - place(b))
}

const keyOf = (finding: Finding): string => `${finding.kind} ${finding.side} ${finding.node}`
const place = ({ at, of }: Finding): number => at / Math.max(1, of)

function withSteps(first: Finding, again: Finding): Finding {
  const steps = (first.steps ?? String(first.step ?? '')).split(', ')
  const step = String(again.step ?? '')
  return steps.includes(step) ? first : { ...first, steps: [...steps, step].join(', ') }
}
