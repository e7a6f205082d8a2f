// A details file of a pre-check: rows by output, cells as numbers.
import type { SheetTable } from '../formats/index.ts'
import { Kind, problem, Refusal } from '../model/index.ts'
import { type FactId, factTitles, type MetricId, metricTitles } from './metrics.ts'

/** `Torch.mul.0.forward.output.0` in its parts. */
export interface OutputName {
  /** `Torch.mul.0` */
  readonly call: string
  /** What lists of APIs know it by: `mul`, `linalg.norm`. */
  readonly api: string
  /** `forward`, `backward`, or whatever stands there. */
  readonly direction: string
}

export function outputName(name: string): OutputName | null {
  const parts = name.split('.')
  if (parts.length !== 6 && parts.length !== 7) return null
  const call = parts.slice(0, -3)
  return { call: call.join('.'), api: call.slice(1, -1).join('.'), direction: parts[parts.length - 3] }
}

/** How pandas spells what is no number. */
const missing = new Set(
  '#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a|nan|null|'.split(
    '|',
  ),
)
export const isMissing = (text: string): boolean => missing.has(text)
const infinite = /^([+-]?)inf(?:inity)?$/i

/** A cell that is to be a number: null where nothing stands, which is written as a space. */
export function numberIn(text: string): number | null {
  if (isMissing(text)) return NaN
  const trimmed = text.trim()
  if (trimmed === '') return null
  const sign = infinite.exec(trimmed)?.[1]
  if (sign !== undefined) return sign === '-' ? -Infinity : Infinity
  return Number(trimmed)
}

export class Details {
  readonly path: string
  readonly length: number
  readonly #table: SheetTable
  readonly #columns: ReadonlyMap<string, number>
  readonly #numeric = new Map<MetricId, boolean>()

  constructor(table: SheetTable) {
    this.#table = table
    this.path = table.path
    this.length = table.length
    this.#columns = new Map(table.columns.map(({ title }, at) => [title.trim(), at]))
  }

  has(title: string): boolean {
    return this.#columns.has(title)
  }

  fact(row: number, id: FactId): string {
    const column = this.#columns.get(factTitles[id])
    return column === undefined ? '' : this.#table.text(row, column)
  }

  /** Whether pandas would read the cell as a number: NaN, or any of a column without texts. */
  isNumber(row: number, id: MetricId): boolean {
    return isMissing(this.#text(row, id)) || this.#isNumeric(id)
  }

  #text(row: number, id: MetricId): string {
    const column = this.#columns.get(metricTitles[id])
    return column === undefined ? '' : this.#table.text(row, column)
  }

  #isNumeric(id: MetricId): boolean {
    const known = this.#numeric.get(id)
    if (known !== undefined) return known
    let found = true
    for (let row = 0; row < this.length && found; row++) found = numberIn(this.#text(row, id)) !== null
    this.#numeric.set(id, found)
    return found
  }

  /** Null where the cell is blank. */
  metric(row: number, id: MetricId): number | null {
    const column = this.#columns.get(metricTitles[id])
    if (column === undefined) return null
    return this.#table.kind(row, column) === Kind.float
      ? this.#table.number(row, column)
      : numberIn(this.#table.text(row, column))
  }
}

/** Titles without which nothing can be compared. */
const needed = [factTitles.name, factTitles.dtype, ...Object.values(metricTitles)]

/** What makes a table the details of a pre-check. */
export const looksLikeDetails = ({ columns }: Pick<SheetTable, 'columns'>): boolean => {
  const titles = new Set(columns.map(({ title }) => title.trim()))
  return [factTitles.name, factTitles.dtype, metricTitles.rmse].every(title => titles.has(title))
}

export function detailsOf(table: SheetTable): Details {
  const details = new Details(table)
  const lacks = needed.filter(title => !details.has(title))
  if (lacks.length > 0)
    throw new Refusal(problem('precheck-columns', table.path, { columns: lacks.join(', ') }))
  return details
}
