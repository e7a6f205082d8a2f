// The first sheet of a workbook as columns: read row by row, texts once, nothing evaluated.
import { problem, type Problem, Refusal, TextPool } from '../../model/index.ts'
import {
  type Files,
  memberBytes,
  memberPieces,
  zipEntries,
  type ZipEntry,
  type ZipSource,
} from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import { cellTable, type PlainCell, type SheetTable, titled, truthText } from './cell-table.ts'

const mostColumns = 16_384
const mostRows = 1_048_576
const longestRow = 64 << 20
const smallMember = 16 << 20

export async function readSheet(files: Files, path: string, job: Job): Promise<SheetTable> {
  const handle = files.open(path)
  try {
    const entries = zipEntries(handle, path)
    const [sheet] = sheetsIn(entries)
    if (!sheet) throw invalid(path, 'no sheet')
    return await rowsOf(sheet, { handle, path, texts: sharedTexts(handle, entries, path) }, job)
  } finally {
    handle.close()
  }
}

/** All sheets by their names, in the order of their tabs; empty ones are left out. */
export async function readSheets(
  files: Files,
  path: string,
  job: Job,
): Promise<readonly (SheetTable & { readonly name: string })[]> {
  const handle = files.open(path)
  try {
    const entries = zipEntries(handle, path)
    const texts = sharedTexts(handle, entries, path)
    const names = sheetNames(handle, entries, path)
    const found: (SheetTable & { readonly name: string })[] = []
    for (const [i, sheet] of sheetsIn(entries).entries())
      try {
        found.push({
          ...(await rowsOf(sheet, { handle, path, texts }, job)),
          name: names[i] ?? String(i + 1),
        })
      } catch (error) {
        if (!(error instanceof Refusal && isEmpty(error.problem))) throw error
      }
    return found
  } finally {
    handle.close()
  }
}

const isEmpty = ({ facts }: Problem): boolean => 'reason' in facts && facts.reason === 'empty'

const sheetsIn = (entries: readonly ZipEntry[]): readonly ZipEntry[] =>
  entries
    .filter(entry => /^xl\/worksheets\/sheet\d+\.xml$/.test(entry.name))
    .sort((a, b) => sheetNumber(a) - sheetNumber(b))

/** Names of tabs; whoever writes a workbook numbers its sheets in their order. */
function sheetNames(handle: ZipSource, entries: readonly ZipEntry[], path: string): readonly string[] {
  const entry = entries.find(e => e.name === 'xl/workbook.xml')
  if (!entry) return []
  const xml = new TextDecoder().decode(memberBytes(handle, entry, smallMember, path))
  return [...xml.matchAll(/<sheet\b[^>]*?\bname="([^"]*)"/g)].map(([, name]) => plain(name))
}

interface Workbook {
  readonly handle: ZipSource
  readonly path: string
  readonly texts: readonly string[]
}

async function rowsOf(sheet: ZipEntry, { handle, path, texts }: Workbook, job: Job): Promise<SheetTable> {
  const rows = new SheetRows(path, texts)
  const decoder = new TextDecoder()
  let rest = ''
  let done = 0
  for (const piece of memberPieces(handle, sheet, path)) {
    done += piece.length
    rest = rows.take(rest + decoder.decode(piece, { stream: true }))
    if (rest.length > longestRow) throw invalid(path, 'row')
    job.report({ what: 'job.reading', done, total: sheet.size, countedIn: 'bytes' })
    await job.breathe()
  }
  rows.take(rest + decoder.decode())
  return rows.table()
}

const sheetNumber = (entry: ZipEntry): number => Number(/\d+/.exec(entry.name)?.[0] ?? 0)
const invalid = (path: string, reason: string): Refusal =>
  new Refusal(problem('xlsx-invalid', path, { reason }))

function sharedTexts(handle: ZipSource, entries: readonly ZipEntry[], path: string): readonly string[] {
  const entry = entries.find(e => e.name === 'xl/sharedStrings.xml')
  if (!entry) return []
  const xml = new TextDecoder().decode(memberBytes(handle, entry, smallMember * 16, path))
  return [...xml.matchAll(/<si\b[^>]*?(?:\/>|>([\s\S]*?)<\/si>)/g)].map(([, inside = '']) => textIn(inside))
}

