// Tensor files made by hand: npy of every kind, zips, npz and the zip form of torch.save.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'

interface NpySpec {
  readonly descr: string
  readonly shape: readonly number[]
  readonly data: Uint8Array
  readonly fortran?: boolean
  readonly version?: 1 | 2 | 3
  /** The dictionary itself, in place of a regular one. */
  readonly header?: string
}

export function npyBytes({ descr, shape, data, fortran = false, version = 1, header }: NpySpec): Uint8Array {
  const text =
    header ??
    `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`
  const lead = version === 1 ? 10 : 12
  const padded = text + ' '.repeat((64 - ((lead + text.length + 1) % 64)) % 64) + '\n'
  const dict = new TextEncoder().encode(padded)
  const bytes = new Uint8Array(lead + dict.length + data.length)
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0])
  const view = new DataView(bytes.buffer)
  if (version === 1) view.setUint16(8, dict.length, true)
  else view.setUint32(8, dict.length, true)
  bytes.set(dict, lead)
  bytes.set(data, lead + dict.length)
  return bytes
}

export const f32 = (...values: readonly number[]): Uint8Array =>
  new Uint8Array(Float32Array.from(values).buffer)
export const f64 = (...values: readonly number[]): Uint8Array =>
  new Uint8Array(Float64Array.from(values).buffer)
export const i32 = (...values: readonly number[]): Uint8Array =>
  new Uint8Array(Int32Array.from(values).buffer)

interface Member {
  readonly name: string
  readonly data: Uint8Array
  readonly deflate?: boolean
  readonly pad?: number
}

export function zipBytes(members: readonly Member[]): Uint8Array {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const { name, data, deflate = false, pad = 0 } of members) {
    const packed = deflate ? new Uint8Array(deflateRawSync(data)) : data
    const text = new TextEncoder().encode(name)
    const common = (size: number, offset: number): DataView => {
      const view = new DataView(new ArrayBuffer(size))
      view.setUint16(offset, 20, true)
      view.setUint16(offset + 4, deflate ? 8 : 0, true)
      view.setUint32(offset + 10, crc32(data), true)
      view.setUint32(offset + 14, packed.length, true)
      view.setUint32(offset + 18, data.length, true)
      view.setUint16(offset + 22, text.length, true)
      return view
    }
    const local = common(30, 4)
    local.setUint32(0, 0x04034b50, true)
    local.setUint16(28, pad, true)
    const central = common(46, 6)
    central.setUint32(0, 0x02014b50, true)
    central.setUint32(42, at, true)
    directory.push(new Uint8Array(central.buffer), text)
    for (const part of [new Uint8Array(local.buffer), text, new Uint8Array(pad), packed]) {
      parts.push(part)
      at += part.length
    }
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(8, members.length, true)
  end.setUint16(10, members.length, true)
  end.setUint32(12, size, true)
  end.setUint32(16, at, true)
  return joined([...parts, ...directory, new Uint8Array(end.buffer)])
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

interface PtSpec {
  /** `FloatStorage`, `BFloat16Storage` … */
  readonly storage: string
  readonly shape: readonly number[]
  readonly strides: readonly number[]
  readonly offset?: number
  readonly data: Uint8Array
  readonly elements: number
  readonly parameter?: boolean
  readonly bigEndian?: boolean
  readonly deflate?: boolean
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value)
const pickled = {
  string: (value: string) => {
    const bytes = text(value)
    const head = new Uint8Array(5)
    head[0] = 0x58
    new DataView(head.buffer).setUint32(1, bytes.length, true)
    return joined([head, bytes])
  },
  int: (value: number) => {
    const bytes = new Uint8Array(5)
    bytes[0] = 0x4a
    new DataView(bytes.buffer).setInt32(1, value, true)
    return bytes
  },
  tuple: (items: readonly Uint8Array[]) => joined([text('('), ...items, text('t')]),
  global: (name: string) =>
    text(`c${name.slice(0, name.lastIndexOf('.'))}\n${name.slice(name.lastIndexOf('.') + 1)}\n`),
}

/** The pickle of one tensor, without PROTO and STOP. */
export function tensorPickle(spec: PtSpec, key = '0'): Uint8Array {
  const storage = joined([
    pickled.tuple([
      pickled.string('storage'),
      pickled.global(`torch.${spec.storage}`),
      pickled.string(key),
      pickled.string('cpu'),
      pickled.int(spec.elements),
    ]),
    text('Q'),
  ])
  const hooks = joined([pickled.global('collections.OrderedDict'), text(')R')])
  const args = pickled.tuple([
    storage,
    pickled.int(spec.offset ?? 0),
    pickled.tuple(spec.shape.map(pickled.int)),
    pickled.tuple(spec.strides.map(pickled.int)),
    new Uint8Array([0x89]),
    hooks,
  ])
  const tensor = joined([pickled.global('torch._utils._rebuild_tensor_v2'), args, text('R')])
  return spec.parameter
    ? joined([
        pickled.global('torch._utils._rebuild_parameter'),
        pickled.tuple([tensor, new Uint8Array([0x88]), hooks]),
        text('R'),
      ])
    : tensor
}

export const pickleFile = (body: Uint8Array): Uint8Array =>
  joined([new Uint8Array([0x80, 2]), body, text('.')])

export const ptBytes = (spec: PtSpec): Uint8Array =>
  zipBytes([
    { name: 'x/data.pkl', data: pickleFile(tensorPickle(spec)) },
    { name: 'x/byteorder', data: text(spec.bigEndian ? 'big' : 'little') },
    { name: 'x/data/0', data: spec.data, pad: 13, ...(spec.deflate ? { deflate: true } : {}) },
    { name: 'x/version', data: text('3\n') },
  ])

/** A folder of its own for the files of a test. */
export function folderOf(files: Readonly<Record<string, Uint8Array>> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-tensors-'))
  for (const [name, bytes] of Object.entries(files)) put(folder, name, bytes)
  return folder
}

export function put(folder: string, name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, bytes)
  return file
}

/** Bytes as a source that layouts and readers take; counts what is read. */
export function sourceOf(bytes: Uint8Array): {
  readonly size: number
  read(from: number, into: Uint8Array): number
  readonly reads: { bytes: number }
} {
  const reads = { bytes: 0 }
  return {
    size: bytes.length,
    reads,
    read(from, into) {
      const part = bytes.subarray(from, from + into.length)
      into.set(part)
      reads.bytes += part.length
      return part.length
    },
  }
}

/** A safetensors file: the header, padded with blanks as its writers do, and what lies behind it. */
export function safetensorsBytes(header: object, data: Uint8Array): Uint8Array {
  const plain = JSON.stringify(header)
  const dict = text(plain + ' '.repeat((8 - (plain.length % 8)) % 8))
  const length = new Uint8Array(8)
  new DataView(length.buffer).setBigUint64(0, BigInt(dict.length), true)
  return joined([length, dict, data])
}
