// Opens a dump from the cache when it was opened before and has not changed since, and follows one that is still being written.
// A cached dump is one Arrow IPC stream per column, side by side, then a directory in JSON, its length and a mark.
import { makeTable, RecordBatchStreamWriter, tableFromIPC } from 'apache-arrow'
import type { Dump, DumpFiles } from '../dump.ts'
import { diskCache, type Cache } from '../io/cache.ts'
import type { Files } from '../io/files.ts'
import type { Job } from '../job.ts'
import { problem } from '../problem.ts'
import { packDump, unpackDump, type PackedColumn, type PackedDump } from './dump-pack.ts'
import { readDump } from './msprobe.ts'

export interface OpenOptions {
  /** Folder of the cache; '' or absent for none. */
  readonly cacheDir?: string
  /** Bytes that the cache may hold. */
  readonly cacheLimit?: number
  /** Smaller dumps are not kept: they are read as fast. */
  readonly cacheFrom?: number
  /** Gets what is there so far, at most ten times a second; not called when the dump comes from the cache. */
  readonly grown?: (dump: Dump) => void
}

/** Rises with every change of what a cached dump holds or means. */
const version = 1
const mark = 0x50_4c_42_31
/** Arrow wants its buffers on such borders. */
const border = 64

/** Reads a dump, from the cache if it can. A dump that changes while it is read is partial and is not kept. */
export async function openDump(files: Files, where: DumpFiles, job: Job, { cacheDir = '', cacheLimit, cacheFrom = 1 << 20, grown }: OpenOptions = {}): Promise<Dump> {
  const key = stampOf(files, where)
  const cache = cacheDir !== '' && sizeOf(files, where) >= cacheFrom ? diskCache(cacheDir, cacheLimit) : null
  const kept = cache && fromCache(cache, key)
  if (kept) {
    job.report({ what: 'job.reading', done: sizeOf(files, where), total: sizeOf(files, where), unit: 'bytes' })
    return remember(kept, key)
  }
  const dump = await readDump(files, where, job, grown)
  if (stampOf(files, where) !== key) return remember({ ...dump, partial: true, problems: [...dump.problems, problem('growing', where.dump, {}, 'note')] }, key)
  const packed = cache && !dump.partial ? packDump(dump) : null
  if (packed) await cache?.write(key, partsOf(packed, key, job))
  return remember(dump, key)
}

/**
 * The dump as its files are now: the same object when they have not changed. msprobe writes dump.json anew from its first byte each time,
 * so that what was read before tells nothing about what is there now: it is read again.
 */
export function followDump(files: Files, dump: Dump, job: Job, options: OpenOptions = {}): Promise<Dump> {
  if (stamps.get(dump) === stampOf(files, dump.files)) return Promise.resolve(dump)
  return openDump(files, dump.files, job, options)
}

const stamps = new WeakMap<Dump, string>()
const remember = (dump: Dump, stamp: string): Dump => {
  stamps.set(dump, stamp)
  return dump
}

/** Paths, sizes and times of the files that make a dump. */
const stampOf = (files: Files, where: DumpFiles): string => JSON.stringify([version, where, ...[where.dump, where.stack, where.construct].map(file => {
  const at = file ? files.stat(file) : null
  return [file, at?.size ?? -1, at?.modified ?? 0]
})])

const sizeOf = (files: Files, where: DumpFiles): number => [where.dump, where.stack, where.construct].reduce((sum, file) => sum + (file ? (files.stat(file)?.size ?? 0) : 0), 0)

interface Section { readonly name: string; readonly at: number; readonly bytes: number; readonly rows: number; readonly check: number }

interface Directory {
  readonly key: string
  readonly facts: PackedDump['facts']
  readonly sections: readonly Section[]
}

async function* partsOf({ facts, columns }: PackedDump, key: string, job: Job): AsyncGenerator<Uint8Array> {
  const sections: Section[] = []
  let at = 0
  for (const [name, column] of Object.entries(columns)) {
    const from = at
    if (column.length > 0) {
      const writer = new RecordBatchStreamWriter()
      for (const batch of makeTable({ [name]: column as Float64Array }).batches) writer.write(batch)
      writer.close()
      // The writer hands out the column's own memory: nothing is copied.
      for await (const part of writer) {
        at += part.length
        yield part
      }
    }
    sections.push({ name, at: from, bytes: at - from, rows: column.length, check: checkOf(column) })
    const padding = new Uint8Array(-at & (border - 1))
    at += padding.length
    yield padding
    await job.breathe()
  }
  const directory: Directory = { key, facts, sections }
  const text = new TextEncoder().encode(JSON.stringify(directory))
  yield text
  yield new Uint8Array(Uint32Array.of(text.length, checkOf(text), mark).buffer)
}

/** Null when there is none, or none that can be used; that one is dropped. */
function fromCache(cache: Cache, key: string): Dump | null {
  const bytes = cache.read(key)
  if (!bytes) return null
  try {
    return unpackDump(unpacked(bytes, key))
  } catch {
    // Cut, damaged, or written by another version: the dump itself is read.
    cache.drop(key)
    return null
  }
}

function unpacked(bytes: Uint8Array<ArrayBuffer>, key: string): PackedDump {
  const [length = 0, textCheck = 0, found = 0] = new Uint32Array(bytes.slice(-12).buffer)
  const text = bytes.slice(bytes.length - 12 - length, bytes.length - 12)
  if (found !== mark || checkOf(text) !== textCheck) throw new RangeError('no cached dump')
  const { key: written, facts, sections } = JSON.parse(new TextDecoder().decode(text)) as Directory
  if (written !== key) throw new RangeError('another dump')
  const columns = Object.fromEntries(sections.map(({ name, at, bytes: size, rows, check }): [string, PackedColumn] => {
    if (rows === 0) return [name, emptyOf(name)]
    const values = tableFromIPC(bytes.subarray(at, at + size)).getChildAt(0)?.data[0]?.values as PackedColumn
    const column = values.subarray(0, rows)
    if (column.length !== rows || checkOf(column) !== check) throw new RangeError('a damaged column')
    return [name, column]
  }))
  return { facts, columns }
}

/** Arrow streams of nothing do not tell the type of their values. */
const emptyOf = (name: string): PackedColumn =>
  /kind|state|requiresGrad|tensor|heap|flags/.test(name) ? new Uint8Array(0) : /value|from|\.to$|offsets/.test(name) ? new Float64Array(0)
    : /\.(?:op|name|first|frames|ends|child)$/.test(name) ? new Uint32Array(0) : new Int32Array(0)

/** A sum over 32-bit words that notices flipped and missing bytes; four lanes, because one would wait for itself. */
function checkOf({ buffer, byteOffset, byteLength }: PackedColumn): number {
  let a = byteLength
  let b = 0x9e3779b9
  let c = 0x85ebca6b
  let d = 0xc2b2ae35
  const words = new Uint32Array(buffer, byteOffset, (byteLength >> 4) * 4)
  for (let i = 0; i < words.length; i += 4) {
    a = Math.imul(a ^ words[i], 0x01000193)
    b = Math.imul(b ^ words[i + 1], 0x01000193)
    c = Math.imul(c ^ words[i + 2], 0x01000193)
    d = Math.imul(d ^ words[i + 3], 0x01000193)
  }
  for (const byte of new Uint8Array(buffer, byteOffset + words.byteLength, byteLength - words.byteLength)) a = Math.imul(a ^ byte, 0x01000193)
  return (a ^ Math.imul(b, 3) ^ Math.imul(c, 5) ^ Math.imul(d, 7)) >>> 0
}
