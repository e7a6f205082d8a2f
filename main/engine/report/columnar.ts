// Tables as Arrow and Parquet files, written a batch of rows at a time. The schema is in docs/exports.md.
import { RecordBatchFileWriter } from 'apache-arrow'
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { Sink, SqlCell, SqlColumn } from '../io/index.ts'
import type { Job } from '../work/index.ts'
import { type ColumnInfo, Fill, Kind, rowStates, type Spelling } from '../model/index.ts'
import { type ArrowColumn, floatColumn, intColumn, recordBatch, textColumn } from '../view/index.ts'
import { IntValues, NumberValues, ParquetFile, type ParquetField, TextValues } from './parquet.ts'
import type { JudgedTable, Judgement } from './table.ts'

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

function batchOf(batch: Batch): BatchColumn[] {
  const { table, from, count } = batch
  const columns: BatchColumn[] = [
    { name: 'row', title: '', values: Int32Array.from({ length: count }, (_, i) => from + i) },
  ]
  for (const [c, info] of table.columns.entries()) {
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
  /** States that come while the rest is written. */
  readonly judged?: Promise<Judgement>
}

const groupRows = 32_768

export async function writeParquet(
  table: JudgedTable,
  sink: Sink,
  facts: FileFacts,
  job: Job,
  { more = () => [], left = new Set(), judged = Promise.resolve(table) }: Columns = {},
): Promise<void> {
  // Waited for behind the rest, which may fail before.
  judged.catch(() => {})
  const cells = [...table.columns.keys()].filter(c => !left.has(table.columns[c].id))
  const fields = fieldsOf(table, cells, more(0, Math.min(1, table.length)))
  const file = new ParquetFile(bytes => sink.write(bytes), fields, facts)
  const columns = new GroupColumns(file, fields, Math.max(1, Math.min(groupRows, table.length)))
  for (let from = 0; from < table.length; from += groupRows) {
    const rows = { table, from, end: Math.min(from + groupRows, table.length) }
    columns.group = file.group(rows.end - from)
    addKnown(columns, rows)
    for (const c of cells) {
      addCells(columns, rows, c)
      await job.breathe()
    }
    for (const column of more(from, rows.end - from)) addGiven(columns, column)
    await step(job, from, table.length)
  }
  const judgement = await judged
  for (let from = 0, group = 0; from < table.length; from += groupRows, group++) {
    columns.group = group
    addJudged(columns, judgement, from, Math.min(from + groupRows, table.length))
  }
  file.end()
}

const fieldsOf = (
  table: JudgedTable,
  cells: readonly number[],
  more: readonly BatchColumn[],
): readonly ParquetField[] => [
  { name: 'row', type: 'int', optional: false },
  ...cells.flatMap((c): ParquetField[] => {
    const { id, numeric } = table.columns[c]
    return numeric
      ? [
          { name: id, type: 'double', optional: true },
          { name: `${id}Text`, type: 'text', optional: true },
        ]
      : [{ name: id, type: 'text', optional: true }]
  }),
  { name: 'state', type: 'text', optional: true },
  { name: 'fill', type: 'text', optional: true },
  { name: 'level', type: 'double', optional: true },
  ...more.map(({ name, values, valid }): ParquetField =>
    values instanceof Int32Array
      ? { name, type: 'int', optional: valid !== undefined }
      : { name, type: values instanceof Float64Array ? 'double' : 'text', optional: true },
  ),
]

interface Collectors {
  readonly int: IntValues
  readonly double: NumberValues
  readonly text: TextValues
}

/** One collector of each type serves all columns of all groups. */
class GroupColumns {
  group = -1
  readonly #file: ParquetFile
  readonly #places: ReadonlyMap<string, number>
  readonly #values: Collectors

  constructor(file: ParquetFile, fields: readonly ParquetField[], room: number) {
    this.#file = file
    this.#places = new Map(fields.map(({ name }, i) => [name, i]))
    this.#values = { int: new IntValues(room), double: new NumberValues(room), text: new TextValues(room) }
  }

  add<K extends ParquetField['type']>(name: string, type: K, fill: (to: Collectors[K]) => void): void {
    const values: Collectors[K] = this.#values[type]
    values.begin()
    fill(values)
    this.#file.add(this.group, this.#places.get(name) ?? -1, values)
  }
}

interface TableRows {
  readonly table: JudgedTable
  readonly from: number
  readonly end: number
}

/** What no cell says, and is known from the beginning. */
function addKnown(columns: GroupColumns, { table, from, end }: TableRows): void {
  columns.add('row', 'int', to => {
    for (let row = from; row < end; row++) to.number(row)
  })
  columns.add('fill', 'text', to => {
    for (let row = from; row < end; row++) to.text(fills[table.fill?.[row] ?? Fill.none])
  })
}

function addJudged(columns: GroupColumns, { state, level }: Judgement, from: number, end: number): void {
  columns.add('state', 'text', to => {
    for (let row = from; row < end; row++) to.text(rowStates[state[row]])
  })
  columns.add('level', 'double', to => {
    for (let row = from; row < end; row++)
      if (Number.isNaN(level[row])) to.none()
      else to.number(level[row])
  })
}

function addCells(columns: GroupColumns, rows: TableRows, c: number): void {
  const { id, numeric } = rows.table.columns[c]
  if (!numeric) return columns.add(id, 'text', to => textsOf(rows, c, to))
  columns.add(id, 'double', to => numbersOf(rows, c, to))
  columns.add(`${id}Text`, 'text', to => textsBeside(rows, c, to))
}

function addGiven(columns: GroupColumns, { name, values, valid }: BatchColumn): void {
  const numbers =
    (given: Int32Array | Float64Array) =>
    (to: IntValues | NumberValues): void => {
      for (let i = 0; i < given.length; i++)
        if (valid?.[i] === 0) to.none()
        else to.number(given[i])
    }
  if (values instanceof Int32Array) columns.add(name, 'int', numbers(values))
  else if (values instanceof Float64Array) columns.add(name, 'double', numbers(values))
  else
    columns.add(name, 'text', to => {
      for (const text of values)
        if (text === null) to.none()
        else to.text(text)
    })
}

function textsOf({ table, from, end }: TableRows, c: number, to: TextValues): void {
  const spelling = table.spelling?.(c) ?? null
  for (let row = from; row < end; row++) if (!putSpelt(spelling, row, to)) to.text(table.text(row, c))
}

/** What a column spells in its own way; false where the cell says something else. */
function putSpelt(spelling: Spelling | null, row: number, to: TextValues): boolean {
  if (spelling === null) return false
  if (spelling.is === 'pool') {
    const code = spelling.code(row)
    if (code >= 0) to.code(spelling.texts, code)
    return code >= 0
  }
  const value = spelling.value(row)
  if (!Number.isFinite(value)) return false
  to.percent(value)
  return true
}

const isNumber = (kind: Kind): boolean => kind === Kind.float || kind === Kind.int || kind === Kind.bigint

function numbersOf({ table, from, end }: TableRows, c: number, to: NumberValues): void {
  for (let row = from; row < end; row++) {
    const kind = table.kind(row, c)
    if (!isNumber(kind)) to.none()
    else to.number(kind === Kind.bigint ? Number(table.text(row, c)) : table.number(row, c))
  }
}

/** What the cells of a mostly numeric column say where they are no numbers. */
function textsBeside({ table, from, end }: TableRows, c: number, to: TextValues): void {
  const spelling = table.spelling?.(c) ?? null
  for (let row = from; row < end; row++)
    if (isNumber(table.kind(row, c))) to.none()
    else if (!putSpelt(spelling, row, to)) to.text(table.text(row, c))
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

async function step(job: Job, done: number, total: number): Promise<void> {
  job.report({ what: 'job.writing', done, total, countedIn: 'rows' })
  // Lets the file take what was made: memory stays at a batch.
  await new Promise<void>(resolve => queueMicrotask(resolve))
  await job.breathe()
}
