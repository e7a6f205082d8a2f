// Questions to a trend database, whoever wrote it: read page by page, never locked, never written to.
import { type Files, openSqlite, type SqliteFile, type SqliteTable } from '../io/index.ts'
import { problem, Refusal } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { unbounded } from './store.ts'

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

export const trendCells = (files: Files, path: string, asked: Asked): Promise<readonly TrendCell[]> =>
  inTrend(files, path, trend => trend.cells(asked))

/** One value of every statistic at a rank and a step. */
export interface TrendPoint {
  readonly metric: string
  readonly rank: number
  readonly step: number
  readonly module: string
  /** By the names in `stats`; null where there is none, infinities as what they were. */
  readonly values: readonly (number | null)[]
}

/** All that a database holds, in the order of its rows. */
export interface TrendContents {
  readonly stats: readonly string[]
  readonly metrics: readonly string[]
  /** Modules that have a tag, by metric. */
  readonly tags: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
  readonly rows: number
}

/** Rows between two looks at whether somebody has cancelled. */
const breath = 4096

export const readTrend = (
  files: Files,
  path: string,
  take: (point: TrendPoint, stats: readonly string[]) => void,
  job: Job,
): Promise<TrendContents> =>
  inTrend(files, path, async trend => {
    let rows = 0
    const { stats, points } = trend.points()
    for (const point of points) {
      take(point, stats)
      if (++rows % breath === 0) {
        job.report({ what: 'job.reading', done: rows, total: rows, countedIn: 'rows' })
        await job.breathe()
      }
    }
    return { stats, rows, metrics: trend.metricNames, tags: trend.tags() }
  })

async function inTrend<T>(files: Files, path: string, ask: (trend: Trend) => T | Promise<T>): Promise<T> {
  let database: SqliteFile | null = null
  try {
    database = openSqlite(files, path)
    return await ask(new Trend(path, database))
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

  get metricNames(): readonly string[] {
    return [...this.#metrics().keys()]
  }

  points(): { readonly stats: readonly string[]; readonly points: Iterable<TrendPoint> } {
    const data = this.#table('trend_data', keys)
    const stats = data.columns.filter(name => !keys.includes(name))
    return { stats, points: this.#points(data, stats) }
  }

  *#points(data: SqliteTable, stats: readonly string[]): Generator<TrendPoint> {
    const metrics = new Map([...this.#metrics()].map(([name, id]) => [id, name]))
    const targets = new Map([...metrics.keys()].map(id => [id, this.#targets(id, [])]))
    const [rank, step, target, of] = keys.map(name => data.columns.indexOf(name))
    const columns = stats.map(name => data.columns.indexOf(name))
    for (const row of data.rows()) {
      const id = row.number(of)
      const [metric, module] = [metrics.get(id), targets.get(id)?.get(row.number(target))]
      if (metric === undefined || module === undefined) continue
      const values = columns.map(column => (row.isNull(column) ? null : unbounded(row.number(column))))
      yield { metric, rank: row.number(rank), step: row.number(step), module, values }
    }
  }

  /** Modules by tag, by metric; a database without tags is one all the same. */
  tags(): TrendContents['tags'] {
    const all = new Map<string, ReadonlyMap<string, readonly string[]>>()
    if (!this.#database.tables.has('monitoring_tags')) return all
    for (const [metric, id] of this.#metrics()) {
      const targets = this.#targets(id, [])
      all.set(metric, this.#modulesByTag(id, targets))
    }
    return all
  }

  #modulesByTag(
    metric: number,
    targets: ReadonlyMap<number, string>,
  ): ReadonlyMap<string, readonly string[]> {
    const columns = ['tag_id', 'tag_name', 'metric_id']
    const table = this.#table('monitoring_tags', columns)
    const [id, name, of] = columns.map(column => table.columns.indexOf(column))
    const names = new Map<number, string>()
    for (const row of table.rows())
      if (row.number(of) === metric) names.set(row.isNull(id) ? row.rowid : row.number(id), row.text(name))
    const mapping = this.#table('tag_target_mapping', ['tag_id', 'target_id'])
    const [from, to] = ['tag_id', 'target_id'].map(column => mapping.columns.indexOf(column))
    const found = new Map<string, string[]>()
    for (const row of mapping.rows()) {
      const [tag, module] = [names.get(row.number(from)), targets.get(row.number(to))]
      if (tag === undefined || module === undefined) continue
      const modules = found.get(tag) ?? []
      modules.push(module)
      found.set(tag, modules)
    }
    return found
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
