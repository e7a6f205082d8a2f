// The order of rows on screen: filter and sort over typed arrays, and the few rows that are seen as Arrow.
import { RecordBatchStreamWriter } from 'apache-arrow'
import {
  type ArrowBytes,
  type Column,
  type ColumnFilter,
  type ColumnSummary,
  type Dump,
  dumpOn,
  type ItemRow,
  type ItemRows,
  type ItemTable,
  Kind,
  type PairRow,
  type RowFilter,
  type RowSort,
  type RowsQuery,
  recomputedStates,
  rowStates,
  type Side,
  type ViewInfo,
  type ViewRow,
} from '../model/index.ts'
import { type Job, job as newJob } from '../work/index.ts'
import { byteColumn, floatColumn, intColumn, recordBatch, textColumn, type ArrowColumn } from './arrow.ts'
import { comparedDirectly } from './direct.ts'
import { countStates, keepAmong, keepNode, keepNumbers, keepTexts, onlyShown, statesOf } from './filter.ts'
import { numberColumn, type NumberColumn } from './number-column.ts'
import { sortByNumber, sortByRank } from './sort.ts'
import { TextColumn, type PoolCodes } from './text-column.ts'

export interface RowOrder {
  /** Rows of the comparison in the order of the view. */
  readonly rows: Column<Uint32Array, ViewRow, PairRow>
  /** Counts of everything that the filter leaves when it does not ask for states. */
  readonly counts: ViewInfo['counts']
}

type Marks = Column<Uint8Array, PairRow>

interface OrderExtras {
  readonly only?: Uint8Array | undefined
  readonly marks?: Marks | null
}

type CodeField = 'name' | 'dtype' | 'shape' | 'md5' | 'dataName'
/** Columns whose texts are codes of a dump's pool. */
const pooled: Readonly<Record<string, readonly [Side, CodeField]>> = {
  debugName: ['debug', 'name'],
  benchName: ['bench', 'name'],
  debugDtype: ['debug', 'dtype'],
  benchDtype: ['bench', 'dtype'],
  debugShape: ['debug', 'shape'],
  benchShape: ['bench', 'shape'],
  debugMd5: ['debug', 'md5'],
  benchMd5: ['bench', 'md5'],
}
/** Columns that the quick search looks into. */
const quickColumns = ['debugName', 'benchName', 'debugDtype', 'benchDtype', 'debugShape', 'benchShape']
const listed = 500

const indexes = new WeakMap<ItemRows, RowIndex>()

/** What is known of a comparison's columns; kept as long as the comparison. */
export function rowIndex(comparison: ItemRows): RowIndex {
  let index = indexes.get(comparison)
  if (!index) indexes.set(comparison, (index = new RowIndex(comparison)))
  return index
}

export class RowIndex {
  readonly #table: ItemRows
  readonly #states: Uint8Array
  #spare: { readonly mask: Uint8Array; readonly found: Uint32Array } | null = null
  readonly #texts = new Map<string, Promise<TextColumn>>()
  readonly #numbers = new Map<string, Promise<NumberColumn>>()

  constructor(comparison: ItemRows) {
    this.#table = comparison
    this.#states = statesOf(comparison)
  }

