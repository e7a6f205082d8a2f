// What graph files hold, whatever their format: per side the hierarchy, links and indices as columns, and items that are read when asked for.
import type { TextPool } from '../columns.ts'
import type { Dump, DumpHeader } from '../dump.ts'
import type { Job } from '../job.ts'
import { Kind, State } from '../model.ts'
import { problem, type Problem } from '../problem.ts'
import { DumpColumns, noneCell, type OneCell } from './dump-columns.ts'
import { JsonScan } from './json-scan.ts'
import { isArray, isObject, JsonNumber, JsonReader, JsonStop, type Json } from './json-stream.ts'
import { pyStr } from './python.ts'

/** One side as read; rows are in the order of the file. */
export interface FileSide {
  readonly texts: TextPool
  readonly length: number
  readonly name: Uint32Array
  readonly kind: Uint8Array
  /** Parent by row, -1 for none; free of cycles, everything hangs below row 0. */
  readonly parent: Int32Array
  /** Children in order, parents' lists one after the other. */
  readonly attached: Uint32Array
  readonly micro: Int32Array
  /** Code of the id of the partner on the other side, -1 for none. */
  readonly partner: Int32Array
  readonly index: Float64Array
  /** 0 none, 1 medium, 2 high, 3 critical. */
  readonly overflow: Uint8Array
  /** Stack of each row, -1 for none. */
  readonly stack: Int32Array
  readonly stacks: { readonly length: number; frames(stack: number): readonly string[] }
  readonly tensors: string
  /** JSON of the items of a row: inputs, then outputs. */
  items(row: number): readonly [Uint8Array, Uint8Array]
}

export interface GraphFile {
  readonly file: string
  /** Step and rank that this part of the file is about. */
  readonly step: number
  readonly rank: number
  readonly debug: FileSide
  /** Null in a single graph. */
  readonly bench: FileSide | null
  /** all, summary, md5, structure, or '' in single graphs. */
  readonly task: string
  readonly microSteps: number
  /** Null when the file does not say. */
  readonly overflowChecked: boolean | null
  readonly colors: readonly FileColor[]
  readonly partial: boolean
  readonly problems: readonly Problem[]
}

export interface FileColor {
  readonly color: string
  readonly from: number
  readonly to: number
  readonly level: string
}

export const overflowOf: Readonly<Record<string, number>> = { medium: 1, high: 2, critical: 3 }

/** The texts of a JSON list; none when it is broken. */
export function readTexts(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return []
  try {
    const value = new JsonReader(bytes).value()
    return isArray(value) ? value.filter(member => typeof member === 'string') : []
  } catch (error) {
    if (!(error instanceof JsonStop)) throw error
    return []
  }
}

/** Colours in their order; entries without a range (no partner) are left out. */
export function colorsIn(value: Json): FileColor[] {
  if (!isObject(value)) return []
  const colors: FileColor[] = []
  for (const [color, entry] of value) {
    if (!isObject(entry)) continue
    const range = entry.get('value')
    const level = entry.get('accuracy_level')
    const [from, to] = isArray(range) ? range : []
    if (from instanceof JsonNumber && to instanceof JsonNumber) colors.push({ color, from: from.value, to: to.value, level: typeof level === 'string' ? level : '' })
  }
  return colors
}

/** Children of rows, list after list. */
export interface ChildLists {
  readonly first: Uint32Array
  readonly rows: Uint32Array
}

/** Lists of ids → lists of rows; ids that the file lacks are counted. */
export function childLists(length: number, namesOf: (row: number) => ArrayLike<number>, rowOf: (code: number) => number): ChildLists & { readonly missing: number } {
  const first = new Uint32Array(length + 1)
  const rows: number[] = []
  let missing = 0
  for (let row = 0; row < length; row++) {
    const names = namesOf(row)
    for (let i = 0; i < names.length; i++) {
      const child = rowOf(names[i])
      if (child < 0) missing++
      else rows.push(child)
    }
    first[row + 1] = rows.length
  }
  return { first, rows: Uint32Array.from(rows), missing }
}

