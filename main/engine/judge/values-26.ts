// What msprobe 26 reads from the two sides of a row: texts, differences and relative errors of the statistics.
import {
  type Cells,
  type Dump,
  type ItemRow,
  Kind,
  type PairRow,
  type Stat,
  type TextCode,
} from '../model/index.ts'
import { pyFloat, reparsed } from '../python/index.ts'
import { isNumeric, numberIn } from '../measure/index.ts'
import type { TableInput } from './compared.ts'

/** What stands where one side has nothing. */
export const noOne = 'N/A'

export const codeText = (dump: Dump, code: TextCode): string => (code < 0 ? 'None' : dump.texts.get(code))

export const gradText = (dump: Dump, item: ItemRow): string =>
  ['False', 'True', noOne][dump.items.requiresGrad[item]] ?? noOne

export const sameMd5 = ({ debug, bench, debugItem, benchItem }: TableInput, row: PairRow): boolean =>
  codeText(debug, debug.items.md5[debugItem[row]]) === codeText(bench, bench.items.md5[benchItem[row]])

/** What both sides say about one statistic, and how far apart it is. */
export class Values {
  readonly #input: TableInput

  constructor(input: TableInput) {
    this.#input = input
  }

  /** Difference as a number, or the text that stands for it. */
  diff(stat: Stat, row: PairRow): number | string {
    return this.#both(stat, row, d => d)
  }

  /** Relative error: 0 where both sides read alike, a share otherwise. */
  relative(stat: Stat, row: PairRow): number | string {
    return this.#both(stat, row, (d, b) => (b === 0 ? Infinity : Math.abs(d / b)))
  }

  #both(stat: Stat, row: PairRow, of: (d: number, b: number) => number): number | string {
    const { debug, bench, debugItem, benchItem } = this.#input
    if (benchItem[row] < 0) return noOne
    const [mine, theirs] = [debug.items[stat], bench.items[stat]]
    const [item, other] = [debugItem[row], benchItem[row]]
    if (statText(debug, mine, item) === statText(bench, theirs, other)) return 0
    if (!isNumeric(mine.kind[item]) || !isNumeric(theirs.kind[other]))
      return isNan(mine, item) || isNan(theirs, other) ? 'Nan' : 'Diff'
    const [n, b] = [numberIn(mine, item, debug), numberIn(theirs, other, bench)]
    const d = reparsed(n) - reparsed(b)
    return Number.isNaN(d) ? 'Nan' : of(d, reparsed(b))
  }
}

const isNan = (cells: Cells<ItemRow>, item: ItemRow): boolean =>
  cells.kind[item] === Kind.float && Number.isNaN(cells.value[item])

/** Infinities carry a blank in front, so that a spreadsheet takes them for text. */
export function plain(x: number): string {
  if (Number.isNaN(x)) return 'Nan'
  return Number.isFinite(x) ? pyFloat(x) : ` ${pyFloat(x)}`
}

export function statText(dump: Dump, cells: Cells<ItemRow>, item: ItemRow): string {
  const value = cells.value[item]
  switch (cells.kind[item]) {
    case Kind.bool:
      return value ? 'True' : 'False'
    case Kind.text:
    case Kind.bigint:
      return dump.texts.get(value)
    case Kind.int:
      return String(value)
    case Kind.float:
      return plain(value)
    default:
      return 'None'
  }
}
