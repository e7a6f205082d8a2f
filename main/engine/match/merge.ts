// merge_result: the same metric of chosen APIs on every rank, side by side.
import { columnsOf } from '../metrics/index.ts'
import { g16 } from '../metrics/numpy.ts'
import { Kind, type Rules } from '../model.ts'
import { problem, Refusal, type Problem } from '../problem.ts'
import type { ResultColumn } from '../result.ts'
import { waysOf } from './rules.ts'
import { listOf, mapOf, readYaml, textOf } from './yaml.ts'

export interface MergeConfig {
  /** Beginnings of names. */
  readonly apis: readonly string[]
  /** Titles of metric columns; empty: all of the mode. */
  readonly metrics: readonly string[]
}

/** One finished result, as it was read. */
export interface RankResult {
  readonly rank: number
  readonly path: string
  readonly titles: readonly string[]
  readonly length: number
  cell(row: number, column: number): string | number
}

export interface MergedSheet {
  /** The metric. */
  readonly name: string
  readonly columns: readonly ResultColumn[]
  readonly length: number
  readonly fill: Uint8Array
  kind(row: number, column: number): Kind
  number(row: number, column: number): number
  text(row: number, column: number): string
}

export function mergeConfig(text: string, path: string): MergeConfig {
  const map = mapOf(readYaml(text, 'merge'), 'merge')
  const apis = listOf(map.get('api')).map(textOf)
  if (apis.length === 0) throw new Refusal(problem('merge-config-empty', path))
  return { apis, metrics: listOf(map.get('compare_index')).map(textOf) }
}

/** The rank of a result file by its name; null for one that is skipped with a note. */
export function rankOfResult(path: string, rules: Rules, problems: Problem[]): number | null {
  const name = path.split(/[\\/]/).at(-1) ?? path
  const rank = /^compare_result_rank(\d+)-rank\1_\d{14}\.xlsx$/.exec(name)?.[1]
  if (rank !== undefined) return Number(rank)
  if (!name.startsWith('compare_result_rank-rank_') && !waysOf(rules)['merge-strays']) throw new Refusal(problem('merge-stray', path))
  problems.push(problem('merge-stray', path, {}, 'note'))
  return null
}

const metricTitles = { tensor: ['cosine', 'maxAbs', 'maxRel', 'thousandth', 'fiveThousandths'], statistics: ['maxDiff', 'minDiff', 'meanDiff', 'normDiff', 'maxRelative', 'minRelative', 'meanRelative', 'normRelative'] } as const

/** Which metrics a header offers; null for a header of another kind. */
function metricsOf(titles: readonly string[]): readonly string[] | null {
  for (const mode of ['tensor', 'statistics'] as const) {
    const of = (stack: boolean): readonly ResultColumn[] => columnsOf(mode, { stack }).filter(column => !column.extra)
    const columns = [of(false), of(true)].find(list => list.length === titles.length && list.every((column, i) => column.title === titles[i]))
    if (columns) return columns.filter(column => metricTitles[mode].some(id => id === column.id)).map(column => column.title)
  }
  return null
}

/** Replaced by the two maxima, which say more. */
const wordless = new Set(['N/A', 'unsupported', 'Nan'])

export function mergeRanks(results: readonly RankResult[], config: MergeConfig): { readonly sheets: readonly MergedSheet[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const sorted = results.toSorted((a, b) => a.rank - b.rank)
  const first = sorted.map(result => metricsOf(result.titles)).find(metrics => metrics !== null)
  const wanted = config.metrics.length ? config.metrics : (first ?? [])
  const usable = sorted.filter(result => {
    const offered = metricsOf(result.titles)
    const fits = offered !== null && wanted.every(metric => offered.includes(metric))
    if (!fits) problems.push(problem('merge-unusable', result.path, {}, 'warning'))
    return fits
  })
  if (sorted.length < 2 || usable.length === 0) throw new Refusal(problem('merge-too-few', sorted[0]?.path ?? ''))

  const chosen = usable.map(result => chosenRows(result, config.apis, problems))
  const names = [...new Set(chosen.flatMap(rows => [...rows.keys()]))]
  const sheets = wanted.map(metric => sheetOf(metric, names, usable.map((result, i) => {
    const [column, mine, theirs] = [metric, 'NPU max', 'Bench max'].map(title => result.titles.indexOf(title))
    return { rank: result.rank, cell: name => {
      const row = chosen[i].get(name)
      if (row === undefined) return ''
      const cell = result.cell(row, column)
      return typeof cell === 'string' && wordless.has(cell) ? `NPU:${textOfCell(result.cell(row, mine))}  Bench:${textOfCell(result.cell(row, theirs))}` : cell
    } }
  })))
  return { sheets, problems }
}

/** Rows by NPU name: API after API, each in the table's order. */
function chosenRows(result: RankResult, apis: readonly string[], problems: Problem[]): Map<string, number> {
  const rows = new Map<string, number>()
  for (const api of apis) {
    const before = rows.size
    for (let row = 0; row < result.length; row++) {
      const name = textOfCell(result.cell(row, 0))
      if (name.includes(`${api}.`) && !rows.has(name)) rows.set(name, row)
    }
    if (rows.size === before) problems.push(problem('merge-api-missing', result.path, { api }, 'warning'))
  }
  return rows
}

const textOfCell = (cell: string | number): string => (typeof cell === 'number' ? g16(cell) : cell)

interface RankColumn {
  readonly rank: number
  cell(name: string): string | number
}

function sheetOf(metric: string, names: readonly string[], ranks: readonly RankColumn[]): MergedSheet {
  const at = (row: number, column: number): string | number => (column === 0 ? names[row] : ranks[column - 1].cell(names[row]))
  return {
    name: metric, length: names.length, fill: new Uint8Array(names.length),
    columns: [{ id: 'name', title: 'NPU Name', numeric: false, extra: false }, ...ranks.map(({ rank }) => ({ id: `rank${rank}`, title: `rank${rank}`, numeric: true, extra: false }))],
    kind: (row, column) => (typeof at(row, column) === 'number' ? Kind.float : Kind.text),
    number: (row, column) => { const cell = at(row, column); return typeof cell === 'number' ? cell : NaN },
    text: (row, column) => textOfCell(at(row, column)),
  }
}
