// What every report is written from, and how a cell becomes text.
import { Kind } from '../model.ts'
import type { Table } from '../view/cells.ts'

export type { Table }

/** A table whose rows also carry our own verdicts; written to Arrow and Parquet. */
export interface JudgedTable extends Table {
  readonly verdict: Uint8Array
  readonly level: Float64Array
}

/** Columns of msprobe's own table, or all. */
export const columnsOf = (table: Table, extras: boolean): readonly number[] =>
  table.columns.map((_, i) => i).filter(i => extras || !table.columns[i].extra)

/** Row ranges of the files that a table is split into: halves of halves, until each has fewer rows than a sheet holds below its header. */
export function slices(length: number, limit = 1_048_576): readonly (readonly [number, number])[] {
  const found: [number, number][] = []
  const halve = (from: number, to: number): void => {
    if (to - from < limit) { found.push([from, to]); return }
    const middle = from + Math.floor((to - from) / 2)
    halve(from, middle)
    halve(middle, to)
  }
  halve(0, length)
  return found
}

/** Whether a cell is written as a number. */
export const isNumberCell = (kind: Kind, value: number): boolean => (kind === Kind.float || kind === Kind.int) && Number.isFinite(value)

/** What a spreadsheet holds for a cell: numbers with 16 digits, everything else as msprobe's text. */
export function cellText(table: Table, row: number, column: number): string {
  const kind = table.kind(row, column)
  if (kind === Kind.float || kind === Kind.int) {
    const value = table.number(row, column)
    if (Number.isFinite(value)) return digits16(value)
  }
  const text = table.text(row, column)
  return kind === Kind.bigint ? digits16(Number(text)) : text
}

/** C's `%.16g`. */
export function digits16(value: number): string {
  if (Number.isInteger(value) && value < 1e15 && value > -1e15) return Object.is(value, -0) ? '-0' : `${value}`
  const text = value.toPrecision(16)
  const e = text.indexOf('e')
  if (e < 0) {
    const short = text.includes('.') ? trimmed(text) : text
    return short.startsWith('0.0000', short.startsWith('-') ? 1 : 0) ? small(short) : short
  }
  const exponent = text.slice(e + 2)
  return `${trimmed(text.slice(0, e))}e${text[e + 1]}${exponent.length < 2 ? '0' : ''}${exponent}`
}

function trimmed(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === 48) end--
  return text.slice(0, text.charCodeAt(end - 1) === 46 ? end - 1 : end)
}

/** C turns to exponents below 1e-4, JavaScript below 1e-6. */
function small(text: string): string {
  const sign = text.startsWith('-') ? '-' : ''
  const fraction = text.slice(sign.length + 2)
  const zeros = fraction.search(/[1-9]/)
  const digits = fraction.slice(zeros)
  return `${sign}${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ''}e-${String(zeros + 1).padStart(2, '0')}`
}
