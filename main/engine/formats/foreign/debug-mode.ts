// Logs of PyTorch's DebugMode: every operation with hashes of what it read and made, and the numbers of the tensors, by
// which readers and writers are known. The first part of a hash is the sum of magnitudes: it stands where norms stand.
import { dirOf, type Files } from '../../io/index.ts'
import { type Dump, namedRow, problem, quietAbout, Refusal } from '../../model/index.ts'
import { backwardEnd, dottedNames, scopesOf } from '../../names/index.ts'
import { meetByNames } from '../bundle/dump.ts'
import { type FormatOf, placeAt } from '../format.ts'
import { growing } from '../growing.ts'
import { itemNameOf, OpColumns, type OneTensor } from '../tensorflow/op-columns.ts'
import { headOf, isTold, jsonOf, numberIn, type Told } from './told.ts'

const mark = 'torch.utils._debug_mode.DebugMode.logs'

export const debugMode: FormatOf<'dump'> = {
  id: 'debug-mode',
  holds: 'dump',
  find: at =>
    at.kind !== 'folder' && /\.json$/i.test(at.name) && headOf(at.files, at.path, 512).includes(mark)
      ? placeAt(at.path)
      : null,
  open: ({ path }, { files }) => growing(() => Promise.resolve(dumpOf(files, path))),
  ofTensors: () => false,
  meet: meetByNames,
}

const types: Readonly<Record<string, string>> = {
  f64: 'float64',
  f32: 'float32',
  f16: 'float16',
  bf16: 'bfloat16',
  f8e4m3fn: 'float8_e4m3fn',
  f8e5m2: 'float8_e5m2',
  i64: 'int64',
  i32: 'int32',
  i16: 'int16',
  i8: 'int8',
  u8: 'uint8',
  b8: 'bool',
  c64: 'complex64',
  c128: 'complex128',
}

interface ToldTensor {
  /** '' where tensors have no numbers. */
  readonly id: string
  readonly dtype: string
  readonly shape: readonly number[]
}

/** `t$3: f32[2, 8]`, `dt$0: bf16[8, 8]| S(0)`. */
function tensorsIn(text: unknown): readonly ToldTensor[] {
  if (typeof text !== 'string') return []
  return [...text.matchAll(/\b[a-z]*t(?:\$(\d+))?: (\w+)\[([\d, ]*)\]/g)].map(([, id = '', type, dims]) => ({
    id,
    dtype: namedRow(types, type) ?? type,
    shape: (dims.match(/\d+/g) ?? []).map(Number),
  }))
}

/** The first numbers of hashes, in the order in which their tensors are named. */
function normsIn(node: unknown, depth = 0): readonly number[] {
  if (!isTold(node) || depth > 16) return []
  const { type, items, value } = node
  if (type === 'scalar') return typeof value === 'number' ? [value] : []
  if (type === 'nonfinite_float') return [numberIn(value)]
  if (!Array.isArray(items)) return []
  const list: readonly unknown[] = items
  if (type === 'dict')
    return list.flatMap(entry => (Array.isArray(entry) ? normsIn(entry[1], depth + 1) : []))
  // A hash of two parts is one tensor.
  const isHash = list.length === 2 && list.every(isNumber)
  return isHash ? normsIn(list[0], depth + 1) : list.flatMap(item => normsIn(item, depth + 1))
}

const isNumber = (node: unknown): boolean =>
  isTold(node) && (node['type'] === 'scalar' || node['type'] === 'nonfinite_float')

function entryOf(log: unknown, key: string): unknown {
  const items: unknown = isTold(log) ? log['items'] : null
  if (!Array.isArray(items)) return null
  const found: unknown = items.find((entry: unknown) => Array.isArray(entry) && entry[0] === key)
  return Array.isArray(found) ? found[1] : null
}

function dumpOf(files: Files, path: string): Dump {
  const { value } = jsonOf(files, path)
  const logs: unknown = isTold(value) ? value['logs'] : null
  if (!Array.isArray(logs)) throw new Refusal(problem('foreign-broken', path))
  const reading = new LogReading(path)
  for (const [at, log] of logs.entries()) {
    if (!isTold(log)) throw new Refusal(problem('foreign-broken', path))
    reading.add(log, at)
  }
  return reading.finish()
}

class LogReading {
  readonly #path: string
  readonly #columns: OpColumns
  /** The output that made each numbered tensor. */
  readonly #writers = new Map<string, string>()
  readonly #calls = new Map<string, number>()
  /** A module has no record of its end: what stands less deep comes behind it. */
  readonly #open: { readonly depth: number; readonly module: string }[] = []

  constructor(path: string) {
    this.#path = path
    this.#columns = new OpColumns(path, dottedNames)
  }

  add(log: Told, at: number): void {
    const depth = Number(log['call_depth'] ?? 0)
    const open = this.#open
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop()
    if (log['type'] === 'annotate' && log['header'] === 'nn.Mod')
      open.push({ depth, module: String(log['tag'] ?? '') })
    else if (log['type'] === 'op') this.#addOp(log, at)
  }

  #addOp(log: Told, at: number): void {
    const { bare, name } = this.#nameOf(log)
    const read = tensorsIn(`${String(log['args_str'] ?? '')}, ${String(log['kwargs_str'] ?? '')}`)
    const made = tensorsIn(log['output_str'])
    this.#columns.add({ name, scopes: scopesOf(bare), from: at, to: at + 1 }, [
      ...hashed('input', read, normsIn(entryOf(log['log'], 'input_hash'))),
      ...hashed('output', made, normsIn(entryOf(log['log'], 'hash'))),
    ])
    read.forEach(({ id }, index) => {
      const writer = id === '' ? undefined : this.#writers.get(id)
      if (writer !== undefined) this.#columns.link(itemNameOf(name, 'input', index), writer)
    })
    made.forEach(({ id }, index) => {
      if (id !== '') this.#writers.set(id, itemNameOf(name, 'output', index))
    })
  }

  #nameOf(log: Told): { readonly bare: string; readonly name: string } {
    // What runs backward says nothing of its module; it carries the stack of its forward call.
    const isBackward = typeof log['fwd_stack_trace'] === 'string'
    const module = isBackward ? '' : (this.#open.at(-1)?.module ?? '')
    const word = String(log['op_name'] ?? 'op')
      .replace(/^aten::/, '')
      .replaceAll(/[./]|::/g, '_')
    const bare = module === '' ? word : `${module}.${word}`
    const key = `${bare}${isBackward ? backwardEnd : ''}`
    const call = this.#calls.get(key) ?? 0
    this.#calls.set(key, call + 1)
    return { bare, name: `${bare}.${call}${isBackward ? backwardEnd : ''}` }
  }

  finish(): Dump {
    const path = this.#path
    const rest = { raw: null, partial: false, problems: [], about: quietAbout }
    return this.#columns.finish(
      { task: 'statistics', level: '', framework: 'pytorch', hasMd5: false },
      { dir: dirOf(path), file: path, ...rest, hasEdges: this.#writers.size > 0 },
    )
  }
}

function hashed(
  io: OneTensor['io'],
  told: readonly ToldTensor[],
  norms: readonly number[],
): readonly OneTensor[] {
  return told.map(({ dtype, shape }, index) => {
    const norm = norms.length === told.length ? norms[index] : NaN
    return { io, index, dtype, shape, ref: null, dataName: '', stats: [NaN, NaN, NaN, norm] }
  })
}
