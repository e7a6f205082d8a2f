// SQLite files: tables are read page by page without locks or side files, so that archives stay untouched;
// databases are written with SQLite itself.
import { mkdtempSync, readSync, openSync, closeSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { problem, Refusal } from '../model/index.ts'
import type { Files, Handle } from './files.ts'
import type { Sink } from './output.ts'

// ---------------------------------------- reading

/** One row; columns are found by their position in the table. */
export interface SqliteRow {
  readonly rowid: number
  isNull(column: number): boolean
  text(column: number): string
  bytes(column: number): Uint8Array
  /** How many bytes a text or blob has, without reading them. */
  sizeOf(column: number): number
  /** NaN for null and texts that are no numbers. */
  number(column: number): number
}

export interface SqliteTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Rows in the order of their row ids. */
  rows(): Generator<SqliteRow>
  /** The row with this id, or null. */
  row(rowid: number): SqliteRow | null
}

export interface SqliteFile {
  readonly tables: ReadonlyMap<string, SqliteTable>
  close(): void
}

const magic = 'SQLite format 3\0'
const pageLimit = 1 << 16
const deepestTree = 24
const blockBytes = 1 << 18
const keptBlocks = 64

const interior = 0x05
const leaf = 0x0d
/** Pages of tables without row ids; there inner pages hold rows too. */
const keyInterior = 0x02
const keyLeaf = 0x0a

/** Opens a database to read its tables; what a `-wal` file beside it adds is seen too. */
export function openSqlite(files: Files, file: string): SqliteFile {
  const pages = new Pages(files, file)
  try {
    const tables = new Map<string, SqliteTable>()
    for (const row of new Tree(pages, 1).rows()) {
      if (row.text(0) !== 'table') continue
      const name = row.text(1)
      const tree = new Tree(pages, row.number(3))
      const keyed = withoutRowids.test(row.text(4))
      tables.set(name, {
        name,
        columns: columnNames(row.text(4)),
        rows: () => tree.rows(),
        row: id => (keyed ? null : tree.find(id)),
      })
    }
    return { tables, close: () => pages.close() }
  } catch (error) {
    pages.close()
    throw error
  }
}

/** Such a table is an index by its primary key; its columns stand first in the key's order. */
const withoutRowids = /\bWITHOUT\s+ROWID\s*;?\s*$/i

