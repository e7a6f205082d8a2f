// What the files of a dataset are called. Names that begin with `_` are no data to readers of Parquet folders.
import { datasetPlanName } from '../formats/index.ts'
import { join } from '../io/index.ts'

/** One step and rank, and what tells it from others of the same. */
export interface UnitId {
  readonly step: number | null
  readonly rank: number | null
  readonly name: string
}

export const planName = datasetPlanName
export const summaryName = '_summary.json'
export const nodesName = '_nodes.parquet'
export const sharesFolder = '_shares'

/** As Hive calls a partition of what has no value. */
const none = '__HIVE_DEFAULT_PARTITION__'
const valueOf = (value: number | null): string => (value === null ? none : String(value))

export const stepFolder = (step: number | null): string => `step=${valueOf(step)}`
export const rankFolder = (rank: number | null): string => `rank=${valueOf(rank)}`

export const unitFolder = (folder: string, { step, rank }: UnitId): string =>
  join(join(folder, stepFolder(step)), rankFolder(rank))

/** Behind the names of both files of a unit that is not the only one of its step and rank. */
const tail = (name: string): string => (name === '' ? '' : `-${name.replace(/[^\w.-]/g, '_')}`)

export const partName = ({ name }: UnitId): string => `part${tail(name)}.parquet`
export const recordName = ({ name }: UnitId): string => `_unit${tail(name)}.json`

/** What the order of events over ranks needs of one. */
export const rankName = ({ name }: UnitId): string => `_rank${tail(name)}.json`

export const keyOf = ({ step, rank, name }: UnitId): string =>
  JSON.stringify([step, rank, name.replace(/[^\w.-]/g, '_')])

/** Step and rank of a folder's name; undefined for any other folder. */
export function partitionOf(name: string, key: 'step' | 'rank'): number | null | undefined {
  const [, value] = new RegExp(`^${key}=(\\d{1,15}|${none})$`).exec(name) ?? []
  if (value === undefined) return undefined
  return value === none ? null : Number(value)
}

/** What has no number comes first. */
export const inOrder = (a: UnitId, b: UnitId): number =>
  (a.step ?? -1) - (b.step ?? -1) ||
  (a.rank ?? -1) - (b.rank ?? -1) ||
  (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
