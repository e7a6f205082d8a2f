// Questions in SQL that a user types, over files that were opened: a database in memory that can read these very files
// and nothing else, writes nothing, and whose configuration is locked before the first question.
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DuckDBConnection, DuckDBInstance, DuckDBType } from '@duckdb/node-api'
import { problem, Refusal } from '../model/index.ts'
import { Cancelled } from '../work/index.ts'
import type { Sink } from './output.ts'

export type SqlCell = string | number | boolean | null

/** What a column of an answer holds; whole numbers may be beyond what a number of JavaScript holds, then they are texts. */
export type SqlType = 'int' | 'double' | 'boolean' | 'text'

export interface SqlColumn {
  readonly name: string
  readonly type: SqlType
  /** As the database calls it. */
  readonly told: string
}

export interface SqlTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: 'int' | 'double' | 'text' }[]
  /** Row by row, in the order of the columns. */
  readonly rows: Iterable<readonly (string | number | null)[]>
}

export interface QuestionsOver {
  /** Files that may be read. */
  readonly paths: readonly string[]
  readonly tables: readonly SqlTable[]
  /** Views over them, made before everything is locked. */
  readonly views: readonly string[]
}

/** Column by column. */
export type SqlPiece = readonly (readonly SqlCell[])[]

/** Row by row. */
export function* rowsIn(piece: SqlPiece): Generator<readonly SqlCell[], void> {
  const { length = 0 } = piece[0] ?? []
  for (let row = 0; row < length; row++) yield piece.map(values => values[row] ?? null)
}

export interface SqlAnswer {
  readonly columns: readonly SqlColumn[]
  readonly pieces: AsyncIterable<SqlPiece>
}

export interface Questions {
  /** Refuses what is no single question, and what the database refuses. */
  ask(sql: string, signal?: AbortSignal): Promise<SqlAnswer>
  /** `gently`: what is being answered is answered to its end. */
  close(gently?: boolean): void
}

const limits = (scratch: string): Readonly<Record<string, string>> => ({
  memory_limit: '1GB',
  temp_directory: scratch,
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
})

type Api = typeof import('@duckdb/node-api')

/** As the database takes a text. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** As the database takes a list of files. */
export const sqlList = (texts: readonly string[]): string => `[${texts.map(sqlText).join(', ')}]`

interface Opened {
  readonly api: Api
  readonly instance: DuckDBInstance
  readonly connection: DuckDBConnection
  readonly scratch: string
}

/** In memory; what does not fit goes to a folder of its own, which goes with it. */
async function open(): Promise<Opened> {
  const api = await import('@duckdb/node-api')
  const scratch = mkdtempSync(path.join(tmpdir(), 'plumbline-query-'))
  try {
    const instance = await api.DuckDBInstance.create(':memory:', limits(scratch))
    return { api, instance, connection: await instance.connect(), scratch }
  } catch (error) {
    rmSync(scratch, { recursive: true, force: true })
    throw error
  }
}

function end({ instance, connection, scratch }: Opened): void {
  connection.closeSync()
  instance.closeSync()
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
}

export async function openQuestions({ paths, tables, views }: QuestionsOver): Promise<Questions> {
  const opened = await open()
  const { connection } = opened
  try {
    for (const table of tables) await fill(opened, table)
    for (const view of views) await connection.run(view)
    await connection.run(`SET allowed_paths = ${sqlList(paths)}`)
    await connection.run('SET enable_external_access = false')
    await connection.run('SET lock_configuration = true')
    return new Asking(opened)
  } catch (error) {
    end(opened)
    throw refusalOf(error)
  }
}

const sqlTypes = { int: 'BIGINT', double: 'DOUBLE', text: 'VARCHAR' } as const

async function fill({ connection }: Opened, { name, columns, rows }: SqlTable): Promise<void> {
  const named = columns.map(column => `"${column.name}" ${sqlTypes[column.type]}`)
  await connection.run(`CREATE TABLE "${name}" (${named.join(', ')})`)
  const appender = await connection.createAppender(name)
  for (const row of rows) {
    for (const [i, cell] of row.entries()) {
      if (cell === null) appender.appendNull()
      else if (columns[i]?.type === 'int') appender.appendBigInt(BigInt(cell))
      else if (columns[i]?.type === 'double') appender.appendDouble(Number(cell))
      else appender.appendVarchar(String(cell))
    }
    appender.endRow()
  }
  appender.closeSync()
}

/** What our own question comes to, as a Parquet file: the same bytes for the same rows. */
export async function copyParquet(sql: string, sink: Sink): Promise<void> {
  const opened = await open()
  const file = path.join(opened.scratch, 'answer.parquet')
  try {
    // One thread: rows keep their order.
    await opened.connection.run('SET threads = 1')
    await opened.connection.run(`COPY (${sql}) TO ${sqlText(file)} (FORMAT parquet, COMPRESSION zstd)`)
    pour(file, sink)
  } catch (error) {
    throw refusalOf(error)
  } finally {
    end(opened)
  }
}

function pour(file: string, sink: Sink): void {
  const fd = openSync(file, 'r')
  const piece = new Uint8Array(1 << 20)
  try {
    for (let n = readSync(fd, piece); n > 0; n = readSync(fd, piece)) sink.write(piece.subarray(0, n))
  } finally {
    closeSync(fd)
  }
}

