// Every cell of the table, from the columns of the two dumps and of the metrics; one small maker per column id.
import type { Cells, Spelling } from '../columns.ts'
import type { Dump } from '../dump.ts'
import { pyStr } from '../formats/python.ts'
import { Kind, stats, type Stat } from '../model.ts'
import { Note, Outcome, type Measured } from './measured.ts'
import { fixed12, g16, percent, roundCosine } from './numpy.ts'
import { insteadOfNumbers, noNumbers } from './outcomes.ts'
import { Diff, isNumeric, numberOf, type Differences } from './statistics.ts'
import { answerTexts } from './verdict.ts'

/** One column's cells. */
export interface Cell {
  kind(row: number): Kind
  number(row: number): number
  text(row: number): string
  sortable(row: number): number
  readonly spelling?: Spelling
}

/** All that cells are made from. */
export interface CellSource {
  readonly debug: Dump
  readonly bench: Dump
  readonly debugItem: Int32Array
  readonly benchItem: Int32Array
  readonly stackShown: Uint8Array
  /** The reference's dialect: how none and NaN read, what a relative error says where bench is 0. */
  readonly dialect: 'queue' | 'join' | 'listed'
  readonly answer: Uint8Array
  readonly differences: Differences | null
  readonly measured: Measured | null
  /** Index into `measured` per row, -1 where nothing was to be measured. */
  readonly pairOf: Int32Array | null
  /** Tensors without elements show metrics of 0. */
  readonly emptyIsZero: boolean
  /** Unmatched rows of the queue dialect hide the debug md5 and Data_name. */
  readonly hidesUnmatched: { readonly md5: boolean; readonly dataName: boolean }
  message(row: number): string
  why(row: number): string
}

const noOne = 'N/A'
const nothing = 'None'

export function cellsOf(source: CellSource): Readonly<Record<string, Cell>> {
  return { ...commonCells(source), ...statCells(source), ...differenceCells(source), ...metricCells(source), ...answerCells(source) }
}

// ---------------------------------------------------------------------------------------------- makers

function textCell(text: (row: number) => string): Cell {
  return { kind: () => Kind.text, number: () => NaN, text, sortable: () => NaN }
}

/** A text of a dump's pool, or what stands where there is none. */
function poolCell({ texts }: Dump, code: (row: number) => number, without: (row: number) => string): Cell {
  return {
    ...textCell(row => { const at = code(row); return at < 0 ? without(row) : texts.get(at) }),
    spelling: { is: 'pool', texts, code },
  }
}

/** A cell that is a number, or a text where `instead` gives one. */
function numberCell(value: (row: number) => number, instead: (row: number) => string | null): Cell {
  return {
    kind: row => (instead(row) === null ? Kind.float : Kind.text),
    number: row => (instead(row) === null ? value(row) : NaN),
    text: row => instead(row) ?? numberText(value(row)),
    sortable: row => (instead(row) === null ? value(row) : NaN),
  }
}

/** A number as the sheet shows it: what is not finite becomes a text with a tab. */
const numberText = (x: number): string => (Number.isFinite(x) ? g16(x) : `${g16(x)}\t`)

// ---------------------------------------------------------------------------------------------- names, dtypes, shapes, stacks

const rememberedStacks = 512

/** Cells of stacks. Many rows have the same one: the last ones are kept. */
export function stackTexts(dump: Dump): (stack: number) => string {
  const known = new Map<number, string>()
  return stack => {
    let text = known.get(stack)
    if (text === undefined) {
      if (known.size >= rememberedStacks) known.clear()
      known.set(stack, (text = pyStr([...dump.stacks.frames(stack)])))
    }
    return text
  }
}

