// Parquet files, a group of rows at a time. Cells go into a column as what they are, codes of texts among them, and
// become bytes only once: a text that a group holds often stands in the group's dictionary.
// Columns of a group may come late: where each stands in the file is said at its end.
import type { ColumnChunk, Encoding, SchemaElement } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'
import type { TextPool } from '../model/index.ts'
import { RowBytes } from './row-bytes.ts'
import { Snappy } from './snappy.ts'

export interface ParquetField {
  readonly name: string
  readonly type: 'int' | 'double' | 'text'
  /** Whether rows may lack it. */
  readonly optional: boolean
}

/** What a group of rows holds of a column. */
interface Chunk {
  readonly dictionary: Uint8Array | null
  readonly distinct: number
  readonly encoding: Encoding
  readonly values: Uint8Array
  readonly present: number
  readonly smallest?: number
  readonly largest?: number
}

interface Group {
  readonly rows: number
  readonly chunks: (ColumnChunk | null)[]
}

export class ParquetFile {
  readonly #write: (bytes: Uint8Array) => void
  readonly #fields: readonly ParquetField[]
  readonly #facts: Readonly<Record<string, string>>
  readonly #groups: Group[] = []
  readonly #snappy = new Snappy()
  readonly #levels = new Bytes(1 << 10)
  #at = 0

  constructor(
    write: (bytes: Uint8Array) => void,
    fields: readonly ParquetField[],
    facts: Readonly<Record<string, string>>,
  ) {
    this.#write = write
    this.#fields = fields
    this.#facts = facts
    this.#put(magic)
  }

  /** Begins a group of rows; returns its number. */
  group(rows: number): number {
    return this.#groups.push({ rows, chunks: this.#fields.map(() => null) }) - 1
  }

