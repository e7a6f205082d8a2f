// The first sheet of a workbook as columns: read row by row, texts once, nothing evaluated.
import { problem, type Problem, Refusal, TextPool } from '../../model/index.ts'
import { type Files, memberPieces, zipEntries, type ZipEntry, type ZipSource } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import { cellTable, type PlainCell, type SheetTable, titled, truthText } from './cell-table.ts'
import {
  SharedTexts,
  SheetBroken,
  SheetCells,
  SheetNames,
  type SheetSink,
  type XmlPieces,
} from './sheet-xml.ts'

const mostRows = 1_048_576
/** Texts and cells beyond these are no comparison; without limits a small file could ask for all memory. */
const mostTexts = 1 << 22
const mostCells = 1 << 26
const mostTextBytes = 1 << 30

export async function readSheet(files: Files, path: string, job: Job): Promise<SheetTable> {
  return inWorkbook(files, path, job, async book => {
    const [sheet] = sheetsIn(book.entries)
    if (!sheet) throw invalid(path, 'no sheet')
    return rowsOf(sheet, book)
  })
}

/** All sheets by their names, in the order of their tabs; empty ones are left out. */
export async function readSheets(
  files: Files,
  path: string,
  job: Job,
): Promise<readonly (SheetTable & { readonly name: string })[]> {
  return inWorkbook(files, path, job, async book => {
    const names: string[] = []
    await readMember(book, 'xl/workbook.xml', new SheetNames(names))
    const found: (SheetTable & { readonly name: string })[] = []
    for (const [i, sheet] of sheetsIn(book.entries).entries())
      try {
        found.push({ ...(await rowsOf(sheet, book)), name: names[i] ?? String(i + 1) })
      } catch (error) {
        if (!(error instanceof Refusal && isEmpty(error.problem))) throw error
      }
    return found
  })
}

const isEmpty = ({ facts }: Problem): boolean => 'reason' in facts && facts.reason === 'empty'

const sheetsIn = (entries: readonly ZipEntry[]): readonly ZipEntry[] =>
  entries
    .filter(entry => /^xl\/worksheets\/sheet\d+\.xml$/.test(entry.name))
    .sort((a, b) => sheetNumber(a) - sheetNumber(b))

interface Workbook {
  readonly handle: ZipSource
  readonly path: string
  readonly entries: readonly ZipEntry[]
  readonly job: Job
  /** The texts of all its sheets, and which of them are shared. */
  readonly pool: TextPool
  readonly shared: Codes
}

async function inWorkbook<T>(
  files: Files,
  path: string,
  job: Job,
  act: (book: Workbook) => Promise<T>,
): Promise<T> {
  const handle = files.open(path)
  try {
    const pool = new TextPool()
    const shared = new Codes()
    const book: Workbook = { handle, path, entries: zipEntries(handle, path), job, pool, shared }
    const take = (text: string): void => shared.push(withinLimit(pool).add(text))
    await readMember(book, 'xl/sharedStrings.xml', new SharedTexts(take))
    return await act(book)
  } catch (error) {
    throw error instanceof SheetBroken ? invalid(path, error.message) : error
  } finally {
    handle.close()
  }
}

async function rowsOf(sheet: ZipEntry, book: Workbook): Promise<SheetTable> {
  const rows = new SheetRows(book.pool, book.shared)
  await readMember(book, sheet.name, new SheetCells(rows))
  return rows.table(book.path)
}

const sheetNumber = (entry: ZipEntry): number => Number(/\d+/.exec(entry.name)?.[0] ?? 0)
const invalid = (path: string, reason: string): Refusal =>
  new Refusal(problem('xlsx-invalid', path, { reason }))

function withinLimit(pool: TextPool): TextPool {
  if (pool.heapBytes > mostTextBytes) throw new SheetBroken('texts')
  return pool
}

