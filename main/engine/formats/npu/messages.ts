// The messages of a header, read field by field into what it tells: thousands of files are opened at once, and
// each header is read once. `dump_data.proto` says what the numbers are.
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import type { RawBlock, RawHeader, RawTensor } from './raw.ts'

/** Filled in while it is read, and placed when all sizes are known. */
type Filled<T> = { -readonly [K in keyof T]: T[K] }
type Origin = Filled<NonNullable<RawTensor['origin']>>

export interface DumpMessage extends Pick<RawHeader, 'version' | 'opName' | 'time' | 'attrs'> {
  readonly inputs: readonly Filled<RawTensor>[]
  readonly outputs: readonly Filled<RawTensor>[]
  readonly buffers: readonly Filled<RawBlock>[]
  readonly spaces: readonly Filled<RawBlock>[]
}

/** A field that has another type of the wire than the message says is none of its fields. */
const number = (field: number): number => (field << 3) | WireType.Varint
const message = (field: number): number => (field << 3) | WireType.LengthDelimited

const dumpTags = {
  [message(1)]: 'version',
  [number(2)]: 'time',
  [message(3)]: 'output',
  [message(4)]: 'input',
  [message(5)]: 'buffer',
  [message(6)]: 'opName',
  [message(7)]: 'attr',
  [message(8)]: 'space',
} as const satisfies Tags

/** What is the same of inputs and outputs stands under different numbers. */
const tensorTags = {
  input: {
    [number(1)]: 'dtype',
    [number(2)]: 'format',
    [message(3)]: 'shape',
    [number(5)]: 'size',
    [message(6)]: 'originalShape',
    [number(7)]: 'groups',
    [number(8)]: 'address',
  },
  output: {
    [number(1)]: 'dtype',
    [number(2)]: 'format',
    [message(3)]: 'shape',
    [message(4)]: 'origin',
    [number(6)]: 'size',
    [message(7)]: 'originalShape',
    [number(8)]: 'groups',
    [number(9)]: 'address',
  },
} as const satisfies Record<string, Tags>

const originTags = {
  [message(1)]: 'name',
  [number(2)]: 'outputIndex',
  [number(3)]: 'dtype',
  [number(4)]: 'format',
} as const satisfies Tags

const blockTags = { [number(3)]: 'size' } as const satisfies Tags
const attrTags = { [message(1)]: 'name', [message(2)]: 'value' } as const satisfies Tags
/** Packed in one field, or one field for each. */
const shapeTags = { [message(1)]: 'dims', [number(1)]: 'dim' } as const satisfies Tags

type Tags = Readonly<Record<number, string>>

/** The next field that the message knows; null at its end. */
function next<T extends Tags>(reader: BinaryReader, end: number, tags: T): T[number] | null {
  while (reader.pos < end) {
    const tag = reader.uint32()
    const name: T[number] | undefined = tags[tag]
    if (name !== undefined) return name
    const wire: WireType = tag & 7
    if (tag < 8 || wire > 5) throw new RangeError('no field')
    reader.skip(wire, tag >>> 3)
  }
  if (reader.pos > end) throw new RangeError('a field ends behind its message')
  return null
}

/** Where the message that begins here ends. */
function endOf(reader: BinaryReader): number {
  const length = reader.uint32()
  return reader.pos + length
}

/** Throws of bytes that are no message. */
export function dumpMessage(bytes: Uint8Array): DumpMessage {
  const reader = new BinaryReader(bytes)
  const inputs: Filled<RawTensor>[] = []
  const outputs: Filled<RawTensor>[] = []
  const buffers: Filled<RawBlock>[] = []
  const spaces: Filled<RawBlock>[] = []
  const attrs: { name: string; value: string }[] = []
  let version = ''
  let opName = ''
  let time = 0n
  for (let name; (name = next(reader, bytes.length, dumpTags)) !== null;)
    switch (name) {
      case 'version':
        version = textOf(reader)
        break
      case 'opName':
        opName = textOf(reader)
        break
      case 'time':
        time = BigInt(reader.uint64())
        break
      case 'output':
        outputs.push(tensorOf(reader, name, outputs.length))
        break
      case 'input':
        inputs.push(tensorOf(reader, name, inputs.length))
        break
      case 'buffer':
        buffers.push(blockOf(reader, 'l1buffer', buffers.length))
        break
      case 'space':
        spaces.push(blockOf(reader, name, spaces.length))
        break
      case 'attr':
        attrs.push(attrOf(reader))
    }
  return { version, opName, time, attrs, inputs, outputs, buffers, spaces }
}

