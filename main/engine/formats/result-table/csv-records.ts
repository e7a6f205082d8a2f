// A csv file record by record: quoted fields, newlines inside them, any size, nothing evaluated.
import type { Files } from '../../io/index.ts'
import { problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'

const windowBytes = 1 << 20
const longestField = 16 << 20
const mostColumns = 4096

/** Takes the fields of a record. `whole`: a line end stands behind it; without one it may have been cut. */
type TakeRecord = (fields: string[], whole: boolean) => void

/** Records without any text are left out. */
export async function readRecords(files: Files, path: string, job: Job, take: TakeRecord): Promise<void> {
  const handle = files.open(path)
  try {
    const records = new CsvRecords(path, take)
    const decoder = new TextDecoder()
    const window = new Uint8Array(Math.min(windowBytes, Math.max(1, handle.size)))
    for (let at = 0; at < handle.size;) {
      const read = handle.read(at, window)
      if (read === 0) break
      at += read
      records.read(decoder.decode(window.subarray(0, read), { stream: true }))
      job.report({ what: 'job.reading', done: at, total: handle.size, countedIn: 'bytes' })
      await job.breathe()
    }
    records.end()
  } finally {
    handle.close()
  }
}

const [quote, comma, newline, back] = [0x22, 0x2c, 0x0a, 0x0d]

class CsvRecords {
  readonly #path: string
  readonly #take: TakeRecord
  #field = ''
  #record: string[] = []
  #quoted = false
  #afterQuote = false

  constructor(path: string, take: TakeRecord) {
    this.#path = path
    this.#take = take
  }

  read(text: string): void {
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const closing = code === quote && this.#quoted
      if (closing || (!this.#quoted && special(code))) {
        this.#add(text.slice(from, at))
        from = at + 1
        this.#special(code)
      }
      this.#afterQuote = closing
    }
    this.#add(text.slice(from))
  }

  end(): void {
    if (this.#field !== '' || this.#record.length > 0) this.#endRecord(false)
  }

  #special(code: number): void {
    if (code === comma) this.#endField()
    else if (code === newline) this.#endRecord(true)
    else if (code === quote) {
      // A doubled quote inside a quoted field is one quote.
      if (this.#afterQuote) this.#add('"')
      this.#quoted = !this.#quoted
    }
  }

  #add(text: string): void {
    if (text === '') return
    this.#field += text
    if (this.#field.length > longestField)
      throw new Refusal(problem('csv-unreadable', this.#path, { reason: 'field' }))
  }

  #endField(): void {
    this.#record.push(this.#field)
    this.#field = ''
    if (this.#record.length > mostColumns)
      throw new Refusal(problem('csv-unreadable', this.#path, { reason: 'columns' }))
  }

  #endRecord(whole: boolean): void {
    this.#endField()
    const record = this.#record
    this.#record = []
    if (record.length > 1 || record[0] !== '') this.#take(record, whole)
  }
}

const special = (code: number): boolean =>
  code === comma || code === newline || code === quote || code === back
