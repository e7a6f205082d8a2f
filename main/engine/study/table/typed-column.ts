// A column of a workbook as pandas takes it over: its type decides what its cells become and how they print.
import { plainCell, type PlainCell, truthText } from '../../formats/index.ts'
import type { Table } from '../../model/index.ts'
import { pyFloat } from '../../python/index.ts'

interface TypedColumn {
  cell(row: number): PlainCell
  /** As Python prints the cell. */
  printed(row: number): string
}

const number = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i
const truths: Readonly<Record<string, boolean>> = {
  True: true,
  TRUE: true,
  true: true,
  False: false,
  FALSE: false,
  false: false,
}

const none: TypedColumn = { cell: () => '', printed: () => '' }

/** A column of nothing but numbers, or texts that spell some, holds numbers; likewise truth values. */
export function typedColumn(table: Table, column: number): TypedColumn {
  if (column < 0) return none
  const at = (row: number): PlainCell => plainCell(table, row, column)
  const every = (is: (cell: PlainCell) => boolean): boolean => {
    for (let row = 0; row < table.length; row++) if (!is(at(row))) return false
    return table.length > 0
  }
  if (every(cell => typeof cell === 'number' || (typeof cell === 'string' && number.test(cell)))) {
    const whole = every(cell => Number.isInteger(Number(cell)) && !/[.e]/i.test(textOf(cell)))
    return {
      cell: row => Number(at(row)),
      printed: row => (whole ? printed(Number(at(row))) : pyFloat(Number(at(row)))),
    }
  }
  if (every(cell => typeof cell === 'boolean' || truths[textOf(cell)] !== undefined))
    return {
      cell: row => truths[textOf(at(row))] ?? '',
      printed: row => printed(truths[textOf(at(row))] ?? ''),
    }
  return { cell: at, printed: row => printed(at(row)) }
}

const textOf = (cell: PlainCell): string => (typeof cell === 'boolean' ? truthText(cell) : String(cell))

/** A number without a fraction is a whole one to whoever reads a workbook. */
function printed(cell: PlainCell): string {
  if (typeof cell !== 'number') return textOf(cell)
  return Number.isInteger(cell) ? String(BigInt(cell)) : pyFloat(cell)
}
