// Values over steps and ranks: one row per rank, step and target, a column per statistic.
import { TextPool } from '../model/index.ts'
import { Values, wider } from './values.ts'

/** Numbers of one statistic; a cell that holds nothing is not the same as one that holds NaN. */
export interface Stat {
  readonly name: string
  value(row: number): number
  has(row: number): boolean
}

/** What takes rows in. */
export interface PointSink {
  /** A row that is not there yet; its cells hold nothing. */
  add(rank: number, step: number, target: string): number
  /** Sets a cell of the row that was added last. */
  set(row: number, stat: string, value: number): void
  /** Takes a target in, so that it stands before those that come later. */
  know(target: string): void
}

/** Columns that grow row by row, and an order in which rows are looked up once they are all there. */
export class Points implements PointSink {
  readonly #targets = new TextPool()
  readonly #stats = new Map<string, StatColumn>()
  #rank = new Int32Array(64)
  #step = new Int32Array(64)
  #target = new Int32Array(64)
  #length = 0
  #order: Order | null = null

  add(rank: number, step: number, target: string): number {
    const row = this.#length++
    if (row === this.#rank.length) {
      this.#rank = wider(this.#rank)
      this.#step = wider(this.#step)
      this.#target = wider(this.#target)
    }
    this.#rank[row] = rank
    this.#step[row] = step
    this.#target[row] = this.#targets.add(target)
    this.#order = null
    return row
  }

  know(target: string): void {
    this.#targets.add(target)
    this.#order = null
  }

  set(row: number, stat: string, value: number): void {
    let column = this.#stats.get(stat)
    if (!column) this.#stats.set(stat, (column = new StatColumn(stat)))
    column.set(row, value)
  }

  get length(): number {
    return this.#length
  }

  get stats(): readonly Stat[] {
    return [...this.#stats.values()]
  }

  stat(name: string): Stat | null {
    return this.#stats.get(name) ?? null
  }

  /** How many targets there are; they are numbered in the order in which they came. */
  get targets(): number {
    return this.#targets.size
  }

  target(of: number): string {
    return this.#targets.get(of)
  }

  /** The number of a target, or -1. */
  targetOf(name: string): number {
    return this.#targets.find(name)
  }

  get ranks(): readonly number[] {
    return this.#ordered().ranks
  }

  get steps(): readonly number[] {
    return this.#ordered().steps
  }

  rankAt(row: number): number {
    return this.#rank[row]
  }

  stepAt(row: number): number {
    return this.#step[row]
  }

  targetAt(row: number): number {
    return this.#target[row]
  }

  /** The row of a rank, step and target; -1 where there is none. Of several the last one counts. */
  find(rank: number, step: number, target: number): number {
    const { rows, from } = this.#ordered()
    if (target < 0 || target >= this.#targets.size) return -1
    let low = from[target]
    const end = from[target + 1]
    for (let high = end; low < high;) {
      const middle = (low + high) >>> 1
      if (this.#before(rows[middle], rank, step)) low = middle + 1
      else high = middle
    }
    let found = -1
    for (; low < end && this.#rank[rows[low]] === rank && this.#step[rows[low]] === step; low++)
      found = rows[low]
    return found
  }

  /** Rows of a target, by rank and then by step. */
  rowsOf(target: number): Int32Array {
    const { rows, from } = this.#ordered()
    return rows.subarray(from[target], from[target + 1])
  }

  /** Bytes that the columns take. */
  get bytes(): number {
    let bytes = this.#rank.byteLength * 3 + this.#targets.heapBytes + (this.#order?.rows.byteLength ?? 0)
    for (const column of this.#stats.values()) bytes += column.bytes
    return bytes
  }

  #before(row: number, rank: number, step: number): boolean {
    return this.#rank[row] === rank ? this.#step[row] < step : this.#rank[row] < rank
  }

  #ordered(): Order {
    return (this.#order ??= this.#sort())
  }

  #sort(): Order {
    const [rank, step, target] = [this.#rank, this.#step, this.#target].map(column =>
      column.subarray(0, this.#length),
    )
    const [ranks, steps] = [distinct(rank), distinct(step)]
    let rows: Int32Array = Int32Array.from(rank, (_, row) => row)
    rows = sortedBy(rows, codes(step, steps), steps.length)
    rows = sortedBy(rows, codes(rank, ranks), ranks.length)
    const from = new Int32Array(this.#targets.size + 1)
    for (const of of target) from[of + 1]++
    for (let of = 0; of < this.#targets.size; of++) from[of + 1] += from[of]
    rows = sortedBy(rows, target, this.#targets.size)
    return { rows, from, ranks, steps }
  }
}

interface Order {
  /** By target, rank, step, and then as they came. */
  readonly rows: Int32Array
  /** Where each target begins, and one more. */
  readonly from: Int32Array
  readonly ranks: readonly number[]
  readonly steps: readonly number[]
}

class StatColumn extends Values implements Stat {
  readonly name: string

  constructor(name: string) {
    super()
    this.name = name
  }
}

const distinct = (column: Int32Array): readonly number[] => [...new Set(column)].sort((a, b) => a - b)

function codes(column: Int32Array, values: readonly number[]): Int32Array {
  const code = new Map(values.map((value, i) => [value, i]))
  return column.map(value => code.get(value) ?? 0)
}

/** Rows by their codes; those of one code stay in their order. */
function sortedBy(rows: Int32Array, code: Int32Array, count: number): Int32Array {
  const at = new Int32Array(count + 1)
  for (const row of rows) at[code[row] + 1]++
  for (let i = 0; i < count; i++) at[i + 1] += at[i]
  const sorted = new Int32Array(rows.length)
  for (const row of rows) sorted[at[code[row]]++] = row
  return sorted
}
