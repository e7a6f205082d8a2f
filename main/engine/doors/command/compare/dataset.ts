// A comparison of many steps and ranks as one dataset: what is there already is left, what is made is there at once.
import { cellOf, DatasetWriter, mergeDataset, type Merged, type UnitRecord } from '../../../dataset/index.ts'
import { adviseAcross } from '../../../advisor/index.ts'
import { absolute } from '../../../io/index.ts'
import { total } from '../../../judge/index.ts'
import type { Plan } from '../../../layout/index.ts'
import { type MappingTexts, problem, Refusal } from '../../../model/index.ts'
import type { Opening, UnitSource } from '../../../study/index.ts'
import type { Job } from '../../../work/index.ts'
import type { Shared } from '../shares.ts'
import type { Tools } from '../tools.ts'
import { eachUnit, problemOf } from '../units.ts'
import type { CompareRequest, CompareResult, UnitResult } from './request.ts'
import { placeOf } from './unit.ts'

export interface DatasetRun {
  readonly folder: string
  readonly share: Shared | null
  /** Units that were there already. */
  readonly known: number
  /** What a run over all units comes to; null of a share. */
  readonly merged: Merged | null
}

type CompareOne = (unit: UnitSource, writer: DatasetWriter, job: Job) => Promise<UnitResult>

export interface DatasetOrder {
  readonly plan: Plan
  readonly mapping: MappingTexts
  readonly request: CompareRequest
  readonly share: Shared | null
}

export async function writeDataset(
  { units }: Opening,
  { plan, mapping, request, share }: DatasetOrder,
  compareOne: CompareOne,
  tools: Tools,
): Promise<CompareResult> {
  const { output, rules, verb, stack, fuzzy, noise, advise } = request
  if (!output) throw new RangeError('a dataset without a folder')
  const asking = {
    version: 1,
    verb,
    rules,
    debug: plan.debug,
    bench: plan.bench,
    options: { stack, fuzzy, advise, mapping, noise: noise.map(absolute) },
  } as const
  const ids = plan.units.map(({ step, rank, name = '' }) => ({ step, rank, name }))
  const writer = DatasetWriter.open(
    absolute(output.folder),
    { ...asking, units: ids },
    share?.share ?? null,
    { files: tools.files, dumps: [plan.debug, plan.bench], chosen: output.chosen, stacks: stack },
  )
  const records: UnitRecord[] = []
  let known = 0
  const done = await eachUnit(
    { units, folderOf: unit => unit.place.debug },
    tools,
    async (unit, job) => {
      const at = placeOf(unit)
      const there = writer.done(at)
      if (there) {
        known++
        records.push(there)
        return resultOf(there)
      }
      try {
        const result = await compareOne(unit, writer, job)
        const record = writer.done(at)
        if (record) records.push(record)
        // What a unit was found to be lies on disk: nothing of it stays.
        return { ...result, advice: null }
      } catch (error) {
        if (!tools.job.signal.aborted && error instanceof Refusal) writer.fail(at, problemOf(error))
        throw error
      }
    },
    { mayFail: true, lanes: 2 },
  )
  writer.end()
  const merged = share ? null : await mergeDataset(writer.folder, tools, tools.job)
  if (merged) tools.written(merged.files)
  return {
    rules,
    units: done.results,
    counts: merged?.summary.counts ?? total(done.results.map(unit => unit.counts)),
    findings:
      merged?.summary.findings ??
      adviseAcross(
        records.map(({ step, rank, findings, transfers }) => ({
          step,
          rank,
          advice: { findings, transfers },
        })),
      ),
    files: merged?.files ?? [],
    across: null,
    failed: done.failed,
    outcome: done.outcome,
    dataset: { folder: writer.folder, share, known, merged },
  }
}

function resultOf(record: UnitRecord): UnitResult {
  const { step, rank, name, debug, bench, mode, counts } = record
  if (mode === '') throw new Refusal(record.problem ?? problem('not-a-dump', debug))
  const { first } = cellOf(record, record)
  return {
    step,
    rank,
    name,
    debug,
    bench,
    mode,
    counts,
    unread: false,
    first: first && { row: first.row, node: first.node },
    advice: null,
    made: [],
    recomputed: null,
    files: [],
    nodes: null,
  }
}
