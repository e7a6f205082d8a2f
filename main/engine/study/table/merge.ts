// merge_result: the same metric of chosen APIs on every rank, side by side.
import { columnsOf, metricIds } from '../../judge/index.ts'
import { typedColumn } from './typed-column.ts'
import { cellTable, type PlainCell } from '../../formats/index.ts'
import {
  type ColumnInfo,
  type Generation,
  problem,
  type Problem,
  Refusal,
  type Rules,
  type Table,
} from '../../model/index.ts'
import { ruleSets } from '../../rules/index.ts'
import { listOf, mapOf, readYaml, textOf, type YamlMap } from '../../pair/index.ts'

interface MergeConfig {
  /** Beginnings of names. */
  readonly apis: readonly string[]
  /** Titles of metric columns; empty: all of the mode. */
  readonly metrics: readonly string[]
}

/** One finished result, as it was read. */
export interface RankResult extends Table {
  readonly rank: number
  readonly path: string
}

interface MergedSheet extends Table {
  /** The metric. */
  readonly name: string
}

export function mergeConfig(text: string, path: string): MergeConfig {
  const map = read(text, path)
  const apis = listOf(map.get('api')).map(textOf)
  if (apis.length === 0) throw new Refusal(problem('merge-config-empty', path))
  return { apis, metrics: listOf(map.get('compare_index')).map(textOf) }
}

function read(text: string, path: string): YamlMap {
  try {
    return mapOf(readYaml(text, 'merge'), 'merge')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal({ ...error.problem, path })
  }
}

/** msprobe 26 names the rank once; both sides of an older name are the same rank. */
const named = /^compare_result_rank(\d+)(?:-rank\1)?_\d{14}\.xlsx$/
const namedTwice = /^compare_result_rank(\d+)-rank\1_\d{14}\.xlsx$/

/** The rank of a result file by its name; null for one that is skipped with a note. */
export function rankOfResult(path: string, rules: Rules, problems: Problem[]): number | null {
  const name = path.split(/[\\/]/).at(-1) ?? path
  const rank = (
    ruleSets[rules].generation === 'msprobe-26' || rules === 'plumbline' ? named : namedTwice
  ).exec(name)?.[1]
  if (rank !== undefined) return Number(rank)
  if (!name.startsWith('compare_result_rank-rank_') && !ruleSets[rules].deviates['merge-strays'])
    throw new Refusal(problem('merge-stray', path))
  problems.push(problem('merge-stray', path, {}, 'note'))
  return null
}

const titlesOf = (table: Table): string[] => table.columns.map(column => column.title)

const generations: readonly Generation[] = ['msprobe-1.2.2', 'msprobe-26']

/** Which metrics a header offers; null for a header of another kind. */
function metricsOf(titles: readonly string[]): readonly string[] | null {
  for (const generation of generations)
    for (const mode of ['tensor', 'statistics'] as const) {
      const of = (stack: boolean): readonly ColumnInfo[] =>
        columnsOf(generation, mode, { stack }).filter(column => !column.extra)
      const columns = [of(false), of(true)].find(
        list => list.length === titles.length && list.every((column, i) => column.title === titles[i]),
      )
      if (columns)
        return columns
          .filter(({ id }) => metricIds[mode].includes(id) || id === 'gradsAgree')
          .map(column => column.title)
    }
  return null
}

/** Replaced by the two maxima, which say more. */
const wordless = new Set(['N/A', 'unsupported', 'Nan'])

export function mergeRanks(
  results: readonly RankResult[],
  config: MergeConfig,
  rules: Rules,
): { readonly sheets: readonly MergedSheet[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const sorted = results.toSorted((a, b) => a.rank - b.rank)
  const first = sorted.map(result => metricsOf(titlesOf(result))).find(metrics => metrics !== null)
  const wanted = config.metrics.length ? config.metrics : (first ?? [])
  const usable = sorted.filter(result => {
    const offered = metricsOf(titlesOf(result))
    const fits = offered !== null && wanted.every(metric => offered.includes(metric))
    if (!fits) problems.push(problem('merge-unusable', result.path, {}, 'warning'))
    return fits
  })
  // msprobe gives nothing where one of the results is of another kind.
  const [odd] = ruleSets[rules].deviates['merge-strays'] ? [] : problems
  if (odd) throw new Refusal({ ...odd, severity: 'error' })
  if (sorted.length < 2 || usable.length === 0)
    throw new Refusal(problem('merge-too-few', sorted[0]?.path ?? ''))

  const chosen = usable.map(result => chosenRows(result, config.apis, problems))
  const found = [...new Set(chosen.flatMap(rows => [...rows.keys()]))]
  // msprobe 26 sorts what it joins.
  const names = ruleSets[rules].generation === 'msprobe-26' ? found.toSorted() : found
  const sheets = wanted.map(metric =>
    sheetOf(
      metric,
      names,
      usable.map((result, i) => {
        const [column, mine, theirs] = [metric, 'NPU max', 'Bench max'].map(title =>
          typedColumn(result, titlesOf(result).indexOf(title)),
        )
        return {
          rank: result.rank,
          cell: name => {
            const row = chosen[i].get(name)
            if (row === undefined) return ''
            const cell = column.cell(row)
            return typeof cell === 'string' && wordless.has(cell)
              ? `NPU:${mine.printed(row)}  Bench:${theirs.printed(row)}`
              : cell
          },
        }
      }),
    ),
  )
  return { sheets, problems }
}

/** Rows by NPU name: API after API, each in the table's order. */
function chosenRows(result: RankResult, apis: readonly string[], problems: Problem[]): Map<string, number> {
  const rows = new Map<string, number>()
  for (const api of apis) {
    const before = rows.size
    for (let row = 0; row < result.length; row++) {
      const name = result.text(row, 0)
      if (name.includes(`${api}.`) && !rows.has(name)) rows.set(name, row)
    }
    if (rows.size === before) problems.push(problem('merge-api-missing', result.path, { api }, 'warning'))
  }
  return rows
}

interface RankColumn {
  readonly rank: number
  cell(name: string): PlainCell
}

function sheetOf(metric: string, names: readonly string[], ranks: readonly RankColumn[]): MergedSheet {
  const at = (row: number, column: number): PlainCell =>
    column === 0 ? names[row] : ranks[column - 1].cell(names[row])
  return {
    name: metric,
    ...cellTable(
      [
        { id: 'name', title: 'NPU Name', numeric: false, extra: false },
        ...ranks.map(({ rank }) => ({
          id: `rank${rank}`,
          title: `rank${rank}`,
          numeric: true,
          extra: false,
        })),
      ],
      names.length,
      at,
    ),
  }
}
