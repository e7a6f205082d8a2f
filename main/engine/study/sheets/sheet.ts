// A table whose rows say how much they matter, and the pages of it that somebody looks at.
import type { PlainCell } from '../../formats/index.ts'
import {
  type SheetAsked,
  type SheetColumn,
  type SheetCounts,
  type SheetInfo,
  type SheetLevel,
  sheetLevels,
  type SheetPage,
} from '../../model/index.ts'

/** What stands in a cell; null: nothing on that side. */
export type SheetCell = PlainCell | null

export interface SheetGiven {
  readonly id: string
  readonly columns: readonly SheetColumn[]
  readonly length: number
  cell(row: number, column: number): SheetCell
  level(row: number): SheetLevel
  /** Of two rows of one level, the larger one comes first; left out: as they come. */
  weight?(row: number): number
}

export class Sheet {
  readonly id: string
  readonly columns: readonly SheetColumn[]
  readonly length: number
  readonly #cell: SheetGiven['cell']
  readonly #levels: Uint8Array
  /** What matters most comes first. */
  readonly #order: Uint32Array
  #last: { readonly key: string; readonly rows: Uint32Array } | null = null

  constructor(given: SheetGiven) {
    const { id, columns, length } = given
    this.id = id
    this.columns = columns
    this.length = length
    this.#cell = (row, column) => given.cell(row, column)
    this.#levels = Uint8Array.from({ length }, (_, row) => sheetLevels.indexOf(given.level(row)))
    const weights = Float64Array.from({ length }, (_, row) => given.weight?.(row) ?? 0)
    this.#order = Uint32Array.from({ length }, (_, row) => row).sort(
      (a, b) => this.#levels[a] - this.#levels[b] || bySize(weights[b], weights[a]) || a - b,
    )
  }

  get info(): SheetInfo {
    const { id, columns } = this
    return { id, columns, counts: this.#counts() }
  }

  /** At a place in the order of what matters. */
  levelAt(place: number): SheetLevel {
    return sheetLevels[this.#levels[this.#order[place]]]
  }

  cellAt(place: number, column: number): SheetCell {
    return this.#cell(this.#order[place], column)
  }

  #counts(): SheetCounts {
    const counts = { error: 0, warning: 0, note: 0, pass: 0 }
    for (const level of this.#levels) counts[sheetLevels[level]]++
    return counts
  }

  page(asked: Omit<SheetAsked, 'sheet'>, first: number, count: number): SheetPage {
    const rows = this.#rows(asked)
    return {
      total: rows.length,
      first,
      rows: Array.from(rows.subarray(first, first + count), row => ({
        level: sheetLevels[this.#levels[row]],
        cells: this.columns.map((_, column) => shown(this.#cell(row, column))),
      })),
    }
  }

  /** Those of the last question are kept: who scrolls asks the same again. */
  #rows({ levels, text, sort }: Omit<SheetAsked, 'sheet'>): Uint32Array {
    const key = JSON.stringify([levels, text, sort])
    if (this.#last?.key === key) return this.#last.rows
    const wanted = new Set(levels.map(level => sheetLevels.indexOf(level)))
    const part = text.trim().toLowerCase()
    const rows = this.#order.filter(
      row => (wanted.size === 0 || wanted.has(this.#levels[row])) && (part === '' || this.#has(row, part)),
    )
    if (sort) this.#sort(rows, sort)
    this.#last = { key, rows }
    return rows
  }

  #has(row: number, part: string): boolean {
    return this.columns.some((_, column) =>
      String(shown(this.#cell(row, column)) ?? '')
        .toLowerCase()
        .includes(part),
    )
  }

  /** Empty cells come last, whichever way. */
  #sort(rows: Uint32Array, { column, down }: NonNullable<SheetAsked['sort']>): void {
    if (column >= this.columns.length) return
    const turn = down ? -1 : 1
    if (this.columns[column].numeric) {
      const keys = new Map(Array.from(rows, row => [row, numberIn(this.#cell(row, column))]))
      const of = (row: number): number => keys.get(row) ?? NaN
      rows.sort((a, b) => {
        const [x, y] = [of(a), of(b)]
        if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y))
        return turn * bySize(x, y)
      })
      return
    }
    const keys = new Map(Array.from(rows, row => [row, String(shown(this.#cell(row, column)) ?? '')]))
    const of = (row: number): string => keys.get(row) ?? ''
    const { compare } = new Intl.Collator('en', { numeric: true })
    rows.sort((a, b) => turn * compare(of(a), of(b)))
  }
}

const shown = (cell: SheetCell): string | number | null =>
  typeof cell === 'boolean' ? (cell ? 'True' : 'False') : cell

/** By size, infinities beside each other; what is no number stands with the largest. */
function bySize(a: number, b: number): number {
  const [x, y] = [Number.isNaN(a) ? Infinity : a, Number.isNaN(b) ? Infinity : b]
  return x === y ? 0 : x < y ? -1 : 1
}

/** A number, or a text that spells one; a share in percent is its number of hundredths. */
export function numberIn(cell: SheetCell): number {
  if (typeof cell === 'number') return cell
  if (typeof cell !== 'string' || cell.trim() === '') return NaN
  const text = cell.trim().replace(/%$/, '')
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  return Number(text)
}

export const column = (id: string, numeric = false): SheetColumn => ({ id, numeric })
