// Headers of the small devices' dumps: tags and lengths instead of a message.
import { problem, Refusal } from '../../model/index.ts'
import { geTypes } from './codes.ts'
import type { Placed } from './header.ts'
import type { RawSide, RawTensor } from './raw.ts'

const magic = 0x5a5a5a5a
const tags = { 4: 'input', 5: 'output' } as const

export const looksNano = (head: Uint8Array): boolean =>
  head.length >= 12 && new DataView(head.buffer, head.byteOffset).getUint32(8, true) === magic

/** `bytes`: the length and all of the header. */
export function nanoHeader(bytes: Uint8Array, file: string): Placed {
  try {
    return read(new Cursor(bytes), bytes.length)
  } catch (error) {
    // Reading behind the end, which every damage comes to.
    if (error instanceof RangeError) throw new Refusal(problem('raw-invalid', file))
    throw error
  }
}

function read(at: Cursor, end: number): Placed {
  at.skip(12)
  const version = String(at.u32())
  const sides: Record<RawSide, Omit<RawTensor, 'from' | 'truncated'>[]> = { input: [], output: [] }
  while (at.position < end) {
    const tag = at.u32()
    const length = at.u32()
    const next = at.position + length
    if (tag === 4 || tag === 5) {
      const io = tags[tag]
      const count = at.u32()
      for (let i = 0; i < count; i++) sides[io].push(tensor(at, io, i))
    }
    at.to(next)
  }
  let from = end
  const place = (told: Omit<RawTensor, 'from' | 'truncated'>): RawTensor => {
    const placed = { ...told, from, truncated: false }
    from += told.size
    return placed
  }
  const inputs = sides.input.map(place)
  const outputs = sides.output.map(place)
  return { form: 'nano', version, opName: '', time: 0n, attrs: [], blocks: [], inputs, outputs }
}

function tensor(at: Cursor, io: RawSide, index: number): Omit<RawTensor, 'from' | 'truncated'> {
  const dtype = codeOf(at.i32())
  const format = at.i32()
  at.skip(4)
  const original =
    io === 'output' ? { outputIndex: at.i32(), dtype: codeOf(at.i32()), format: at.i32() } : null
  const address = at.u64()
  at.skip(8)
  const size = Number(at.u64())
  const lists = listsOf(at)
  return {
    io,
    index,
    dtype,
    format,
    shape: lists.shape ?? [],
    originalShape: lists.original,
    origin: original && { name: lists.name, ...original },
    groups: 0,
    address,
    size,
  }
}

/** One that is not in the table is kept, so that it is told. */
const codeOf = (ge: number): number => geTypes[ge] ?? 1000 + ge

/** A list is at least eight bytes, and there are three kinds: a smaller length counts the lists. */
const fewest = 8

function listsOf(at: Cursor): { shape: number[] | null; original: number[] | null; name: string } {
  const length = at.u32()
  const counted = length < fewest
  const end = at.position + length
  let shape: number[] | null = null
  let original: number[] | null = null
  let name = ''
  for (let i = 0; counted ? i < length : at.position < end; i++) {
    const tag = at.u32()
    const body = at.bytes(at.u32())
    if (tag === 0) shape = dimsOf(body)
    else if (tag === 1) original = dimsOf(body)
    else if (tag === 2) name = new TextDecoder().decode(body).replace(/\0+$/, '')
  }
  return { shape, original: original?.includes(-1) ? null : original, name }
}

function dimsOf(body: Uint8Array): number[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  return Array.from({ length: body.length >> 3 }, (_, i) => {
    const dim = view.getBigUint64(i * 8, true)
    return dim < 1n << 63n ? Number(dim) : -1
  })
}

/** Reads on; what lies behind the end is a RangeError. */
class Cursor {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  position = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  u32(): number {
    return this.#view.getUint32(this.#step(4), true)
  }
  i32(): number {
    return this.#view.getInt32(this.#step(4), true)
  }
  u64(): bigint {
    return this.#view.getBigUint64(this.#step(8), true)
  }
  bytes(length: number): Uint8Array {
    return this.#bytes.subarray(this.#step(length), this.position)
  }
  skip(length: number): void {
    this.#step(length)
  }
  to(position: number): void {
    if (position < this.position || position > this.#bytes.length) throw new RangeError('behind the end')
    this.position = position
  }
  #step(length: number): number {
    const from = this.position
    this.to(from + length)
    return from
  }
}