function tensorOf(reader: BinaryReader, io: RawTensor['io'], index: number): Filled<RawTensor> {
  const end = endOf(reader)
  const told: Filled<RawTensor> = {
    io,
    index,
    dtype: 0,
    format: 0,
    shape: [],
    originalShape: null,
    origin: null,
    groups: 0,
    address: 0n,
    from: 0,
    size: 0,
    truncated: false,
  }
  const tags: Readonly<Record<number, TensorField>> = tensorTags[io]
  for (let name; (name = next(reader, end, tags)) !== null;)
    switch (name) {
      case 'dtype':
      case 'format':
      case 'groups':
        told[name] = reader.int32()
        break
      case 'size':
        told.size = numberOf(reader)
        break
      case 'address':
        told.address = BigInt(reader.uint64())
        break
      case 'shape':
        told.shape = dimsOf(reader)
        break
      case 'originalShape': {
        const shape = dimsOf(reader)
        told.originalShape = shape.includes(-1) ? null : shape
        break
      }
      case 'origin':
        told.origin = originOf(reader)
    }
  return told
}
type TensorField = (typeof tensorTags)['input' | 'output'][number]

function originOf(reader: BinaryReader): Origin {
  const end = endOf(reader)
  const origin: Origin = { name: '', outputIndex: 0, dtype: 0, format: 0 }
  for (let name; (name = next(reader, end, originTags)) !== null;)
    if (name === 'name') origin.name = textOf(reader)
    else origin[name] = name === 'outputIndex' ? reader.uint32() : reader.int32()
  return origin
}

function blockOf(reader: BinaryReader, kind: RawBlock['kind'], index: number): Filled<RawBlock> {
  const end = endOf(reader)
  let size = 0
  while (next(reader, end, blockTags) !== null) size = numberOf(reader)
  return { kind, index, from: 0, size, truncated: false }
}

function attrOf(reader: BinaryReader): { name: string; value: string } {
  const end = endOf(reader)
  const attr = { name: '', value: '' }
  for (let name; (name = next(reader, end, attrTags)) !== null;) attr[name] = textOf(reader)
  return attr
}

function dimsOf(reader: BinaryReader): readonly number[] {
  const end = endOf(reader)
  const dims: number[] = []
  for (let name; (name = next(reader, end, shapeTags)) !== null;)
    if (name === 'dim') dims.push(dimOf(reader))
    else for (const last = endOf(reader); reader.pos < last;) dims.push(dimOf(reader))
  return dims
}

/** Negative dimensions are written as the largest unsigned numbers. */
function dimOf(reader: BinaryReader): number {
  const dim = numberOf(reader)
  return dim < 2 ** 63 ? dim : -1
}

/** Four bytes hold 28 bits; hardly a number has more. */
function numberOf(reader: BinaryReader): number {
  const from = reader.pos
  const low = reader.uint32()
  if (reader.pos - from <= 4) return low
  reader.pos = from
  return Number(reader.uint64())
}

const utf8 = new TextDecoder()
const shortText = 64

/** Short names of plain letters, as most are, need no decoder. */
function textOf(reader: BinaryReader): string {
  const bytes = reader.bytes()
  return bytes.length <= shortText && bytes.every(byte => byte < 0x80)
    ? String.fromCharCode(...bytes)
    : utf8.decode(bytes)
}
