// A dump as it lies in the cache: one Arrow IPC stream per column, side by side, then a directory in JSON, its
// length and a mark.
import { makeTable, RecordBatchStreamWriter, tableFromIPC } from 'apache-arrow'
import type { Dump } from '../../model/index.ts'
import type { Cache } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import { unpackDump, type PackedColumn, type PackedDump } from '../dump-pack.ts'

const mark = 0x50_4c_42_31
/** Arrow wants its buffers on such borders. */
const border = 64

interface Section {
  readonly name: string
  readonly at: number
  readonly bytes: number
  readonly rows: number
  readonly type: keyof typeof columnTypes
  readonly check: number
}

interface Directory {
  readonly key: string
  readonly facts: PackedDump['facts']
  readonly sections: readonly Section[]
}

export async function* partsOf(
  { facts, columns }: PackedDump,
  key: string,
  job: Job,
): AsyncGenerator<Uint8Array> {
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
    sections.push({
      name,
      at: from,
      bytes: at - from,
      rows: column.length,
      type: typeOf(column),
      check: checkOf(column),
    })
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
export function storedDump(cache: Cache, key: string): Dump | null {
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
  const columns = Object.fromEntries(
    sections.map(({ name, at, bytes: size, rows, type, check }): [string, PackedColumn] => {
      if (rows === 0) return [name, new columnTypes[type](0)]
      const values = tableFromIPC(bytes.subarray(at, at + size)).getChildAt(0)?.data[0]
        ?.values as PackedColumn
      const column = values.subarray(0, rows)
      if (column.length !== rows || checkOf(column) !== check) throw new RangeError('a damaged column')
      return [name, column]
    }),
  )
  return { facts, columns }
}

/** What the directory calls the types of columns: Arrow streams of nothing do not tell. */
const columnTypes = {
  bytes: Uint8Array,
  ints: Int32Array,
  codes: Uint32Array,
  numbers: Float64Array,
} as const satisfies Record<string, new (length: number) => PackedColumn>

const typeOf = (column: PackedColumn): Section['type'] => {
  if (column instanceof Uint8Array) return 'bytes'
  if (column instanceof Int32Array) return 'ints'
  return column instanceof Uint32Array ? 'codes' : 'numbers'
}

/**
 * A sum over 32-bit words that notices flipped and missing bytes; four lanes, because one would wait for
 * itself.
 */
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
  for (const byte of new Uint8Array(buffer, byteOffset + words.byteLength, byteLength - words.byteLength))
    a = Math.imul(a ^ byte, 0x01000193)
  return (a ^ Math.imul(b, 3) ^ Math.imul(c, 5) ^ Math.imul(d, 7)) >>> 0
}
