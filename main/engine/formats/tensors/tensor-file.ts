// What a tensor file holds: the tensors in it by name and where each lies, known by the file's first bytes.
import { looksLikeZip, zipEntries } from '../../io/index.ts'
import { type ByteRange, problem, type Problem, Refusal, type TensorRef } from '../../model/index.ts'
import { dtypeOf, dtypes } from './dtype.ts'
import { checkShape, looksLikeNpy, npyHeaderSize, type NpyHeader, parseNpyHeader } from './npy.ts'
import { npzArray, npzNames } from './npz.ts'
import { packedBytes } from './packing.ts'
import {
  formerPtContents,
  looksLikeFormerPt,
  type PtContents,
  ptContents,
  storageStart,
  type StoredTensor,
  span,
} from './pt.ts'
import { looksLikeSafetensors, type SafeTensor, safetensors } from './safetensors.ts'
import {
  type ByteSource,
  count,
  fortranStrides,
  order,
  readFully,
  type TensorLayout,
  truncated,
} from './tensor.ts'

/** The tensors of a file. */
export interface TensorFile {
  /** In the file's order; '' for a file that is one tensor. Those that cannot be read are among them. */
  readonly names: readonly string[]
  /** Refuses a name that is not there, and a tensor that cannot be read. */
  layout(name: string): TensorLayout
}

interface Kind {
  /** By the first bytes. */
  knows(head: Uint8Array): boolean
  open(source: ByteSource, file: string, head: Uint8Array): TensorFile
}

const kinds: readonly Kind[] = [
  {
    knows: looksLikeNpy,
    open: (source, file, head) => ({ names: [''], layout: () => npyLayout(source, file, head) }),
  },
  { knows: looksLikeZip, open: openZip },
  { knows: looksLikeFormerPt, open: (source, file) => ptFile(source, file, formerPtContents(source, file)) },
  {
    knows: looksLikeSafetensors,
    open: (source, file) => {
      const tensors = new Map(safetensors(source, file).map(tensor => [tensor.name, tensor]))
      return { names: [...tensors.keys()], layout: name => safeLayout(named(tensors, name, file)) }
    },
  },
]

export function openTensorFile(
  source: ByteSource,
  file = '',
  head: Uint8Array = beginning(source),
): TensorFile {
  const kind = kinds.find(one => one.knows(head))
  if (kind) return kind.open(source, file, head)
  if (/\.safetensors$/i.test(file))
    throw new Refusal(problem('safetensors-invalid', file, { reason: 'header-size' }))
  if (/\.npz$/i.test(file)) throw new Refusal(problem('zip-invalid', file, { reason: 'magic' }))
  throw new Refusal(
    problem(/\.(?:pt|pth|bin|ckpt)$/i.test(file) ? 'pt-invalid' : 'npy-invalid', file, { reason: 'magic' }),
  )
}

const firstRead = 4096

/**
 * Says what a file holds. `declared` is the type that dump.json tells; it turns raw 16-bit words into
 * bfloat16.
 */
export function tensorLayout(
  source: ByteSource,
  file = '',
  declared = '',
  member?: string,
  head: Uint8Array = beginning(source),
): TensorLayout {
  const layout = looksLikeNpy(head) ? npyLayout(source, file, head) : memberLayout(source, file, head, member)
  const brain = layout.dtype.name === 'uint16' || layout.dtype.name === 'int16'
  return brain && dtypeOf(declared)?.name === 'bfloat16' ? { ...layout, dtype: dtypes.bfloat16 } : layout
}

/** What a reference leads to; `head`: the beginning of the file, where it was read already. */
export function layoutOf(
  source: ByteSource,
  { file, dtype, part }: TensorRef,
  head?: Uint8Array,
): TensorLayout {
  return typeof part === 'object'
    ? rangeLayout(source, file, part)
    : tensorLayout(source, file, dtype, part, head)
}

function rangeLayout(source: ByteSource, file: string, range: ByteRange): TensorLayout {
  const dtype = dtypeOf(range.dtype)
  if (!dtype) throw new Refusal(problem('dtype-unsupported', file, { dtype: range.dtype }))
  checkShape(range.shape, file)
  const { from, packing, tiling, strides = null, bigEndian = false } = range
  const layout = order(dtype, range.shape, strides)
  const spread = layout.strides ? span(layout.shape, layout.strides) : layout.size
  const stored = tiling?.size ?? spread
  const end = from + (packing ? packedBytes(packing, stored) : stored * dtype.bytes)
  if (!(from >= 0 && end <= source.size)) throw truncated(file, end, source.size)
  const { shape, size, strides: steps } = layout
  // Written out: thousands of small tensors are placed one after the other.
  const place = { dtype, shape, size, strides: steps, from, bigEndian, packed: null }
  return packing || tiling ? { ...place, ...(packing && { packing }), ...(tiling && { tiling }) } : place
}

