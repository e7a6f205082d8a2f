// A csv file as a table of texts and numbers.
import { problem, Refusal, TextPool } from '../../model/index.ts'
import type { Files } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import { cellTable, type SheetTable, titled } from './cell-table.ts'
import { readRecords } from './csv-records.ts'

export async function readCsv(files: Files, path: string, job: Job): Promise<SheetTable> {
  const rows = new CsvRows()
  await readRecords(files, path, job, record => rows.take(record))
  return rows.finish(path)
}

class CsvRows {
  readonly #pool = new TextPool()
  readonly #titles: string[] = []
  #codes = new Int32Array(1 << 12)
  #length = 0

  finish(path: string): SheetTable {
    const width = this.#titles.length
    if (width === 0) throw new Refusal(problem('csv-unreadable', path, { reason: 'empty' }))
    const [codes, pool] = [this.#codes, this.#pool]
    const values = Array.from({ length: pool.size }, (_, code) => valueOf(pool.get(code)))
    const cell = (row: number, column: number): string | number => values[codes[row * width + column]]
    return { path, ...cellTable(titled(this.#titles), this.#length, cell) }
  }

  take(row: readonly string[]): void {
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