function commonCells(source: CellSource): Record<string, Cell> {
  const { debug, bench, debugItem, benchItem } = source
  const mine = (column: Int32Array | Uint32Array): Cell => poolCell(debug, row => column[debugItem[row]], () => nothing)
  const theirs = (column: Int32Array | Uint32Array): Cell =>
    poolCell(bench, row => (benchItem[row] < 0 ? -1 : column[benchItem[row]]), row => (benchItem[row] < 0 ? noOne : nothing))
  const grad = (dump: Dump, items: Int32Array): Cell => textCell(row => (items[row] < 0 ? '' : (['False', 'True', ''][dump.items.requiresGrad[items[row]]] ?? '')))
  const stacks = stackTexts(debug)
  const stackless = source.dialect === 'join' ? noOne : nothing
  return {
    debugName: mine(debug.items.name), benchName: theirs(bench.items.name),
    debugDtype: mine(debug.items.dtype), benchDtype: theirs(bench.items.dtype),
    debugShape: mine(debug.items.shape), benchShape: theirs(bench.items.shape),
    debugGrad: grad(debug, debugItem), benchGrad: grad(bench, benchItem),
    why: textCell(row => source.why(row)),
    stack: textCell(row => {
      const stack = source.stackShown[row] ? debug.stacks.of(debug.ops.name[debug.items.op[debugItem[row]]]) : -1
      return stack < 0 ? stackless : stacks(stack)
    }),
    dataName: textCell(row => {
      const code = debug.items.dataName[debugItem[row]]
      return code < 0 || (source.hidesUnmatched.dataName && benchItem[row] < 0) ? '-1' : debug.texts.get(code)
    }),
  }
}

// ---------------------------------------------------------------------------------------------- statistics as dumped

function statCells(source: CellSource): Record<string, Cell> {
  const { debug, bench, debugItem, benchItem, dialect } = source
  const none = dialect === 'join' ? noOne : nothing
  const nan = (row: number): string => (dialect === 'join' || (dialect === 'queue' && benchItem[row] >= 0) ? 'Nan' : 'nan\t')
  const cells: Record<string, Cell> = {}
  for (const stat of stats) {
    const name = stat.charAt(0).toUpperCase() + stat.slice(1)
    cells[`debug${name}`] = statCell(debug, debug.items[stat], debugItem, none, nan)
    cells[`bench${name}`] = statCell(bench, bench.items[stat], benchItem, none, nan)
  }
  return cells
}

function statCell(dump: Dump, cells: Cells, items: Int32Array, none: string, nan: (row: number) => string): Cell {
  const kindAt = (row: number): Kind => (items[row] < 0 ? Kind.text : (cells.kind[items[row]] as Kind))
  const cell: Cell = {
    kind(row) {
      const kind = kindAt(row)
      if (kind === Kind.absent) return Kind.none
      return kind === Kind.float && Number.isNaN(cells.value[items[row]]) ? Kind.text : kind === Kind.bigint ? Kind.int : kind
    },
    number(row) {
      const kind = kindAt(row)
      return items[row] >= 0 && isNumeric(kind) ? numberOf(cells, items[row], dump) : kind === Kind.bool ? cells.value[items[row]] : NaN
    },
    text(row) {
      const item = items[row]
      if (item < 0) return noOne
      const value = cells.value[item]
      switch (cells.kind[item]) {
        case Kind.bool: return value ? 'True' : 'False'
        case Kind.text: return dump.texts.get(value)
        case Kind.float: return Number.isNaN(value) ? nan(row) : numberText(value)
        case Kind.int: return g16(value)
        case Kind.bigint: return g16(Number(dump.texts.get(value)))
        default: return none
      }
    },
    sortable: row => cell.number(row),
  }
  return cell
}

// ---------------------------------------------------------------------------------------------- differences of statistics

