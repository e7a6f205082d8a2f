// Reads a dataset as far as it is there: which units it should have, what each came to, which shares were begun.
import { type Files, join } from '../io/index.ts'
import { type Problem, problem, Refusal } from '../model/index.ts'
import {
  inOrder,
  keyOf,
  partName,
  partitionOf,
  planName,
  recordName,
  sharesFolder,
  type UnitId,
  unitFolder,
} from './names.ts'
import {
  type DatasetPlan,
  readPlan,
  readRecord,
  readShare,
  type ShareRecord,
  type UnitRecord,
} from './records.ts'

export interface DatasetUnit extends UnitId {
  /** Null while it is not there. */
  readonly record: UnitRecord | null
  /** The file of its rows; null where there is none. */
  readonly part: string | null
}

export interface Dataset {
  readonly folder: string
  readonly plan: DatasetPlan
  /** In order of step and rank. */
  readonly units: readonly DatasetUnit[]
  readonly shares: readonly ShareRecord[]
  readonly problems: readonly Problem[]
}

export const isDataset = (files: Files, folder: string): boolean =>
  files.stat(join(folder, planName))?.kind === 'file'

/** Records that were read before, by the look of their files: a growing dataset is read again and again. */
export type KnownRecords = Map<string, { readonly look: string; readonly unit: DatasetUnit }>

export function readDataset(files: Files, folder: string, known: KnownRecords = new Map()): Dataset {
  files.allow(folder)
  if (!files.stat(folder)) throw new Refusal(problem('not-found', folder))
  const plan = readPlan(files, join(folder, planName))
  if (!plan) throw new Refusal(problem('dataset-none', folder))
  const problems: Problem[] = []
  const units = plan.units.map(unit => unitAt(files, folder, unit, known, problems))
  return { folder, plan, units: units.toSorted(inOrder), shares: sharesIn(files, folder), problems }
}

function unitAt(
  files: Files,
  folder: string,
  id: UnitId,
  known: KnownRecords,
  problems: Problem[],
): DatasetUnit {
  const at = unitFolder(folder, id)
  const file = join(at, recordName(id))
  const entry = files.stat(file)
  if (!entry) return { ...id, record: null, part: null }
  const part = join(at, partName(id))
  const rows = files.stat(part)
  const look = `${entry.size} ${entry.modified} ${rows?.size} ${rows?.modified}`
  const before = known.get(keyOf(id))
  if (before?.look === look) return before.unit
  const unit = readUnit(files, { id, file, part, bytes: rows?.kind === 'file' ? rows.size : -1 }, problems)
  known.set(keyOf(id), { look, unit })
  return unit
}

interface UnitFiles {
  readonly id: UnitId
  readonly file: string
  readonly part: string
  /** -1 where there is none. */
  readonly bytes: number
}

/** A record without its rows, or of other rows, counts as none: the unit has to be made again. */
function readUnit(files: Files, { id, file, part, bytes }: UnitFiles, problems: Problem[]): DatasetUnit {
  try {
    const record = readRecord(files, file)
    if (record?.part && record.part.bytes !== bytes) {
      problems.push(problem('dataset-part-apart', part, {}, 'warning'))
      return { ...id, record: null, part: null }
    }
    if (record && keyOf(record) !== keyOf(id))
      throw new Refusal(problem('dataset-broken', file, { reason: 'step, rank' }))
    return { ...id, record, part: record?.part ? part : null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    problems.push({ ...error.problem, severity: 'warning' })
    return { ...id, record: null, part: null }
  }
}

function sharesIn(files: Files, folder: string): readonly ShareRecord[] {
  const at = join(folder, sharesFolder)
  if (!files.stat(at)) return []
  return files.names(at).flatMap(({ name, kind }) => {
    if (kind !== 'file' || !/^\d+-of-\d+\.json$/.test(name)) return []
    try {
      const share = readShare(files, join(at, name))
      return share ? [share] : []
    } catch (error) {
      if (error instanceof Refusal) return []
      throw error
    }
  })
}

/** Folders of units on disk that the plan does not speak of. */
export function strayUnits(files: Files, { folder, units }: Dataset): readonly string[] {
  const planned = new Set(units.map(unit => unitFolder(folder, unit)))
  return files.names(folder).flatMap(step => {
    if (partitionOf(step.name, 'step') === undefined) return []
    return files.names(join(folder, step.name)).flatMap(rank => {
      const at = join(join(folder, step.name), rank.name)
      return partitionOf(rank.name, 'rank') === undefined || planned.has(at) ? [] : [at]
    })
  })
}
