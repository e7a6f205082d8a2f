// Every type of elements that a raw dump may hold, by its number: what it is read as, value for value.
import { describe, expect, it } from 'vitest'
import { decode, npuType, rawReading, readRawHeader } from '../../../../main/engine/formats/index.ts'
import { numpyType, widened } from '../../../../main/engine/formats/tensors/npy-writer.ts'
import { tensorReader } from '../../../../main/engine/formats/tensors/tensor.ts'
import { layoutOf } from '../../../../main/engine/formats/tensors/tensor-file.ts'
import { rawFile } from '../../../support/raw-files.ts'
import { sourceOf } from '../../../support/tensor-files.ts'

async function readingOf(dtype: number, count: number, data: Uint8Array) {
  const source = sourceOf(rawFile({ outputs: [{ dtype, shape: [count], data }] }))
  const header = await readRawHeader(source, 'file')
  return { source, ...rawReading('file', header.outputs[0]) }
}

async function values(dtype: number, count: number, data: Uint8Array): Promise<number[]> {
  const { source, range } = await readingOf(dtype, count, data)
  const layout = layoutOf(source, { file: 'file', part: range! })
  const bytes = new Uint8Array(layout.size * layout.dtype.bytes)
  tensorReader(source, layout).read(0, bytes)
  const into = new Float64Array(layout.size)
  decode(layout.dtype, bytes, layout.size, into)
  return [...into]
}

const bytes = (...of: readonly number[]): Uint8Array => Uint8Array.from(of)
const of = (array: { readonly buffer: ArrayBuffer }): Uint8Array => new Uint8Array(array.buffer)

describe('what every type is read as', () => {
  it.each<[number, string, number, Uint8Array, readonly number[]]>([
    [0, 'UNDEFINED', 2, bytes(1, 255), [1, -1]],
    [1, 'FLOAT', 2, of(Float32Array.of(1.5, -Infinity)), [1.5, -Infinity]],
    [2, 'FLOAT16', 3, of(Uint16Array.of(0x3c00, 0xfc00, 1)), [1, -Infinity, 2 ** -24]],
    [3, 'INT8', 2, bytes(127, 128), [127, -128]],
    [4, 'UINT8', 2, bytes(127, 128), [127, 128]],
    [5, 'INT16', 1, of(Int16Array.of(-300)), [-300]],
    [6, 'UINT16', 1, of(Uint16Array.of(65000)), [65000]],
    [7, 'INT32', 1, of(Int32Array.of(-70000)), [-70000]],
    [8, 'INT64', 1, of(BigInt64Array.of(-5n)), [-5]],
    [9, 'UINT32', 1, of(Uint32Array.of(4e9)), [4e9]],
    [10, 'UINT64', 1, of(BigUint64Array.of(2n ** 63n)), [2 ** 63]],
    [11, 'BOOL', 3, bytes(0, 1, 7), [0, 1, 1]],
    [12, 'DOUBLE', 1, of(Float64Array.of(Math.PI)), [Math.PI]],
    [16, 'COMPLEX64', 1, of(Float32Array.of(3, 4)), [3]],
    [17, 'COMPLEX128', 1, of(Float64Array.of(3, 4)), [3]],
    [18, 'QINT8', 1, bytes(255), [-1]],
    [19, 'QINT16', 1, bytes(255, 255), [-1]],
    [20, 'QINT32', 1, bytes(255, 255, 255, 255), [-1]],
    [21, 'QUINT8', 1, bytes(255), [255]],
    [22, 'QUINT16', 1, bytes(255, 255), [65535]],
    [23, 'RESOURCE', 1, of(BigInt64Array.of(7n)), [7]],
    [27, 'BF16', 2, of(Uint16Array.of(0x3f80, 0xc020)), [1, -2.5]],
    [28, 'INT4', 3, bytes(0xf1, 0x87), [1, -1, 7]],
    [29, 'UINT1', 10, bytes(0b10110000, 0b01000000), [1, 0, 1, 1, 0, 0, 0, 0, 0, 1]],
    [32, 'COMPLEX32', 1, of(Uint16Array.of(0x3c00, 0x4000)), [1]],
    [33, 'HIFLOAT8', 6, bytes(0x08, 0x88, 0, 0x18, 0x6f, 0xef), [1, -1, 0, 0.5, Infinity, -Infinity]],
    [33, 'HIFLOAT8', 4, bytes(0x80, 0x01, 0x07, 0x10), [NaN, 2 ** -22, 2 ** -16, 2]],
    // Four, three and two bits of exponent.
    [33, 'HIFLOAT8', 4, bytes(0x6e, 0x7e, 0x40, 0x20), [2 ** 15, 2 ** -15, 2 ** 4, 4]],
    [34, 'FLOAT8_E5M2', 4, bytes(0x3c, 0x7c, 0xfc, 0x7d), [1, Infinity, -Infinity, NaN]],
    [35, 'FLOAT8_E4M3FN', 4, bytes(0x38, 0x7e, 0x7f, 0x01), [1, 448, NaN, 2 ** -9]],
    [36, 'FLOAT8_E8M0', 4, bytes(127, 0, 254, 255), [1, 2 ** -127, 2 ** 127, NaN]],
  ])('%i is %s', async (dtype, name, count, data, wanted) => {
    expect(npuType(dtype).name).toBe(name)
    expect(await values(dtype, count, data)).toEqual(wanted)
  })

  it.each([13, 14, 15, 24, 25, 26, 30, 31, 37, 38, 39, 40])('%i is bytes, with a reason', async dtype => {
    const { status, range, problems } = await readingOf(dtype, 1, new Uint8Array(32))
    expect([status, range, problems[0]?.code]).toEqual(['bytes', null, 'raw-dtype'])
  })

  it.each([41, 99, -1])('%i is not known', async dtype => {
    expect((await readingOf(dtype, 1, new Uint8Array(32))).status).toBe('unsupported')
  })
})

it.each([
  [1, 3, 8],
  [28, 5, 2],
  [29, 17, 2],
  [17, 1, 8],
])('type %i with too few bytes for its shape is not whole', async (dtype, count, size) => {
  expect((await readingOf(dtype, count, new Uint8Array(size))).status).toBe('truncated')
})

describe('written for NumPy', () => {
  const written = async (dtype: number, count: number, data: Uint8Array) => {
    const { source, range } = await readingOf(dtype, count, data)
    const layout = layoutOf(source, { file: 'file', part: range! })
    const into = new Uint8Array(layout.size * layout.dtype.bytes)
    tensorReader(source, layout).read(0, into)
    return { type: numpyType(layout.dtype), bytes: widened(layout.dtype, into) }
  }
  it.each([
    [27, 2, of(Uint16Array.of(0x3f80, 0xc020)), 'float32', of(Float32Array.of(1, -2.5))],
    [33, 2, bytes(0x08, 0x18), 'float32', of(Float32Array.of(1, 0.5))],
    [36, 1, bytes(0), 'float32', of(Float32Array.of(2 ** -127))],
    [32, 1, of(Uint16Array.of(0x3c00, 0x4000)), 'complex64', of(Float32Array.of(1, 2))],
    [11, 3, bytes(0, 1, 7), 'bool', bytes(0, 1, 1)],
    [2, 1, bytes(1, 2), 'float16', bytes(1, 2)],
  ])('type %i', async (dtype, count, data, type, wanted) => {
    expect(await written(dtype, count, data)).toEqual({ type, bytes: wanted })
  })
})