function differenceCells(source: CellSource): Record<string, Cell> {
  const { differences, bench, benchItem, dialect } = source
  if (!differences) return {}
  const cells: Record<string, Cell> = {}
  for (const stat of stats) {
    const diff = differences.diff[stat]
    const state = differences.state[stat]
    cells[`${stat}Diff`] = numberCell(row => diff[row], row => (state[row] === Diff.number ? null : state[row] === Diff.nan ? 'Nan' : noOne))
    cells[`${stat}Relative`] = relativeCell(bench, stat, benchItem, diff, state, dialect === 'join' ? 'Nan' : noOne)
  }
  return cells
}

function relativeCell(bench: Dump, stat: Stat, benchItem: Int32Array, diff: Float64Array, state: Uint8Array, byZero: string): Cell {
  const of = (row: number): number => numberOf(bench.items[stat], benchItem[row], bench)
  const value = (row: number): number => Math.abs((diff[row] / of(row)) * 100)
  return {
    kind: () => Kind.text,
    number: () => NaN,
    text: row => (state[row] === Diff.none ? noOne : state[row] === Diff.nan ? 'Nan' : of(row) === 0 ? byZero : percent(value(row))),
    sortable: row => (state[row] !== Diff.number || of(row) === 0 ? NaN : value(row) / 100),
    spelling: { is: 'percent', value: row => (state[row] !== Diff.number || of(row) === 0 ? NaN : value(row)) },
  }
}

// ---------------------------------------------------------------------------------------------- tensor metrics

/** Which metrics a 0-d tensor and one of a single element have. */
interface MetricRule { readonly id: string; readonly shown: (x: number) => number; readonly scalar: boolean; readonly single: boolean }
const metricRules = [
  { id: 'cosine', shown: roundCosine, scalar: false, single: false },
  { id: 'maxAbs', shown: fixed12, scalar: true, single: true },
  { id: 'maxRel', shown: fixed12, scalar: true, single: true },
  { id: 'thousandth', shown: fixed12, scalar: false, single: true },
  { id: 'fiveThousandths', shown: fixed12, scalar: false, single: true },
  { id: 'euclid', shown: fixed12, scalar: true, single: true },
] as const satisfies readonly (MetricRule & { readonly id: keyof Measured })[]

function metricCells(source: CellSource): Record<string, Cell> {
  const { measured, pairOf, emptyIsZero } = source
  if (!measured || !pairOf) return {}
  const cells: Record<string, Cell> = {}
  for (const rule of metricRules) {
    const column = measured[rule.id]
    const isEmpty = (row: number): boolean => emptyIsZero && pairOf[row] >= 0 && measured.outcome[pairOf[row]] === Outcome.empty
    cells[rule.id] = numberCell(row => (isEmpty(row) ? 0 : rule.shown(column[pairOf[row]])), row => {
      const pair = pairOf[row]
      if (pair < 0) return noNumbers
      if (isEmpty(row)) return null
      const text = insteadOfNumbers[measured.outcome[pair]]
      if (text !== null) return text
      if (measured.outcome[pair] === Outcome.scalar ? !rule.scalar : !rule.single && measured.notes[pair] & Note.single) return noNumbers
      return Number.isNaN(column[pair]) ? 'Nan' : null
    })
  }
  return cells
}

// ---------------------------------------------------------------------------------------------- md5s, answers, messages

function answerCells(source: CellSource): Record<string, Cell> {
  const { debug, bench, debugItem, benchItem, dialect, hidesUnmatched } = source
  const none = dialect === 'join' ? noOne : nothing
  const md5 = (dump: Dump, code: number): string => (code < 0 ? none : dump.texts.get(code))
  const answer = textCell(row => answerTexts[source.answer[row]])
  return {
    debugMd5: textCell(row => (hidesUnmatched.md5 && benchItem[row] < 0 ? noOne : md5(debug, debug.items.md5[debugItem[row]]))),
    benchMd5: textCell(row => (benchItem[row] < 0 ? noOne : md5(bench, bench.items.md5[benchItem[row]]))),
    accuracy: answer, result: answer, message: textCell(row => source.message(row)),
  }
}
