// safetensors: a header in JSON that says by name what lies where, and the elements one behind the other.
import type { ZipSource } from '../../io/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import { type Dtype, dtypes, type DtypeName } from './dtype.ts'
import { checkShape } from './npy.ts'

export interface SafeTensor {
  readonly name: string
  readonly shape: readonly number[]
  /** Byte position of the first element in the file. */
  readonly from: number
  /** Why there is no type to read it by. */
  readonly dtype: Dtype | Problem
}

const longest = 100_000_000

const names: Readonly<Record<string, DtypeName>> = {
  BOOL: 'bool',
  U8: 'uint8',
  I8: 'int8',
  U16: 'uint16',
  I16: 'int16',
  U32: 'uint32',
  I32: 'int32',
  U64: 'uint64',
  I64: 'int64',
  F16: 'float16',
  BF16: 'bfloat16',
  F32: 'float32',
  F64: 'float64',
  F8_E4M3: 'float8_e4m3fn',
  F8_E5M2: 'float8_e5m2',
  F8_E8M0: 'float8_e8m0',
  C64: 'complex64',
}

/** Eight bytes of length, of which no honest file needs the upper four, and the brace of the header. */
export const looksLikeSafetensors = (head: Uint8Array): boolean =>
  head.length >= 10 && head[8] === 0x7b && head[4] + head[5] + head[6] + head[7] === 0

export function safetensors(source: ZipSource, file: string): readonly SafeTensor[] {
  const length = headerLength(source, file)
  const found = Object.entries(headerOf(source, length, file))
    .filter(([name]) => name !== '__metadata__')
    .map(([name, told]) => tensorOf(name, told, 8 + length, file))
  const placed = found.toSorted((a, b) => a.from - b.from || a.to - b.to)
  let at = 8 + length
  for (const { name, from, to } of placed) {
    if (from !== at) throw invalid(file, from < at ? 'overlap' : 'hole', name)
    at = to
  }
  if (at > source.size)
    throw new Refusal(problem('npy-truncated', file, { expected: at, found: source.size }))
  if (at < source.size) throw invalid(file, 'hole', 'end')
  return found.map(({ name, shape, from, dtype }) => ({ name, shape, from, dtype }))
}

function headerLength(source: ZipSource, file: string): number {
  const bytes = new Uint8Array(8)
  if (source.size < 8 || source.read(0, bytes) < 8) throw invalid(file, 'short')
  const length = new DataView(bytes.buffer).getBigUint64(0, true)
  if (length > BigInt(longest) || 8 + Number(length) > source.size) throw invalid(file, 'header-size')
  return Number(length)
}

function headerOf(source: ZipSource, length: number, file: string): Readonly<Record<string, unknown>> {
  const bytes = new Uint8Array(length)
  for (let done = 0, got = 1; got > 0 && done < length; done += got)
    got = source.read(8 + done, bytes.subarray(done))
  try {
    const header: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (isRecord(header)) return header
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error
  }
  throw invalid(file, 'header')
}

function tensorOf(name: string, told: unknown, begin: number, file: string): SafeTensor & { to: number } {
  if (!isRecord(told)) throw invalid(file, 'header', name)
  const { dtype: type, shape, data_offsets: offsets } = told
  if (typeof type !== 'string' || !isCounts(shape) || !isCounts(offsets) || offsets.length !== 2)
    throw invalid(file, 'header', name)
  checkShape(shape, file)
  const [from, to] = offsets
  if (from > to) throw invalid(file, 'size', name)
  if (!Object.hasOwn(names, type)) {
    const refused = problem('dtype-unsupported', file, { dtype: type.slice(0, 40) })
    return { name, shape, from: begin + from, to: begin + to, dtype: refused }
  }
  const dtype = dtypes[names[type]]
  const size = shape.reduce((product, dim) => product * dim, 1)
  if (to - from !== size * dtype.bytes) throw invalid(file, 'size', name)
  return { name, shape, from: begin + from, to: begin + to, dtype }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCounts = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every(item => Number.isSafeInteger(item) && item >= 0)

const invalid = (file: string, reason: string, name = ''): Refusal =>
  new Refusal(
    problem('safetensors-invalid', file, { reason: name ? `${reason}: ${name.slice(0, 80)}` : reason }),
  )
