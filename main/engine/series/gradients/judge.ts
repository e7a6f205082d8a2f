// Which similarities are suspect: the first step of a parameter below a limit, or a fall from one step to the next.
import { seriesLimits } from '../../model/index.ts'
import { type RankSimilarity, similarityAt } from './compare.ts'

export interface SignLimits {
  /** A similarity below this at the first step is suspect. */
  readonly first: number
  /** A fall by more than this from one step to the next is suspect. */
  readonly drop: number
}

export const signLimits: SignLimits = { first: seriesLimits.first, drop: seriesLimits.drop }

export interface SignSuspect {
  readonly rank: number
  readonly step: number
  /** Its place among the parameters. */
  readonly param: number
  readonly name: string
  readonly why: keyof SignLimits
  readonly similarity: number
  /** That of the step before; null at the first step. */
  readonly before: number | null
  /** How far it is beyond the limit. */
  readonly severity: number
}

/** Where a rank first deviates: the step, and of its suspects the one that gradients come to first. */
export interface FirstSuspect {
  readonly rank: number
  readonly step: number
  readonly name: string
}

export function suspectsOf(of: RankSimilarity, limits: SignLimits): readonly SignSuspect[] {
  const found: SignSuspect[] = []
  for (const [param, name] of of.params.entries()) {
    let before: number | null = null
    for (const [s, step] of of.steps.entries()) {
      // A parameter without elements agrees with nothing and deviates from nothing.
      const similarity = of.size[param * of.steps.length + s] > 0 ? similarityAt(of, param, s) : null
      if (similarity === null) continue
      const why: keyof SignLimits = before === null ? 'first' : 'drop'
      const beyond = before === null ? limits.first - similarity : before - similarity - limits.drop
      if (beyond > rounding)
        found.push({ rank: of.rank, step, param, name, why, similarity, before, severity: beyond })
      before = similarity
    }
  }
  return found.sort((a, b) => b.severity - a.severity || a.step - b.step || b.param - a.param)
}

/** 0.99 − 0.96 is a little more than 0.03 in doubles. */
const rounding = 1e-12

/** In backward order the last parameters of the model come first. */
export function firstSuspect(suspects: readonly SignSuspect[]): FirstSuspect | null {
  const step = Math.min(...suspects.map(suspect => suspect.step))
  const [first] = suspects.filter(suspect => suspect.step === step).sort((a, b) => b.param - a.param)
  return first ? { rank: first.rank, step, name: first.name } : null
}

/** Above this share of zeros two sign maps agree whatever happens. */
const mostlyZero = 0.9

/** Steps at which a parameter has hardly an element above zero on either side. */
export function weakSteps(of: RankSimilarity, param: number): readonly number[] {
  return of.steps.filter((_, s) => of.above[param * of.steps.length + s] <= 1 - mostlyZero)
}
