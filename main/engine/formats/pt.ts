// Tensors in files of torch.save (zip form): type, shape, strides and storage, without executing anything.
import { type ZipEntry, memberBytes, memberStart, type ZipSource } from '../io/zip.ts'
import { problem, Refusal } from '../problem.ts'
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
const rebuilds = /^(?:torch\._utils\._rebuild_tensor(?:_v[23])?|torch_npu\.utils\.(?:storage|serialization)\._rebuild_npu_tensor)$/
/** Functions whose first argument is the tensor itself. */
const wrappers = /^(?:torch\._utils\._rebuild_parameter(?:_with_state)?|torch\._tensor\._rebuild_from_type_v2)$/

/** The tensors of a file, with the keys that lead to them; '' for a file that is one tensor. */
export function ptTensors(source: ZipSource, entries: readonly ZipEntry[], file = ''): readonly StoredTensor[] {
  const pickle = entries.find(entry => entry.name === 'data.pkl' || entry.name.endsWith('/data.pkl'))
  if (!pickle) throw invalid(file, 'no-pickle')
  const folder = pickle.name.slice(0, -'data.pkl'.length)
  const order = entries.find(entry => entry.name === `${folder}byteorder`)
  const bigEndian = order !== undefined && new TextDecoder().decode(memberBytes(source, order, 64, file)).startsWith('big')
  const found: StoredTensor[] = []
  const storages = new Map(entries.map(entry => [entry.name, entry]))

  // Containers may hold the same container again and again: depth alone does not bound the walk.
  let visits = 0
  const walk = (value: Value, name: string, depth: number): void => {
    if (depth > 32 || ++visits > most) throw invalid(file, 'deep')
    if (value instanceof Call && rebuilds.test(value.of.name)) found.push(tensor(value, name))
    else if (value instanceof Call && wrappers.test(value.of.name)) walk(inner(value), name, depth + 1)
    else if (value instanceof Map) for (const [key, item] of value) walk(item, name ? `${name}.${String(key)}` : String(key), depth + 1)
    else if (value instanceof Tuple) value.items.forEach((item, i) => walk(item, name ? `${name}.${i}` : String(i), depth + 1))
    else if (Array.isArray(value)) value.forEach((item, i) => walk(item, name ? `${name}.${i}` : String(i), depth + 1))
  }
  const tensor = (call: Call, name: string): StoredTensor => {
    const [persistent, offset, size, stride] = call.args
    const id = persistent instanceof Persistent && persistent.id instanceof Tuple ? persistent.id.items : []
    const [kind, type, key] = id
    if (kind !== 'storage' || !(type instanceof Global) || typeof key !== 'string') throw invalid(file, 'storage')
    const dtype = typeOf(type, call.args[6])
    const shape = numbers(size)
    const strides = numbers(stride)
    const storage = storages.get(`${folder}data/${key}`)
    if (!shape || !strides || shape.length !== strides.length || typeof offset !== 'number' || offset < 0 || !storage) throw invalid(file, 'storage')
    checkShape(shape, file)
    const stored: StoredTensor = { name, dtype, shape, strides, offset: offset * dtype.bytes, storage, bigEndian }
    const elements = shape.reduce((product, dim) => product * dim, 1)
    if (elements > repeats.elements && elements * dtype.bytes > storage.size * repeats.times) throw new Refusal(problem('shape-absurd', file, { shape: shape.join(', ') }))
    if (stored.offset + span(shape, strides) * dtype.bytes > storage.size) throw invalid(file, 'short')
    return stored
  }
  const typeOf = (storage: Global, declared: Value | undefined): Dtype => {
    // Untyped storages carry the type beside them, typed ones in their name: torch.BFloat16Storage.
    const text = declared instanceof Global ? declared.name : storage.name.replace(/Storage$/, '')
    const dtype = dtypeOf(text)
    if (!dtype) throw new Refusal(problem('dtype-unsupported', file, { dtype: text.slice(0, 80) }))
    return dtype
  }

  walk(readPickle(memberBytes(source, pickle, pickleLimit, file), file), '', 0)
  if (!found.length) throw invalid(file, 'no-tensor')
  return found
}

/** `_rebuild_from_type_v2(function, type, args, state)` wraps the call of a subclass. */
function inner(call: Call): Value {
  const [first, , args] = call.args
  return first instanceof Global && args instanceof Tuple ? new Call(first, args.items) : first ?? null
}

/** Byte position in the file, for storages that are not compressed. */
export const storageStart = (source: ZipSource, tensor: StoredTensor, file = ''): number => memberStart(source, tensor.storage, file) + tensor.offset

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
  const items = value instanceof Call && value.of.name === 'torch.Size' && value.args[0] instanceof Tuple ? value.args[0] : value
  if (!(items instanceof Tuple)) return undefined
  const all = items.items.filter((item): item is number => typeof item === 'number' && Number.isSafeInteger(item) && item >= 0)
  return all.length === items.items.length ? all : undefined
}

const invalid = (file: string, reason: string): Refusal => new Refusal(problem('pt-invalid', file, { reason }))
