// A csv file as a table of texts and numbers: quoted fields, newlines inside them, any size, nothing
// evaluated.
import { problem, Refusal, TextPool } from '../../model/index.ts'
import type { Files } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import { cellTable, type SheetTable, titled } from './cell-table.ts'

const windowBytes = 1 << 20
const longestField = 16 << 20
const mostColumns = 4096

export async function readCsv(files: Files, path: string, job: Job): Promise<SheetTable> {
  const handle = files.open(path)
  try {
    const rows = new CsvRows(path)
    const decoder = new TextDecoder()
    const window = new Uint8Array(windowBytes)
    for (let at = 0; at < handle.size;) {
      const read = handle.read(at, window)
      if (read === 0) break
      at += read
      rows.take(decoder.decode(window.subarray(0, read), { stream: true }))
      job.report({ what: 'job.reading', done: at, total: handle.size, countedIn: 'bytes' })
      await job.breathe()
    }
    return rows.finish(path)
  } finally {
    handle.close()
  }
}

class CsvRows {
  readonly #path: string
  readonly #pool = new TextPool()
  readonly #titles: string[] = []
  #codes = new Int32Array(1 << 12)
  #length = 0
  #field = ''
  #row: string[] = []
  #quoted = false
  #afterQuote = false

  constructor(path: string) {
    this.#path = path
  }

  take(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const char = text[at]
      if (this.#quoted) {
        if (char === '"') {
          this.#quoted = false
          this.#afterQuote = true
        } else this.#add(char)
      } else if (char === '"') {
        // A doubled quote inside a quoted field is one quote.
        if (this.#afterQuote) this.#add('"')
        this.#quoted = true
      } else if (char === ',') this.#endField()
      else if (char === '\n') {
        this.#endField()
        this.#endRow()
      } else if (char !== '\r') this.#add(char)
      if (char !== '"') this.#afterQuote = false
    }
  }

  finish(path: string): SheetTable {
    if (this.#field !== '' || this.#row.length > 0) {
      this.#endField()
      this.#endRow()
    }
    const width = this.#titles.length
    if (width === 0) throw new Refusal(problem('csv-invalid', path, { reason: 'empty' }))
    const [codes, pool] = [this.#codes, this.#pool]
    const values = Array.from({ length: pool.size }, (_, code) => valueOf(pool.get(code)))
    const cell = (row: number, column: number): string | number => values[codes[row * width + column]]
    return { path, ...cellTable(titled(this.#titles), this.#length, cell) }
  }

  #add(char: string): void {
    this.#field += char
    if (this.#field.length > longestField)
      throw new Refusal(problem('csv-invalid', this.#path, { reason: 'field' }))
  }

  #endField(): void {
    this.#row.push(
      this.#titles.length === 0 && this.#row.length === 0 ? this.#field.replace(/^\uFEFF/, '') : this.#field,
    )
    this.#field = ''
    if (this.#row.length > mostColumns)
      throw new Refusal(problem('csv-invalid', this.#path, { reason: 'columns' }))
  }

  #endRow(): void {
    const row = this.#row
    this.#row = []
    if (row.length === 1 && row[0] === '') return
    if (this.#titles.length === 0) {
      this.#titles.push(...row)
      return
    }
    const width = this.#titles.length
    const needed = (this.#length + 1) * width
    if (needed > this.#codes.length) {
      const grown = new Int32Array(Math.max(needed, this.#codes.length * 2))
      grown.set(this.#codes)
      this.#codes = grown
    }
    for (let column = 0; column < width; column++)
      this.#codes[this.#length * width + column] = this.#pool.add(row[column] ?? '')
    this.#length++
  }
}

const valueOf = (text: string): string | number =>
  text !== '' && !/^\s|\s$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : text