/** Parents without cycles; what is reached from nowhere hangs below the parent that it names itself, else below the first row. */
export function settleTree(lists: ChildLists, upOf: (row: number) => number): { readonly parent: Int32Array; readonly attached: Uint32Array; readonly strays: number } {
  const { first, rows } = lists
  const length = first.length - 1
  const parent = new Int32Array(length).fill(-1)
  const attached = new Uint32Array(Math.max(0, length - 1))
  const seen = new Uint8Array(length)
  const isChild = new Uint8Array(length)
  for (const child of rows) isChild[child] = 1
  let count = 0
  let strays = 0
  const stack: number[] = []
  const attach = (row: number, to: number): void => {
    seen[row] = 1
    parent[row] = to
    attached[count++] = row
    stack.push(row)
  }
  const walk = (): void => {
    for (let row = stack.pop(); row !== undefined; row = stack.pop()) {
      for (let i = first[row]; i < first[row + 1]; i++) if (!seen[rows[i]]) attach(rows[i], row)
    }
  }
  if (length > 0) {
    seen[0] = 1
    stack.push(0)
    walk()
  }
  for (const ringsToo of [false, true]) {
    for (let row = 1; row < length; row++) {
      if (seen[row] || (!ringsToo && isChild[row])) continue
      strays++
      const up = upOf(row)
      attach(row, up >= 0 && seen[up] ? up : 0)
      walk()
    }
  }
  return { parent, attached, strays }
}

/** Metric texts of the items as stored, by the file's own keys; codes into the texts of the dump, -1 for none. */
export type StoredMetrics = ReadonlyMap<string, Int32Array>

export interface FileDump {
  readonly dump: Dump
  readonly metrics: StoredMetrics
  /** Op row of each row of the side, -1 where it has no items. */
  readonly op: Int32Array
}

const ownKeys = ['type', 'dtype', 'shape', 'Max', 'Min', 'Mean', 'Norm', 'data_name', 'md5', 'requires_grad'] as const
const stats = ['Max', 'Min', 'Mean', 'Norm'] as const
const firstStat = ownKeys.indexOf('Max')
const asNumber = -2

/** A text as it was read, and what it stands for. */
interface Repeated { readonly bytes: Uint8Array; readonly code: number }

const repeated = (scan: JsonScan, code: number): Repeated => ({ bytes: scan.bytes.slice(scan.from, scan.to), code })

function isSame({ bytes }: Repeated, { bytes: read, from, to }: JsonScan): boolean {
  const { length } = bytes
  if (to - from !== length) return false
  for (let i = 0; i < length; i++) if (bytes[i] !== read[from + i]) return false
  return true
}

/** Fields that are neither a column nor a metric. */
const silent = new Set(['value', 'Max_except_inf_nan', 'Min_except_inf_nan'])
const tasks: Readonly<Record<string, string>> = { all: 'tensor', summary: 'statistics', md5: 'statistics', structure: 'structure' }

/** Reads the items of a side's nodes in this order into the columns of a dump, so that grid, inspector and search find them where they find everything else. */
export async function loadSide(file: GraphFile, side: FileSide, order: Uint32Array, job: Job): Promise<FileDump> {
  const columns = new DumpColumns()
  const stored = new Stored(side.texts)
  const op = new Int32Array(side.length).fill(-1)
  const problems: Problem[] = []
  let framework: DumpHeader['framework'] = ''
  for (const [done, row] of order.entries()) {
    if ((done & 255) === 255) {
      await job.breathe()
      job.report({ what: 'job.reading', done, total: side.length, unit: 'items' })
    }
    const before = columns.items
    const id = side.texts.get(side.name[row])
    try {
      for (const bytes of side.items(row)) {
        if (bytes.length === 0) continue
        const scan = new JsonScan(bytes)
        scan.members(() => stored.item(columns, scan, id))
      }
    } catch (error) {
      if (!(error instanceof JsonStop)) throw error
      if (problems.length === 0) problems.push(problem('json-broken', file.file, { line: 0, column: 0, byte: error.at }, 'warning'))
    }
    if (columns.items === before) continue
    op[row] = columns.ops
    columns.addOp(side.name[row], 0, 0)
    if (framework === '' && columns.item.type[before] >= 0) framework = frameworkOf(side.texts.get(columns.item.type[before]))
  }
  const dump: Dump = {
    files: { dir: file.file, dump: '', stack: '', construct: '', tensors: side.tensors },
    header: { task: tasks[file.task] ?? 'statistics', level: 'mix', framework, hasMd5: file.task === 'md5' },
    texts: side.texts, ...columns.tables(), stacks: stacksOf(side), construct: constructOf(side), partial: file.partial, problems: [...file.problems, ...problems],
  }
  return { dump, metrics: stored.columns(columns.items), op }
}