class Asking implements Questions {
  readonly #opened: Opened
  /** A connection answers one question at a time. */
  #turn: Promise<unknown> = Promise.resolve()
  #closed = false
  /** Nobody asks any more. */
  #left = false
  #asking = 0

  constructor(opened: Opened) {
    this.#opened = opened
  }

  async ask(sql: string, signal?: AbortSignal): Promise<SqlAnswer> {
    let release = (): void => {}
    const before = this.#turn
    this.#turn = new Promise<void>(resolve => (release = resolve))
    this.#asking++
    const done = (): void => {
      signal?.removeEventListener('abort', interrupt)
      release()
      this.#asking--
      if ((this.#closed || this.#left) && this.#asking === 0) this.#end()
    }
    const interrupt = (): void => this.#opened.connection.interrupt()
    try {
      await before
      this.#check(signal)
      signal?.addEventListener('abort', interrupt)
      const result = await (await this.#prepared(sql)).stream()
      const columns = result
        .deduplicatedColumnNames()
        .map((name, i): SqlColumn => ({ name, ...typeOf(result.columnType(i)) }))
      return { columns, pieces: this.#pieces(result, columns, done, signal) }
    } catch (error) {
      done()
      if (signal?.aborted || this.#closed) throw new Cancelled()
      throw refusalOf(error)
    }
  }

  /** Only a single question: no copying out, no setting, no attaching. */
  async #prepared(sql: string): ReturnType<DuckDBConnection['prepare']> {
    const { api, connection } = this.#opened
    await this.#checkParsed(sql)
    const statements = await connection.extractStatements(sql)
    if (statements.count !== 1) throw new Refusal(problem('query-several', '', { count: statements.count }))
    const prepared = await statements.prepare(0)
    if (prepared.statementType === api.StatementType.SELECT) return prepared
    prepared.destroySync()
    throw new Refusal(problem('query-not-select', ''))
  }

  /** As the database itself reads it, before anything of it is done. */
  async #checkParsed(sql: string): Promise<void> {
    if (sql.includes('\0')) throw new Refusal(problem('query-not-select', ''))
    const reader = await this.#opened.connection.runAndReadAll(`SELECT json_serialize_sql(${sqlText(sql)})`)
    const parsed: unknown = JSON.parse(String(reader.getRows()[0]?.[0]))
    const { error_type: kind, error_message: said } = parsed as Readonly<Record<string, unknown>>
    if (kind === 'not implemented') throw new Refusal(problem('query-not-select', ''))
    if (kind !== undefined) throw new Refusal(problem('query-refused', '', { reason: String(said) }))
    for (const name of tableFunctions(parsed))
      if (!harmless.has(name)) throw new Refusal(problem('query-function', '', { name }))
  }

  async *#pieces(
    result: Awaited<ReturnType<DuckDBConnection['stream']>>,
    columns: readonly SqlColumn[],
    done: () => void,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly (readonly SqlCell[])[]> {
    try {
      for (;;) {
        this.#check(signal)
        const chunk = await result.fetchChunk()
        if (!chunk || chunk.rowCount === 0) return
        yield chunk.getColumns().map((values, i) => values.map(value => cellOf(value, columns[i]?.type)))
      }
    } catch (error) {
      if (signal?.aborted || this.#closed) throw new Cancelled()
      throw refusalOf(error)
    } finally {
      done()
    }
  }

  #check(signal: AbortSignal | undefined): void {
    if (this.#closed || signal?.aborted) throw new Cancelled()
  }

  close(gently = false): void {
    if (this.#closed) return
    this.#left = true
    this.#closed = !gently || this.#asking === 0
    if (this.#asking === 0) end(this.#opened)
    else if (!gently) this.#opened.connection.interrupt()
  }

  #end(): void {
    this.#closed = true
    end(this.#opened)
  }
}

/** Functions that may stand behind FROM. Of the others some read files, some change the database. */
const harmless: ReadonlySet<string> = new Set(['range', 'generate_series', 'unnest', 'repeat', 'repeat_row'])

/** Names of functions behind FROM, anywhere in what was parsed. */
function tableFunctions(parsed: unknown): readonly string[] {
  if (typeof parsed !== 'object' || parsed === null) return []
  const below = Object.values(parsed).flatMap(tableFunctions)
  if (!('type' in parsed && parsed.type === 'TABLE_FUNCTION' && 'function' in parsed)) return below
  const called = parsed.function
  const name =
    typeof called === 'object' && called !== null && 'function_name' in called ? called.function_name : ''
  return [String(name).toLowerCase(), ...below]
}

const whole = /^(?:U?(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT))$/
const fraction = /^(?:FLOAT|DOUBLE|DECIMAL.*)$/

function typeOf(type: DuckDBType): { readonly type: SqlType; readonly told: string } {
  const told = String(type)
  if (whole.test(told)) return { type: 'int', told }
  if (fraction.test(told)) return { type: 'double', told }
  return { type: told === 'BOOLEAN' ? 'boolean' : 'text', told }
}

function cellOf(value: unknown, type: SqlType | undefined): SqlCell {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return value
  return type === 'double' ? Number(String(value)) : String(value)
}

/** What the database says, as the one line that matters. */
function refusalOf(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof Cancelled || !(error instanceof Error)) return error
  const [said = ''] = error.message.split('\n')
  return new Refusal(problem('query-refused', '', { reason: said.replace(/^Failed to [\w ]+: /, '') }))
}
