// Rows on their way to the disk: as columns, in the order in which they come, ranks that lie beside each other together.
import type { Analytics, Appender, Column } from '../io/index.ts'
import { TextPool } from '../model/index.ts'
import type { PointSink } from './points.ts'
import { Values, wider } from './values.ts'

/** Rows that are held back until they are worth a trip. */
export const pendingMost = 1 << 14
/** So many ranks are in one table. */
const ranksTogether = 32

/** Numbers that came, each with its code, in their order. */
export class Codes {
  readonly #codes = new Map<number, number>()
  #places: Int32Array | null = null
  #last = NaN
  #lastCode = -1

  add(value: number): number {
    if (value === this.#last) return this.#lastCode
    let code = this.#codes.get(value)
    if (code === undefined) {
      this.#codes.set(value, (code = this.#codes.size))
      this.#places = null
    }
    this.#last = value
    return (this.#lastCode = code)
  }

  get size(): number {
    return this.#codes.size
  }

  get ascending(): readonly number[] {
    return [...this.#codes.keys()].sort((a, b) => a - b)
  }

  /** Where each code stands among the ascending numbers. */
  get places(): Int32Array {
    if (this.#places) return this.#places
    const places = new Int32Array(this.size)
    for (const [place, value] of this.ascending.entries()) places[this.#codes.get(value) ?? 0] = place
    return (this.#places = places)
  }
}

interface Keys {
  readonly rank: Codes
  readonly step: Codes
  readonly target: Targets
}

/** Names with their numbers; one that was there before is found without being read. */
export class Targets {
  readonly texts = new TextPool()
  readonly #known = new Map<string, number>()

  add(name: string): number {
    let code = this.#known.get(name)
    if (code === undefined) this.#known.set(name, (code = this.texts.add(name)))
    return code
  }

  get size(): number {
    return this.texts.size
  }
}

/** Takes in one side of a metric. */
export class SideWriter implements PointSink {
  readonly #database: Analytics
  readonly #name: string
  readonly #keys: Keys
  readonly #stats = new Map<string, number>()
  readonly #parts = new Map<number, Part>()
  #part: Part | null = null
  /** The part that is being written; of several the others wait. */
  #open: { readonly part: Part; readonly stats: number; readonly appender: Appender } | null = null
  #rows = 0

  constructor(database: Analytics, name: string, keys: Keys) {
    this.#database = database
    this.#name = name
    this.#keys = keys
  }

  get rows(): number {
    return this.#rows
  }

  get stats(): readonly string[] {
    return [...this.#stats.keys()]
  }

  get facts(): { readonly rows: number; readonly stats: readonly string[] } {
    return { rows: this.#rows, stats: this.stats }
  }

  get tables(): readonly string[] {
    return [...this.#parts.values()].map(({ table }) => table)
  }

  /** Those that hold any of these ranks, by their codes. */
  tablesOf(ranks: readonly number[]): readonly string[] {
    const wanted = new Set(ranks.map(code => Math.floor(code / ranksTogether)))
    return [...this.#parts].filter(([group]) => wanted.has(group)).map(([, { table }]) => table)
  }

  add(rank: number, step: number, target: string): number {
    const code = this.#keys.rank.add(rank)
    const group = Math.floor(code / ranksTogether)
    if (this.#part?.group !== group) {
      this.#part = this.#parts.get(group) ?? new Part(group, `${this.#name}_${group}`)
      this.#parts.set(group, this.#part)
    }
    this.#part.add(code, this.#keys.step.add(step), this.#keys.target.add(target))
    return this.#rows++
  }

  /** Of the row that was added last. */
  set(_row: number, stat: string, value: number): void {
    let number = this.#stats.get(stat)
    if (number === undefined) this.#stats.set(stat, (number = this.#stats.size))
    this.#part?.set(number, value)
  }

  know(target: string): void {
    this.#keys.target.add(target)
  }

  async flush(least = 1): Promise<void> {
    for (const part of this.#parts.values()) if (part.length >= least) await this.#write(part)
  }

  async #write(part: Part): Promise<void> {
    const { size } = this.#stats
    if (this.#open?.part !== part || this.#open.stats !== size) {
      this.#shut()
      await part.widen(this.#database, size)
      const types = [
        ...(['int', 'int', 'int'] as const),
        ...Array.from({ length: size }, () => 'double' as const),
      ]
      this.#open = { part, stats: size, appender: await this.#database.append(part.table, types) }
    }
    this.#open.appender.add(part.columns(size), part.length)
    part.clear()
  }

  #shut(): void {
    this.#open?.appender.close()
    this.#open = null
  }

  /** Every table has every statistic. */
  async finish(): Promise<void> {
    await this.flush()
    this.#shut()
    for (const part of this.#parts.values()) await part.widen(this.#database, this.#stats.size)
  }

  async drop(tables: readonly string[] = this.tables): Promise<void> {
    for (const [group, { table }] of this.#parts) {
      if (!tables.includes(table)) continue
      await this.#database.run(`DROP TABLE ${table}`)
      this.#parts.delete(group)
    }
  }
}

/** Rows of some ranks that lie beside each other. */
class Part {
  readonly group: number
  readonly table: string
  /** Columns of statistics that the table has; -1 before there is one. */
  #wide = -1
  #length = 0
  #keys = [new Int32Array(64), new Int32Array(64), new Int32Array(64)] as const
  #stats: Values[] = []

  constructor(group: number, table: string) {
    this.group = group
    this.table = table
  }

  get length(): number {
    return this.#length
  }

  add(rank: number, step: number, target: number): void {
    if (this.#length === this.#keys[0].length)
      this.#keys = [wider(this.#keys[0]), wider(this.#keys[1]), wider(this.#keys[2])]
    const [ranks, steps, targets] = this.#keys
    ranks[this.#length] = rank
    steps[this.#length] = step
    targets[this.#length++] = target
  }

  set(stat: number, value: number): void {
    while (this.#stats.length <= stat) this.#stats.push(new Values())
    this.#stats[stat]?.set(this.#length - 1, value)
  }

  async widen(database: Analytics, stats: number): Promise<void> {
    if (this.#wide < 0) await database.run(`CREATE TABLE ${this.table} (r INTEGER, s INTEGER, t INTEGER)`)
    for (let stat = Math.max(0, this.#wide); stat < stats; stat++)
      await database.run(`ALTER TABLE ${this.table} ADD COLUMN s${stat} DOUBLE`)
    this.#wide = Math.max(this.#wide, stats)
  }

  /** Keys, and so many statistics. */
  columns(stats: number): readonly Column[] {
    const columns: Column[] = this.#keys.map(values => ({ values, has: null }))
    for (let stat = 0; stat < stats; stat++)
      columns.push((this.#stats[stat] ?? new Values()).column(this.#length))
    return columns
  }

  clear(): void {
    this.#length = 0
    for (const values of this.#stats) values.clear()
  }
}

/** What has come in, on its way to the one table that is asked. */
export interface Filled {
  readonly database: Analytics
  readonly table: string
  readonly codes: Keys
  readonly sides: { readonly debug: SideWriter | null; readonly bench: SideWriter | null }
  readonly rows: number
}

/** Names of statistics come from files: in the database each has but a number. */
export const columnOf = (side: 'debug' | 'bench', stat: number): string =>
  `${side === 'debug' ? 'd' : 'b'}${stat}`
