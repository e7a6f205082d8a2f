// Tensors in files of torch.save (zip form): type, shape, strides and storage, without executing anything.
import { memberBytes, memberStart, type ZipEntry, type ZipSource } from '../../io/index.ts'
import { problem, Refusal } from '../../model/index.ts'
import { type Dtype, dtypeOf } from './dtype.ts'
import { checkShape } from './npy.ts'
import { Call, Global, Persistent, readPickle, Tuple, type Value } from './pickle.ts'

export interface StoredTensor {
  readonly name: string
  readonly dtype: Dtype
  readonly shape: readonly number[]
  /** In elements of the type. */
  readonly strides: readonly number[]
  /** Byte position of the first element in the storage. */
  readonly offset: number
  readonly storage: ZipEntry
  readonly bigEndian: boolean
}

const pickleLimit = 1 << 22
const most = 1 << 16
/** Views may repeat a storage. More often than this nobody does: such a file only claims to be endless. */
const repeats = { times: 2 ** 16, elements: 2 ** 24 }
/** Functions whose first four arguments are storage, offset, size and stride. */
const rebuilds =
  /^(?:torch\._utils\._rebuild_tensor(?:_v[23])?|torch_npu\.utils\.(?:storage|serialization)\._rebuild_npu_tensor)$/
/** Functions whose first argument is the tensor itself. */
const wrappers =
  /^(?:torch\._utils\._rebuild_parameter(?:_with_state)?|torch\._tensor\._rebuild_from_type_v2)$/

/** The tensors of a file, with the keys that lead to them; '' for a file that is one tensor. */
export function ptTensors(
  source: ZipSource,
  entries: readonly ZipEntry[],
  file = '',
): readonly StoredTensor[] {
  const { tensors } = ptContents(source, entries, file)
  if (!tensors.length) throw invalid(file, 'no-tensor')
  return tensors
}

/** The same, and the value that the file holds. */
export function ptContents(
  source: ZipSource,
  entries: readonly ZipEntry[],
  file: string,
): { readonly value: Value; readonly tensors: readonly StoredTensor[] } {
  const pickle = entries.find(entry => entry.name === 'data.pkl' || entry.name.endsWith('/data.pkl'))
  if (!pickle) throw invalid(file, 'no-pickle')
  const folder = pickle.name.slice(0, -'data.pkl'.length)
  const order = entries.find(entry => entry.name === `${folder}byteorder`)
  const bigEndian =
    order !== undefined && new TextDecoder().decode(memberBytes(source, order, 64, file)).startsWith('big')
  const search = new TensorSearch(entries, { file, folder, bigEndian })
  const value = readPickle(memberBytes(source, pickle, pickleLimit, file), file)
  search.walk(value, '', 0)
  return { value, tensors: search.found }
}

interface Archive {
  readonly file: string
  /** The members of the archive lie below this. */
  readonly folder: string
  readonly bigEndian: boolean
}

/** Collects the tensors in a pickle, with the keys that lead to them. */
class TensorSearch {
  readonly found: StoredTensor[] = []
  readonly #storages: ReadonlyMap<string, ZipEntry>
  readonly #archive: Archive
  /** Containers may hold the same container again and again: depth alone does not bound the walk. */
  #visits = 0

  constructor(entries: readonly ZipEntry[], archive: Archive) {
    this.#storages = new Map(entries.map(entry => [entry.name, entry]))
    this.#archive = archive
  }

  walk(value: Value, name: string, depth: number): void {
    if (depth > 32 || ++this.#visits > most) throw invalid(this.#archive.file, 'deep')
    if (value instanceof Call && rebuilds.test(value.of.name)) this.found.push(this.#tensor(value, name))
    else if (value instanceof Call && wrappers.test(value.of.name)) this.walk(inner(value), name, depth + 1)
    else for (const [key, item] of membersOf(value)) this.walk(item, name ? `${name}.${key}` : key, depth + 1)
  }

  #tensor(call: Call, name: string): StoredTensor {
    const { file, folder, bigEndian } = this.#archive
    const [persistent, offset, size, stride] = call.args
    const id = persistent instanceof Persistent && persistent.id instanceof Tuple ? persistent.id.items : []
    const [kind, type, key] = id
    if (kind !== 'storage' || !(type instanceof Global) || typeof key !== 'string')
      throw invalid(file, 'storage')
    const dtype = typeOf(type, call.args[6], file)
    const shape = numbers(size)
    const strides = numbers(stride)
    const storage = this.#storages.get(`${folder}data/${key}`)
    if (!shape || !strides || shape.length !== strides.length || !storage) throw invalid(file, 'storage')
    if (typeof offset !== 'number' || offset < 0) throw invalid(file, 'storage')
    checkShape(shape, file)
    const from = offset * dtype.bytes
    const elements = shape.reduce((product, dim) => product * dim, 1)
    if (elements > repeats.elements && elements * dtype.bytes > storage.size * repeats.times)
      throw new Refusal(problem('shape-absurd', file, { shape: shape.join(', ') }))
    if (from + span(shape, strides) * dtype.bytes > storage.size) throw invalid(file, 'short')
    return { name, dtype, shape, strides, offset: from, storage, bigEndian }
  }
}

/** What a container holds, by key; nothing for any other value. */
function membersOf(value: Value): readonly (readonly [string, Value])[] {
  // What is no plain key is left out: it may be nested without end.
  if (value instanceof Map)
    return [...value].flatMap(([key, item]) =>
      typeof key === 'object' ? [] : [[String(key), item] as const],
    )
  const list = value instanceof Tuple ? value.items : value
  return Array.isArray(list) ? list.map((item: Value, i) => [String(i), item]) : []
}

/** Untyped storages carry the type beside them, typed ones in their name: torch.BFloat16Storage. */
function typeOf(storage: Global, declared: Value | undefined, file: string): Dtype {
  const text = declared instanceof Global ? declared.name : storage.name.replace(/Storage$/, '')
  const dtype = dtypeOf(text)
  if (!dtype) throw new Refusal(problem('dtype-unsupported', file, { dtype: text.slice(0, 80) }))
  return dtype
}

/** `_rebuild_from_type_v2(function, type, args, state)` wraps the call of a subclass. */
function inner(call: Call): Value {
  const [first, , args] = call.args
  return first instanceof Global && args instanceof Tuple ? new Call(first, args.items) : (first ?? null)
}

/** Byte position in the file, for storages that are not compressed. */
export const storageStart = (source: ZipSource, tensor: StoredTensor, file = ''): number =>
  memberStart(source, tensor.storage, file) + tensor.offset

/** Elements from the first to the last one, gaps included. */
export function span(shape: readonly number[], strides: readonly number[]): number {
  let last = 0
  for (let axis = 0; axis < shape.length; axis++) {
    if (shape[axis] === 0) return 0
    last += (shape[axis] - 1) * strides[axis]
  }
  return last + 1
}

function numbers(value: Value | undefined): readonly number[] | undefined {
  const items =
    value instanceof Call && value.of.name === 'torch.Size' && value.args[0] instanceof Tuple
      ? value.args[0]
      : value
  if (!(items instanceof Tuple)) return undefined
  const all = items.items.filter(
    (item): item is number => typeof item === 'number' && Number.isSafeInteger(item) && item >= 0,
  )
  return all.length === items.items.length ? all : undefined
}

const invalid = (file: string, reason: string): Refusal =>
  new Refusal(problem('pt-invalid', file, { reason }))
