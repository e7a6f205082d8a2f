// Small tables for tests of what reads them: a grid of plain values with msprobe's texts.
import { Kind } from '../../main/engine/model/names.ts'
import type { JudgedTable } from '../../main/engine/report/table.ts'

export type Plain = string | number | null | boolean | bigint

const kindOf = (value: Plain): Kind =>
  value === null
    ? Kind.none
    : typeof value === 'string'
      ? Kind.text
      : typeof value === 'boolean'
        ? Kind.bool
        : typeof value === 'bigint'
          ? Kind.bigint
          : Number.isInteger(value) && !Object.is(value, -0)
            ? Kind.int
            : Kind.float

const textOf = (value: Plain): string =>
  value === null
    ? 'None'
    : typeof value === 'boolean'
      ? value
        ? 'True'
        : 'False'
      : typeof value !== 'number'
        ? `${value}`
        : Number.isNaN(value)
          ? 'nan\t'
          : value === Infinity
            ? 'inf\t'
            : value === -Infinity
              ? '-inf\t'
              : `${value}`

/** Titles ending in `*` are columns of ours; numeric when the first row holds a number. */
export function tableOf(
  titles: readonly string[],
  rows: readonly (readonly Plain[])[],
  fill: readonly number[] = [],
): JudgedTable {
  return {
    columns: titles.map((title, i) => ({
      id: title.replace('*', '').toLowerCase().replaceAll(' ', '_'),
      title: title.replace('*', ''),
      numeric: typeof rows[0]?.[i] === 'number',
      extra: title.endsWith('*'),
    })),
    length: rows.length,
    fill: Uint8Array.from(rows, (_, i) => fill[i] ?? 0),
    state: new Uint8Array(rows.length),
    level: new Float64Array(rows.length).fill(NaN),
    kind: (row, column) => kindOf(rows[row][column]),
    number: (row, column) => Number(rows[row][column]),
    text: (row, column) => textOf(rows[row][column]),
  }
}
