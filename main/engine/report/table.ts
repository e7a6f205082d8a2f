// What every report is written from, and how a cell becomes text.
import { g16 } from '../python/index.ts'
import { type Column, Kind, type PairRow, type Table } from '../model/index.ts'

export type { Table }

/** Our own states of rows; written to Arrow and Parquet. */
export interface Judgement {
  readonly state: Column<Uint8Array, PairRow>
  readonly level: Column<Float64Array, PairRow>
}

export interface JudgedTable extends Table, Judgement {}

/** A column of texts behind those of a table; '' where nothing stands. */
export interface TextColumn {
  readonly title: string
  text(row: PairRow): string
}

/** The same rows with one more column of ours. */
export function withTexts<T extends JudgedTable>(table: T, { title, text }: TextColumn): JudgedTable {
  const at = table.columns.length
  const { state, level, fill } = table
  return {
    columns: [...table.columns, { id: title.toLowerCase(), title, numeric: false, extra: true }],
    length: table.length,
    state,
    level,
    ...(fill && { fill }),
    kind: (row, column) => (column === at ? Kind.text : table.kind(row, column)),
    number: (row, column) => (column === at ? NaN : table.number(row, column)),
    text: (row, column) => (column === at ? text(row) : table.text(row, column)),
    spelling: column => (column === at ? null : (table.spelling?.(column) ?? null)),
  }
}

/** Columns of msprobe's own table, or all. */
export const shownColumns = (table: Table, extras: boolean): readonly number[] =>
  table.columns.map((_, i) => i).filter(i => extras || !table.columns[i].extra)

/**
 * Row ranges of the files that a table is split into: halves of halves, until each has fewer rows than a
 * sheet holds below its header.
 */
export function slices(length: number, limit = 1_048_576): readonly (readonly [number, number])[] {
  const found: [number, number][] = []
  const halve = (from: number, to: number): void => {
    if (to - from < limit) {
      found.push([from, to])
      return
    }
    const middle = from + Math.floor((to - from) / 2)
    halve(from, middle)
    halve(middle, to)
  }
  halve(0, length)
  return found
}

/** The number that a spreadsheet holds for a cell; NaN where it holds msprobe's text. */
export function cellNumber(table: Table, row: PairRow, column: number): number {
  const kind = table.kind(row, column)
  if (kind === Kind.bigint) return Number(table.text(row, column))
  if (kind !== Kind.float && kind !== Kind.int) return NaN
  const value = table.number(row, column)
  return Number.isFinite(value) ? value : NaN
}

/** What a spreadsheet holds for a cell: numbers with 16 digits, everything else as msprobe's text. */
export function cellText(table: Table, row: PairRow, column: number): string {
  const value = cellNumber(table, row, column)
  return Number.isNaN(value) ? table.text(row, column) : numberText(value)
}

const bits = new Float64Array(1)
const halves = new Uint32Array(bits.buffer)
const remembered = 4096
const numbers = new Float64Array(remembered).fill(NaN)
const texts: string[] = Array.from({ length: remembered }, () => '')

/**
 * A number with 16 digits. Both sides of a row that agrees hold the same numbers: the last ones are
 * remembered.
 */
function numberText(value: number): string {
  bits[0] = value
  const at = (halves[0] ^ Math.imul(halves[1], 0x9e3779b1)) >>> 20
  if (numbers[at] === value && value !== 0) return texts[at]
  numbers[at] = value
  return (texts[at] = g16(value))
}
