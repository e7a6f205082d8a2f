// A dataset as tables for questions in SQL: rows, nodes, units, findings.
import {
  copyParquet,
  type Files,
  join,
  openQuestions,
  type Questions,
  type Sink,
  sqlList,
  type SqlTable,
} from '../io/index.ts'
import { countNames } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { nodesName, planName } from './names.ts'
import type { Dataset, DatasetUnit } from './read.ts'
import { stateOf } from './records.ts'
import { isMerged } from './summary-look.ts'

/** Parts of one mode have the same columns: then only the first is asked for them. */
function rowsOf(units: readonly DatasetUnit[]): string {
  const parts = units.flatMap(({ part }) => part ?? [])
  if (parts.length === 0) return 'SELECT * FROM (VALUES (0)) AS nothing(row) WHERE false'
  const modes = new Set(units.flatMap(({ record, part }) => (record && part ? [record.mode] : [])))
  const unlike = modes.size > 1 ? ', union_by_name = true' : ''
  return `SELECT step, rank, * EXCLUDE (step, rank) FROM read_parquet(${sqlList(parts)}, hive_partitioning = true, hive_types = {'step': BIGINT, 'rank': BIGINT}${unlike})`
}

/** One row per call: where it stands, how many of its rows differ, and its largest error. */
const nodesSql = (rows: string): string => `SELECT step, rank, node,
  first(layer ORDER BY "row") AS layer,
  min("row")::INTEGER AS "row",
  count(*)::INTEGER AS "rows",
  count(*) FILTER (state = 'differs')::INTEGER AS differs,
  count(*) FILTER (state = 'noise')::INTEGER AS noise,
  sum(failing)::INTEGER AS failing,
  max(level) AS level
FROM (${rows}) GROUP BY step, rank, node`

const hasRows = ({ units }: Dataset): boolean => units.some(({ part }) => part !== null)

/** The calls of all units in one file, so that questions about them open one file and not thousands. */
export async function writeNodes({ units }: Pick<Dataset, 'units'>, sink: Sink, job: Job): Promise<void> {
  job.report({ what: 'job.writing', done: 0, total: 1, countedIn: 'files' })
  const rows = rowsOf(units)
  const empty = units.every(({ part }) => part === null)
  const sql = empty
    ? "SELECT 0 AS step, 0 AS rank, '' AS node WHERE false"
    : `${nodesSql(rows)} ORDER BY step NULLS FIRST, rank NULLS FIRST, min("row"), node`
  await copyParquet(sql, sink)
}

/** Everything that may be asked of a dataset as far as it is there. */
export function openQuestionsOver(files: Files, dataset: Dataset): Promise<Questions> {
  const { folder, units } = dataset
  const planModified = files.stat(join(folder, planName))?.modified ?? Infinity
  const nodes = join(folder, nodesName)
  const merged = isMerged(files, folder, planModified)
  const rows = rowsOf(units)
  return openQuestions({
    paths: [...units.flatMap(({ part }) => part ?? []), ...(merged ? [nodes] : [])].map(path =>
      files.real(path),
    ),
    tables: [unitsTable(dataset), findingsTable(dataset)],
    views: hasRows(dataset)
      ? [
          `CREATE VIEW "rows" AS ${rows}`,
          `CREATE VIEW nodes AS ${merged ? `SELECT * FROM read_parquet(${sqlList([nodes])})` : nodesSql(rows)}`,
        ]
      : [],
  })
}

function unitsTable({ units }: Dataset): SqlTable {
  return {
    name: 'units',
    columns: [
      { name: 'step', type: 'int' },
      { name: 'rank', type: 'int' },
      { name: 'state', type: 'text' },
      ...countNames.map(name => ({ name, type: 'int' }) as const),
      { name: 'worst', type: 'text' },
      { name: 'level', type: 'double' },
      { name: 'first', type: 'text' },
      { name: 'position', type: 'double' },
      { name: 'headline', type: 'text' },
      { name: 'kind', type: 'text' },
      { name: 'problem', type: 'text' },
      { name: 'debug', type: 'text' },
      { name: 'bench', type: 'text' },
    ],
    rows: units.map(({ step, rank, record }) => [
      step,
      rank,
      stateOf(record),
      ...countNames.map(name => (record && !record.problem ? record.counts[name] : null)),
      record?.worst?.node ?? null,
      numberOf(record?.worst?.level),
      record?.first?.node ?? null,
      numberOf(record?.first?.position),
      record?.findings[0]?.node ?? null,
      record?.findings[0]?.kind ?? null,
      record?.problem?.code ?? null,
      record?.debug ?? null,
      record?.bench ?? null,
    ]),
  }
}

const numberOf = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value

function findingsTable({ units }: Dataset): SqlTable {
  return {
    name: 'findings',
    columns: [
      { name: 'step', type: 'int' },
      { name: 'rank', type: 'int' },
      { name: 'place', type: 'int' },
      { name: 'kind', type: 'text' },
      { name: 'node', type: 'text' },
      { name: 'side', type: 'text' },
      { name: 'at', type: 'int' },
      { name: 'of', type: 'int' },
      { name: 'collectives', type: 'int' },
      { name: 'jump', type: 'double' },
      { name: 'explains', type: 'int' },
    ],
    rows: units.flatMap(({ step, rank, record }) =>
      (record?.findings ?? []).map((finding, place) => [
        step,
        rank,
        place,
        finding.kind,
        finding.node,
        finding.side,
        finding.at,
        finding.of,
        finding.collectives,
        numberOf(finding.jump),
        finding.explains.rows,
      ]),
    ),
  }
}
