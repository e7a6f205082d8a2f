// Rows of the engine's view in blocks of Arrow columns: what is asked for while the table moves, and what is kept.
import { tableFromIPC, type Vector } from 'apache-arrow'
import {
  type PositionQuery,
  type ViewId,
  rowStates,
  type RowStateName,
} from '../../../preload/contract/engine.ts'
import { engine, isQuiet } from '../../engine.ts'
import { begin } from '../../state/idle.ts'
import { shortNumber, shortText } from '../../state/format.ts'

const blockRows = 100
const keptBlocks = 40

/** Always fetched: what a row is, whatever columns are shown. */
export const keyColumns = ['row', 'state', 'fill', 'provisional', 'debugOp', 'benchOp'] as const

type RowQuery = Pick<PositionQuery, 'session' | 'unit' | 'row' | 'at'>

interface Block {
  readonly first: number
  readonly columns: ReadonlyMap<string, Vector>
}

interface Listener {
  arrived(): void
  failed(error: unknown): void
}

const blockOf = (i: number): number => Math.floor(i / blockRows) * blockRows

export class RowSource {
  readonly view: ViewId
  readonly rows: number
  readonly #columns: readonly string[]
  readonly #blocks = new Map<number, Block>()
  readonly #requests = new Map<number, AbortController>()
  readonly #stop = new AbortController()
  #found: { readonly of: string; readonly place: number } | null = null
  #listener: Listener = { arrived() {}, failed() {} }

  constructor(view: ViewId, rows: number, columns: readonly string[]) {
    this.view = view
    this.rows = rows
    this.#columns = columns
  }

  listen(listener: Listener): void {
    this.#listener = listener
  }

  /** Fetches what is missing of these rows; what was asked for elsewhere and has not come yet is given up. */
  want(first: number, last: number): void {
    for (const [at, request] of this.#requests)
      if (at + blockRows <= first || at >= last) {
        this.#requests.delete(at)
        request.abort()
      }
    for (let at = blockOf(first); at < last; at += blockRows) {
      const block = this.#blocks.get(at)
      // What is on screen is the last to be dropped.
      if (block) this.#put(block)
      else if (!this.#requests.has(at)) void this.#fetch(at)
    }
  }

  async #fetch(first: number): Promise<void> {
    const request = new AbortController()
    this.#requests.set(first, request)
    const done = begin('rows')
    const count = Math.min(blockRows, this.rows - first)
    try {
      const bytes = await engine.rows(
        { view: this.view, first, count, columns: this.#columns },
        AbortSignal.any([request.signal, this.#stop.signal]),
      )
      this.#keep(first, bytes)
      this.#listener.arrived()
    } catch (error) {
      if (!isQuiet(error)) this.#listener.failed(error)
    } finally {
      if (this.#requests.get(first) === request) this.#requests.delete(first)
      done()
    }
  }

  /**
   * Where a row stands among all of the view. Its block comes with the answer: a table that asked for it
   * afterwards would be drawn twice.
   */
  async find(here: RowQuery, stop: AbortSignal = this.#stop.signal): Promise<number> {
    const { place, block } = await engine.position(
      {
        ...here,
        view: this.view,
        blocks: { size: blockRows, columns: this.#columns, there: [...this.#blocks.keys()] },
      },
      stop,
    )
    if (block && place >= 0) this.#keep(blockOf(place), block)
    return place
  }

  /** Finds ahead what will be asked for next. */
  async prepare(here: RowQuery): Promise<void> {
    this.#found = { of: JSON.stringify(here), place: await this.find(here) }
  }
  /** Where a row stands, where that was found ahead. */
  prepared(here: RowQuery): number | null {
    return this.#found?.of === JSON.stringify(here) ? this.#found.place : null
  }

  leave(): void {
    this.#stop.abort()
  }

  #keep(first: number, bytes: Uint8Array): void {
    const table = tableFromIPC(bytes)
    const columns = new Map(
      table.schema.fields.map((field, i) => [field.name, table.getChildAt(i) as Vector]),
    )
    this.#put({ first, columns })
    for (const old of this.#blocks.keys()) {
      if (this.#blocks.size <= keptBlocks) break
      this.#blocks.delete(old)
    }
  }

  #put(block: Block): void {
    this.#blocks.delete(block.first)
    this.#blocks.set(block.first, block)
  }

  #at(i: number, column: string): unknown {
    const block = this.#blocks.get(blockOf(i))
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

  has(i: number): boolean {
    return this.#blocks.has(blockOf(i))
  }
}

export function exactText(value: unknown, text: () => unknown): string {
  if (typeof value === 'string') return value.trimEnd()
  const written = text()
  if (typeof written === 'string') return written.trimEnd()
  return typeof value === 'number' ? String(value) : ''
}

/** Our state of a row. */
export const stateOf = (source: RowSource, i: number): RowStateName =>
  rowStates[source.number(i, 'state')] ?? 'incomparable'
