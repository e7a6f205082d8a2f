// Values over steps and ranks on disk: a table per metric, a row per rank, step and target, a column per statistic of
// each side. Nothing is NULL, NaN is NaN: they are two things.
import { type Analytics, askAnalytics, openAnalytics, removeScratch } from '../io/index.ts'
import { TextPool } from '../model/index.ts'
import { Cancelled, type Job } from '../work/index.ts'
import { blocked, isDense, type TileTables } from './blocks.ts'
import { Codes, columnOf, type Filled, pendingMost, SideWriter, Targets } from './filling.ts'

export interface SeriesSide {
  readonly rows: number
  readonly stats: readonly string[]
}

/** What was watched: rows hold places in the lists of ranks and steps (r, s), and numbers of targets (t). */
export interface SeriesMetric {
  readonly store: Analytics
  readonly table: string
  readonly targets: TextPool
  /** Ascending, as are the steps. */
  readonly ranks: readonly number[]
  readonly steps: readonly number[]
  readonly debug: SeriesSide
  readonly bench: SeriesSide | null
  /** Of many rows what pictures of all of them need; null: few. */
  readonly tiles: TileTables | null
}

/** Fewer rows are gone through as they lie. */
const manyRows = 1 << 20

export class SeriesStore {
  readonly database: Analytics
  #last = 0
  #own: string | null = null

  private constructor(database: Analytics) {
    this.database = database
  }

  /** `room`: the folder to lie in. */
  static async open(room?: string): Promise<SeriesStore> {
    return new SeriesStore(await openAnalytics(room))
  }

  /** What was handed over before; `own`: the folder goes when it is closed. */
  static async ask(folder: string, room: string, own: boolean): Promise<SeriesStore> {
    const store = new SeriesStore(await askAnalytics(folder, room))
    if (own) store.#own = folder
    return store
  }

  /** All that was filled, in a folder that is the caller's. */
  handOver(): Promise<string> {
    return this.database.handOver()
  }

  /** A metric to be filled: first its one side, then perhaps the other. From `many` rows on they lie in blocks. */
  metric(many = manyRows): MetricWriter {
    return new MetricWriter(this.database, `m${this.#last++}`, many)
  }

  close(): void {
    this.database.close()
    if (this.#own !== null) removeScratch(this.#own)
  }
}

/** A metric without its store, as JSON has it. */
export interface StoredMetric extends Omit<SeriesMetric, 'store' | 'targets'> {
  readonly targets: readonly string[]
}

export function storedMetric(metric: SeriesMetric): StoredMetric {
  const { table, targets, ranks, steps, debug, bench, tiles } = metric
  const names = Array.from({ length: targets.size }, (_, i) => targets.get(i))
  return { table, targets: names, ranks, steps, debug, bench, tiles }
}

export function metricFrom(store: SeriesStore, { targets, ...metric }: StoredMetric): SeriesMetric {
  const texts = new TextPool()
  for (const name of targets) texts.add(name)
  return { ...metric, targets: texts, store: store.database }
}

/** Fills a metric; what is added goes to disk with every breath of the job that reads. */
export class MetricWriter {
  readonly #database: Analytics
  readonly #name: string
  readonly #codes = { rank: new Codes(), step: new Codes(), target: new Targets() }
  readonly #sides = new Map<'debug' | 'bench', SideWriter>()
  readonly #many: number

  constructor(database: Analytics, name: string, many: number) {
    this.#database = database
    this.#name = name
    this.#many = many
  }

  side(side: 'debug' | 'bench'): SideWriter {
    let writer = this.#sides.get(side)
    if (!writer) {
      writer = new SideWriter(this.#database, `${this.#name}_${side}`, this.#codes)
      this.#sides.set(side, writer)
    }
    return writer
  }

  /** What has gathered goes to disk. */
  async flush(): Promise<void> {
    for (const writer of this.#sides.values()) await writer.flush(pendingMost)
  }

  /** Null where nothing came. */
  async finish(job: Job): Promise<SeriesMetric | null> {
    const [debug, bench] = (['debug', 'bench'] as const).map(side => this.#sides.get(side) ?? null)
    const sides = { debug, bench: bench && bench.rows > 0 ? bench : null }
    const rows = (debug?.rows ?? 0) + (bench?.rows ?? 0)
    for (const writer of this.#sides.values()) await writer.finish()
    if (rows === 0) return null
    const filled = { database: this.#database, table: this.#name, codes: this.#codes, sides, rows }
    const tiles = rows >= this.#many && isDense(filled) ? await blocked(filled, job) : null
    if (job.signal.aborted) throw new Cancelled()
    if (!tiles) await sorted(filled)
    for (const writer of this.#sides.values()) await writer.drop()
    return {
      store: this.#database,
      table: this.#name,
      targets: this.#codes.target.texts,
      ranks: this.#codes.rank.ascending,
      steps: this.#codes.step.ascending,
      debug: debug?.facts ?? { rows: 0, stats: [] },
      bench: sides.bench?.facts ?? null,
      tiles,
    }
  }
}

/** Of several rows of one place the last value counts. */
async function sorted({ database, table, codes, sides }: Filled): Promise<void> {
  const made: string[] = []
  for (const side of ['debug', 'bench'] as const) {
    const writer = sides[side]
    if (!writer || writer.rows === 0) continue
    const values = writer.stats.map((_, i) => `, arg_max(s${i}, n) AS ${columnOf(side, i)}`).join('')
    const rows = writer.tables.map(one => `SELECT *, rowid AS n FROM ${one}`).join(' UNION ALL BY NAME ')
    made.push(`SELECT r, s, t${values} FROM (${rows}) GROUP BY r, s, t`)
  }
  const both = made.length === 2 ? `(${made[0]}) FULL JOIN (${made[1]}) USING (r, s, t)` : `(${made[0]})`
  const [ranks, steps] = [placesOf(codes.rank), placesOf(codes.step)]
  await database.run(
    `CREATE TABLE ${table} AS
       SELECT CAST(r.i AS INTEGER) AS r, CAST(s.i AS INTEGER) AS s, t, v.* EXCLUDE (r, s, t)
       FROM (SELECT * FROM ${both}) v JOIN (${ranks}) r ON r.code = v.r JOIN (${steps}) s ON s.code = v.s
       ORDER BY r.i // 32, s.i // 32, t // 128, s.i, r.i, t`,
  )
}

/** Rows of (code, i). */
const placesOf = ({ places }: Codes): string =>
  `SELECT unnest(range(${places.length})) AS code, unnest([${places.join(',')}]) AS i`

/** The same job, whose every breath takes what waits to disk. */
export const flushing = (job: Job, flush: () => Promise<void>): Job => ({
  ...job,
  async breathe() {
    await flush()
    await job.breathe()
  },
})