function beginning(source: ByteSource): Uint8Array {
  const head = new Uint8Array(Math.min(firstRead, source.size))
  return head.subarray(0, readFully(source, 0, head))
}

function npyLayout(source: ByteSource, file: string, head: Uint8Array): TensorLayout {
  let whole = head
  const size = npyHeaderSize(head, file)
  if (head.length < size) {
    const longer = new Uint8Array(size)
    whole = longer.subarray(0, readFully(source, 0, longer))
  }
  const header = parseNpyHeader(whole, file)
  const known = layouts.get(header)
  if (known) return known
  const layout = {
    ...order(header.dtype, header.shape, header.fortran ? fortranStrides(header.shape) : null),
    from: header.from,
    bigEndian: header.bigEndian,
    packed: null,
  }
  layouts.set(header, layout)
  return layout
}

/** Equal headers are the same object. */
const layouts = new WeakMap<NpyHeader, TensorLayout>()

function openZip(source: ByteSource, file: string): TensorFile {
  const entries = zipEntries(source, file)
  const names = npzNames(entries)
  if (names.length === 0) return ptFile(source, file, ptContents(source, entries, file))
  return {
    names,
    layout(name) {
      const { entry, header, start } = npzArray(source, entries, name, file)
      const { dtype, shape, fortran, bigEndian, from } = header
      if (from + count(shape) * dtype.bytes > entry.size)
        throw truncated(file, from + count(shape) * dtype.bytes, entry.size)
      const place = entry.stored ? { from: start + from, packed: null } : { from, packed: entry }
      return { ...order(dtype, shape, fortran ? fortranStrides(shape) : null), bigEndian, ...place }
    },
  }
}

function ptFile(source: ByteSource, file: string, { tensors, refused }: PtContents): TensorFile {
  const found = new Map<string, StoredTensor | Problem>()
  for (const tensor of tensors) found.set(tensor.name, tensor)
  for (const { name, problem: reason } of refused) found.set(name, reason)
  if (found.size === 0) throw new Refusal(problem('pt-invalid', file, { reason: 'no-tensor' }))
  return {
    names: [...found.keys()],
    layout(name) {
      const tensor = named(found, name, file)
      if ('code' in tensor) throw new Refusal(tensor)
      return storedLayout(source, tensor, file)
    },
  }
}

/** Where a tensor of torch.save lies. */
export function storedLayout(source: ByteSource, tensor: StoredTensor, file: string): TensorLayout {
  const { dtype, shape, strides, storage, bigEndian, offset } = tensor
  const place =
    storage.entry && !storage.entry.stored
      ? { from: offset, packed: storage.entry }
      : { from: storageStart(source, tensor, file), packed: null }
  return { ...order(dtype, shape, strides), bigEndian, ...place }
}

function safeLayout({ dtype, shape, from }: SafeTensor): TensorLayout {
  if ('code' in dtype) throw new Refusal(dtype)
  return { ...order(dtype, shape, null), bigEndian: false, from, packed: null }
}

function named<T>(tensors: ReadonlyMap<string, T>, name: string, file: string): T {
  const tensor = tensors.get(name)
  if (tensor === undefined) throw severalOf([...tensors.keys()], file)
  return tensor
}

function memberLayout(source: ByteSource, file: string, head: Uint8Array, member?: string): TensorLayout {
  const held = openTensorFile(source, file, head)
  return held.layout(chosen(held.names, member, file))
}

/** A range that reads what a layout does; null for elements that are packed in an archive. */
export function rangeOf(layout: TensorLayout): ByteRange | null {
  const { dtype, shape, from, strides, bigEndian, packed, packing, tiling } = layout
  if (packed) return null
  return {
    from,
    dtype: dtype.name,
    shape,
    ...(strides && { strides }),
    ...(bigEndian && { bigEndian }),
    ...(packing && { packing }),
    ...(tiling && { tiling }),
  }
}

function chosen(names: readonly string[], member: string | undefined, file: string): string {
  if (member !== undefined && names.includes(member)) return member
  if (member === undefined && names.length === 1) return names[0]
  throw severalOf(names, file)
}

const severalOf = (names: readonly string[], file: string): Refusal =>
  new Refusal(problem('several-tensors', file, { names: names.slice(0, 20).join(', ') }))
