// Rows of the engine's view as the grid wants them: blocks of Arrow columns, and `{ i }` for each row.
import { tableFromIPC, type Vector } from 'apache-arrow'
import type { IDatasource, IGetRowsParams } from 'ag-grid-community'
import type { PositionQuery, ViewId } from '../../../preload/contract/engine.ts'
import { engine, isQuiet } from '../../engine.ts'
import { begin } from '../../state/idle.ts'
import { shortNumber, shortText } from '../../state/format.ts'

export interface RowData { readonly i: number }

export const blockRows = 100
const keptBlocks = 40
/** Beyond 2^24 pixels of content pinned cells are painted off their rows: 600,000 rows of 26 px stay below. */
export const windowRows = 600_000

/** Always fetched: what a row is, whatever columns are shown. */
export const keyColumns = ['row', 'verdict', 'fill', 'unmatched', 'debugOp', 'benchOp'] as const

type RowQuery = Pick<PositionQuery, 'session' | 'unit' | 'row' | 'at'>

interface Block { readonly first: number; readonly columns: ReadonlyMap<string, Vector> }

export class RowSource implements IDatasource {
  readonly view: ViewId
  readonly total: number
  /** First row of the window of at most `windowRows` rows. */
  readonly from: number
  readonly rowCount: number
  readonly #columns: readonly string[]
  readonly #blocks = new Map<number, Block>()
  readonly #stop = new AbortController()
  #found: { readonly of: string; readonly place: number } | null = null
  #told: { rows(): void; failed(error: unknown): void } = { rows() {}, failed() {} }

  constructor(view: ViewId, total: number, from: number, columns: readonly string[]) {
    this.view = view
    this.total = total
    this.from = from
    this.rowCount = Math.min(windowRows, total - from)
    this.#columns = columns
  }

  /** Rows arrived, so what waits for them can go on; or they did not. */
  tell(told: { rows(): void; failed(error: unknown): void }): void { this.#told = told }

  getRows(params: IGetRowsParams): void {
    const done = begin('rows')
    const first = params.startRow
    if (this.rowCount <= 0) { params.successCallback([], 0); done(); return }
    const count = Math.min(params.endRow, this.rowCount) - first
    const show = (): void => {
      params.successCallback(Array.from({ length: count }, (_, i): RowData => ({ i: first + i })), this.rowCount)
      this.#told.rows()
    }
    if (this.has(first)) { show(); done(); return }
    engine.rows({ view: this.view, first: this.from + first, count, columns: this.#columns }, this.#stop.signal).then(bytes => {
      this.#keep(first, bytes)
      show()
    }, error => {
      params.failCallback()
      if (!isQuiet(error)) this.#told.failed(error)
    }).finally(done)
  }

  /** Where a row stands among all of the view. Its block comes with the answer: a table that asked for it afterwards would be drawn twice. */
  async find(here: RowQuery, stop: AbortSignal = this.#stop.signal): Promise<number> {
    const there = [...this.#blocks.keys()].map(first => this.from + first)
    const { place, block } = await engine.position({ ...here, view: this.view, blocks: { size: blockRows, columns: this.#columns, there } }, stop)
    const first = Math.floor(place / blockRows) * blockRows - this.from
    if (block && first >= 0 && first < this.rowCount) this.#keep(first, block)
    return place
  }

  /** Finds ahead what will be asked for next. */
  async prepare(here: RowQuery): Promise<void> {
    this.#found = { of: JSON.stringify(here), place: await this.find(here) }
  }
  /** Where a row stands, where that was found ahead. */
  prepared(here: RowQuery): number | null { return this.#found?.of === JSON.stringify(here) ? this.#found.place : null }

  /** Not named `destroy`: the grid would call that when it is made anew in another language. */
  leave(): void { this.#stop.abort() }

  #keep(first: number, bytes: Uint8Array): void {
    const table = tableFromIPC(bytes)
    const columns = new Map(table.schema.fields.map((field, i) => [field.name, table.getChildAt(i) as Vector]))
    this.#blocks.delete(first)
    this.#blocks.set(first, { first, columns })
    for (const old of this.#blocks.keys()) {
      if (this.#blocks.size <= keptBlocks) break
      this.#blocks.delete(old)
    }
  }

  #at(i: number, column: string): unknown {
    const block = this.#blocks.get(Math.floor(i / blockRows) * blockRows)
    return block?.columns.get(column)?.get(i - block.first)
  }

  number(i: number, column: string): number {
    const value = this.#at(i, column)
    return typeof value === 'number' ? value : -1
  }

  /** The cell as the file has it. */
  exact(i: number, column: string): string {
    return exactText(this.#at(i, column), () => this.#at(i, `${column}:text`))
  }

  /** The cell for reading. */
  shown(i: number, column: string): string {
    const value = this.#at(i, column)
    const text = this.#at(i, `${column}:text`)
    if (typeof text === 'string') return shortText(text)
    if (typeof value === 'number') return shortNumber(value)
    return typeof value === 'string' ? value : ''
  }

  has(i: number): boolean { return this.#blocks.has(Math.floor(i / blockRows) * blockRows) }
}

export function exactText(value: unknown, text: () => unknown): string {
  if (typeof value === 'string') return value.trimEnd()
  const written = text()
  if (typeof written === 'string') return written.trimEnd()
  return typeof value === 'number' ? String(value) : ''
}

/** The verdict of a row as a word. */
export const wordOf = (source: RowSource, i: number): 'verdict.unmatched' | 'verdict.unknown' | 'verdict.agree' | 'verdict.disagree' =>
  source.number(i, 'unmatched') > 0 ? 'verdict.unmatched' : (['verdict.unknown', 'verdict.agree', 'verdict.disagree'] as const)[source.number(i, 'verdict')] ?? 'verdict.unknown'
