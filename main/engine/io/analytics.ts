// An analytical database in a scratch folder: columns of numbers go in by the chunk, questions in SQL are answered
// from disk within a bounded memory. It reads no other file, loads no extension and has no way to the network.
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DuckDBAppender, DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { Cancelled } from '../work/index.ts'
import { makeScratch, removeScratch } from './scratch.ts'

export type Numbers = readonly (number | null)[]
/** What a column holds: whole numbers of 32 bits, or doubles. */
export type ColumnType = 'int' | 'double'

/** Rows of an answer as columns. */
export interface Answer {
  readonly length: number
  readonly columns: readonly Numbers[]
}

export interface Appender {
  /** As many values in each column. */
  add(columns: readonly Numbers[]): void
  close(): void
}

export interface Analytics {
  run(sql: string): Promise<void>
  /** Every column of the answer must be an INTEGER or a DOUBLE. */
  ask(sql: string): Promise<Answer>
  /** The same for answers of any length, chunk by chunk. */
  stream(sql: string): AsyncGenerator<Answer>
  append(table: string, types: readonly ColumnType[]): Promise<Appender>
  /** The folder goes with it. Who asks afterwards is told that nobody is interested any more. */
  close(): void
}

const options: Readonly<Record<string, string>> = {
  memory_limit: '512MB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  enable_external_access: 'false',
}
/** Rows that the database takes or gives at once. */
const chunkRows = 2048

export async function openAnalytics(): Promise<Analytics> {
  // Seventy megabytes of library: loaded by those who use it.
  const api = await import('@duckdb/node-api')
  const folder = makeScratch(tmpdir())
  try {
    const instance = await api.DuckDBInstance.create(path.join(folder, 'values.duckdb'), options)
    const connection = await instance.connect()
    await connection.run('SET ieee_floating_point_ops = true; SET lock_configuration = true')
    return new Database(api, folder, instance, connection)
  } catch (error) {
    removeScratch(folder)
    throw error
  }
}

type Api = typeof import('@duckdb/node-api')

class Database implements Analytics {
  readonly #api: Api
  readonly #folder: string
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  /** A connection answers one question at a time. */
  #turn: Promise<unknown> = Promise.resolve()
  #closed = false
  #idle = false
  readonly #streams = new Set<DuckDBConnection>()

  constructor(api: Api, folder: string, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#api = api
    this.#folder = folder
    this.#instance = instance
    this.#connection = connection
  }

  async run(sql: string): Promise<void> {
    await this.#next(() => this.#connection.run(sql))
  }

  async ask(sql: string): Promise<Answer> {
    return this.#next(async () => {
      const reader = await this.#connection.runAndReadAll(sql)
      return { length: reader.currentRowCount, columns: reader.getColumns() as readonly Numbers[] }
    })
  }

  async *stream(sql: string): AsyncGenerator<Answer> {
    // Of its own: who reads long keeps nobody waiting.
    const connection = await this.#next(() => this.#instance.connect())
    this.#streams.add(connection)
    try {
      const result = await connection.stream(sql)
      for (;;) {
        if (this.#closed) throw new Cancelled()
        const chunk = await result.fetchChunk()
        if (!chunk || chunk.rowCount === 0) return
        yield { length: chunk.rowCount, columns: chunk.getColumns() as readonly Numbers[] }
      }
    } finally {
      connection.closeSync()
      this.#streams.delete(connection)
      if (this.#closed) this.#end()
    }
  }

  async append(table: string, types: readonly ColumnType[]): Promise<Appender> {
    const appender = await this.#next(() => this.#connection.createAppender(table))
    return new Chunks(this.#api, appender, types)
  }

  /** One after the other; after the end nothing more. */
  #next<T>(act: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(async () => {
      if (this.#closed) throw new Cancelled()
      try {
        return await act()
      } catch (error) {
        // It was interrupted.
        if (this.#closed) throw new Cancelled()
        throw error
      }
    })
    this.#turn = mine.catch(() => {})
    return mine
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    for (const connection of [this.#connection, ...this.#streams]) connection.interrupt()
    void this.#turn.then(() => {
      this.#connection.closeSync()
      this.#idle = true
      this.#end()
    })
  }

  /** Once nobody asks any more. */
  #end(): void {
    if (!this.#idle || this.#streams.size > 0) return
    this.#instance.closeSync()
    removeScratch(this.#folder)
  }
}

class Chunks implements Appender {
  readonly #api: Api
  readonly #appender: DuckDBAppender
  readonly #types

  constructor(api: Api, appender: DuckDBAppender, types: readonly ColumnType[]) {
    this.#api = api
    this.#appender = appender
    this.#types = types.map(type => (type === 'int' ? api.INTEGER : api.DOUBLE))
  }

  add(columns: readonly Numbers[]): void {
    const length = columns[0]?.length ?? 0
    for (let from = 0; from < length; from += chunkRows) {
      const to = Math.min(length, from + chunkRows)
      const chunk = this.#api.DuckDBDataChunk.create(this.#types, to - from)
      chunk.setColumns(columns.map(column => column.slice(from, to)))
      this.#appender.appendDataChunk(chunk)
    }
  }

  close(): void {
    this.#appender.closeSync()
  }
}
