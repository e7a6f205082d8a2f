// What all units of a dataset come to together: one small file beside the parts, and one of all calls.
import { adviseAcross } from '../advisor/index.ts'
import { type Files, join, openOutput, removeOwn } from '../io/index.ts'
import { total } from '../judge/index.ts'
import { type Counts, type Finding, type Problem, problem, type RanksUnit } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { overflowOf, type OverflowOfStep } from './calls.ts'
import { nodesName, sharesFolder, summaryName, type UnitId } from './names.ts'
import { writeNodes } from './question.ts'
import { type Dataset, readDataset, strayUnits } from './read.ts'
import { jsonBytes, type NodeMark, type ShareRecord, stateOf, type UnitRecord } from './records.ts'

/** A unit as the picture shows it. */
export interface UnitCell extends UnitId {
  readonly state: 'done' | 'failed' | 'missing'
  readonly debug: string
  readonly bench: string
  readonly counts: Counts | null
  readonly worst: NodeMark | null
  readonly first: NodeMark | null
  /** Where the advisor says that the error enters; '' where nothing was found. */
  readonly headline: string
  readonly kind: string
  readonly variant: string
  readonly problem: Problem | null
}

export interface Summary {
  readonly version: 1
  readonly verb: string
  readonly rules: string
  readonly debug: string
  readonly bench: string
  readonly counts: Counts
  /** Over all steps and ranks, the headline first. */
  readonly findings: readonly Finding[]
  readonly missing: readonly UnitId[]
  readonly units: readonly UnitCell[]
  /** Of a dataset of overflow_check: where NaN and infinity enter each step. */
  readonly overflow?: readonly OverflowOfStep[]
}

export interface Merged {
  readonly summary: Summary
  readonly failed: number
  /** Shares that were begun and have not come to their end. */
  readonly open: readonly ShareRecord[]
  readonly files: readonly string[]
}

export const cellOf = (unit: UnitId, record: UnitRecord | null): UnitCell => {
  const [headline] = record?.findings ?? []
  return {
    step: unit.step,
    rank: unit.rank,
    name: unit.name,
    state: stateOf(record),
    debug: record?.debug ?? '',
    bench: record?.bench ?? '',
    counts: record?.problem ? null : (record?.counts ?? null),
    worst: record?.worst ?? null,
    first: record?.first ?? null,
    headline: headline?.node ?? '',
    kind: headline?.kind ?? '',
    variant: headline?.variant ?? '',
    problem: record?.problem ?? null,
  }
}

/** One unit of the picture, looked at. */
export function recordAt({ units }: Dataset, of: number): RanksUnit {
  const unit = units[of]
  if (!unit) throw new RangeError(`there is no unit ${of}`)
  const { step, rank, record } = unit
  return {
    step,
    rank,
    debug: record?.debug ?? '',
    bench: record?.bench ?? '',
    findings: record?.findings ?? [],
    problem: record?.problem ?? null,
  }
}

export function summaryOf({ plan, units }: Dataset): Summary {
  const records = units.flatMap(({ record }) => (record && !record.problem ? [record] : []))
  return {
    version: 1,
    verb: plan.verb,
    rules: plan.rules,
    debug: plan.debug,
    bench: plan.bench,
    counts: total(records.map(({ counts }) => counts)),
    findings: adviseAcross(
      records.map(({ step, rank, findings, transfers }) => ({ step, rank, advice: { findings, transfers } })),
    ),
    missing: units.flatMap(({ step, rank, name, record }) => (record ? [] : [{ step, rank, name }])),
    units: units.map(unit => cellOf(unit, unit.record)),
  }
}

/** Checks that all is there, and writes the summary; a merge that comes again writes the same bytes. */
export async function mergeDataset(
  folder: string,
  { files, tell }: { readonly files: Files; tell(found: Problem): void },
  job: Job,
): Promise<Merged> {
  const dataset = readDataset(files, folder)
  for (const found of dataset.problems) tell(found)
  for (const stray of strayUnits(files, dataset)) tell(problem('dataset-stray', stray, {}, 'warning'))
  const overflow = overflowOf(files, dataset)
  const summary = { ...summaryOf(dataset), ...(overflow.length > 0 && { overflow }) }
  const whole = summary.missing.length === 0
  const output = openOutput(folder, [], true)
  try {
    // Calls first: a summary says that they are there.
    if (whole) await writeNodes(dataset, output.create(nodesName), job)
    output.create(summaryName).write(jsonBytes(summary))
    const paths = output.commit()
    if (whole) removeOwn(join(folder, sharesFolder), /^\d+-of-\d+\.json$/)
    return {
      summary,
      failed: summary.units.filter(({ state }) => state === 'failed').length,
      open: whole ? [] : dataset.shares.filter(({ ended }) => ended === null),
      files: paths,
    }
  } finally {
    output.abandon()
  }
}
