// Rows of statistics of weights and of data, in columns: a run has as many as weights, steps and ranks together.
import { cellTable, type PlainCell, titled } from '../formats/index.ts'
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/index.ts'
import { problem, Refusal, type Table, TextPool } from '../model/index.ts'
import { numberCell } from './values.ts'

const stats = ['max', 'min', 'mean', 'norm'] as const

/** What stands in `equal`. */
export const Same = { no: 0, yes: 1, benchOnly: 2, debugOnly: 3 } as const

/** Extremes of what one rank of one step has. */
export interface RankSummary {
  readonly step: number
  readonly rank: number
  readonly rows: number
  readonly differ: number
  readonly aloneBench: number
  readonly aloneDebug: number
  readonly firstAloneBench: string
  readonly firstAloneDebug: string
  /** The row that is furthest apart. */
  readonly name: string
  readonly stat: string
  readonly share: number
}

/** Where statistics were read. */
export interface StatPlace {
  readonly step: number
  readonly rank: number
  readonly file: string
}

export interface StatRules {
  /** As the reference has it: signed shares, NaN differs from itself. */
  readonly exact: boolean
  /** What `equal` says of names on one side; null: that they are not equal. */
  readonly alone: readonly [benchOnly: string, debugOnly: string] | null
}

export class StatRows {
  readonly #rules: StatRules
  readonly #names = new TextPool()
  #name = new Uint32Array(1024)
  #step = new Int32Array(1024)
  #rank = new Int32Array(1024)
  #same = new Uint8Array(1024)
  #share = new Float64Array(1024 * stats.length)
  #length = 0

  constructor(rules: StatRules) {
    this.#rules = rules
  }

  /** Statistics of both sides; null where a side has none. */
  add({ step, rank, file }: StatPlace, name: string, bench: Json | null, debug: Json | null): void {
    const row = this.#grow()
    this.#step[row] = step
    this.#rank[row] = rank
    this.#name[row] = this.#names.add(name)
    if (bench === null || debug === null) {
      this.#same[row] = bench === null ? Same.debugOnly : Same.benchOnly
      this.#share.fill(NaN, row * stats.length, (row + 1) * stats.length)
      return
    }
    const { exact } = this.#rules
    let same = true
    stats.forEach((stat, i) => {
      const [b, c] = [statOf(bench, stat, file), statOf(debug, stat, file)]
      same &&= b === c || (!exact && Number.isNaN(b) && Number.isNaN(c))
      this.#share[row * stats.length + i] = shareOf(b, c, exact)
    })
    this.#same[row] = same ? Same.yes : Same.no
  }

  /** Says of the last row that it is equal whatever its numbers are. */
  callEqual(): void {
    this.#same[this.#length - 1] = Same.yes
  }

  get fails(): boolean {
    const { alone } = this.#rules
    const rows = this.#same.subarray(0, this.#length)
    return rows.some(same => same === Same.no || (alone === null && same !== Same.yes))
  }

  get aloneSomewhere(): boolean {
    return this.#same.subarray(0, this.#length).some(same => same > Same.yes)
  }

  table(title: string): Table {
    const order = this.#order()
    const titles = ['step', 'rank', title, 'equal', ...stats.map(stat => `${stat}_relative_diff`)]
    return cellTable(titled(titles), this.#length, (row, column) => this.#cell(order[row], column))
  }

  /** One per step and rank, in order. */
  summaries(): readonly RankSummary[] {
    const found: RankSummary[] = []
    const order = this.#order()
    for (let from = 0; from < order.length;) {
      let to = from + 1
      while (to < order.length && this.#samePlace(order[from], order[to])) to++
      found.push(this.#summary(order.subarray(from, to)))
      from = to
    }
    return found
  }

  #samePlace(a: number, b: number): boolean {
    return this.#step[a] === this.#step[b] && this.#rank[a] === this.#rank[b]
  }

  #summary(rows: Uint32Array): RankSummary {
    const nameOf = (row: number | undefined): string =>
      row === undefined ? '' : this.#names.get(this.#name[row])
    const of = (same: number): Uint32Array => rows.filter(row => this.#same[row] === same)
    const [differ, aloneBench, aloneDebug] = [of(Same.no), of(Same.benchOnly), of(Same.debugOnly)]
    let [furthest, share, stat] = [differ[0], 0, '']
    for (const row of differ)
      for (let i = 0; i < stats.length; i++) {
        const size = Math.abs(this.#share[row * stats.length + i])
        if (size > share) [furthest, share, stat] = [row, size, stats[i]]
      }
    return {
      step: this.#step[rows[0]],
      rank: this.#rank[rows[0]],
      rows: rows.length,
      differ: differ.length,
      aloneBench: aloneBench.length,
      aloneDebug: aloneDebug.length,
      firstAloneBench: nameOf(aloneBench[0]),
      firstAloneDebug: nameOf(aloneDebug[0]),
      name: nameOf(furthest),
      stat,
      share,
    }
  }

  #cell(row: number, column: number): PlainCell {
    if (column === 0) return this.#step[row]
    if (column === 1) return this.#rank[row]
    if (column === 2) return this.#names.get(this.#name[row])
    const same = this.#same[row]
    if (column > 3) return numberCell(this.#share[row * stats.length + column - 4])
    if (same < Same.benchOnly) return same === Same.yes
    return this.#rules.alone?.[same - Same.benchOnly] ?? false
  }

  /** Rows by step, then rank, otherwise as they came. */
  #order(): Uint32Array {
    const [step, rank] = [this.#step, this.#rank]
    return Uint32Array.from({ length: this.#length }, (_, row) => row).sort(
      (a, b) => step[a] - step[b] || rank[a] - rank[b] || a - b,
    )
  }

  #grow(): number {
    if (this.#length === this.#step.length) {
      const wider = <T extends Int32Array | Uint32Array | Uint8Array | Float64Array>(
        old: T,
        make: (n: number) => T,
      ): T => {
        const next = make(old.length * 2)
        next.set(old)
        return next
      }
      this.#name = wider(this.#name, n => new Uint32Array(n))
      this.#step = wider(this.#step, n => new Int32Array(n))
      this.#rank = wider(this.#rank, n => new Int32Array(n))
      this.#same = wider(this.#same, n => new Uint8Array(n))
      this.#share = wider(this.#share, n => new Float64Array(n))
    }
    return this.#length++
  }
}

/** NaN where there is no share to speak of. */
function shareOf(bench: number, debug: number, exact: boolean): number {
  if (bench === 0) return NaN
  return Math.abs(bench - debug) / (exact ? bench : Math.abs(bench))
}

/** Whether an object is the statistics of one tensor. */
export const isStats = (value: JsonObject): boolean =>
  value.size === stats.length && stats.every(stat => value.has(stat))

function statOf(value: Json, stat: string, file: string): number {
  const found = isObject(value) ? value.get(stat) : undefined
  if (found instanceof JsonNumber) return found.value
  if (typeof found === 'boolean') return Number(found)
  throw new Refusal(problem('config-no-statistics', file, { stat }))
}
