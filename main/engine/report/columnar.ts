// Tables as Arrow and Parquet files, written a batch of rows at a time. The schema is in docs/exports.md.
import { RecordBatchFileWriter } from 'apache-arrow'
import { ByteWriter, ParquetWriter, type ColumnSource, type SchemaElement } from 'hyparquet-writer'
import type { Sink, SqlCell, SqlColumn } from '../io/index.ts'
import type { Job } from '../work/index.ts'
import { type ColumnInfo, Fill, Kind, rowStates } from '../model/index.ts'
import { type ArrowColumn, floatColumn, intColumn, recordBatch, textColumn } from '../view/index.ts'
import type { JudgedTable } from './table.ts'

const batchRows = 16_384
const fills = ['', 'yellow', 'red']

/** Facts that travel in the file's metadata: rules, versions, command line. */
export type FileFacts = Readonly<Record<string, string>>

export async function writeArrow(table: JudgedTable, sink: Sink, facts: FileFacts, job: Job): Promise<void> {
  const writer = new RecordBatchFileWriter()
  let refused: unknown = null
  const pump = (async () => {
    for await (const bytes of writer) sink.write(bytes)
  })().catch((error: unknown) => {
    refused = error
  })
  const metadata = new Map(Object.entries(facts))
  try {
    for (let from = 0; from === 0 || from < table.length; from += batchRows) {
      const count = Math.min(batchRows, table.length - from)
      writer.write(recordBatch(arrowColumns(batchOf({ table, from, count }), count), count, metadata))
      await step(job, from, table.length)
    }
    writer.close()
  } catch (error) {
    // A writer whose bytes nobody takes any more complains of that: what the sink said comes first.
    if (refused === null) endOf(writer)
    await pump
    throw refused ?? error
  }
  await pump
  if (refused !== null) throw refused
}

function endOf(writer: RecordBatchFileWriter): void {
  try {
    writer.close()
  } catch {
    // It is closed already.
  }
}

/** One column of a batch, ready for either format. */
export interface BatchColumn {
  readonly name: string
  readonly title: string
  readonly values: Int32Array | Float64Array | readonly (string | null)[]
  /** For numbers: which are there. */
  readonly valid?: Uint8Array
}

/** So many rows of a table from one on. */
interface Batch {
  readonly table: JudgedTable
  readonly from: number
  readonly count: number
}

function batchOf(batch: Batch, left: ReadonlySet<string> = new Set()): BatchColumn[] {
  const { table, from, count } = batch
  const columns: BatchColumn[] = [
    { name: 'row', title: '', values: Int32Array.from({ length: count }, (_, i) => from + i) },
  ]
  for (const [c, info] of table.columns.entries()) {
    if (left.has(info.id)) continue
    if (info.numeric) columns.push(...numbers(batch, c, info))
    else {
      const values = Array.from({ length: count }, (_, i) => table.text(from + i, c))
      columns.push({ name: info.id, title: info.title, values })
    }
  }
  const level = table.level.slice(from, from + count)
  columns.push(
    {
      name: 'state',
      title: '',
      values: Array.from({ length: count }, (_, i) => rowStates[table.state[from + i]]),
    },
    {
      name: 'fill',
      title: '',
      values: Array.from({ length: count }, (_, i) => fills[table.fill?.[from + i] ?? Fill.none]),
    },
    {
      name: 'level',
      title: '',
      values: level,
      valid: Uint8Array.from(level, value => (Number.isNaN(value) ? 0 : 1)),
    },
  )
  return columns
}

/** A mostly numeric column becomes two: the numbers, and the texts of the cells that are none. */
function numbers({ table, from, count }: Batch, c: number, { id, title }: ColumnInfo): BatchColumn[] {
  const values = new Float64Array(count)
  const valid = new Uint8Array(count)
  const texts: (string | null)[] = []
  for (let i = 0; i < count; i++) {
    const kind = table.kind(from + i, c)
    const isNumber = kind === Kind.float || kind === Kind.int || kind === Kind.bigint
    const text = isNumber && kind !== Kind.bigint ? null : table.text(from + i, c)
    values[i] = NaN
    if (isNumber) values[i] = text === null ? table.number(from + i, c) : Number(text)
    valid[i] = isNumber ? 1 : 0
    texts.push(isNumber ? null : text)
  }
  return [
    { name: id, title, values, valid },
    { name: `${id}Text`, title, values: texts },
  ]
}

