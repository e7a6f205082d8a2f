// Columns as Arrow arrays, each on memory of its own: what goes to the window and into Arrow files.
import {
  Field,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Uint8,
  Utf8,
  type Data,
  type DataType,
} from 'apache-arrow'

export interface ArrowColumn {
  readonly field: Field
  readonly data: Data
}

const encoder = new TextEncoder()

/** Texts; null where the function says null. */
export function textColumn(
  name: string,
  count: number,
  at: (i: number) => string | null,
  metadata?: Map<string, string>,
): ArrowColumn {
  const offsets = new Int32Array(count + 1)
  const valid = new Uint8Array((count + 7) >> 3)
  let heap = new Uint8Array(Math.max(64, count * 16))
  let end = 0
  let nulls = 0
  for (let i = 0; i < count; i++) {
    const text = at(i)
    if (text === null) nulls++
    else {
      valid[i >> 3] |= 1 << (i & 7)
      if (end + text.length * 3 > heap.length) {
        const grown = new Uint8Array(Math.max(heap.length * 2, end + text.length * 3))
        grown.set(heap.subarray(0, end))
        heap = grown
      }
      end += put(text, heap, end)
    }
    offsets[i + 1] = end
  }
  const type = new Utf8()
  return column(
    name,
    type,
    makeData({
      type,
      length: count,
      nullCount: nulls,
      ...(nulls > 0 ? { nullBitmap: valid } : {}),
      valueOffsets: offsets,
      data: heap.slice(0, end),
    }),
    metadata,
  )
}

/** Short plain texts byte by byte: cheaper than a call into the encoder. */
function put(text: string, heap: Uint8Array, from: number): number {
  if (text.length > 48) return encoder.encodeInto(text, heap.subarray(from)).written
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) return encoder.encodeInto(text, heap.subarray(from)).written
    heap[from + i] = code
  }
  return text.length
}

/** Numbers; `valid` says which are there, all when left out. */
export function floatColumn(
  name: string,
  values: Float64Array,
  valid?: (i: number) => boolean,
  metadata?: Map<string, string>,
): ArrowColumn {
  const type = new Float64()
  if (!valid)
    return column(name, type, makeData({ type, length: values.length, nullCount: 0, data: values }), metadata)
  const bits = new Uint8Array((values.length + 7) >> 3)
  let nulls = 0
  for (let i = 0; i < values.length; i++) {
    if (valid(i)) bits[i >> 3] |= 1 << (i & 7)
    else nulls++
  }
  return column(
    name,
    type,
    makeData({ type, length: values.length, nullCount: nulls, nullBitmap: bits, data: values }),
    metadata,
  )
}

export function byteColumn(name: string, values: Uint8Array): ArrowColumn {
  const type = new Uint8()
  return column(name, type, makeData({ type, length: values.length, nullCount: 0, data: values }))
}

export function intColumn(name: string, values: Int32Array): ArrowColumn {
  const type = new Int32()
  return column(name, type, makeData({ type, length: values.length, nullCount: 0, data: values }))
}

const column = (name: string, type: DataType, data: Data, metadata?: Map<string, string>): ArrowColumn => ({
  field: new Field(name, type, true, metadata),
  data,
})

export function recordBatch(
  columns: readonly ArrowColumn[],
  length: number,
  metadata?: Map<string, string>,
): RecordBatch {
  const fields = columns.map(c => c.field)
  return new RecordBatch(
    new Schema(fields, metadata),
    makeData({ type: new Struct(fields), length, nullCount: 0, children: columns.map(c => c.data) }),
  )
}
