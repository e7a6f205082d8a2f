// A finished comparison (compare_result xlsx or csv) as two dumps, who met whom, and the numbers as stored.
import { TextPool } from '../columns.ts'
import type { Dump } from '../dump.ts'
import { emptyLike } from '../empty.ts'
import { Kind, State, type Mode } from '../model.ts'
import { problem, Refusal } from '../problem.ts'
import { DumpColumns, noneCell, type OneCell } from './dump-columns.ts'
import type { SheetTable } from './sheet.ts'

export interface OpenedTable {
  readonly mode: Mode
  readonly debug: Dump
  readonly bench: Dump
  /** Bench item per debug item, -1 for none. */
  readonly benchItem: Int32Array
  /** Metric cell of a debug item by msprobe's column title; '' when the table lacks it. */
  cell(item: number, title: string): string | number
}

const sides = [['NPU', 'debug'], ['Bench', 'bench']] as const

export function openTable(table: SheetTable): OpenedTable {
  const column = new Map(table.titles.map((title, i) => [title.trim(), i]))
  const mode: Mode = column.has('Cosine') ? 'tensor' : column.has('NPU MD5') ? 'md5' : 'statistics'
  const missing = ['NPU Name', 'Bench Name', ...(mode === 'statistics' ? ['Max diff'] : [])].filter(title => !column.has(title))
  if (missing.length > 0) throw new Refusal(problem(table.path.toLowerCase().endsWith('.csv') ? 'csv-invalid' : 'xlsx-invalid', table.path, { reason: missing.join(', ') }))
  const at = (row: number, title: string): string | number => {
    const found = column.get(title)
    return found === undefined ? '' : table.cell(row, found)
  }
  const [debug, bench] = sides.map(([word]) => sideOf(table, mode, word, at))
  const benchItem = new Int32Array(debug.row.length).fill(-1)
  const benchOfRow = new Map(bench.row.map((row, item) => [row, item]))
  debug.row.forEach((row, item) => { benchItem[item] = benchOfRow.get(row) ?? -1 })
  return { mode, debug: debug.dump, bench: bench.dump, benchItem, cell: (item, title) => at(debug.row[item], title) }
}

/** Items of one side, in the table's order, op after op. */
function sideOf(table: SheetTable, mode: Mode, word: 'NPU' | 'Bench', at: (row: number, title: string) => string | number): { dump: Dump; row: number[] } {
  const columns = new DumpColumns()
  const texts = new TextPool()
  const rows: number[] = []
  const stacks = new Map<number, readonly string[]>()
  const named = table.titles.includes('Data_name')
  let op = -1
  for (let row = 0; row < table.length; row++) {
    const name = String(at(row, `${word} Name`))
    if (name === '' || name === 'N/A' || name === 'Nan') continue
    const split = splitName(name)
    const key = texts.add(split.op)
    if (op >= 0 && op !== key) columns.addOp(op, 0, 0)
    op = key
    const dtype = String(at(row, `${word} Dtype`))
    const text = (title: string): number => (String(at(row, title)) === '' ? -1 : texts.add(String(at(row, title))))
    // Tables of kernels name no files; a row number keeps their numbers apart.
    const dataName = mode !== 'tensor' ? '' : named ? String(at(row, 'Data_name')) : String(row)
    const stat = (title: string): OneCell => cellOf(at(row, `${word} ${title}`), texts)
    columns.addItem({
      name: texts.add(name), state: split.state, type: -1, dtype: dtype === '' ? -1 : texts.add(dtype), shape: text(`${word} Tensor Shape`),
      stats: [stat('max'), stat('min'), stat('mean'), stat('l2norm')], md5: mode === 'md5' ? text(word === 'NPU' ? 'NPU MD5' : 'BENCH MD5') : -1,
      dataName: dataName === '' || dataName === '-1' ? -1 : texts.add(dataName), requiresGrad: 2, tensor: /float|int|bool|complex/i.test(dtype) && !dtype.startsWith('<') ? 1 : 0,
    })
    const stack = word === 'NPU' ? String(at(row, 'NPU_Stack_Info')) : ''
    if (stack.startsWith('[') && !stacks.has(key)) stacks.set(key, framesOf(stack))
    rows.push(row)
  }
  if (op >= 0) columns.addOp(op, 0, 0)
  const blank = emptyLike({ header: { task: mode === 'tensor' ? 'tensor' : 'statistics', level: '', framework: frameworkOf(columns, texts), hasMd5: mode === 'md5' } })
  const names = [...stacks.keys()]
  const frames = [...stacks.values()]
  const place = new Map(names.map((name, i) => [name, i]))
  return {
    row: rows,
    dump: {
      ...blank, texts, ...columns.tables(), files: { ...blank.files, dir: table.path, stack: stacks.size > 0 ? table.path : '' },
      stacks: { length: frames.length, of: name => place.get(name) ?? -1, frames: stack => frames[stack] ?? [] },
    },
  }
}

const partForm = /^(.*?)\.(input|kwargs|output|parameters)\b(?:\..*)?$/s

function splitName(name: string): { op: string; state: State } {
  const gradient = name.indexOf('.parameters_grad')
  if (gradient >= 0) return { op: name.slice(0, gradient + '.parameters_grad'.length), state: State.parametersGrad }
  const [, head = '', part = ''] = partForm.exec(name) ?? []
  if (head === '') return { op: name, state: State.input }
  return { op: head, state: part === 'output' ? State.output : part === 'parameters' ? State.parameters : State.input }
}

function cellOf(cell: string | number, texts: TextPool): OneCell {
  if (typeof cell === 'number') return { kind: Kind.float, value: cell }
  const text = cell.trim()
  if (text === '' || text === 'None' || text === 'N/A') return noneCell
  if (/^-?(?:inf|nan)$/i.test(text)) return { kind: Kind.float, value: /nan/i.test(text) ? NaN : text.startsWith('-') ? -Infinity : Infinity }
  if (text === 'True' || text === 'False') return { kind: Kind.bool, value: text === 'True' ? 1 : 0 }
  return { kind: Kind.text, value: texts.add(text) }
}

/** The texts of a Python list literal. */
function framesOf(literal: string): string[] {
  return [...literal.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/gs)].map(([, single, double]) => (single ?? double ?? '').replace(/\\n/g, '\n').replace(/\\(['"\\])/g, '$1'))
}

function frameworkOf(columns: DumpColumns, texts: TextPool): Dump['header']['framework'] {
  for (let item = 0; item < columns.items; item++) {
    const dtype = columns.item.dtype[item] < 0 ? '' : texts.get(columns.item.dtype[item])
    if (dtype.startsWith('torch.')) return 'pytorch'
    if (/^(?:Float|BFloat|Int|UInt|Bool)/.test(dtype)) return 'mindspore'
  }
  return ''
}