const arrowColumns = (columns: readonly BatchColumn[], count: number): ArrowColumn[] =>
  columns.map(({ name, title, values, valid }) => {
    const metadata = title ? new Map([['title', title]]) : undefined
    if (values instanceof Int32Array) return intColumn(name, values)
    if (values instanceof Float64Array)
      return floatColumn(name, values, valid && (i => valid[i] === 1), metadata)
    return textColumn(name, count, i => values[i], metadata)
  })

/** Columns of ours behind those of a table: so many rows from one on. */
export type MoreColumns = (from: number, count: number) => readonly BatchColumn[]

export interface Columns {
  readonly more?: MoreColumns
  /** Ids of those that are left out. */
  readonly left?: ReadonlySet<string>
}

export async function writeParquet(
  table: JudgedTable,
  sink: Sink,
  facts: FileFacts,
  job: Job,
  { more = () => [], left = new Set() }: Columns = {},
): Promise<void> {
  const schema: SchemaElement[] = [{ name: 'root', num_children: 0 }]
  const writer = new ParquetWriter({
    writer: bytesTo(bytes => sink.write(bytes)),
    schema,
    kvMetadata: Object.entries(facts).map(([key, value]) => ({ key, value })),
    createdBy: 'plumbline',
  })
  for (let from = 0; from === 0 || from < table.length; from += batchRows) {
    const count = Math.min(batchRows, table.length - from)
    const columns = [...batchOf({ table, from, count }, left), ...more(from, count)]
    if (schema.length === 1)
      schema.splice(0, 1, { name: 'root', num_children: columns.length }, ...columns.map(element))
    if (count > 0) await writer.write({ columnData: columns.map(source), rowGroupSize: batchRows })
    await step(job, from, table.length)
  }
  await writer.finish()
}

/** Memory stays at what was written since the last flush. */
function bytesTo(write: (bytes: Uint8Array) => void): ByteWriter {
  const bytes = new ByteWriter(1 << 20)
  return Object.assign(bytes, {
    flush() {
      write(bytes.getBytes())
      bytes.index = 0
    },
    finish() {
      write(bytes.getBytes())
    },
  })
}

const answerElement: Readonly<Record<SqlColumn['type'], Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  int: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
}

/** Takes an answer piece by piece; whole numbers beyond 64 bits become null. */
export function answerParquet(
  columns: readonly SqlColumn[],
  write: (bytes: Uint8Array) => void,
): { add(piece: readonly (readonly SqlCell[])[]): Promise<void>; end(): Promise<void> } {
  const writer = new ParquetWriter({
    writer: bytesTo(write),
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type }): SchemaElement => ({
        name,
        ...answerElement[type],
        repetition_type: 'OPTIONAL',
      })),
    ],
    createdBy: 'plumbline',
  })
  const wide = (cell: SqlCell): bigint | null => (cell === null ? null : BigInt.asIntN(64, BigInt(cell)))
  let held: SqlCell[][] = columns.map(() => [])
  const put = async (): Promise<void> => {
    const rows = held[0]?.length ?? 0
    if (rows === 0) return
    const columnData = columns.map(({ name, type }, i) => ({
      name,
      data: type === 'int' ? held[i].map(wide) : held[i],
    }))
    held = columns.map(() => [])
    await writer.write({ columnData, rowGroupSize: rows })
  }
  return {
    async add(piece) {
      for (const [i, values] of piece.entries()) for (const cell of values) held[i].push(cell)
      if ((held[0]?.length ?? 0) >= batchRows) await put()
    },
    async end() {
      await put()
      await writer.finish()
    },
  }
}

function element({ name, values, valid }: BatchColumn): SchemaElement {
  if (values instanceof Int32Array)
    return { name, type: 'INT32', repetition_type: valid ? 'OPTIONAL' : 'REQUIRED' }
  if (values instanceof Float64Array) return { name, type: 'DOUBLE', repetition_type: 'OPTIONAL' }
  return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }
}

function source({ name, values, valid }: BatchColumn): ColumnSource {
  if (values instanceof Int32Array && !valid) return { name, data: values }
  if (values instanceof Float64Array || values instanceof Int32Array)
    return { name, data: Array.from(values, (value, i) => (valid?.[i] === 0 ? null : value)) }
  return { name, data: [...values] }
}

async function step(job: Job, done: number, total: number): Promise<void> {
  job.report({ what: 'job.writing', done, total, countedIn: 'rows' })
  // Lets the file take what was made: memory stays at a batch.
  await new Promise<void>(resolve => queueMicrotask(resolve))
  await job.breathe()
}
