// A trend database while it is written: names get ids as they come, rows go straight to the file.
import { createSqlite, type Files, type Sink } from '../io/index.ts'
import type { Problem } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import type { Tag } from '../series/index.ts'

export interface TrendPorts {
  readonly files: Files
  readonly job: Job
  tell(found: Problem): void
}

/** One value of each statistic at a rank and a step. */
export interface TrendRow {
  readonly rank: number
  readonly step: number
  readonly name: string
  readonly vpp: number
  readonly micro: number
  readonly metric: string
  readonly values: readonly (number | null)[]
}

export interface Extent {
  readonly maxRank: number
  readonly minStep: number
  readonly maxStep: number
  /** Names of the statistics that each metric has. */
  readonly metrics: ReadonlyMap<string, readonly string[]>
}

const largest = 1e9

/** As the database keeps it: bounded, infinities one beyond the bounds, NaN as nothing. */
export function bounded(value: number | null): number | null {
  if (value === null || Number.isNaN(value)) return null
  if (!Number.isFinite(value)) return Math.sign(value) * (largest + 1)
  return Math.min(largest, Math.max(-largest, value))
}

/** What a bounded value was: infinities stand one beyond the bounds. */
export const unbounded = (value: number): number =>
  Math.abs(value) === largest + 1 ? Math.sign(value) * Infinity : value

const schema = (stats: readonly string[], metrics: readonly string[]): string => `
CREATE TABLE monitoring_targets (target_id INTEGER PRIMARY KEY, target_name TEXT NOT NULL, vpp_stage INTEGER NOT NULL,
  micro_step INTEGER NOT NULL DEFAULT 0, UNIQUE (target_name, vpp_stage, micro_step));
CREATE TABLE monitoring_metrics (metric_id INTEGER PRIMARY KEY, metric_name TEXT UNIQUE NOT NULL);
CREATE TABLE monitoring_tags (tag_id INTEGER PRIMARY KEY, tag_name TEXT NOT NULL, category TEXT NOT NULL,
  metric_id INTEGER NOT NULL, UNIQUE (tag_name, category, metric_id));
CREATE TABLE tag_target_mapping (tag_id INTEGER NOT NULL, target_id INTEGER NOT NULL, PRIMARY KEY (tag_id, target_id));
CREATE TABLE trend_data (rank INTEGER NOT NULL, step INTEGER NOT NULL, target_id INTEGER NOT NULL,
  metric_id INTEGER NOT NULL, ${stats.map(stat => `${stat} REAL NULL, `).join('')}
  PRIMARY KEY (rank, step, target_id, metric_id)) WITHOUT ROWID;
CREATE TABLE global_stats (max_rank INTEGER, min_step INTEGER, max_step INTEGER${metrics.map(metric => `, ${metric} TEXT`).join('')});`

/** Ids by key, in the order in which keys come. */
class Ids {
  readonly #ids = new Map<string, number>()

  /** The id, and whether the key is new. */
  of(key: string): readonly [id: number, fresh: boolean] {
    const known = this.#ids.get(key)
    if (known !== undefined) return [known, false]
    this.#ids.set(key, this.#ids.size + 1)
    return [this.#ids.size, true]
  }
}

export class TrendStore {
  readonly #database = createSqlite()
  readonly #tagsOf: (name: string) => readonly Tag[]
  readonly #targets = new Ids()
  readonly #metrics = new Ids()
  readonly #tags = new Ids()
  readonly #tagged = new Ids()
  readonly #insert: Record<'target' | 'metric' | 'tag' | 'mapping' | 'trend' | 'global', Insert>

  /** `metrics`: all that there may be. */
  constructor(
    stats: readonly string[],
    metrics: readonly string[],
    tagsOf: (name: string) => readonly Tag[],
  ) {
    this.#tagsOf = tagsOf
    this.#database.exec(schema(stats, metrics))
    const { inserter } = this.#database
    this.#insert = {
      target: inserter('monitoring_targets', 4),
      metric: inserter('monitoring_metrics', 2),
      tag: inserter('monitoring_tags', 4),
      mapping: inserter('tag_target_mapping', 2),
      trend: inserter('trend_data', 4 + stats.length),
      global: inserter('global_stats', 3 + metrics.length),
    }
    for (const metric of metrics) this.#metric(metric)
  }

  #metric(name: string): number {
    const [id, fresh] = this.#metrics.of(name)
    if (fresh) this.#insert.metric([id, name])
    return id
  }

  /** Of rows with one key the first counts. */
  add({ rank, step, name, vpp, micro, metric, values }: TrendRow): void {
    const metricId = this.#metric(metric)
    const [target, fresh] = this.#targets.of(`${vpp} ${micro} ${name}`)
    if (fresh) this.#insert.target([target, name, vpp, micro])
    if (this.#tagged.of(`${target} ${metricId}`)[1]) this.#tag(name, target, metricId)
    this.#insert.trend([rank, step, target, metricId, ...values.map(bounded)])
  }

  #tag(name: string, target: number, metric: number): void {
    for (const [tag, category] of this.#tagsOf(name)) {
      const [id, fresh] = this.#tags.of(`${metric} ${category} ${tag}`)
      if (fresh) this.#insert.tag([id, tag, category, metric])
      this.#insert.mapping([id, target])
    }
  }

  finish({ maxRank, minStep, maxStep, metrics }: Extent, sink: Sink): void {
    this.#insert.global([maxRank, minStep, maxStep, ...[...metrics.values()].map(stats => stats.join(','))])
    this.#database.finish(sink)
  }

  abandon(): void {
    this.#database.abandon()
  }
}

type Insert = (values: readonly (string | number | null)[]) => void
