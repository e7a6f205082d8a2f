// Tensors in files of torch.save: type, shape, strides and storage, without executing anything. The zip form of today,
// and the row of pickles that it was before.
import { memberBytes, memberStart, type ZipEntry, type ZipSource } from '../../io/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import { type Dtype, dtypeOf } from './dtype.ts'
import { checkShape } from './npy.ts'
import { Call, Global, Persistent, readPickle, readPickles, Tuple, type Value } from './pickle.ts'

export interface StoredTensor {
  readonly name: string
  readonly dtype: Dtype
  readonly shape: readonly number[]
  /** In elements of the type. */
  readonly strides: readonly number[]
  /** Byte position of the first element in the storage. */
  readonly offset: number
  readonly storage: Storage
  readonly bigEndian: boolean
}

/** The bytes that one tensor or several share. */
interface Storage {
  readonly size: number
  /** The member of an archive that they are; null where they lie in the file from `from` on. */
  readonly entry: ZipEntry | null
  readonly from: number
}

/** What a file of torch.save holds. */
export interface PtContents {
  readonly value: Value
  readonly tensors: readonly StoredTensor[]
  /** Tensors of types that nobody reads. */
  readonly refused: readonly { readonly name: string; readonly problem: Problem }[]
}

const pickleLimit = 1 << 26
/** Checkpoints of many experts hold some hundred thousand tensors. */
const most = 1 << 21
/** Views may repeat a storage. More often than this nobody does: such a file only claims to be endless. */
const repeats = { times: 2 ** 16, elements: 2 ** 24 }
/** Functions whose first four arguments are storage, offset, size and stride. */
const rebuilds =
  /^(?:torch\._utils\._rebuild_tensor(?:_v[23])?|torch_npu\.utils\.(?:storage|serialization)\._rebuild_npu_tensor)$/
/** Functions whose first argument is the tensor itself. */
const wrappers =
  /^(?:torch\._utils\._rebuild_parameter(?:_with_state)?|torch\._tensor\._rebuild_from_type_v2)$/

/** The tensors of a zip, with the keys that lead to them; '' for a file that is one tensor. */
export function ptContents(source: ZipSource, entries: readonly ZipEntry[], file: string): PtContents {
  const pickle = entries.find(entry => entry.name === 'data.pkl' || entry.name.endsWith('/data.pkl'))
  if (!pickle) throw invalid(file, 'no-pickle')
  const folder = pickle.name.slice(0, -'data.pkl'.length)
  const order = entries.find(entry => entry.name === `${folder}byteorder`)
  const bigEndian =
    order !== undefined && new TextDecoder().decode(memberBytes(source, order, 64, file)).startsWith('big')
  const members = new Map(entries.map(entry => [entry.name, entry]))
  const storageOf = (key: string): Storage | undefined => {
    const entry = members.get(`${folder}data/${key}`)
    return entry && { size: entry.size, entry, from: 0 }
  }
  const search = new TensorSearch({ file, bigEndian, storageOf })
  return search.of(readPickle(memberBytes(source, pickle, pickleLimit, file), file))
}

/** Before 1.6 torch.save wrote five pickles and behind them the storages, each behind its number of elements. */
const formerMark = [0x80, 2, 0x8a, 10, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19]
export const looksLikeFormerPt = (head: Uint8Array): boolean =>
  formerMark.every((byte, i) => head[i] === byte)

