// The items of graph files as columns of a dump, with the metrics that stand beside them as stored.
import { JsonReader, JsonScan, JsonStop } from '../../json/index.ts'
import {
  type Dump,
  type DumpHeader,
  Kind,
  namedRow,
  problem,
  type Problem,
  type TextPool,
} from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { DumpColumns, gradCode, noneCell, notFinite, type OneCell } from '../dump-columns.ts'
import { folderTensors } from '../tensors/folder.ts'
import { msprobeNames } from '../../names/index.ts'
import { pyStr } from '../../python/index.ts'
import type { FileSide, GraphFile } from './graph-file.ts'

/**
 * Metric texts of the items as stored, by the file's own keys; codes into the texts of the dump, -1 for none.
 */
type StoredMetrics = ReadonlyMap<string, Int32Array>

export interface FileDump {
  readonly dump: Dump
  readonly metrics: StoredMetrics
  /** Op row of each row of the side, -1 where it has no items. */
  readonly op: Int32Array
}

const ownKeys = [
  'type',
  'dtype',
  'shape',
  'Max',
  'Min',
  'Mean',
  'Norm',
  'data_name',
  'md5',
  'requires_grad',
] as const
const stats = ['Max', 'Min', 'Mean', 'Norm'] as const
const firstStat = ownKeys.indexOf('Max')
const asNumber = -2

/** A text as it was read, and what it stands for. */
interface Repeated {
  readonly bytes: Uint8Array
  readonly code: number
}

const repeated = (scan: JsonScan, code: number): Repeated => ({
  bytes: scan.bytes.slice(scan.from, scan.to),
  code,
})

function isSame({ bytes }: Repeated, { bytes: read, from, to }: JsonScan): boolean {
  const { length } = bytes
  if (to - from !== length) return false
  for (let i = 0; i < length; i++) if (bytes[i] !== read[from + i]) return false
  return true
}

/** Fields that are neither a column nor a metric. */
const silent = new Set(['value', 'Max_except_inf_nan', 'Min_except_inf_nan'])
const tasks: Readonly<Record<string, string>> = {
  all: 'tensor',
  summary: 'statistics',
  md5: 'statistics',
  structure: 'structure',
}

/**
 * Reads the items of a side's nodes in this order into the columns of a dump, so that grid, inspector and
 * search find them where they find everything else.
 */
export async function loadSide(
  file: GraphFile,
  side: FileSide,
  order: Uint32Array,
  job: Job,
): Promise<FileDump> {
  const columns = new DumpColumns()
  const stored = new Stored(side.texts)
  const op = new Int32Array(side.length).fill(-1)
  const problems: Problem[] = []
  let framework: DumpHeader['framework'] = ''
  for (const [done, row] of order.entries()) {
    if ((done & 255) === 255) {
      await job.breathe()
      job.report({ what: 'job.reading', done, total: side.length, countedIn: 'items' })
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
      if (problems.length === 0)
        problems.push(problem('json-broken', file.file, { line: 0, column: 0, byte: error.at }, 'warning'))
    }
    if (columns.items === before) continue
    op[row] = columns.ops
    columns.addOp(side.name[row], 0, 0)
    if (framework === '' && columns.item.type[before] >= 0)
      framework = frameworkOf(side.texts.get(columns.item.type[before]))
  }
  const tables = columns.tables()
  const dump: Dump = {
    dir: file.file,
    file: file.file,
    raw: null,
    header: {
      task: namedRow(tasks, file.task) ?? 'statistics',
      level: 'mix',
      framework,
      hasMd5: file.task === 'md5',
    },
    texts: side.texts,
    names: msprobeNames,
    ...tables,
    stacks: stacksOf(side),
    construct: constructOf(side),
    edges: null,
    tensors: folderTensors(side.tensors, tables.items, side.texts),
    partial: file.partial,
    problems: [...file.problems, ...problems],
  }
  return { dump, metrics: stored.columns(columns.items), op }
}

function frameworkOf(type: string): DumpHeader['framework'] {
  if (type.startsWith('mindspore')) return 'mindspore'
  return type.startsWith('torch') ? 'pytorch' : ''
}

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
    columns.addItem({
      name,
      state: msprobeNames.stateOf(id, texts.get(name)),
      type,
      dtype: this.#known(dtype),
      shape: this.#known(shape),
      stats: [this.#cell(max, 0), this.#cell(min, 1), this.#cell(mean, 2), this.#cell(norm, 3)],
      md5: this.#known(md5),
      dataName: dataName < 0 || texts.get(dataName) === '-1' ? -1 : dataName,
      requiresGrad: gradCode(truthOf(grad < 0 ? '' : texts.get(grad))),
      tensor: /(?:Tensor|ndarray)$/.test(typeText) ? 1 : 0,
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

  #known(code: number): number {
    return code === this.#null ? -1 : code
  }

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
      at.forEach((item, i) => {
        column[item] = code[i]
      })
      if (!silent.has(key)) made.set(key, column)
    }
    return made
  }
}

/** A value that the file spells as text, as the kind that it was. */
function cellOf(text: string, texts: TextPool): OneCell {
  if (text === 'null' || text === '') return noneCell
  const truth = truthOf(text)
  if (truth !== undefined) return { kind: Kind.bool, value: Number(truth) }
  if (/^-?\d{1,15}$/.test(text)) return { kind: Kind.int, value: Number(text) }
  if (/^-?(?:inf|nan)$/.test(text)) return { kind: Kind.float, value: notFinite(text) }
  if (/^-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) return { kind: Kind.float, value: Number(text) }
  return { kind: Kind.text, value: texts.add(text) }
}

const truthOf = (text: string): boolean | undefined =>
  text === 'True' || text === 'False' ? text === 'True' : undefined

function stacksOf(side: FileSide): Dump['stacks'] {
  const byName = new Map<number, number>()
  for (let row = 0; row < side.length; row++)
    if (side.stack[row] >= 0) byName.set(side.name[row], side.stack[row])
  return {
    file: '',
    length: side.stacks.length,
    of: name => byName.get(name) ?? -1,
    frames: stack => side.stacks.frames(stack),
  }
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
    file: '',
    length: child.length,
    child: Uint32Array.from(child),
    parent: Int32Array.from(parent),
    micro: new Int32Array(child.length).fill(-1),
    microSteps: 0,
    find: name => byName.get(name) ?? -1,
  }
}