/** A member that is not there has nothing to tell. */
async function readMember(
  { handle, path, entries, job }: Workbook,
  name: string,
  into: XmlPieces,
): Promise<void> {
  const entry = entries.find(one => one.name === name)
  if (!entry) return
  let done = 0
  for (const piece of memberPieces(handle, entry, path)) {
    for (let from = 0; from < piece.length; from += sliceBytes) {
      const slice = piece.subarray(from, from + sliceBytes)
      into.push(slice)
      done += slice.length
      job.report({ what: 'job.reading', done, total: entry.size, countedIn: 'bytes' })
      await job.breathe()
    }
  }
  into.end()
}

/** A piece may unpack to tens of megabytes; so much is parsed between two looks at the clock. */
const sliceBytes = 1 << 16

class SheetRows implements SheetSink {
  readonly #shared: Codes
  readonly #pool: TextPool
  readonly #columns: Column[] = []
  #titles: string[] | null = null
  #heading: string[] = []
  #length = 0
  #cells = 0

  constructor(pool: TextPool, shared: Codes) {
    this.#pool = pool
    this.#shared = shared
  }

  cell(column: number, value: PlainCell | { readonly shared: number }): void {
    if (!this.#titles) {
      this.#heading[column] = this.#titleOf(value)
      return
    }
    if (column >= this.#titles.length) return
    if (++this.#cells > mostCells) throw new SheetBroken('cells')
    const into = (this.#columns[column] ??= new Column())
    if (typeof value === 'object') into.setText(this.#length, this.#shared.get(value.shared))
    else if (typeof value === 'string') into.setText(this.#length, withinLimit(this.#pool).add(value))
    else into.setValue(this.#length, value)
  }

  #titleOf(value: PlainCell | { readonly shared: number }): string {
    if (typeof value === 'boolean') return truthText(value)
    if (typeof value !== 'object') return String(value)
    const code = this.#shared.get(value.shared)
    return code === nothing ? '' : this.#pool.get(code)
  }

  row(): void {
    if (!this.#titles) {
      this.#titles = Array.from(this.#heading, title => title ?? '')
      return
    }
    if (++this.#length > mostRows) throw new SheetBroken('rows')
  }

  table(path: string): SheetTable {
    if (!this.#titles) throw invalid(path, 'empty')
    const columns = this.#columns
    const cell = (row: number, column: number): PlainCell => columns[column]?.get(row, this.#pool) ?? ''
    return { path, ...cellTable(titled(this.#titles), this.#length, cell) }
  }
}

/** Codes of the shared texts, in their order. */
class Codes {
  #codes = new Int32Array(1024)
  #length = 0

  push(code: number): void {
    if (this.#length >= mostTexts) throw new SheetBroken('texts')
    if (this.#length === this.#codes.length) {
      const wider = new Int32Array(this.#length * 2)
      wider.set(this.#codes)
      this.#codes = wider
    }
    this.#codes[this.#length++] = code
  }

  /** `nothing` for a number that no text has. */
  get(number: number): number {
    return number >= 0 && number < this.#length ? (this.#codes[number] ?? nothing) : nothing
  }
}

const [aNumber, nothing, aTruth] = [-1, -2, -3]

/** Cells of a column: numbers and truth values, or codes of texts where `code` is not negative. */
class Column {
  #number = new Float64Array(1024)
  #code = new Int32Array(1024).fill(nothing)

  /** `code`: that of a text, or `nothing`. */
  setText(row: number, code: number): void {
    this.#reach(row)
    this.#code[row] = code
  }

  setValue(row: number, value: number | boolean): void {
    this.#reach(row)
    this.#number[row] = Number(value)
    this.#code[row] = typeof value === 'number' ? aNumber : aTruth
  }

  #reach(row: number): void {
    let size = this.#number.length
    if (row < size) return
    while (size <= row) size *= 2
    const number = new Float64Array(size)
    const code = new Int32Array(size).fill(nothing)
    number.set(this.#number)
    code.set(this.#code)
    this.#number = number
    this.#code = code
  }

  get(row: number, pool: TextPool): PlainCell {
    const code = this.#code[row] ?? nothing
    if (code >= 0) return pool.get(code)
    if (code === aTruth) return this.#number[row] === 1
    return code === aNumber ? this.#number[row] : ''
  }
}
