// Questions to a trend database, whoever wrote it: read page by page, never locked, never written to.
import { type Files, openSqlite, type SqliteFile, type SqliteTable } from '../io/index.ts'
import { problem, Refusal } from '../model/index.ts'

/** What a view holds fast: of the other two, one is x and one is y. */
export type Fixed =
  { readonly by: 'step' | 'rank'; readonly value: number } | { readonly by: 'module'; readonly value: string }

export interface TrendCell {
  readonly x: number
  /** A module as `<vpp stage>_<target>_<micro step>`, or a rank. */
  readonly y: string | number
  readonly value: number | null
}

interface Asked {
  readonly metric: string
  readonly stat: string
  readonly fixed: Fixed
  /** A target must have all of them. */
  readonly tags: readonly string[]
}

export function trendCells(files: Files, path: string, asked: Asked): readonly TrendCell[] {
  let database: SqliteFile | null = null
  try {
    database = openSqlite(files, path)
    return new Trend(path, database).cells(asked)
  } catch (error) {
    // The reader of databases speaks of graphs.
    if (error instanceof Refusal && error.problem.code === 'vis-db-invalid')
      throw new Refusal(problem('trend-invalid', path, { reason: String(error.problem.facts.reason) }))
    throw error
  } finally {
    database?.close()
  }
}

const keys = ['rank', 'step', 'target_id', 'metric_id']

class Trend {
  readonly #path: string
  readonly #database: SqliteFile

  constructor(path: string, database: SqliteFile) {
    this.#path = path
    this.#database = database
  }

  cells({ metric, stat, fixed, tags }: Asked): readonly TrendCell[] {
    const metrics = this.#metrics()
    const metricId = metrics.get(metric)
    if (metricId === undefined) throw this.#lacks(metric, [...metrics.keys()])
    const data = this.#table('trend_data', keys)
    const value = data.columns.indexOf(stat)
    if (value < 0 || keys.includes(stat))
      throw this.#lacks(
        stat,
        data.columns.filter(name => !keys.includes(name)),
      )
    const [rank, step, target, of] = keys.map(name => data.columns.indexOf(name))
    const targets = this.#targets(metricId, tags)
    const cells: TrendCell[] = []
    for (const row of data.rows()) {
      if (row.number(of) !== metricId) continue
      const module = targets.get(row.number(target))
      if (module === undefined) continue
      const at = { step: row.number(step), rank: row.number(rank), module }
      if (at[fixed.by] !== fixed.value) continue
      const found = row.isNull(value) ? null : row.number(value)
      cells.push({ ...axes[fixed.by](at), value: found })
    }
    return cells
  }

  /** Ids by name. */
  #metrics(): ReadonlyMap<string, number> {
    const table = this.#table('monitoring_metrics', ['metric_id', 'metric_name'])
    const [id, name] = ['metric_id', 'metric_name'].map(column => table.columns.indexOf(column))
    return new Map(
      [...table.rows()].map(row => [row.text(name), row.isNull(id) ? row.rowid : row.number(id)]),
    )
  }

  /** Names by id, of those that have all tags in this metric. */
  #targets(metric: number, tags: readonly string[]): ReadonlyMap<number, string> {
    const columns = ['target_id', 'target_name', 'vpp_stage', 'micro_step']
    const table = this.#table('monitoring_targets', columns)
    const [id, name, vpp, micro] = columns.map(column => table.columns.indexOf(column))
    const wanted = tags.map(tag => this.#tagged(metric, tag))
    const targets = new Map<number, string>()
    for (const row of table.rows()) {
      const target = row.isNull(id) ? row.rowid : row.number(id)
      if (wanted.every(tagged => tagged.has(target)))
        targets.set(target, `${row.text(vpp)}_${row.text(name)}_${row.text(micro)}`)
    }
    return targets
  }

  #tagged(metric: number, tag: string): ReadonlySet<number> {
    const columns = ['tag_id', 'tag_name', 'metric_id']
    const tags = this.#table('monitoring_tags', columns)
    const [id, name, of] = columns.map(column => tags.columns.indexOf(column))
    const ids = new Set<number>()
    for (const row of tags.rows())
      if (row.text(name) === tag && row.number(of) === metric)
        ids.add(row.isNull(id) ? row.rowid : row.number(id))
    const mapping = this.#table('tag_target_mapping', ['tag_id', 'target_id'])
    const [from, to] = ['tag_id', 'target_id'].map(column => mapping.columns.indexOf(column))
    const targets = new Set<number>()
    for (const row of mapping.rows()) if (ids.has(row.number(from))) targets.add(row.number(to))
    return targets
  }

  #table(name: string, columns: readonly string[]): SqliteTable {
    const table = this.#database.tables.get(name)
    const missing = columns.find(column => !table?.columns.includes(column))
    if (!table || missing !== undefined)
      throw new Refusal(problem('trend-invalid', this.#path, { reason: table ? `${name}.${missing}` : name }))
    return table
  }

  #lacks(what: string, known: readonly string[]): Refusal {
    return new Refusal(problem('trend-lacks', this.#path, { what, known: known.join(', ') || '-' }))
  }
}

interface At {
  readonly step: number
  readonly rank: number
  readonly module: string
}

const axes: Readonly<Record<Fixed['by'], (at: At) => Pick<TrendCell, 'x' | 'y'>>> = {
  step: ({ rank, module }) => ({ x: rank, y: module }),
  rank: ({ step, module }) => ({ x: step, y: module }),
  module: ({ step, rank }) => ({ x: step, y: rank }),
}
