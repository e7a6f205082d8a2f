// Values over steps and ranks on disk: a table per metric and side, a row per rank, step and target, a column per
// statistic. Nothing is NULL, NaN is NaN: they are two things.
import { type Analytics, type Appender, type Numbers, openAnalytics } from '../io/index.ts'
import { TextPool } from '../model/index.ts'
import { Cancelled, type Job } from '../work/index.ts'
import type { PointSink } from './points.ts'

/** One side of a metric, as it is asked. */
export interface SeriesTable {
  readonly name: string
  readonly rows: number
  readonly stats: readonly string[]
}

/** What was watched: names, ranks and steps of both sides, whose places in the lists the database knows too. */
export interface SeriesMetric {
  readonly store: Analytics
  readonly targets: TextPool
  /** Ascending, as are the steps. */
  readonly ranks: readonly number[]
  readonly steps: readonly number[]
  /** Tables of (v, i): a rank or a step, and its place. */
  readonly places: { readonly rank: string; readonly step: string }
  readonly debug: SeriesTable
  readonly bench: SeriesTable | null
}

/** Rows that are held back until they are worth a trip. */
const pendingMost = 1 << 14
/**
 * More rows than this are put into blocks of ranks, steps and targets, so that a question which holds any of the three
 * fast skips most of the rest.
 */
const blockedFrom = 1 << 20
const block = { rank: 32, step: 32, target: 128 } as const

export class SeriesStore {
  readonly database: Analytics
  #last = 0

  private constructor(database: Analytics) {
    this.database = database
  }

  static async open(): Promise<SeriesStore> {
    return new SeriesStore(await openAnalytics())
  }

  /** A metric to be filled: first its one side, then perhaps the other. */
  metric(): MetricWriter {
    return new MetricWriter(this.database, `m${this.#last++}`)
  }

  close(): void {
    this.database.close()
  }
}

/** Fills a metric; what is added goes to disk with every breath of the job that reads. */
export class MetricWriter {
  readonly #database: Analytics
  readonly #name: string
  readonly #targets = new TextPool()
  readonly #sides = new Map<'debug' | 'bench', SideWriter>()

  constructor(database: Analytics, name: string) {
    this.#database = database
    this.#name = name
  }