export function formerPtContents(source: ZipSource, file: string): PtContents {
  const bytes = new Uint8Array(Math.min(source.size, pickleLimit))
  for (let done = 0, got = 1; got > 0 && done < bytes.length; done += got)
    got = source.read(done, bytes.subarray(done))
  const { values, end } = readPickles(bytes, 5, file)
  const [, version, system, value, keys] = values
  if (version !== 1001 || !Array.isArray(keys)) throw invalid(file, 'version')
  const types = new Map<string, Dtype | null>()
  collectStorages(value, types, 0)
  const storages = new Map<string, Storage>()
  let at = end
  for (const key of keys) {
    const dtype = types.get(String(key))
    if (typeof key !== 'string' || !dtype) throw invalid(file, 'storage')
    const count = new Uint8Array(8)
    if (at + 8 > source.size || source.read(at, count) < 8) throw invalid(file, 'short')
    const size = Number(new DataView(count.buffer).getBigUint64(0, true)) * dtype.bytes
    if (at + 8 + size > source.size) throw invalid(file, 'short')
    storages.set(key, { size, entry: null, from: at + 8 })
    at += 8 + size
  }
  const bigEndian = system instanceof Map && system.get('little_endian') === false
  return new TensorSearch({ file, bigEndian, storageOf: key => storages.get(key) }).of(value)
}

/** Every storage that a value leads to, with the type of its elements; they are told in no other place. */
function collectStorages(value: Value | undefined, into: Map<string, Dtype | null>, depth: number): void {
  if (depth > 64 || into.size > most || value === null || typeof value !== 'object') return
  if (value instanceof Persistent) {
    const [kind, type, key] = value.id instanceof Tuple ? value.id.items : []
    if (kind === 'storage' && type instanceof Global && typeof key === 'string')
      into.set(key, dtypeOf(type.name.replace(/Storage$/, '')) ?? null)
  } else if (value instanceof Call) for (const item of value.args) collectStorages(item, into, depth + 1)
  else if (value instanceof Tuple) for (const item of value.items) collectStorages(item, into, depth + 1)
  else if (Array.isArray(value)) for (const item of value) collectStorages(item, into, depth + 1)
  else if (value instanceof Map) for (const item of value.values()) collectStorages(item, into, depth + 1)
}

interface Archive {
  readonly file: string
  readonly bigEndian: boolean
  storageOf(key: string): Storage | undefined
}

/** Collects the tensors in a pickle, with the keys that lead to them. */
class TensorSearch {
  readonly #found: StoredTensor[] = []
  readonly #refused: { name: string; problem: Problem }[] = []
  readonly #archive: Archive
  /** Containers may hold the same container again and again: depth alone does not bound the walk. */
  #visits = 0

  constructor(archive: Archive) {
    this.#archive = archive
  }

  of(value: Value): PtContents {
    this.#walk(value, '', 0)
    return { value, tensors: this.#found, refused: this.#refused }
  }

  #walk(value: Value, name: string, depth: number): void {
    if (depth > 32 || ++this.#visits > most) throw invalid(this.#archive.file, 'deep')
    if (value instanceof Call && rebuilds.test(value.of.name)) this.#add(value, name)
    else if (value instanceof Call && wrappers.test(value.of.name)) this.#walk(inner(value), name, depth + 1)
    else
      for (const [key, item] of membersOf(value)) this.#walk(item, name ? `${name}.${key}` : key, depth + 1)
  }

  #add(call: Call, name: string): void {
    try {
      this.#found.push(this.#tensor(call, name))
    } catch (error) {
      if (!(error instanceof Refusal) || error.problem.code !== 'dtype-unsupported') throw error
      this.#refused.push({ name, problem: error.problem })
    }
  }

  #tensor(call: Call, name: string): StoredTensor {
    const { file, bigEndian, storageOf } = this.#archive
    const [persistent, offset, size, stride] = call.args
    const id = persistent instanceof Persistent && persistent.id instanceof Tuple ? persistent.id.items : []
    const [kind, type, key] = id
    if (kind !== 'storage' || !(type instanceof Global) || typeof key !== 'string')
      throw invalid(file, 'storage')
    const dtype = typeOf(type, call.args[6], file)
    const shape = numbers(size)
    const strides = numbers(stride)
    const storage = storageOf(key)
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
export const storageStart = (source: ZipSource, { storage, offset }: StoredTensor, file = ''): number =>
  (storage.entry ? memberStart(source, storage.entry, file) : storage.from) + offset

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