/** Column names of a CREATE TABLE statement. */
function columnNames(sql: string): string[] {
  const inside = sql.slice(sql.indexOf('(') + 1, sql.lastIndexOf(')'))
  const names: string[] = []
  let depth = 0
  let word = ''
  for (const char of `${inside},`) {
    if (char === '(') depth++
    if (char === ')') depth--
    if (char === ',' && depth === 0) {
      const [name = ''] = word.trim().split(/[\s(]+/)
      if (!/^(?:primary|unique|check|foreign|constraint)$/i.test(name))
        names.push(name.replace(/^["'`[]|["'`\]]$/g, ''))
      word = ''
    } else word += char
  }
  return names
}

/** Pages of the file, those of the log before those of the file itself. */
class Pages {
  readonly size: number
  readonly usable: number
  readonly file: string
  readonly #handle: Handle
  readonly #log: Handle | null
  readonly #inLog: ReadonlyMap<number, number>
  readonly #blocks = new Map<number, Uint8Array>()
  readonly count: number

  constructor(files: Files, file: string) {
    this.file = file
    this.#handle = files.open(file)
    const head = new Uint8Array(100)
    const read = this.#handle.read(0, head)
    if (read < 100 || new TextDecoder().decode(head.subarray(0, 16)) !== magic) {
      this.#handle.close()
      throw new Refusal(problem('vis-db-invalid', file, { reason: 'header' }))
    }
    const size = (head[16] << 8) | head[17]
    this.size = size === 1 ? pageLimit : size
    this.usable = this.size - head[20]
    const utf8 = head[59] === 1 || head[59] === 0
    if (this.size < 512 || (this.size & (this.size - 1)) !== 0 || this.usable < 480 || !utf8) {
      this.#handle.close()
      throw new Refusal(problem('vis-db-invalid', file, { reason: utf8 ? 'page size' : 'encoding' }))
    }
    const log = files.stat(`${file}-wal`)?.size ? files.open(`${file}-wal`) : null
    this.#inLog = log ? committedPages(log, this.size) : new Map()
    this.#log = this.#inLog.size > 0 ? log : null
    if (!this.#log) log?.close()
    this.count = Math.max(Math.floor(this.#handle.size / this.size), ...this.#inLog.keys())
  }

  /** A page, counted from 1. */
  page(number: number): Uint8Array {
    if (!(number >= 1 && number <= this.count)) throw this.broken('page')
    const logged = this.#inLog.get(number)
    if (logged !== undefined && this.#log) {
      const bytes = new Uint8Array(this.size)
      this.#log.read(logged, bytes)
      return bytes
    }
    const from = (number - 1) * this.size
    const block = Math.floor(from / blockBytes)
    let bytes = this.#blocks.get(block)
    if (bytes) this.#blocks.delete(block)
    else {
      bytes = new Uint8Array(blockBytes)
      bytes = bytes.subarray(0, this.#handle.read(block * blockBytes, bytes))
      const [oldest] = this.#blocks.keys()
      if (this.#blocks.size >= keptBlocks && oldest !== undefined) this.#blocks.delete(oldest)
    }
    this.#blocks.set(block, bytes)
    const at = from - block * blockBytes
    if (at + this.size > bytes.length) throw this.broken('end')
    return bytes.subarray(at, at + this.size)
  }

  broken(reason: string): Refusal {
    return new Refusal(problem('vis-db-invalid', this.file, { reason }))
  }

  close(): void {
    this.#handle.close()
    this.#log?.close()
  }
}

/** Places of the latest committed pages in a write-ahead log. */
function committedPages(log: Handle, pageSize: number): ReadonlyMap<number, number> {
  const head = new Uint8Array(32)
  const committed = new Map<number, number>()
  if (log.read(0, head) < 32) return committed
  const view = new DataView(head.buffer)
  if ((view.getUint32(0) & ~1) !== 0x377f0682 || view.getUint32(8) !== pageSize) return committed
  const frame = new Uint8Array(24)
  const fields = new DataView(frame.buffer)
  const waiting = new Map<number, number>()
  for (let at = 32; at + 24 + pageSize <= log.size; at += 24 + pageSize) {
    if (
      log.read(at, frame) < 24 ||
      fields.getUint32(8) !== view.getUint32(16) ||
      fields.getUint32(12) !== view.getUint32(20)
    )
      break
    waiting.set(fields.getUint32(0), at + 24)
    if (fields.getUint32(4) === 0) continue
    for (const [page, place] of waiting) committed.set(page, place)
    waiting.clear()
  }
  return committed
}

const kinds = new Set([interior, leaf, keyInterior, keyLeaf])

/** The tree of one table. */
class Tree {
  readonly #pages: Pages
  readonly #root: number

  constructor(pages: Pages, root: number) {
    this.#pages = pages
    this.#root = root
  }

  *rows(): Generator<SqliteRow> {
    yield* this.#walk(this.#root, 0, { left: this.#pages.count })
  }

  *#walk(number: number, depth: number, budget: { left: number }): Generator<SqliteRow> {
    if (depth > deepestTree || budget.left-- <= 0) throw this.#pages.broken('tree')
    const page = this.#open(number)
    if (page.kind === leaf || page.kind === keyLeaf) {
      for (let cell = 0; cell < page.cells; cell++) yield this.#row(page, cell)
      return
    }
    for (let cell = 0; cell < page.cells; cell++) {
      yield* this.#walk(page.view.getUint32(this.#cellAt(page, cell)), depth + 1, budget)
      if (page.kind === keyInterior) yield this.#row(page, cell)
    }
    yield* this.#walk(page.view.getUint32(page.head + 8), depth + 1, budget)
  }

  find(rowid: number): SqliteRow | null {
    let number = this.#root
    for (let depth = 0; depth <= deepestTree; depth++) {
      const page = this.#open(number)
      let low = 0
      let high = page.cells
      const keyAt = (cell: number): number => {
        const at = this.#cellAt(page, cell)
        return page.kind === leaf
          ? varint(page.bytes, at + varint(page.bytes, at).length).value
          : varint(page.bytes, at + 4).value
      }
      while (low < high) {
        const middle = (low + high) >> 1
        if (keyAt(middle) < rowid) low = middle + 1
        else high = middle
      }
      if (page.kind === leaf) return low < page.cells && keyAt(low) === rowid ? this.#row(page, low) : null
      number =
        low < page.cells ? page.view.getUint32(this.#cellAt(page, low)) : page.view.getUint32(page.head + 8)
    }
    throw this.#pages.broken('tree')
  }

  #open(number: number): OpenPage {
    const bytes = this.#pages.page(number)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const head = number === 1 ? 100 : 0
    const kind = bytes[head]
    const cells = view.getUint16(head + 3)
    const list = head + (kind === interior || kind === keyInterior ? 12 : 8)
    if (!kinds.has(kind) || list + cells * 2 > this.#pages.usable) throw this.#pages.broken('page kind')
    return { bytes, view, head, kind, cells, list }
  }

  #cellAt(page: OpenPage, cell: number): number {
    const at = page.view.getUint16(page.list + cell * 2)
    if (at < page.list || at + 4 > this.#pages.usable) throw this.#pages.broken('cell')
    return at
  }

  #row(page: OpenPage, cell: number): SqliteRow {
    const at = this.#cellAt(page, cell) + (page.kind === keyInterior ? 4 : 0)
    const size = varint(page.bytes, at)
    // A chain of pages that loops ends with what the record claims: never more than the file could hold.
    if (!(size.value <= this.#pages.count * this.#pages.size)) throw this.#pages.broken('payload')
    const from = at + size.length
    if (page.kind !== leaf) return new Row(this.#pages, page.bytes, { from, size: size.value, rowid: null })
    const rowid = varint(page.bytes, from)
    return new Row(this.#pages, page.bytes, {
      from: from + rowid.length,
      size: size.value,
      rowid: rowid.value,
    })
  }
}

interface OpenPage {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly head: number
  readonly kind: number
  readonly cells: number
  readonly list: number
}

/** Big-endian groups of seven bits; beyond 2^53 the value is no longer exact, and no file needs that. */
function varint(bytes: Uint8Array, at: number): { readonly value: number; readonly length: number } {
  let value = 0
  for (let i = 0; i < 8; i++) {
    const byte = bytes[at + i] ?? 0
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, length: i + 1 }
  }
  return { value: value * 256 + (bytes[at + 8] ?? 0), length: 9 }
}

class Row implements SqliteRow {
  readonly rowid: number
  readonly #pages: Pages
  readonly #page: Uint8Array
  readonly #from: number
  readonly #size: number
  readonly #local: number
  #types: number[] = []
  #offsets: number[] = []
  #whole: Uint8Array | null = null

  /** `rowid`: null in a table without them, of whose rows a page holds less. */
  constructor(
    pages: Pages,
    page: Uint8Array,
    { from, size, rowid }: { readonly from: number; readonly size: number; readonly rowid: number | null },
  ) {
    this.#pages = pages
    this.#page = page
    this.#from = from
    this.#size = size
    this.rowid = rowid ?? NaN
    const { usable } = pages
    const least = Math.floor(((usable - 12) * 32) / 255) - 23
    const kept = least + ((size - least) % (usable - 4))
    const most = rowid === null ? Math.floor(((usable - 12) * 64) / 255) - 23 : usable - 35
    if (size <= most) this.#local = size
    else this.#local = kept <= most ? kept : least
    if (from + this.#local > page.length) throw pages.broken('cell')
    this.#readHeader()
  }

  #readHeader(): void {
    const bytes = this.#part(0, Math.min(this.#size, this.#local))
    const head = varint(bytes, 0)
    if (head.value > this.#size) throw this.#pages.broken('record')
    const header = this.#part(0, head.value)
    let offset = head.value
    for (let at = head.length; at < head.value;) {
      const type = varint(header, at)
      at += type.length
      this.#types.push(type.value)
      this.#offsets.push(offset)
      offset += sizeOfType(type.value)
    }
    if (offset > this.#size) throw this.#pages.broken('record')
  }

  /** Bytes of the payload; only what lies beyond the page is gathered from other pages. */
  #part(from: number, to: number): Uint8Array {
    if (to <= this.#local) return this.#page.subarray(this.#from + from, this.#from + to)
    this.#whole ??= this.#gather()
    return this.#whole.subarray(from, to)
  }

  #gather(): Uint8Array {
    const whole = new Uint8Array(this.#size)
    whole.set(this.#page.subarray(this.#from, this.#from + this.#local))
    let next = uint32(this.#page, this.#from + this.#local)
    for (let done = this.#local; done < this.#size;) {
      const page = this.#pages.page(next)
      const part = page.subarray(4, Math.min(this.#pages.usable, 4 + this.#size - done))
      whole.set(part, done)
      done += part.length
      next = uint32(page, 0)
    }
    return whole
  }

  isNull(column: number): boolean {
    return (this.#types[column] ?? 0) === 0
  }

  sizeOf(column: number): number {
    return sizeOfType(this.#types[column] ?? 0)
  }

  bytes(column: number): Uint8Array {
    const type = this.#types[column] ?? 0
    const from = this.#offsets[column] ?? 0
    return this.#part(from, from + sizeOfType(type))
  }

  text(column: number): string {
    const type = this.#types[column] ?? 0
    return type >= 13
      ? new TextDecoder().decode(this.bytes(column))
      : type === 0
        ? ''
        : String(this.number(column))
  }

  number(column: number): number {
    const type = this.#types[column] ?? 0
    // Ten and eleven are kept for SQLite's own use: no file has them.
    if (type === 0 || type === 10 || type === 11) return NaN
    if (type === 8 || type === 9) return type - 8
    if (type >= 12) return type % 2 === 1 ? Number(this.text(column) || NaN) : NaN
    const bytes = this.bytes(column)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    if (type === 7) return view.getFloat64(0)
    let value = view.getInt8(0)
    for (let i = 1; i < bytes.length; i++) value = value * 256 + bytes[i]
    return value
  }
}

const uint32 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
const fixedSizes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0]
const sizeOfType = (type: number): number => (type < 12 ? fixedSizes[type] : Math.floor((type - 12) / 2))

// ---------------------------------------- writing

export type SqliteValue = string | number | null

interface SqliteWriter {
  exec(sql: string): void
  /** Inserts rows into a table, one call each. */
  inserter(table: string, columns: number): (values: readonly SqliteValue[]) => void
  /** Hands the finished file to the sink. */
  finish(sink: Sink): void
  abandon(): void
}

/** A new database, made in the system's temp folder and handed on as a whole. */
export function createSqlite(): SqliteWriter {
  const folder = orRefused(tmpdir(), () => mkdtempSync(path.join(tmpdir(), 'plumbline-db-')))
  const file = path.join(folder, 'new.db')
  const clean = (): void => rmSync(folder, { recursive: true, force: true })
  const statements: sqlite.Statement[] = []
  const database = orRefused(folder, () => opened(file, clean))
  const close = (): void => {
    for (const statement of statements.splice(0)) statement.finalize()
    if (database.isOpen) database.close()
  }
  const exec = (sql: string): void => orRefused(folder, () => database.exec(sql))
  exec(
    'PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE',
  )
  exec('BEGIN')
  return {
    exec,
    inserter(table, columns) {
      const places = Array.from({ length: columns }, () => '?').join(', ')
      const statement = orRefused(folder, () =>
        database.prepare(`INSERT OR IGNORE INTO ${table} VALUES (${places})`),
      )
      statements.push(statement)
      return values => orRefused(folder, () => void statement.run([...values]))
    },
    finish(sink) {
      try {
        exec('COMMIT')
        orRefused(folder, close)
        copy(file, sink)
      } finally {
        clean()
      }
    },
    abandon() {
      try {
        close()
      } catch (error) {
        // What failed while it was written fails again when it is closed.
        if (!(error instanceof sqlite.SQLite3Error)) throw error
      } finally {
        clean()
      }
    },
  }
}

function opened(file: string, clean: () => void): sqlite.Database {
  try {
    return new sqlite.Database(file)
  } catch (error) {
    clean()
    throw error
  }
}

/** A full disk, mostly: SQLite says no more than that it could not write. */
function orRefused<T>(folder: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const ofSystem = error instanceof Error && 'code' in error
    if (!(error instanceof sqlite.SQLite3Error || ofSystem)) throw error
    const reason = ofSystem ? String(error.code) : error.message
    throw new Refusal(problem('output-not-writable', folder, { reason }))
  }
}

function copy(file: string, sink: Sink): void {
  const fd = openSync(file, 'r')
  try {
    const bytes = new Uint8Array(4 << 20)
    for (let n = readSync(fd, bytes); n > 0; n = readSync(fd, bytes)) sink.write(bytes.subarray(0, n))
  } finally {
    closeSync(fd)
  }
}