  side(side: 'debug' | 'bench'): SideWriter {
    let writer = this.#sides.get(side)
    if (!writer) {
      writer = new SideWriter(this.#database, `${this.#name}_${side}`, this.#targets)
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
    const writers = [...this.#sides.values()]
    for (const writer of writers) await writer.finish()
    const filled = writers.filter(({ rows }) => rows > 0)
    if (filled.length === 0) return null
    const places = { rank: `${this.#name}_rank`, step: `${this.#name}_step` }
    const listed = async (column: 'rank' | 'step'): Promise<readonly number[]> => {
      const all = filled.map(({ table }) => `SELECT DISTINCT ${column} AS v FROM ${table}`).join(' UNION ')
      await this.#database.run(
        `CREATE TABLE ${places[column]} AS SELECT v, CAST(row_number() OVER (ORDER BY v) - 1 AS INTEGER) AS i FROM (${all})`,
      )
      const { columns } = await this.#database.ask(`SELECT v FROM ${places[column]} ORDER BY i`)
      return columns[0].map(Number)
    }
    const [ranks, steps] = [await listed('rank'), await listed('step')]
    for (const writer of filled) {
      if (job.signal.aborted) throw new Cancelled()
      if (writer.rows >= blockedFrom) await writer.sortIntoBlocks(places)
    }
    const [debug, bench] = (['debug', 'bench'] as const).map(side => this.#sides.get(side)?.facts ?? null)
    const empty = { name: `${this.#name}_none`, rows: 0, stats: [] }
    return {
      store: this.#database,
      targets: this.#targets,
      ranks,
      steps,
      places,
      debug: debug ?? empty,
      bench,
    }
  }
}

class SideWriter implements PointSink {
  readonly table: string
  readonly #database: Analytics
  readonly #targets: TextPool
  readonly #stats: string[] = []
  readonly #pending = new Pending()
  #appender: Appender | null = null
  #rows = 0

  constructor(database: Analytics, table: string, targets: TextPool) {
    this.#database = database
    this.table = table
    this.#targets = targets
  }

  get rows(): number {
    return this.#rows
  }

  get facts(): SeriesTable {
    return { name: this.table, rows: this.#rows, stats: this.#stats }
  }

  add(rank: number, step: number, target: string): number {
    this.#pending.add(rank, step, this.#targets.add(target))
    return this.#rows++
  }

  /** Of the row that was added last. */
  set(_row: number, stat: string, value: number): void {
    this.#pending.set(stat, value)
  }

  know(target: string): void {
    this.#targets.add(target)
  }

  async flush(least = 1): Promise<void> {
    if (this.#pending.length < least) return
    const fresh = this.#pending.stats.filter(stat => !this.#stats.includes(stat))
    if (fresh.length > 0 || !this.#appender) await this.#widen(fresh)
    this.#appender?.add(this.#pending.take(this.#stats))
  }

  async #widen(fresh: readonly string[]): Promise<void> {
    const first = this.#appender === null
    this.#appender?.close()
    this.#appender = null
    if (first)
      await this.#database.run(`CREATE TABLE ${this.table} (rank DOUBLE, step DOUBLE, target INTEGER)`)
    for (const stat of fresh) {
      await this.#database.run(`ALTER TABLE ${this.table} ADD COLUMN ${columnOf(this.#stats.length)} DOUBLE`)
      this.#stats.push(stat)
    }
    const types = [...keyTypes, ...this.#stats.map(() => 'double' as const)]
    this.#appender = await this.#database.append(this.table, types)
  }

  async finish(): Promise<void> {
    await this.flush()
    this.#appender?.close()
    this.#appender = null
  }

  /** Rows of one rank, step and target stay in the order in which they came. */
  async sortIntoBlocks(places: { readonly rank: string; readonly step: string }): Promise<void> {
    const sorted = `${this.table}_sorted`
    await this.#database.run(
      `CREATE TABLE ${sorted} AS SELECT t.* FROM ${this.table} t
         JOIN ${places.rank} r ON r.v = t.rank JOIN ${places.step} s ON s.v = t.step
         ORDER BY r.i // ${block.rank}, s.i // ${block.step}, t.target // ${block.target}, t.target, r.i, s.i, t.rowid`,
    )
    await this.#database.run(`DROP TABLE ${this.table}`)
    await this.#database.run(`ALTER TABLE ${sorted} RENAME TO ${this.table}`)
  }
}

const keyTypes = ['double', 'double', 'int'] as const

/** Names of statistics come from files: in the database each has but a number. */
export const columnOf = (stat: number): string => `s${stat}`

/** Rows on their way to the disk, as columns. */
class Pending {
  #keys: [number[], number[], number[]] = [[], [], []]
  #stats = new Map<string, (number | null)[]>()

  get length(): number {
    return this.#keys[0].length
  }

  get stats(): readonly string[] {
    return [...this.#stats.keys()]
  }

  add(rank: number, step: number, target: number): void {
    const [ranks, steps, targets] = this.#keys
    ranks.push(rank)
    steps.push(step)
    targets.push(target)
  }

  set(stat: string, value: number): void {
    let column = this.#stats.get(stat)
    if (!column) this.#stats.set(stat, (column = []))
    while (column.length < this.length - 1) column.push(null)
    column[this.length - 1] = value
  }

  /** Keys, and these statistics, and nothing is left. */
  take(stats: readonly string[]): readonly Numbers[] {
    const { length } = this
    const columns = stats.map((stat): Numbers => {
      const column = this.#stats.get(stat) ?? []
      while (column.length < length) column.push(null)
      return column
    })
    const all = [...this.#keys, ...columns]
    this.#keys = [[], [], []]
    this.#stats = new Map()
    return all
  }
}

/** The same job, whose every breath takes what waits to disk. */
export const flushing = (job: Job, flush: () => Promise<void>): Job => ({
  ...job,
  async breathe() {
    await flush()
    await job.breathe()
  },
})
