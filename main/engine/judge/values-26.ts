// What msprobe 26 reads from the two sides of a row: texts, differences and relative errors of the statistics.
import {
  type Cells,
  type Dump,
  type Ids,
  type ItemRow,
  Kind,
  type PairRow,
  type Stat,
  stats,
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

/** How far apart the statistics of a row are: numbers, or a text for both; nothing where both read alike. */
export type Apart = { readonly diff: number; readonly percent: number } | string | null

/** One side of the rows of a table: its statistics as pandas would hold them. */
export class SideStats {
  readonly #dump: Dump
  readonly #items: Ids<PairRow, ItemRow>
  /** Statistics of which whole numbers have become floats, as their column holds nothing but numbers. */
  readonly #floats: ReadonlySet<Stat>
  /** The same for rows without partner, which pandas fills by themselves. */
  readonly #floatsAlone: ReadonlySet<Stat>
  readonly #isAlone: (row: PairRow) => boolean

  constructor(dump: Dump, items: Ids<PairRow, ItemRow>, isAlone: (row: PairRow) => boolean = () => false) {
    this.#dump = dump
    this.#items = items
    this.#isAlone = isAlone
    const columns = numberColumns(dump, items, () => true)
    const together = columns.every(({ isNumbers }) => isNumbers) && columns.some(({ hasFloats }) => hasFloats)
    this.#floats = floatsOf(columns.map(column => (together ? { ...column, hasFloats: true } : column)))
    this.#floatsAlone = floatsOf(numberColumns(dump, items, isAlone))
  }

  /** Whether a statistic of a row is shown as a float; whole numbers are where their column makes them. */
  isFloat(stat: Stat, row: PairRow): boolean {
    const kind = this.kind(stat, row)
    return kind === Kind.float || (kind === Kind.int && this.#becomesFloat(stat, row))
  }

  text(stat: Stat, row: PairRow): string {
    const item = this.#items[row]
    if (item < 0) return noOne
    const cells = this.#dump.items[stat]
    return cells.kind[item] === Kind.int && this.#becomesFloat(stat, row)
      ? pyFloat(cells.value[item])
      : statText(this.#dump, cells, item)
  }

  number(stat: Stat, row: PairRow): number {
    const item = this.#items[row]
    return item >= 0 && isNumeric(this.kind(stat, row))
      ? numberIn(this.#dump.items[stat], item, this.#dump)
      : NaN
  }

  #becomesFloat(stat: Stat, row: PairRow): boolean {
    return this.#floats.has(stat) || (this.#isAlone(row) && this.#floatsAlone.has(stat))
  }

  kind(stat: Stat, row: PairRow): Kind {
    const item = this.#items[row]
    return (item < 0 ? Kind.text : this.#dump.items[stat].kind[item]) as Kind
  }
}

interface NumberColumn {
  readonly stat: Stat
  readonly isNumbers: boolean
  readonly hasFloats: boolean
}

function numberColumns(
  dump: Dump,
  items: Ids<PairRow, ItemRow>,
  counts: (row: PairRow) => boolean,
): readonly NumberColumn[] {
  return stats.map(stat => {
    const { kind, value } = dump.items[stat]
    let [isNumbers, hasFloats] = [true, false]
    for (let row = 0; row < items.length && isNumbers; row++) {
      if (!counts(row)) continue
      const item = items[row]
      const own = item < 0 ? Kind.text : kind[item]
      isNumbers = own === Kind.int || (own === Kind.float && !Number.isNaN(value[item]))
      hasFloats ||= own === Kind.float
    }
    return { stat, isNumbers, hasFloats }
  })
}

const floatsOf = (columns: readonly NumberColumn[]): ReadonlySet<Stat> =>
  new Set(columns.filter(({ isNumbers, hasFloats }) => isNumbers && hasFloats).map(({ stat }) => stat))

/** What both sides say of the statistics of the rows. */
export class Values {
  readonly debug: SideStats
  readonly bench: SideStats
  readonly #benchItem: TableInput['benchItem']

  constructor({
    debug,
    bench,
    debugItem,
    benchItem,
  }: Pick<TableInput, 'debug' | 'bench' | 'debugItem' | 'benchItem'>) {
    this.debug = new SideStats(debug, debugItem, row => benchItem[row] < 0)
    this.bench = new SideStats(bench, benchItem)
    this.#benchItem = benchItem
  }

  apart(stat: Stat, row: PairRow): Apart {
    if (this.#benchItem[row] < 0) return noOne
    const [mine, theirs] = [this.debug.text(stat, row), this.bench.text(stat, row)]
    if (mine === theirs) return null
    const [a, b] = [classOf(mine), classOf(theirs)]
    if (a !== 'number' || b !== 'number') return apartBy[a][b]
    const [n, m] = [this.#read(this.debug, stat, row), this.#read(this.bench, stat, row)]
    const diff = n - m
    return { diff, percent: m === 0 ? NaN : Math.abs((diff / m) * 100) }
  }

  /** The number that pandas reads back from the text of a cell. */
  #read(side: SideStats, stat: Stat, row: PairRow): number {
    const number = side.number(stat, row)
    return Number.isNaN(number) ? Number(side.text(stat, row)) : reparsed(number)
  }
}

/** What a text is taken for. */
type TextClass = 'number' | 'nan' | 'inf' | '-inf' | 'device' | 'none' | 'other'

function classOf(text: string): TextClass {
  const low = text.trim().toLowerCase()
  if (low === 'nan' || low === 'inf' || low === '-inf') return low
  if (low !== '' && low !== 'true' && low !== 'false' && Number.isFinite(Number(low))) return 'number'
  if (/npu|cpu|cuda/.test(low)) return 'device'
  return text === noOne ? 'none' : 'other'
}

const apartBy: Readonly<Record<TextClass, Readonly<Record<TextClass, string>>>> = (() => {
  const row = (of: Partial<Record<TextClass, string>>, rest: string): Record<TextClass, string> => ({
    number: rest,
    nan: rest,
    inf: rest,
    '-inf': rest,
    device: rest,
    other: rest,
    none: noOne,
    ...of,
  })
  const texts = { device: 'Diff', other: 'Diff' }
  return {
    number: row({ ...texts, inf: '-inf', '-inf': 'inf' }, 'Nan'),
    nan: row(texts, 'Nan'),
    inf: row({ ...texts, nan: 'Nan' }, 'inf'),
    '-inf': row({ ...texts, nan: 'Nan' }, '-inf'),
    device: row({ device: noOne }, 'Diff'),
    other: row({}, 'Diff'),
    none: row({}, noOne),
  }
})()

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
