// Findings of many steps and ranks as one list: what a collective passed on is dropped, equal findings of several ranks are one.
import type { Advice, Finding } from '../../../preload/contract/engine.ts'

export interface AdvisedUnit {
  readonly step: number | null
  readonly rank: number | null
  readonly advice: Advice
}

/** The first step and the earliest finding that a rank has of its own come first. `facts.ranks` names the ranks that share a finding. */
export function adviseAcross(units: readonly AdvisedUnit[]): readonly Finding[] {
  if (units.length < 2) return units.flatMap(unit => [...unit.advice.findings])
  const steps = [...new Set(units.map(unit => unit.step))].sort((a, b) => (a ?? -1) - (b ?? -1))
  const merged: Finding[] = []
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
  // What cannot be decided somewhere says nothing against what was found elsewhere.
  return [...merged.filter(finding => finding.kind !== 'not-decidable'), ...merged.filter(finding => finding.kind === 'not-decidable')]
}

function ofStep(units: readonly AdvisedUnit[]): Finding[] {
  const heads = units.map(unit => unit.advice.findings[0]).filter(finding => finding !== undefined)
  const own = heads.filter(finding => finding.kind !== 'communication' && finding.kind !== 'not-decidable')
  const passedOn = (finding: Finding): boolean =>
    finding.kind === 'communication' && own.some(other => other.rank !== finding.rank && collectives(other) <= collectives(finding))
  // Where the same collective breaks first on every rank, it is the origin itself.
  const first = units.flatMap(unit => unit.advice.findings.slice(0, 1)).filter(finding => !passedOn(finding))
  const later = units.flatMap(unit => (passedOnly(unit, passedOn) ? [] : unit.advice.findings.slice(1))).filter(finding => !passedOn(finding))
  return [...gather(first), ...gather(later)]
}

/** A rank whose first finding came through a collective has no other finding that counts. */
const passedOnly = (unit: AdvisedUnit, passedOn: (finding: Finding) => boolean): boolean =>
  unit.advice.findings[0] !== undefined && passedOn(unit.advice.findings[0])

/** Equal findings of several ranks as one, the earliest first. */
function gather(findings: readonly Finding[]): Finding[] {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) groups.set(keyOf(finding), [...groups.get(keyOf(finding)) ?? [], finding])
  return [...groups.values()]
    .map(group => {
      const ranks = group.map(finding => finding.rank).filter(rank => rank !== null)
      return ranks.length < 2 ? group[0] : { ...group[0], facts: { ...group[0].facts, ranks: ranks.join(', ') } }
    })
    .sort((a, b) => collectives(a) - collectives(b) || place(a) - place(b))
}

const keyOf = (finding: Finding): string => `${finding.kind} ${finding.side} ${finding.node}`
const collectives = (finding: Finding): number => Number(finding.facts.collectives ?? 0)
const place = (finding: Finding): number => Number(finding.facts.at ?? 0) / Math.max(1, Number(finding.facts.of ?? 1))

function withSteps(first: Finding, again: Finding): Finding {
  const steps = String(first.facts.steps ?? first.step ?? '').split(', ')
  const step = String(again.step ?? '')
  return steps.includes(step) ? first : { ...first, facts: { ...first.facts, steps: [...steps, step].join(', ') } }
}
