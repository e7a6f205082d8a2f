// An analytical database in a scratch folder: columns of numbers go in by the chunk, questions in SQL are answered
// from disk within a bounded memory. It reads no other file, loads no extension and has no way to the network.
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DuckDBAppender, DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api'
import { Cancelled } from '../work/index.ts'
import { forgetScratch, makeScratch, removeScratch } from './scratch.ts'

export type Numbers = readonly (number | null)[]

/** Numbers as they lie in memory, whole ones of 32 bits or doubles; `has` tells where there is one, null: everywhere. */
export interface Column {
  readonly values: Float64Array | Int32Array
  readonly has: Uint8Array | null
}
export type ColumnType = 'int' | 'double'

/** Rows of an answer as columns. */
export interface Answer {
  readonly length: number
  readonly columns: readonly Numbers[]
}

/** Some rows of a long answer; valid until the next ones are taken. */
export interface Piece {
  readonly length: number
  readonly columns: readonly Column[]
}

export interface Appender {
  /** So many values of each column. */
  add(columns: readonly Column[], length: number): void
  close(): void
}

export interface Analytics {
  run(sql: string): Promise<void>
  /** Every column of the answer must be an INTEGER or a DOUBLE. */
  ask(sql: string): Promise<Answer>
  /** The same for answers of any length, chunk by chunk, in the order of the answer. */
  stream(sql: string): AsyncGenerator<Piece>
  append(table: string, types: readonly ColumnType[]): Promise<Appender>
  /** Everything is put into its folder, which is the caller's from now on; nothing can be asked any more. */
  handOver(): Promise<string>
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

const fileName = 'values.duckdb'

/** An empty database; `room` is where its scratch folder is made. */
export const openAnalytics = (room = tmpdir()): Promise<Analytics> => opened(room, null)

/** One that was handed over before, to be asked and nothing more: any number of processes may do so. */
export const askAnalytics = (folder: string, room = tmpdir()): Promise<Analytics> => opened(room, folder)

async function opened(room: string, kept: string | null): Promise<Analytics> {
  // Seventy megabytes of library: loaded by those who use it.
  const api = await import('@duckdb/node-api')
  const folder = makeScratch(room)
  try {
    // Where it may spill to is settled before it is cut off from other files.
    const apart = { access_mode: 'READ_ONLY', temp_directory: path.join(folder, 'spilt') }
    const instance = await api.DuckDBInstance.create(path.join(kept ?? folder, fileName), {
      ...(kept === null ? {} : apart),
      ...options,
    })
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

  async *stream(sql: string): AsyncGenerator<Piece> {
    // Of its own: who reads long keeps nobody waiting.
    const connection = await this.#next(() => this.#instance.connect())
    this.#streams.add(connection)
    try {
      const result = await connection.stream(sql)
      for (;;) {
        if (this.#closed) throw new Cancelled()
        const chunk = await result.fetchChunk()
        if (!chunk || chunk.rowCount === 0) return
        const columns = Array.from({ length: chunk.columnCount }, (_, i) => columnOf(rawVector(chunk, i)))
        yield { length: chunk.rowCount, columns }
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

  async handOver(): Promise<string> {
    await this.#next(() => this.#connection.run('CHECKPOINT'))
    this.#closed = true
    this.#connection.closeSync()
    this.#instance.closeSync()
    forgetScratch(this.#folder)
    return this.#folder
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

  add(columns: readonly Column[], length: number): void {
    for (let from = 0; from < length; from += chunkRows) {
      const to = Math.min(length, from + chunkRows)
      const chunk = this.#api.DuckDBDataChunk.create(this.#types, to - from)
      for (const [i, { values, has }] of columns.entries()) {
        const vector = rawVector(chunk, i)
        vector.items.set(values.subarray(from, to))
        const there = has?.subarray(from, to)
        if (there?.includes(0)) vector.validity.data = bitsOf(there)
        vector.flush()
      }
      this.#appender.appendDataChunk(chunk)
    }
  }

  close(): void {
    this.#appender.closeSync()
  }
}

/** What the library's vectors of numbers are made of: number by number they are ten times as slow. */
interface RawVector {
  readonly items: Float64Array | Int32Array
  readonly validity: { data: BigUint64Array | null }
  flush(): void
}

const rawVector = (chunk: DuckDBDataChunk, column: number): RawVector =>
  chunk.getColumnVector(column) as unknown as RawVector

/** A bit for each number, set where there is one. */
function bitsOf(there: Uint8Array): BigUint64Array {
  const bits = new Uint8Array(Math.ceil(there.length / 64) * 8)
  for (const [i, has] of there.entries()) if (has === 1) bits[i >> 3] |= 1 << (i & 7)
  return new BigUint64Array(bits.buffer)
}

function columnOf({ items: values, validity: { data } }: RawVector): Column {
  if (!data) return { values, has: null }
  const bits = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return { values, has: Uint8Array.from(values, (_, i) => (bits[i >> 3] >> (i & 7)) & 1) }
}
