// A finished comparison (compare_result xlsx or csv) as two dumps, who met whom, and the numbers as stored.
import { msprobeNames } from '../../names/index.ts'
import { type Dump, emptyDump, Kind, type Mode, problem, Refusal, TextPool } from '../../model/index.ts'
import { DumpColumns, noneCell, notFinite, type OneCell } from '../dump-columns.ts'
import { cellOf, type SheetTable } from './cell-table.ts'
import { vectorPlaces } from './vector-columns.ts'
import { openVectorTable } from './vector-table.ts'

export interface OpenedTable {
  readonly mode: Mode
  readonly debug: Dump
  readonly bench: Dump
  /** Bench item per debug item, -1 for none. */
  readonly benchItem: Int32Array
  /** Metric cell of a debug item by msprobe's column title; '' when the table lacks it. */
  cell(item: number, title: string): string | number
}

const sides = [
  ['NPU', 'debug'],
  ['Bench', 'bench'],
] as const

export function openTable(table: SheetTable): OpenedTable {
  const places = vectorPlaces(table)
  if (places) return openVectorTable(table, places)
  const column = new Map(table.columns.map(({ title }, i) => [title.trim(), i]))
  const mode = modeOf(column)
  const missing = ['NPU Name', 'Bench Name', ...(mode === 'statistics' ? ['Max diff'] : [])].filter(
    title => !column.has(title),
  )
  if (missing.length > 0)
    throw new Refusal(
      problem(table.path.toLowerCase().endsWith('.csv') ? 'csv-invalid' : 'xlsx-invalid', table.path, {
        reason: missing.join(', '),
      }),
    )
  const at = (row: number, title: string): string | number => {
    const found = column.get(title)
    return found === undefined ? '' : cellOf(table, row, found)
  }
  const [debug, bench] = sides.map(([word]) => sideOf(table, mode, word, at))
  const benchItem = new Int32Array(debug.row.length).fill(-1)
  const benchOfRow = new Map(bench.row.map((row, item) => [row, item]))
  debug.row.forEach((row, item) => {
    benchItem[item] = benchOfRow.get(row) ?? -1
  })
  return {
    mode,
    debug: debug.dump,
    bench: bench.dump,
    benchItem,
    cell: (item, title) => at(debug.row[item], title),
  }
}

function modeOf(titles: ReadonlyMap<string, unknown>): Mode {
  if (titles.has('Cosine')) return 'tensor'
  return titles.has('NPU MD5') ? 'md5' : 'statistics'
}

/** Items of one side, in the table's order, op after op. */
function sideOf(
  table: SheetTable,
  mode: Mode,
  word: 'NPU' | 'Bench',
  at: (row: number, title: string) => string | number,
): { dump: Dump; row: number[] } {
  const columns = new DumpColumns()
  const texts = new TextPool()
  const rows: number[] = []
  const stacks = new Map<number, readonly string[]>()
  const named = table.columns.some(({ title }) => title === 'Data_name')
  let op = -1
  for (let row = 0; row < table.length; row++) {
    const name = String(at(row, `${word} Name`))
    if (name === '' || name === 'N/A' || name === 'Nan') continue
    const split = msprobeNames.item(name)
    const key = texts.add(split.op)
    if (op >= 0 && op !== key) columns.addOp(op, 0, 0)
    op = key
    const dtype = String(at(row, `${word} Dtype`))
    const text = (title: string): number =>
      String(at(row, title)) === '' ? -1 : texts.add(String(at(row, title)))
    // Tables of kernels name no files; a row number keeps their numbers apart.
    const fileName = named ? String(at(row, 'Data_name')) : String(row)
    const dataName = mode === 'tensor' ? fileName : ''
    const stat = (title: string): OneCell => statOf(at(row, `${word} ${title}`), texts)
    columns.addItem({
      name: texts.add(name),
      state: split.state,
      type: -1,
      dtype: dtype === '' ? -1 : texts.add(dtype),
      shape: text(`${word} Tensor Shape`),
      stats: [stat('max'), stat('min'), stat('mean'), stat('l2norm')],
      md5: mode === 'md5' ? text(word === 'NPU' ? 'NPU MD5' : 'BENCH MD5') : -1,
      dataName: dataName === '' || dataName === '-1' ? -1 : texts.add(dataName),
      requiresGrad: 2,
      tensor: /float|int|bool|complex/i.test(dtype) && !dtype.startsWith('<') ? 1 : 0,
    })
    const stack = word === 'NPU' ? String(at(row, 'NPU_Stack_Info')) : ''
    if (stack.startsWith('[') && !stacks.has(key)) stacks.set(key, framesOf(stack))
    rows.push(row)
  }
  if (op >= 0) columns.addOp(op, 0, 0)
  const framework = frameworkOf(columns, texts)
  const blank = emptyDump({
    header: {
      task: mode === 'tensor' ? 'tensor' : 'statistics',
      level: '',
      framework,
      hasMd5: mode === 'md5',
    },
    names: msprobeNames,
  })
  return {
    row: rows,
    dump: { ...blank, texts, ...columns.tables(), dir: table.path, stacks: stackTable(stacks, table.path) },
  }
}

/** Stacks by the name of their op. */
function stackTable(stacks: ReadonlyMap<number, readonly string[]>, path: string): Dump['stacks'] {
  const frames = [...stacks.values()]
  const place = new Map([...stacks.keys()].map((name, i) => [name, i]))
  return {
    file: stacks.size > 0 ? path : '',
    length: frames.length,
    of: name => place.get(name) ?? -1,
    frames: stack => frames[stack] ?? [],
  }
}

function statOf(cell: string | number, texts: TextPool): OneCell {
  if (typeof cell === 'number') return { kind: Kind.float, value: cell }
  const text = cell.trim()
  if (text === '' || text === 'None' || text === 'N/A') return noneCell
  if (/^-?(?:inf|nan)$/i.test(text)) return { kind: Kind.float, value: notFinite(text) }
  if (text === 'True' || text === 'False') return { kind: Kind.bool, value: text === 'True' ? 1 : 0 }
  return { kind: Kind.text, value: texts.add(text) }
}

/** The texts of a Python list literal. */
function framesOf(literal: string): string[] {
  return [...literal.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/gs)].map(([, single, double]) =>
    (single ?? double ?? '').replace(/\\n/g, '\n').replace(/\\(['"\\])/g, '$1'),
  )
}

function frameworkOf(columns: DumpColumns, texts: TextPool): Dump['header']['framework'] {
  for (let item = 0; item < columns.items; item++) {
    const dtype = columns.item.dtype[item] < 0 ? '' : texts.get(columns.item.dtype[item])
    if (dtype.startsWith('torch.')) return 'pytorch'
    if (/^(?:Float|BFloat|Int|UInt|Bool)/.test(dtype)) return 'mindspore'
  }
  return ''
}
