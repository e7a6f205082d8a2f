// Tensors of a call as arrays of doubles, from their files.
import { decode, type DtypeName, layoutOf, openRef, tensorReader } from '../formats/index.ts'
import type { QuickFiles } from '../io/index.ts'
import { problem, Refusal, type TensorRef } from '../model/index.ts'
import type { NdArray } from './array.ts'
import { isComplex, largestExact } from './rounding.ts'
import { Unsupported } from './unsupported.ts'

/** A tensor with more elements is not taken into memory. */
const mostElements = 2 ** 27

const blockElements = 1 << 16

/** The values of a file. */
export function readArray(files: QuickFiles, ref: TensorRef): NdArray {
  try {
    return readOpen(files, ref)
  } catch (error) {
    if (error instanceof Refusal) throw new Unsupported('file', `${ref.file}: ${error.problem.code}`)
    throw error
  }
}

function readOpen(files: QuickFiles, ref: TensorRef): NdArray {
  const handle = openRef(files, ref)
  if (!handle) throw new Unsupported('noData', ref.file)
  try {
    const layout = layoutOf(handle, ref)
    if (layout.size > mostElements) throw new Unsupported('limit', ref.file)
    const reader = tensorReader(handle, layout, ref.file)
    const complex = isComplex(layout.dtype.name)
    const data = new Float64Array(layout.size)
    const imaginary = complex ? new Float64Array(layout.size) : null
    const bytes = new Uint8Array(Math.min(layout.size, blockElements) * layout.dtype.bytes)
    for (let first = 0; first < layout.size;) {
      const count = Math.min(blockElements, layout.size - first)
      const got = reader.read(first, bytes.subarray(0, count * layout.dtype.bytes))
      const part = data.subarray(first, first + got)
      if (imaginary) decodeComplex(layout.dtype.name, bytes, part, imaginary.subarray(first, first + got))
      else decode(layout.dtype, bytes, got, part)
      first += got
    }
    checkWide(layout.dtype.name, data)
    return { dtype: layout.dtype.name, shape: layout.shape, data, ...(imaginary && { imaginary }) }
  } finally {
    handle.close()
  }
}

/** A file of real numbers that is read a part at a time. */
export interface PartReader {
  readonly dtype: DtypeName
  readonly shape: readonly number[]
  /** As many values as there is room for, from one on. */
  read(first: number, into: Float64Array): void
  close(): void
}

/** Null for what is to be read as a whole: complex numbers, missing and damaged files, which are said there. */
export function openParts(files: QuickFiles, ref: TensorRef): PartReader | null {
  const handle = openRef(files, ref)
  if (!handle) return null
  try {
    const layout = layoutOf(handle, ref)
    const { name, bytes: width } = layout.dtype
    if (isComplex(name)) throw new Refusal(problem('not-a-dump', ref.file))
    const reader = tensorReader(handle, layout, ref.file)
    let bytes = new Uint8Array(0)
    return {
      dtype: name,
      shape: layout.shape,
      read(first, into) {
        const wanted = into.length * width
        if (bytes.length < wanted) bytes = new Uint8Array(wanted)
        for (let got = 0; got < into.length;) {
          const count = reader.read(first + got, bytes.subarray(0, (into.length - got) * width))
          decode(layout.dtype, bytes, count, into.subarray(got, got + count))
          got += count
        }
        checkWide(name, into)
      },
      close: () => handle.close(),
    }
  } catch (error) {
    handle.close()
    if (error instanceof Refusal) return null
    throw error
  }
}

function decodeComplex(dtype: DtypeName, bytes: Uint8Array, re: Float64Array, im: Float64Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = dtype === 'complex64' ? 4 : 8
  const get = (at: number): number => (size === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true))
  for (let i = 0; i < re.length; i++) {
    re[i] = get(i * 2 * size)
    im[i] = get(i * 2 * size + size)
  }
}

/** Wide integers that a double rounds are not computed with. */
function checkWide(dtype: DtypeName, data: Float64Array): void {
  if (dtype !== 'int64' && dtype !== 'uint64') return
  for (let i = 0; i < data.length; i++)
    if (data[i] > largestExact || data[i] < -largestExact) throw new Unsupported('wideIntegers')
}
