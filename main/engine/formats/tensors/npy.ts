// Headers of .npy files, versions 1 to 3: type, shape, order and where the elements begin.
import { problem, Refusal } from '../../model/index.ts'
import { type Dtype, dtypes, type DtypeName } from './dtype.ts'

export interface NpyHeader {
  readonly dtype: Dtype
  readonly shape: readonly number[]
  readonly fortran: boolean
  readonly bigEndian: boolean
  /** Byte position of the first element. */
  readonly from: number
}

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]
/** numpy itself refuses to parse longer ones. */
const longest = 1 << 16

export function looksLikeNpy(head: Uint8Array): boolean {
  for (let i = 0; i < magic.length; i++) if (head[i] !== magic[i]) return false
  return true
}

/** Bytes that the header takes; 0 when `head` is too short to tell. */
export function npyHeaderSize(head: Uint8Array, file = ''): number {
  if (head.length < 10) throw invalid(file, 'short')
  if (!looksLikeNpy(head)) throw invalid(file, 'magic')
  const version = head[6]
  if (version < 1 || version > 3) throw invalid(file, `version ${version}`)
  if (version > 1 && head.length < 12) throw invalid(file, 'short')
  const length =
    version === 1
      ? head[8] | (head[9] << 8)
      : (head[8] | (head[9] << 8) | (head[10] << 16)) + head[11] * 2 ** 24
  if (length > longest) throw invalid(file, `header-size ${length}`)
  return (version === 1 ? 10 : 12) + length
}

const utf8 = new TextDecoder('utf-8')
const latin1 = new TextDecoder('latin1')

/** Files of one dump share few headers: those seen, by a hash of their bytes. */
const seen = new Map<number, { readonly bytes: Uint8Array; readonly header: NpyHeader }>()
const mostSeen = 1024

/** `head` must hold the whole header. Equal headers are the same object. */
export function parseNpyHeader(head: Uint8Array, file = ''): NpyHeader {
  const size = npyHeaderSize(head, file)
  if (head.length < size) throw invalid(file, 'short')
  const hash = hashOf(head, size)
  const known = seen.get(hash)
  if (known && known.bytes.length === size && startsWith(head, known.bytes)) return known.header
  const bytes = head.slice(0, size)
  const text = (head[6] === 3 ? utf8 : latin1).decode(bytes.subarray(head[6] === 1 ? 10 : 12))
  const header = { ...parseDict(text, file), from: size }
  if (seen.size >= mostSeen) seen.clear()
  seen.set(hash, { bytes, header })
  return header
}

function hashOf(bytes: Uint8Array, length: number): number {
  let hash = length
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
  return hash
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  if (bytes.length < prefix.length) return false
  for (let i = 0; i < prefix.length; i++) if (bytes[i] !== prefix[i]) return false
  return true
}

const key = (name: string): string => String.raw`['"]${name}['"]\s*:\s*`
const orderPattern = new RegExp(`${key('fortran_order')}(True|False)`)
const shapePattern = new RegExp(String.raw`${key('shape')}\(([\s\dL,]*)\)`)
/** What numpy itself writes, in one go. */
const usualPattern = /^\{'descr': '([^']*)', 'fortran_order': (True|False), 'shape': \(([\d, ]*)\), \} *\n$/
const typePattern = new RegExp(`${key('descr')}(?:'([^']*)'|"([^"]*)"|(\\[|\\())`)

function parseDict(text: string, file: string): Omit<NpyHeader, 'from'> {
  const usual = usualPattern.exec(text)
  if (usual)
    return { ...parseDescr(usual[1], file), shape: parseShape(usual[3], file), fortran: usual[2] === 'True' }
  const type = typePattern.exec(text)
  const order = orderPattern.exec(text)
  const dims = shapePattern.exec(text)
  if (!type || !order || !dims || !text.trimStart().startsWith('{')) throw invalid(file, 'header')
  if (type[3])
    throw new Refusal(
      problem('dtype-unsupported', file, {
        dtype: bracketed(text.slice(type.index + type[0].length - 1)).slice(0, 80),
      }),
    )
  const shape = parseShape(dims[1], file)
  return { ...parseDescr(type[1] ?? type[2] ?? '', file), shape, fortran: order[1] === 'True' }
}

/** What a text opens with, up to the bracket that closes it. */
function bracketed(text: string): string {
  let open = 0
  for (let i = 0; i < text.length; i++) {
    if ('[('.includes(text[i])) open++
    if ('])'.includes(text[i]) && --open === 0) return text.slice(0, i + 1)
  }
  return text
}

function parseShape(text: string, file: string): number[] {
  const shape: number[] = []
  for (const part of text.split(',').map(dim => dim.trim()))
    if (part) shape.push(Number(part.endsWith('L') ? part.slice(0, -1) : part))
  checkShape(shape, file)
  return shape
}

/** Refuses shapes whose number of elements a double cannot count, before anyone multiplies further. */
export function checkShape(shape: readonly number[], file: string): void {
  let size = 1
  for (const dim of shape) {
    if (!Number.isSafeInteger(dim) || dim < 0)
      throw new Refusal(problem('shape-absurd', file, { shape: shape.join(', ').slice(0, 200) }))
    size *= Math.max(dim, 1)
  }
  if (size > 2 ** 50 || shape.length > 64)
    throw new Refusal(problem('shape-absurd', file, { shape: shape.join(', ').slice(0, 200) }))
}

const kinds: Readonly<Record<string, DtypeName>> = {
  b1: 'bool',
  i1: 'int8',
  i2: 'int16',
  i4: 'int32',
  i8: 'int64',
  u1: 'uint8',
  u2: 'uint16',
  u4: 'uint32',
  u8: 'uint64',
  f2: 'float16',
  f4: 'float32',
  f8: 'float64',
  c8: 'complex64',
  c16: 'complex128',
  // ml_dtypes writes its types as raw bytes of their size; two raw bytes can only be a bfloat16 here.
  V2: 'bfloat16',
  bfloat16: 'bfloat16',
  float8_e4m3fn: 'float8_e4m3fn',
  float8_e5m2: 'float8_e5m2',
  '?': 'bool',
}

function parseDescr(descr: string, file: string): Pick<NpyHeader, 'dtype' | 'bigEndian'> {
  const order = '<>|='.includes(descr[0] ?? ' ') ? descr[0] : ''
  const name = descr.slice(order.length)
  if (!Object.hasOwn(kinds, name))
    throw new Refusal(problem('dtype-unsupported', file, { dtype: descr.slice(0, 80) }))
  return { dtype: dtypes[kinds[name]], bigEndian: order === '>' }
}

const invalid = (file: string, reason: string): Refusal =>
  new Refusal(problem('npy-invalid', file, { reason }))