  /** `only`: 1 for each row that may be among them; `marks`: the state that recomputing gave, by row. */
  async order(
    filter: RowFilter,
    sort: RowSort,
    job: Job,
    { only, marks }: OrderExtras = {},
  ): Promise<RowOrder> {
    const { mask, found } = this.#takeSpare()
    if (only) mask.set(only)
    else mask.fill(1)
    await this.#keep(mask, filter, job)
    const kept = passing(mask, found)
    this.#spare = { mask, found }
    const counts = countStates(kept, this.#states)
    const rows = onlyShown(kept, this.#states, filter.show)
    for (const { column, down } of sort.toReversed())
      if (column !== 'recomputed') await this.#sort(rows, column, down, job)
      else if (marks) sortByRank(rows, marks, gravity, down)
    return { rows, counts }
  }

  /** Room to work in, kept from the last time unless somebody is working in it. */
  #takeSpare(): { readonly mask: Uint8Array; readonly found: Uint32Array } {
    const spare = this.#spare ?? {
      mask: new Uint8Array(this.#table.length),
      found: new Uint32Array(this.#table.length),
    }
    this.#spare = null
    return spare
  }

  async summary(id: string, job: Job): Promise<ColumnSummary> {
    const column = this.#column(id)
    if (column >= 0 && this.#table.columns[column].numeric) {
      const { other, others, min, max } = await this.#numbersOf(id, job)
      return { ...mostFrequent(other, others.length, code => others[code]), min, max }
    }
    const texts = await this.#textsOf(id, job)
    return { ...mostFrequent(texts.codes, texts.size, code => texts.get(code)), min: NaN, max: NaN }
  }

  /**
   * Rows first … first+count-1 of an order: text columns as texts; numeric ones as numbers with `<id>:kind`,
   * and `<id>:text` where the cell is no number.
   */
  rows(
    order: Uint32Array,
    { first, count, columns }: Pick<RowsQuery, 'first' | 'count' | 'columns'>,
    marks: Marks | null = null,
  ): ArrowBytes {
    const rows = order.subarray(Math.max(0, first), Math.max(0, first + count))
    const batch = recordBatch(
      columns.flatMap(id =>
        id === 'recomputed'
          ? [
              byteColumn(
                id,
                Uint8Array.from(rows, row => marks?.[row] ?? 0),
              ),
            ]
          : this.#cells(id, rows),
      ),
      rows.length,
    )
    return new RecordBatchStreamWriter().writeAll([batch]).toUint8Array(true)
  }

  async #keep(mask: Uint8Array, filter: RowFilter, job: Job): Promise<void> {
    if (filter.node && (filter.node.debug !== undefined || filter.node.bench !== undefined))
      keepNode(mask, this.#table, filter.node)
    for (const word of filter.quick.split(/\s+/).filter(w => w !== '')) await this.#keepQuick(mask, word, job)
    for (const condition of filter.columns) {
      await this.#keepColumn(mask, condition, job)
      await job.breathe()
    }
  }

  async #keepQuick(mask: Uint8Array, word: string, job: Job): Promise<void> {
    const found = new Uint8Array(mask.length)
    for (const id of quickColumns) {
      if (this.#column(id) < 0) continue
      const { codes, passed } = await this.#passing(id, word, job)
      for (let row = 0; row < found.length; row++) found[row] |= passed[codes[row]]
      await job.breathe()
    }
    for (let row = 0; row < mask.length; row++) mask[row] &= found[row]
  }

  async #passing(id: string, word: string, job: Job): Promise<{ codes: Int32Array; passed: Uint8Array }> {
    const texts = await this.#textsOf(id, job)
    return { codes: texts.codes, passed: await texts.passing('contains', word, job) }
  }

  async #keepColumn(mask: Uint8Array, filter: ColumnFilter, job: Job): Promise<void> {
    const column = this.#column(filter.column)
    const numeric = column >= 0 && this.#table.columns[column].numeric
    if (filter.is === 'number') return keepNumbers(mask, await this.#numbersOf(filter.column, job), filter)
    if (filter.is === 'set' && numeric)
      return keepAmong(mask, await this.#numbersOf(filter.column, job), filter.values)
    const texts = await this.#textsOf(filter.column, job)
    keepTexts(
      mask,
      texts.codes,
      filter.is === 'set' ? texts.among(filter.values) : await texts.passing(filter.op, filter.text, job),
    )
  }

  async #sort(rows: Uint32Array, id: string, down: boolean, job: Job): Promise<void> {
    const { state, fill, level, noise } = this.#table
    if (id === 'row') {
      rows.sort()
      if (down) rows.reverse()
      return
    }
    if (id === 'state' || id === 'fill')
      return id === 'fill' ? sortByRank(rows, fill, identity, down) : sortByRank(rows, state, severity, down)
    if (id === 'level' || id === 'noise') return sortByNumber(rows, id === 'level' ? level : noise, down, job)
    const column = this.#column(id)
    if (column >= 0 && this.#table.columns[column].numeric)
      return sortByNumber(rows, (await this.#numbersOf(id, job)).values, down, job)
    const texts = await this.#textsOf(id, job)
    sortByRank(rows, texts.codes, await texts.ranks(), down)
  }

  #column(id: string): number {
    return this.#table.columns.findIndex(column => column.id === id)
  }

  #textsOf(id: string, job: Job): Promise<TextColumn> {
    return kept(job, this.#texts, id, whole =>
      TextColumn.of(this.#table.length, this.#textOf(id), this.#pool(id), whole),
    )
  }

  #numbersOf(id: string, job: Job): Promise<NumberColumn> {
    return kept(job, this.#numbers, id, whole => numberColumn(this.#table, this.#column(id), whole))
  }

  #textOf(id: string): (row: PairRow) => string {
    if (id === 'debugOp') return row => opOf(this.#table.debug, this.#table.debugItem[row])
    if (id === 'benchOp') return row => opOf(this.#table.bench, this.#table.benchItem[row])
    const column = this.#column(id)
    return column < 0 ? () => '' : row => this.#table.text(row, column)
  }

  #pool(id: string): PoolCodes | null {
    const source = pooled[id]
    if (!source || this.#column(id) < 0) return null
    const [side, field] = source
    const dump = dumpOn(this.#table, side)
    const items = side === 'debug' ? this.#table.debugItem : this.#table.benchItem
    const codes: ItemTable[CodeField] = dump.items[field]
    return {
      code: row => (items[row] < 0 ? -1 : codes[items[row]]),
      size: dump.texts.size,
      bytes: code => dump.texts.bytes(code),
    }
  }

  #cells(id: string, rows: Uint32Array): ArrowColumn[] {
    const { state, fill, level, noise } = this.#table
    const bytes = (at: (row: PairRow) => number): ArrowColumn[] => [byteColumn(id, Uint8Array.from(rows, at))]
    if (id === 'row') return [intColumn(id, Int32Array.from(rows))]
    if (id === 'state') return bytes(row => state[row])
    if (id === 'fill') return bytes(row => fill[row])
    if (id === 'provisional') return bytes(row => Number(isProvisional(this.#table, row)))
    if (id === 'level' || id === 'noise') {
      const numbers = id === 'level' ? level : noise
      return [
        floatColumn(
          id,
          Float64Array.from(rows, row => numbers[row]),
        ),
      ]
    }
    const column = this.#column(id)
    const numeric = column >= 0 && this.#table.columns[column].numeric
    // Neither metrics nor messages speak of values that are no tensors.
    const speaks = id === 'message' || (numeric && !ofOneSide.test(id))
    const textOf = this.#textOf(id)
    const text = (row: number): string => (speaks && comparedDirectly(this.#table, row) ? '' : textOf(row))
    if (!numeric) {
      return [textColumn(id, rows.length, i => text(rows[i]))]
    }
    const kinds = Uint8Array.from(rows, row => this.#table.kind(row, column))
    const isNumber = (i: number): boolean =>
      kinds[i] === Kind.int || kinds[i] === Kind.float || kinds[i] === Kind.bool
    return [
      floatColumn(
        id,
        Float64Array.from(rows, (row, i) => (isNumber(i) ? this.#table.number(row, column) : NaN)),
      ),
      byteColumn(`${id}:kind`, kinds),
      textColumn(`${id}:text`, rows.length, i =>
        kinds[i] === Kind.int ||
        (kinds[i] === Kind.float && Number.isFinite(this.#table.number(rows[i], column)))
          ? null
          : text(rows[i]),
      ),
    ]
  }
}

/** Columns that show what stands on one side. */
const ofOneSide = /^(?:debug|bench)[A-Z]/

/** By number of state: what is worse comes later. */
const severity = Uint32Array.from(rowStates, state =>
  ['equal', 'noise', 'incomparable', 'unpaired', 'differs'].indexOf(state),
)
const identity = Uint32Array.from([0, 1, 2])
/** By the mark of a row, 0 for none: what is wrong comes last. */
const gravity = Uint32Array.from([null, ...recomputedStates], state =>
  [
    null,
    'skipped',
    'equal',
    'right',
    'rounding',
    'inputs',
    'wrong',
    'benchWrong',
    'debugWrong',
    'bothWrong',
  ].indexOf(state),
)

const opOf = (dump: Dump | null, item: ItemRow): string =>
  item < 0 || !dump ? '' : dump.texts.get(dump.ops.name[dump.items.op[item]])

function passing(mask: Uint8Array, rows: Uint32Array): Uint32Array {
  let n = 0
  for (let row = 0; row < mask.length; row++) {
    rows[n] = row
    n += mask[row]
  }
  return rows.slice(0, n)
}

/** Remembers what is made once. Whoever asked first may give up; the making goes on for the others. */
async function kept<T>(
  job: Job,
  known: Map<string, Promise<T>>,
  id: string,
  make: (whole: Job) => Promise<T>,
): Promise<T> {
  let made = known.get(id)
  if (!made) known.set(id, (made = make(newJob())))
  const value = await made
  await job.breathe()
  return value
}

/** How often each code occurs: the most frequent texts first. */
function mostFrequent(
  codes: Int32Array,
  size: number,
  text: (code: number) => string,
): Pick<ColumnSummary, 'values' | 'more'> {
  const counts = new Uint32Array(size)
  for (let row = 0; row < codes.length; row++) if (codes[row] >= 0) counts[codes[row]]++
  const top = topCodes(counts, listed)
  return {
    values: [...top].map(code => ({ text: text(code), count: counts[code] })),
    more: Math.max(0, size - top.length),
  }
}

/** Codes with the largest counts, largest first, in order of appearance among equals. */
function topCodes(counts: Uint32Array, limit: number): Uint32Array {
  if (counts.length <= limit * 4)
    return Uint32Array.from(counts.keys())
      .sort((a, b) => counts[b] - counts[a] || a - b)
      .subarray(0, limit)
  // The limit-th largest count: everything above it, then as many equal ones as fit.
  const least = counts.toSorted()[counts.length - limit]
  const above = Uint32Array.from(counts.keys()).filter(code => counts[code] > least)
  const rest = limit - above.length
  let taken = 0
  const equal = Uint32Array.from(counts.keys()).filter(code => counts[code] === least && taken++ < rest)
  const all = new Uint32Array(limit)
  all.set(above.sort((a, b) => counts[b] - counts[a] || a - b))
  all.set(equal, above.length)
  return all
}

/** Where a row stands in an order, -1 when it is filtered out. */
export const positionOf = (order: Column<Uint32Array, ViewRow, PairRow>, row: PairRow): ViewRow =>
  order.indexOf(row)

/** Whether only tensor files tell of a row's call, on either side. */
function isProvisional({ debug, bench, debugItem, benchItem }: ItemRows, row: PairRow): boolean {
  const told = (dump: Dump | null, item: number): boolean =>
    dump?.provisionalFrom !== undefined && item >= 0 && dump.items.op[item] >= dump.provisionalFrom
  return told(debug, debugItem[row]) || told(bench, benchItem[row])
}