/** All `<t>` of a cell or shared text, phonetic readings left out. */
const textIn = (xml: string): string =>
  [...xml.replace(/<rPh\b[\s\S]*?<\/rPh>/g, '').matchAll(/<t\b[^>]*?(?:\/>|>([\s\S]*?)<\/t>)/g)]
    .map(([, text = '']) => plain(text))
    .join('')

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function plain(xml: string): string {
  const text = xml.includes('&')
    ? xml.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, dec?: string, name?: string) =>
        name !== undefined
          ? (named[name] ?? whole)
          : codePoint(hex !== undefined ? parseInt(hex, 16) : Number(dec)),
      )
    : xml
  return text.includes('_x')
    ? text.replace(/_x([0-9A-F]{4})_/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : text
}

const codePoint = (code: number): string =>
  code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'

class SheetRows {
  readonly #path: string
  readonly #shared: readonly string[]
  readonly #pool = new TextPool()
  readonly #columns: Column[] = []
  #titles: string[] | null = null
  #length = 0

  constructor(path: string, shared: readonly string[]) {
    this.#path = path
    this.#shared = shared
  }

  /** Reads the whole rows of a text; returns what is left over. */
  take(text: string): string {
    let from = 0
    for (;;) {
      const start = text.indexOf('<row', from)
      if (start < 0) return text.slice(Math.max(from, text.length - 4))
      const open = text.indexOf('>', start)
      if (open < 0) return text.slice(start)
      if (text[open - 1] === '/') {
        from = open + 1
        continue
      }
      const end = text.indexOf('</row>', open)
      if (end < 0) return text.slice(start)
      this.#row(text.slice(open + 1, end))
      from = end + 6
    }
  }

  table(): SheetTable {
    if (!this.#titles) throw invalid(this.#path, 'empty')
    const columns = this.#columns
    const cell = (row: number, column: number): PlainCell => columns[column]?.get(row, this.#pool) ?? ''
    return { path: this.#path, ...cellTable(titled(this.#titles), this.#length, cell) }
  }

  #row(xml: string): void {
    const cells: PlainCell[] = []
    for (const [, attributes, inside = ''] of xml.matchAll(/<c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g)) {
      const letters = /\br="([A-Z]+)\d+"/.exec(attributes)?.[1]
      const column = letters ? columnOf(letters) : cells.length
      if (column >= mostColumns) throw invalid(this.#path, 'column')
      cells[column] = this.#value(attributes, inside)
    }
    if (!this.#titles) {
      this.#titles = Array.from(cells, cell =>
        typeof cell === 'boolean' ? truthText(cell) : String(cell ?? ''),
      )
      return
    }
    if (this.#length >= mostRows) throw invalid(this.#path, 'rows')
    for (let column = 0; column < cells.length; column++)
      (this.#columns[column] ??= new Column()).set(this.#length, cells[column] ?? '', this.#pool)
    this.#length++
  }

  #value(attributes: string, inside: string): PlainCell {
    const type = /\bt="(\w+)"/.exec(attributes)?.[1] ?? 'n'
    if (type === 'inlineStr') return textIn(inside)
    const value = /<v\b[^>]*>([\s\S]*?)<\/v>/.exec(inside)?.[1]
    if (value === undefined) return ''
    if (type === 's') return this.#shared[Number(value)] ?? ''
    if (type === 'b') return value === '1'
    const number = Number(value)
    return type === 'n' && value.trim() !== '' && !Number.isNaN(number) ? number : plain(value)
  }
}

const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

const [aNumber, nothing, aTruth] = [-1, -2, -3]

/** Cells of a column: numbers and truth values, or codes of texts where `code` is not negative. */
class Column {
  #number = new Float64Array(1024)
  #code = new Int32Array(1024).fill(nothing)

  set(row: number, value: PlainCell, pool: TextPool): void {
    while (row >= this.#number.length) {
      const number = new Float64Array(this.#number.length * 2)
      const code = new Int32Array(this.#number.length * 2).fill(nothing)
      number.set(this.#number)
      code.set(this.#code)
      this.#number = number
      this.#code = code
    }
    if (typeof value === 'string') {
      this.#code[row] = pool.add(value)
      return
    }
    this.#number[row] = Number(value)
    this.#code[row] = typeof value === 'number' ? aNumber : aTruth
  }

  get(row: number, pool: TextPool): PlainCell {
    const code = this.#code[row] ?? nothing
    if (code >= 0) return pool.get(code)
    if (code === aTruth) return this.#number[row] === 1
    return code === aNumber ? this.#number[row] : ''
  }
}