const frameworkOf = (type: string): DumpHeader['framework'] => (type.startsWith('mindspore') ? 'mindspore' : type.startsWith('torch') ? 'pytorch' : '')

/** Items as they come, and the metrics that stand beside them. */
class Stored {
  readonly #texts: TextPool
  /** What a key means: a place in `#own`, or a metric. */
  readonly #keys = new Map<number, number>()
  readonly #metrics: { readonly key: string; readonly at: number[]; readonly code: number[] }[] = []
  /** Codes of the values of an item's own fields, -1 where it has none. */
  readonly #own = new Int32Array(ownKeys.length)
  readonly #cells = new Map<number, OneCell>()
  /** Statistics that were read as numbers, for one item at a time. */
  readonly #numbers = stats.map(() => ({ kind: Kind.float as Kind, value: 0 }))
  readonly #null: number
  /** Keys of the item before, in their order; the last text under each key. Most items repeat them. */
  readonly #before: Repeated[] = []
  readonly #last: Repeated[] = []

  constructor(texts: TextPool) {
    this.#texts = texts
    this.#null = texts.addPlain('null')
    ownKeys.forEach((key, i) => this.#keys.set(texts.addPlain(key), i))
  }

  /** One item; its name was read last. */
  item(columns: DumpColumns, scan: JsonScan, id: string): void {
    const texts = this.#texts
    const name = scan.code(texts)
    const own = this.#own.fill(-1)
    if (scan.peek() !== 0x7b) return scan.skip()
    let place = 0
    scan.members(() => {
      const key = this.#key(scan, place++)
      const value = this.#value(scan, key)
      if (key < ownKeys.length) own[key] = value
      else {
        const metric = this.#metrics[key - ownKeys.length]
        metric.at.push(columns.items)
        metric.code.push(value < 0 ? this.#null : value)
      }
    })
    const [type, dtype, shape, max, min, mean, norm, dataName, md5, grad] = own
    const typeText = type < 0 ? '' : texts.get(type)
    const gradText = grad < 0 ? '' : texts.get(grad)
    columns.addItem({
      name, state: stateOf(id, texts.get(name)), type, dtype: this.#known(dtype), shape: this.#known(shape), stats: [this.#cell(max, 0), this.#cell(min, 1), this.#cell(mean, 2), this.#cell(norm, 3)],
      md5: this.#known(md5), dataName: dataName < 0 || texts.get(dataName) === '-1' ? -1 : dataName,
      requiresGrad: gradText === 'True' ? 1 : gradText === 'False' ? 0 : 2, tensor: /(?:Tensor|ndarray)$/.test(typeText) ? 1 : 0,
    })
  }

  #key(scan: JsonScan, place: number): number {
    const before = this.#before[place]
    if (before && isSame(before, scan)) return before.code
    const code = scan.code(this.#texts)
    let key = this.#keys.get(code)
    if (key === undefined) {
      key = ownKeys.length + this.#metrics.push({ key: this.#texts.get(code), at: [], code: [] }) - 1
      this.#keys.set(code, key)
    }
    this.#before[place] = repeated(scan, key)
    return key
  }

  /** Code of a value as text; -1 for null, `asNumber` for a statistic that was read into `#numbers`. */
  #value(scan: JsonScan, key: number): number {
    if (scan.peek() === 0x22) {
      scan.string()
      const stat = key - firstStat
      if (stat >= 0 && stat < stats.length && scan.decimal(this.#numbers[stat])) return asNumber
      // Metrics hardly ever repeat.
      if (key >= ownKeys.length) return scan.code(this.#texts)
      const last = this.#last[key]
      if (last && isSame(last, scan)) return last.code
      const code = scan.code(this.#texts)
      this.#last[key] = repeated(scan, code)
      return code
    }
    const from = scan.at
    scan.skip()
    const value = new JsonReader(scan.bytes, from, scan.at + 1).value()
    return value === null ? -1 : this.#texts.addPlain(pyStr(value))
  }

  #known(code: number): number { return code === this.#null ? -1 : code }

  /** Cells of texts that came before are not read again: outputs come back as inputs. */
  #cell(code: number, stat: number): OneCell {
    if (code === asNumber) return this.#numbers[stat]
    if (code < 0) return noneCell
    let cell = this.#cells.get(code)
    if (!cell) {
      cell = cellOf(this.#texts.get(code), this.#texts)
      if (this.#cells.size > 100_000) this.#cells.clear()
      this.#cells.set(code, cell)
    }
    return cell
  }

  columns(length: number): StoredMetrics {
    const made = new Map<string, Int32Array>()
    for (const { key, at, code } of this.#metrics) {
      const column = new Int32Array(length).fill(-1)
      at.forEach((item, i) => { column[item] = code[i] })
      if (!silent.has(key)) made.set(key, column)
    }
    return made
  }
}

/** A value that the file spells as text, as the kind that it was. */
function cellOf(text: string, texts: TextPool): OneCell {
  if (text === 'null' || text === '') return noneCell
  if (text === 'True' || text === 'False') return { kind: Kind.bool, value: text === 'True' ? 1 : 0 }
  if (/^-?\d{1,15}$/.test(text)) return { kind: Kind.int, value: Number(text) }
  const word = /^(-?)(inf|nan)$/.exec(text)
  if (word) return { kind: Kind.float, value: word[2] === 'nan' ? NaN : word[1] ? -Infinity : Infinity }
  if (/^-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) return { kind: Kind.float, value: Number(text) }
  return { kind: Kind.text, value: texts.add(text) }
}

function stateOf(id: string, name: string): State {
  if (/\.parameters_grad(?:\.\d+)?$/.test(id)) return State.parametersGrad
  const [, part] = /^\.(input|kwargs|output|parameters)\b/.exec(name.startsWith(id) ? name.slice(id.length) : '') ?? []
  if (part !== undefined) return part === 'output' ? State.output : part === 'parameters' ? State.parameters : State.input
  return name.includes('.output.') && !name.includes('.input.') ? State.output : name.includes('.parameters.') ? State.parameters : State.input
}

function stacksOf(side: FileSide): Dump['stacks'] {
  const byName = new Map<number, number>()
  for (let row = 0; row < side.length; row++) if (side.stack[row] >= 0) byName.set(side.name[row], side.stack[row])
  return { length: side.stacks.length, of: name => byName.get(name) ?? -1, frames: stack => side.stacks.frames(stack) }
}

function constructOf(side: FileSide): Dump['construct'] {
  const byName = new Map<number, number>()
  const child: number[] = []
  const parent: number[] = []
  for (const row of side.attached) {
    byName.set(side.name[row], child.length)
    child.push(side.name[row])
    parent.push(side.parent[row] > 0 ? side.name[side.parent[row]] : -1)
  }
  return {
    length: child.length, child: Uint32Array.from(child), parent: Int32Array.from(parent), micro: new Int32Array(child.length).fill(-1), microSteps: 0,
    find: name => byName.get(name) ?? -1,
  }
}
