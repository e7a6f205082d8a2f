// What overflow_check writes: the file of anomalies, named by a time in nanoseconds, and the list of calls.
import { absolute, openOutput, type Output, type Sink } from '../../../io/index.ts'
import { tableHead } from '../../../overflow/index.ts'
import { stampOf } from '../../../report/index.ts'
import { defaultOutput } from '../flags.ts'
import type { Tools } from '../tools.ts'
import { writeText } from '../units.ts'

/** The folder is made when there is something to write. */
export class OverflowFiles {
  readonly #folder: string | undefined
  readonly #tools: Pick<Tools, 'written'>
  #output: Output | null = null
  #table: Sink | null = null

  constructor(folder: string | undefined, tools: Pick<Tools, 'written'>) {
    this.#folder = folder
    this.#tools = tools
  }

  anomalies(text: string): void {
    writeText(this.#opened(), `anomaly_analyze_${Date.now()}000000.json`, text)
  }

  /** Rows of one rank, in the order in which ranks are read. */
  rows(table: Uint8Array): void {
    if (table.length === 0) return
    if (!this.#table) {
      this.#table = this.#opened().create(`overflow_${stampOf(new Date())}.csv`)
      this.#table.write(new TextEncoder().encode(tableHead))
    }
    this.#table.write(table)
  }

  /** Another step is the one to speak of. */
  dropRows(): void {
    if (this.#table) this.#output?.drop(this.#table)
    this.#table = null
  }

  commit(): readonly string[] {
    const paths = this.#output?.commit() ?? []
    this.#tools.written(paths)
    return paths
  }

  abandon(): void {
    this.#output?.abandon()
  }

  #opened(): Output {
    return (this.#output ??= openOutput(
      absolute(this.#folder || defaultOutput),
      [],
      this.#folder !== undefined,
    ))
  }
}
