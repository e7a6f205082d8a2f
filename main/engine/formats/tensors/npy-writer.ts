// Elements as NumPy keeps them: the head of a .npy file, and types that NumPy lacks widened to ones it has.
import { decode, type Dtype, dtypes, type DtypeName } from './dtype.ts'
import { bench, mostHalves } from './turn.ts'

type Known = Exclude<DtypeName, 'bfloat16' | 'complex32' | `float8_${string}` | 'hifloat8'>

const descrs: Readonly<Record<Known, string>> = {
  float16: '<f2',
  float32: '<f4',
  float64: '<f8',
  int8: '|i1',
  int16: '<i2',
  int32: '<i4',
  int64: '<i8',
  uint8: '|u1',
  uint16: '<u2',
  uint32: '<u4',
  uint64: '<u8',
  bool: '|b1',
  complex64: '<c8',
  complex128: '<c16',
}

const isKnown = (name: DtypeName): name is Known => Object.hasOwn(descrs, name)

/** The type that elements are written as; all values of narrower floats are values of float32. */
export function numpyType({ name, arithmetic }: Dtype): Known {
  if (isKnown(name)) return name
  return arithmetic === 'complex' ? 'complex64' : 'float32'
}

/** Bytes of an element as it is written. */
export const writtenBytes = (dtype: Dtype): number => dtypes[numpyType(dtype)].bytes

/** Elements are written as they are. */
export const isNumpys = ({ name }: Dtype): boolean => isKnown(name)

/** Elements as they are written; the same bytes where NumPy has the type. */
export function widened(dtype: Dtype, bytes: Uint8Array): Uint8Array {
  if (dtype.name === 'bool') return bits(bytes)
  if (isKnown(dtype.name)) return bytes
  if (dtype.name === 'bfloat16') return fromBrains(bytes)
  // A complex number is two halves.
  const part = dtype.arithmetic === 'complex' ? dtypes.float16 : dtype
  const count = bytes.length / part.bytes
  const floats = new Float32Array(count)
  const doubles = new Float64Array(Math.min(count, stretch))
  for (let done = 0; done < count; done += stretch) {
    const many = Math.min(stretch, count - done)
    decode(part, bytes.subarray(done * part.bytes), many, doubles)
    for (let i = 0; i < many; i++) floats[done + i] = doubles[i]
  }
  return new Uint8Array(floats.buffer)
}
const stretch = 1 << 12

/** Whatever is not zero is one. */
function bits(bytes: Uint8Array): Uint8Array {
  let all = 0
  for (let i = 0; i < bytes.length; i++) all |= bytes[i]
  return all > 1 ? bytes.map(byte => Number(byte !== 0)) : bytes
}

/** The same, a piece at a time; each is gone with the next, and with whatever else is put into another order. */
export function* widenedPieces(dtype: Dtype, bytes: Uint8Array): Generator<Uint8Array, void> {
  if (dtype.name !== 'bfloat16') return yield widened(dtype, bytes)
  for (let done = 0; done < bytes.length; done += mostHalves)
    yield bench().widened(bytes.subarray(done, done + mostHalves))
}

/** The upper half of a float32 each. */
function fromBrains(bytes: Uint8Array): Uint8Array {
  const wide = new Uint8Array(bytes.length * 2)
  let at = 0
  for (const piece of widenedPieces(dtypes.bfloat16, bytes)) {
    wide.set(piece, at)
    at += piece.length
  }
  return wide
}

/** Where the elements begin is a multiple of this. */
const aligned = 64

const heads = new Map<string, Uint8Array>()
const mostHeads = 4096

/** The head of a .npy file of elements in C order. Thousands of files have the same. */
export function npyHead(dtype: Dtype, shape: readonly number[]): Uint8Array {
  const dims = shape.join(', ') + (shape.length === 1 ? ',' : '')
  const dict = `{'descr': '${descrs[numpyType(dtype)]}', 'fortran_order': False, 'shape': (${dims}), }`
  const known = heads.get(dict)
  if (known) return known
  if (heads.size >= mostHeads) heads.clear()
  const lead = 10
  const padding = aligned - 1 - ((lead + dict.length) % aligned)
  const text = new TextEncoder().encode(`${dict}${' '.repeat(padding)}\n`)
  const head = new Uint8Array(lead + text.length)
  head.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, text.length & 255, text.length >> 8])
  head.set(text, lead)
  heads.set(dict, head)
  return head
}