  /** Puts down a column of a group. */
  add(group: number, field: number, values: Values): void {
    const { rows, chunks } = this.#groups[group]
    const chunk = values.end()
    const start = this.#at
    let plainBytes = 0
    let dictionaryAt: bigint | undefined
    if (chunk.dictionary) {
      dictionaryAt = BigInt(start)
      plainBytes += this.#page([], chunk.dictionary, (uncompressed, compressed) => ({
        type: 'DICTIONARY_PAGE',
        uncompressed_page_size: uncompressed,
        compressed_page_size: compressed,
        dictionary_page_header: { num_values: chunk.distinct, encoding: 'PLAIN' },
      }))
    }
    const dataAt = this.#at
    const { name, type, optional } = this.#fields[field]
    const levels = optional ? this.#levelsOf(values, rows, chunk.present) : nothing
    plainBytes += this.#page([levels], chunk.values, (uncompressed, compressed) => ({
      type: 'DATA_PAGE_V2',
      uncompressed_page_size: uncompressed,
      compressed_page_size: compressed,
      data_page_header_v2: {
        num_values: rows,
        num_nulls: rows - chunk.present,
        num_rows: rows,
        encoding: chunk.encoding,
        definition_levels_byte_length: levels.length,
        repetition_levels_byte_length: 0,
        is_compressed: true,
      },
    }))
    chunks[field] = {
      file_offset: BigInt(start),
      meta_data: {
        type: physical[type].type,
        encodings: chunk.dictionary ? ['PLAIN', chunk.encoding] : [chunk.encoding],
        path_in_schema: [name],
        codec: 'SNAPPY',
        num_values: BigInt(rows),
        total_uncompressed_size: BigInt(plainBytes),
        total_compressed_size: BigInt(this.#at - start),
        data_page_offset: BigInt(dataAt),
        ...(dictionaryAt !== undefined && { dictionary_page_offset: dictionaryAt }),
        statistics: {
          null_count: BigInt(rows - chunk.present),
          // A bound that is zero may be either zero.
          ...(chunk.smallest !== undefined && { min_value: chunk.smallest === 0 ? -0 : chunk.smallest }),
          ...(chunk.largest !== undefined && { max_value: chunk.largest === 0 ? 0 : chunk.largest }),
        },
      },
    }
  }

  end(): void {
    const footer = new ByteWriter()
    const schema: SchemaElement[] = [{ name: 'root', num_children: this.#fields.length }]
    for (const { name, type, optional } of this.#fields)
      schema.push({ name, ...physical[type], repetition_type: optional ? 'OPTIONAL' : 'REQUIRED' })
    writeMetadata(footer, {
      version: 2,
      created_by: 'plumbline',
      schema,
      num_rows: BigInt(this.#groups.reduce((sum, { rows }) => sum + rows, 0)),
      row_groups: this.#groups.map(({ rows, chunks }) => {
        const columns = chunks.map((chunk, i) => {
          if (!chunk) throw new Error(`column ${this.#fields[i].name} was not written`)
          return chunk
        })
        return {
          columns,
          num_rows: BigInt(rows),
          total_byte_size: columns.reduce((sum, c) => sum + (c.meta_data?.total_uncompressed_size ?? 0n), 0n),
        }
      }),
      key_value_metadata: Object.entries(this.#facts).map(([key, value]) => ({ key, value })),
      metadata_length: 0,
    })
    this.#put(footer.getBytes())
    this.#put(magic)
  }

  #put(bytes: Uint8Array): void {
    this.#write(bytes)
    this.#at += bytes.length
  }

  /** Returns the bytes it would have without compression. */
  #page(
    plain: readonly Uint8Array[],
    bytes: Uint8Array,
    header: (uncompressed: number, compressed: number) => Parameters<typeof writePageHeader>[1],
  ): number {
    const before = plain.reduce((sum, { length }) => sum + length, 0)
    const packed = this.#snappy.compress(bytes)
    const writer = new ByteWriter(128)
    writePageHeader(writer, header(before + bytes.length, before + packed.length))
    const top = writer.getBytes()
    for (const part of [top, ...plain, packed]) if (part.length > 0) this.#put(part)
    return top.length + before + bytes.length
  }

  #levelsOf(values: Values, rows: number, present: number): Uint8Array {
    this.#levels.length = 0
    if (present === rows || present === 0) putRun(this.#levels, rows, present === 0 ? 0 : 1, 1)
    else putHybrid(this.#levels, values.there, rows, 1)
    return this.#levels.written
  }
}

const encoder = new TextEncoder()
const nothing = new Uint8Array()
const magic = encoder.encode('PAR1')
const physical = {
  int: { type: 'INT32' },
  double: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const

// ---------------------------------------- bytes

class Bytes {
  bytes: Uint8Array
  length = 0

  constructor(room: number) {
    this.bytes = new Uint8Array(room)
  }

  get written(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  need(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more))
    grown.set(this.written)
    this.bytes = grown
  }

  put(byte: number): void {
    this.need(1)
    this.bytes[this.length++] = byte
  }

  varint(value: number): void {
    let left = value
    for (; left >= 0x80; left >>>= 7) this.put((left & 0x7f) | 0x80)
    this.put(left)
  }
}

function putRun(to: Bytes, count: number, value: number, width: number): void {
  to.varint(count << 1)
  for (let shift = 0; shift < width; shift += 8) to.put((value >>> shift) & 0xff)
}

/** Runs of eight and more as their length and value, the rest bit by bit in groups of eight. */
function putHybrid(to: Bytes, values: Int32Array | Uint8Array, count: number, width: number): void {
  let packedFrom = 0
  let at = 0
  while (at < count) {
    const value = values[at]
    let run = at + 1
    while (run < count && values[run] === value) run++
    if (run - at >= 8) {
      putPacked(to, values, packedFrom, at, width)
      putRun(to, run - at, value, width)
      packedFrom = at = run
    } else at = Math.min(at + 8, count)
  }
  putPacked(to, values, packedFrom, count, width)
}

/** Only the last group of a column may be short of eight. */
function putPacked(
  to: Bytes,
  values: Int32Array | Uint8Array,
  from: number,
  end: number,
  width: number,
): void {
  const groups = Math.ceil((end - from) / 8)
  if (groups === 0) return
  to.varint((groups << 1) | 1)
  to.need(groups * width)
  const { bytes } = to
  let at = to.length
  let held = 0
  let bits = 0
  for (let i = from; i < from + groups * 8; i++) {
    held |= (i < end ? values[i] : 0) << bits
    bits += width
    for (; bits >= 8; bits -= 8) {
      bytes[at++] = held & 0xff
      held >>>= 8
    }
  }
  to.length = at
}

const widthOf = (distinct: number): number => 32 - Math.clz32(Math.max(1, distinct - 1))

// ---------------------------------------- columns

/** Collects the cells of one column of one group of rows, in their order. */
export interface Values {
  /** 1 for rows that have a value. */
  readonly there: Uint8Array
  /** Good until the collector is begun anew. */
  end(): Chunk
}

/** Values that stand in a dictionary as their numbers there. */
class Numbered {
  readonly there: Uint8Array
  readonly index: Int32Array
  readonly #packed = new Bytes(1 << 12)
  rows = 0
  present = 0

  constructor(room: number) {
    this.there = new Uint8Array(room)
    this.index = new Int32Array(room)
  }

  begin(): void {
    this.rows = this.present = 0
  }

  take(index: number): void {
    this.there[this.rows++] = 1
    this.index[this.present++] = index
  }

  packed(distinct: number): Uint8Array {
    const width = widthOf(distinct)
    this.#packed.length = 0
    this.#packed.put(width)
    putHybrid(this.#packed, this.index, this.present, width)
    return this.#packed.written
  }
}

/** Whether a dictionary pays: numbers of so many values instead of the values. */
const pays = (distinct: number, present: number): boolean => distinct * 2 <= present

const percent = 0x25

export class TextValues implements Values {
  readonly #numbered: Numbered
  /** Every different text, its length before it. */
  readonly #texts = new Bytes(1 << 12)
  readonly #starts: Int32Array
  readonly #plain = new Bytes(1 << 12)
  #distinct = 0
  /** What a code, a text or a number became: for codes by hash, a place and its entry. */
  readonly #codes: Int32Array
  readonly #entries: Int32Array
  readonly #known = new Map<string, number>()
  readonly #percents = new Map<number, number>()
  readonly #digits = new RowBytes()
  #last = ''
  #lastIndex = -1

  constructor(room: number) {
    this.#numbered = new Numbered(room)
    this.#starts = new Int32Array(room + 1)
    this.#codes = new Int32Array(1 << (33 - Math.clz32(room)))
    this.#entries = new Int32Array(this.#codes.length)
  }

  get there(): Uint8Array {
    return this.#numbered.there
  }

  begin(): void {
    this.#numbered.begin()
    this.#texts.length = 0
    this.#distinct = 0
    this.#codes.fill(-1)
    this.#known.clear()
    this.#percents.clear()
    this.#lastIndex = -1
  }

  none(): void {
    this.there[this.#numbered.rows++] = 0
  }

  /** A text of a pool, the same pool for a whole group. */
  code(texts: TextPool, code: number): void {
    const mask = this.#codes.length - 1
    let slot = Math.imul(code, 0x9e3779b1) >>> 7
    while (this.#codes[(slot &= mask)] >= 0) {
      if (this.#codes[slot] === code) return this.#numbered.take(this.#entries[slot])
      slot++
    }
    this.#codes[slot] = code
    this.#entries[slot] = this.#distinct
    const to = this.#open(texts.bytesOf(code))
    this.#close(texts.copy(code, to.bytes, to.length))
  }

  text(text: string): void {
    if (this.#lastIndex >= 0 && this.#last === text) return this.#numbered.take(this.#lastIndex)
    let index = this.#known.get(text)
    if (index === undefined) {
      this.#known.set(text, (index = this.#distinct))
      const to = this.#open(text.length * 3)
      this.#close(to.length + encoder.encodeInto(text, to.bytes.subarray(to.length)).written)
    } else this.#numbered.take(index)
    this.#last = text
    this.#lastIndex = index
  }

  /** A number as Python prints it, with `%` behind it. */
  percent(value: number): void {
    const known = this.#percents.get(value)
    if (known !== undefined) return this.#numbered.take(known)
    this.#percents.set(value, this.#distinct)
    this.#digits.cut(0)
    this.#digits.repr(value)
    const { written } = this.#digits
    const to = this.#open(written.length + 1)
    to.bytes.set(written, to.length)
    to.bytes[to.length + written.length] = percent
    this.#close(to.length + written.length + 1)
  }

  /** Begins a new text. */
  #open(most: number): Bytes {
    const texts = this.#texts
    texts.need(most + 4)
    this.#starts[this.#distinct] = texts.length
    texts.length += 4
    return texts
  }

  #close(end: number): void {
    const { bytes } = this.#texts
    const start = this.#starts[this.#distinct]
    const length = end - start - 4
    bytes[start] = length
    bytes[start + 1] = length >>> 8
    bytes[start + 2] = length >>> 16
    bytes[start + 3] = length >>> 24
    this.#texts.length = end
    this.#numbered.take(this.#distinct++)
  }

  end(): Chunk {
    const { present } = this.#numbered
    const distinct = this.#distinct
    this.#starts[distinct] = this.#texts.length
    return pays(distinct, present) && present > 0
      ? {
          dictionary: this.#texts.written,
          distinct,
          encoding: 'RLE_DICTIONARY',
          values: this.#numbered.packed(distinct),
          present,
        }
      : { dictionary: null, distinct, encoding: 'PLAIN', values: this.#spelt(), present }
  }

  /** All texts one after the other. */
  #spelt(): Uint8Array {
    const { index, present } = this.#numbered
    // Where all differ they stand so already.
    if (this.#distinct === present) return this.#texts.written
    const { bytes } = this.#texts
    const plain = this.#plain
    plain.length = 0
    for (let i = 0; i < present; i++) {
      const from = this.#starts[index[i]]
      const to = this.#starts[index[i] + 1]
      plain.need(to - from)
      plain.bytes.set(bytes.subarray(from, to), plain.length)
      plain.length += to - from
    }
    return plain.written
  }
}

export class NumberValues implements Values {
  readonly #numbered: Numbered
  readonly #values: Float64Array
  readonly #halves: Uint32Array
  readonly #dictionary: Float64Array
  readonly #entries: Int32Array
  #distinct = 0
  #smallest = Infinity
  #largest = -Infinity
  #ordered = 0

  constructor(room: number) {
    this.#numbered = new Numbered(room)
    this.#values = new Float64Array(room)
    this.#halves = new Uint32Array(this.#values.buffer)
    this.#dictionary = new Float64Array(room)
    this.#entries = new Int32Array(1 << (33 - Math.clz32(room)))
  }

  get there(): Uint8Array {
    return this.#numbered.there
  }

  begin(): void {
    this.#numbered.begin()
    this.#entries.fill(-1)
    this.#distinct = this.#ordered = 0
    this.#smallest = Infinity
    this.#largest = -Infinity
  }

  none(): void {
    this.there[this.#numbered.rows++] = 0
  }

  number(value: number): void {
    const { present } = this.#numbered
    this.#values[present] = value
    if (value < this.#smallest) this.#smallest = value
    if (value > this.#largest) this.#largest = value
    if (!Number.isNaN(value)) this.#ordered++
    const mask = this.#entries.length - 1
    const [low, high] = [this.#halves[2 * present], this.#halves[2 * present + 1]]
    let slot = (Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1) >>> 9) & mask
    for (;;) {
      const entry = this.#entries[slot]
      if (entry < 0) break
      // Both zeros are values of their own, and so is NaN.
      if (Object.is(this.#dictionary[entry], value)) return this.#numbered.take(entry)
      slot = (slot + 1) & mask
    }
    this.#entries[slot] = this.#distinct
    this.#dictionary[this.#distinct] = value
    this.#numbered.take(this.#distinct++)
  }

  end(): Chunk {
    const { present } = this.#numbered
    const distinct = this.#distinct
    const bounds = this.#ordered > 0 ? { smallest: this.#smallest, largest: this.#largest } : {}
    return pays(distinct, present) && present > 0
      ? {
          dictionary: bytesOf(this.#dictionary, distinct),
          distinct,
          encoding: 'RLE_DICTIONARY',
          values: this.#numbered.packed(distinct),
          present,
          ...bounds,
        }
      : {
          dictionary: null,
          distinct,
          encoding: 'PLAIN',
          values: bytesOf(this.#values, present),
          present,
          ...bounds,
        }
  }
}

export class IntValues implements Values {
  readonly there: Uint8Array
  readonly #values: Int32Array
  #rows = 0
  #present = 0
  #smallest = Infinity
  #largest = -Infinity

  constructor(room: number) {
    this.there = new Uint8Array(room)
    this.#values = new Int32Array(room)
  }

  begin(): void {
    this.#rows = this.#present = 0
    this.#smallest = Infinity
    this.#largest = -Infinity
  }

  none(): void {
    this.there[this.#rows++] = 0
  }

  number(value: number): void {
    this.there[this.#rows++] = 1
    this.#values[this.#present++] = value
    if (value < this.#smallest) this.#smallest = value
    if (value > this.#largest) this.#largest = value
  }

  end(): Chunk {
    return {
      dictionary: null,
      distinct: 0,
      encoding: 'PLAIN',
      values: bytesOf(this.#values, this.#present),
      present: this.#present,
      ...(this.#present > 0 && { smallest: this.#smallest, largest: this.#largest }),
    }
  }
}

/** Parquet holds numbers lowest byte first, as every machine that this runs on does. */
const bytesOf = (numbers: Float64Array | Int32Array, count: number): Uint8Array =>
  new Uint8Array(numbers.buffer, 0, count * numbers.BYTES_PER_ELEMENT)
