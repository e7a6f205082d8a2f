// The form of old: the whole file is one message, tensors inside. What is not tensors is taken out of it.
import type { ByteSource } from '../tensors/tensor.ts'
import { readAt } from './read-at.ts'

/** Fields of the message that hold data, and the field within that does. */
const dataFields: Readonly<Record<number, number>> = { 3: 5, 4: 4, 5: 2, 8: 2 }

interface OldMessage {
  /** The message without the data. */
  readonly bytes: Uint8Array
  /** Place and length of the data, by field and number: `3 0`. */
  readonly data: ReadonlyMap<string, readonly [number, number]>
}

/** Null where the bytes are no message to their end, or hold more than `most` bytes beside the data. */
export function oldMessage(source: ByteSource, most: number): OldMessage | null {
  const wire = new Wire(source)
  const kept: Uint8Array[] = []
  const data = new Map<string, readonly [number, number]>()
  const counts = new Map<number, number>()
  let size = 0
  const keep = (bytes: Uint8Array): number => {
    kept.push(bytes)
    return (size += bytes.length)
  }
  for (let at = 0; at < source.size;) {
    const field = wire.field(at, source.size)
    if (!field) return null
    const inner = dataFields[field.number]
    if (inner !== undefined && field.wire === 2) {
      const entry = strip(wire, field, inner, most - size)
      if (!entry) return null
      const index = counts.get(field.number) ?? 0
      counts.set(field.number, index + 1)
      if (entry.data) data.set(`${field.number} ${index}`, entry.data)
      keep(Uint8Array.of((field.number << 3) | 2, ...varint(entry.bytes.length)))
      keep(entry.bytes)
    } else if (size + field.end - at <= most) keep(readAt(source, at, field.end - at))
    else return null
    if (size > most) return null
    at = field.end
  }
  return { bytes: joined(kept, size), data }
}

/** An entry without its data. */
function strip(
  wire: Wire,
  entry: Field,
  inner: number,
  most: number,
): { bytes: Uint8Array; data: readonly [number, number] | null } | null {
  const kept: Uint8Array[] = []
  let size = 0
  let data: readonly [number, number] | null = null
  for (let at = entry.body; at < entry.end;) {
    const field = wire.field(at, entry.end)
    if (!field) return null
    if (field.number === inner && field.wire === 2) data = [field.body, field.end - field.body]
    else {
      size += field.end - at
      if (size > most) return null
      kept.push(readAt(wire.source, at, field.end - at))
    }
    at = field.end
  }
  return { bytes: joined(kept, size), data }
}

interface Field {
  readonly number: number
  readonly wire: number
  readonly body: number
  readonly end: number
}

const windowBytes = 1 << 14

/** Steps over the fields of a message without reading what they hold. */
class Wire {
  readonly source: ByteSource
  #bytes = new Uint8Array(0)
  #from = 0

  constructor(source: ByteSource) {
    this.source = source
  }

  /** Null where there is no field that ends by `to`. */
  field(at: number, to: number): Field | null {
    const tag = this.#varint(at)
    if (!tag) return null
    const wire = tag.value % 8
    const value = wire === 0 || wire === 2 ? this.#varint(tag.end) : null
    const body = value?.end ?? tag.end
    let end = -1
    if (wire === 0 && value) end = body
    else if (wire === 1) end = body + 8
    else if (wire === 2 && value) end = body + value.value
    else if (wire === 5) end = body + 4
    const number = Math.floor(tag.value / 8)
    return end < 0 || end > to || number === 0 ? null : { number, wire, body, end }
  }

  #varint(at: number): { readonly value: number; readonly end: number } | null {
    let value = 0
    for (let i = 0; i < 10; i++) {
      const byte = this.#byte(at + i)
      if (byte < 0) return null
      value += (byte & 127) * 2 ** (7 * i)
      if (byte < 128) return { value, end: at + i + 1 }
    }
    return null
  }

  #byte(at: number): number {
    const held = at - this.#from
    if (held >= 0 && held < this.#bytes.length) return this.#bytes[held]
    this.#from = at
    this.#bytes = readAt(this.source, at, Math.max(0, Math.min(windowBytes, this.source.size - at)))
    return this.#bytes[0] ?? -1
  }
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
  return [...bytes, rest]
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
