// The table as the newest msprobe writes it: other columns, pass/warning/error with reasons, no colours.
import type { Thresholds } from '../../../preload/contract/engine.ts'
import type { Cells } from '../columns.ts'
import type { Dump } from '../dump.ts'
import { pyFloat, pyStr } from '../formats/python.ts'
import { atOnce, overRows, type Steps } from '../job.ts'
import { Kind, State, stats, type Mode, type Stat } from '../model.ts'
import type { Problem } from '../problem.ts'
import type { Comparison, ResultColumn } from '../result.ts'
import { stackTexts, type Cell } from './cells.ts'
import type { TableInput } from './compared.ts'
import { Note, Outcome, type Measured } from './measured.ts'
import { fixed12, percent, reparsed, roundCosine } from './numpy.ts'
import { insteadOfNumbers, noNumbers } from './outcomes.ts'
import { isNumeric, numberOf } from './statistics.ts'
import { accuracy, Answer, judge, type Judged } from './verdict.ts'

const noOne = 'N/A'
const rowsPerStep = 4096

export function* newestTable(input: TableInput, thresholds: Thresholds): Steps<Comparison> {
  const values = new Values(input)
  const answers = new Answers(input, values)
  yield* answers.steps()
  const old = yield* oldAnswers(input)
  return new ComparedNewest(input, { values, answers, old }, yield* judge({ ...input, answer: old }, thresholds))
}

/** What does not depend on thresholds. */
interface Kept {
  readonly values: Values
  readonly answers: Answers
  readonly old: Uint8Array
}

class ComparedNewest implements Comparison {
  readonly mode: Mode
  readonly rules = 'msprobe-26'
  readonly debug: Dump
  readonly bench: Dump
  readonly columns: readonly ResultColumn[]
  readonly length: number
  readonly debugItem: Int32Array
  readonly benchItem: Int32Array
  readonly benchOnly: Int32Array
  readonly problems: readonly Problem[]
  readonly verdict: Uint8Array
  readonly level: Float64Array
  readonly fill: Uint8Array
  readonly pending: number
  readonly measured: Measured | null
  readonly pairOf: Int32Array | null
  readonly #input: TableInput
  readonly #cells: readonly Cell[]
  readonly #kept: Kept

  constructor(input: TableInput, kept: Kept, { verdict, level }: Judged) {
    this.#input = input
    this.#kept = kept
    this.mode = input.mode
    this.debug = input.debug
    this.bench = input.bench
    this.columns = input.columns
    this.length = input.debugItem.length
    this.debugItem = input.debugItem
    this.benchItem = input.benchItem
    this.benchOnly = input.benchOnly
    this.problems = input.problems
    this.measured = input.measured
    this.pairOf = input.pairOf
    this.fill = new Uint8Array(this.length)
    this.pending = input.measured ? input.measured.outcome.filter(outcome => outcome === Outcome.pending).length : 0
    this.verdict = verdict
    this.level = level
    const cells = cellsOf(input, kept.values, kept.answers)
    this.#cells = input.columns.map(column => cells[column.id])
  }

  kind(row: number, column: number): Kind { return this.#cells[column].kind(row) }
  number(row: number, column: number): number { return this.#cells[column].number(row) }
  text(row: number, column: number): string { return this.#cells[column].text(row) }
  sortable(row: number, column: number): number { return this.#cells[column].sortable(row) }
  failing(row: number): boolean { return this.#kept.answers.level[row] > 0 }
  judged(thresholds: Thresholds): Comparison { return new ComparedNewest(this.#input, this.#kept, atOnce(judge({ ...this.#input, answer: this.#kept.old }, thresholds))) }
}

/** Verdicts rest on the same answers under every rule set. */
function* oldAnswers({ mode, debug, bench, debugItem, benchItem, measured, pairOf }: TableInput): Steps<Uint8Array> {
  const answerAt = (row: number): Answer => {
    if (benchItem[row] < 0) return Answer.notThere
    if (mode === 'md5') return codeText(debug, debug.items.md5[debugItem[row]]) === codeText(bench, bench.items.md5[benchItem[row]]) ? Answer.pass : Answer.different
    const pair = pairOf ? pairOf[row] : -1
    if (!measured || pair < 0) return Answer.none
    const whole = measured.outcome[pair] === Outcome.measured && !(measured.notes[pair] & Note.single)
    return whole ? accuracy(roundCosine(measured.cosine[pair]), fixed12(measured.maxAbs[pair])) : Answer.none
  }
  const answers = new Uint8Array(debugItem.length)
  yield* overRows(answers.length, (from, to) => { for (let row = from; row < to; row++) answers[row] = answerAt(row) })
  return answers
}

const codeText = (dump: Dump, code: number): string => (code < 0 ? 'None' : dump.texts.get(code))

// ---------------------------------------------------------------------------------------------- values

/** What both sides say about one statistic, and how far apart it is. */
class Values {
  readonly #input: TableInput

  constructor(input: TableInput) { this.#input = input }

  /** Difference as a number, or the text that stands for it. */
  diff(stat: Stat, row: number): number | string {
    return this.#both(stat, row, d => d)
  }

  /** Relative error: 0 where both sides read alike, a share otherwise. */
  relative(stat: Stat, row: number): number | string {
    return this.#both(stat, row, (d, b) => (b === 0 ? Infinity : Math.abs(d / b)))
  }

  #both(stat: Stat, row: number, of: (d: number, b: number) => number): number | string {
    const { debug, bench, debugItem, benchItem } = this.#input
    if (benchItem[row] < 0) return noOne
    const [mine, theirs] = [debug.items[stat], bench.items[stat]]
    const [item, other] = [debugItem[row], benchItem[row]]
    if (statText(debug, mine, item) === statText(bench, theirs, other)) return 0
    if (!isNumeric(mine.kind[item]) || !isNumeric(theirs.kind[other])) return isNan(mine, item) || isNan(theirs, other) ? 'Nan' : 'Diff'
    const [n, b] = [numberOf(mine, item, debug), numberOf(theirs, other, bench)]
    const d = reparsed(n) - reparsed(b)
    return Number.isNaN(d) ? 'Nan' : of(d, reparsed(b))
  }
}

const isNan = (cells: Cells, item: number): boolean => cells.kind[item] === Kind.float && Number.isNaN(cells.value[item])

/** Infinities carry a blank in front, so that a spreadsheet takes them for text. */
const plain = (x: number): string => (Number.isNaN(x) ? 'Nan' : Number.isFinite(x) ? pyFloat(x) : ` ${pyFloat(x)}`)

function statText(dump: Dump, cells: Cells, item: number): string {
  const value = cells.value[item]
  switch (cells.kind[item]) {
    case Kind.bool: return value ? 'True' : 'False'
    case Kind.text: case Kind.bigint: return dump.texts.get(value)
    case Kind.int: return String(value)
    case Kind.float: return plain(value)
    default: return 'None'
  }
}

// ---------------------------------------------------------------------------------------------- answers

const levelNames = ['pass', 'warning', 'error'] as const

const reasons = {
  overflow: 'error: There is nan/inf/-inf in the maximum or minimum value of NPU.',
  thousandth: 'error: The input/parameters of One Thousandth Err Ratio > 0.9 while the output < 0.6.',
  norm: 'error: The NormRelativeErr of output is greater than 0.5.',
  grad: 'error: The Required_Grad of NPU and Bench are inconsistent',
  dtype: 'error: The dtype of NPU and Bench are inconsistent.',
  shape: 'error: The shape of NPU and Bench are inconsistent.',
  scalar: 'error: The scalar parameters of NPU and Bench are inconsistent.',
  crc: 'error: The CRC-32 value of NPU differs from that of the bench.',
  normGrowth: 'warning: The norm relative error of output is 10 times that of input.',
  cosine: 'warning: The input/parameters of Cosine > 0.9, and input/parameters - output > 0.1',
} as const

/** Calls whose results say nothing. */
const ignored = new Set(['empty', 'empty_like', 'numpy', 'to', '__setitem__', 'empty_with_format', 'new_empty_strided', 'new_empty', 'empty_strided'])
/** Calls whose inputs are buffers still to be filled. */
const inputless = new Set(['_reduce_scatter_base', '_all_gather_base', 'all_to_all_single', 'batch_isend_irecv'])

/** The worst of its reasons per row, and the reasons. */
class Answers {
  readonly level: Uint8Array
  readonly #reasons = new Map<number, string[]>()
  readonly #input: TableInput
  readonly #values: Values

  constructor(input: TableInput, values: Values) {
    this.#input = input
    this.#values = values
    this.level = new Uint8Array(input.debugItem.length)
  }

  /** Finds the answers, call by call. */
  * steps(): Steps<void> {
    const { debug, debugItem } = this.#input
    let breathAt = rowsPerStep
    for (let start = 0; start < debugItem.length;) {
      if (start >= breathAt) {
        breathAt = start + rowsPerStep
        yield
      }
      const op = debug.items.op[debugItem[start]]
      let end = start + 1
      while (end < debugItem.length && debug.items.op[debugItem[end]] === op) end++
      const api = debug.texts.get(debug.ops.name[op]).split('.')[1] ?? ''
      if (!ignored.has(api)) this.#call(this.#input, this.#values, start, end, inputless.has(api))
      start = end
    }
  }

  text(row: number): string {
    const list = this.#reasons.get(row) ?? []
    return `[${list.map(reason => JSON.stringify(reason)).join(', ')}]`
  }

  #say(row: number, reason: keyof typeof reasons): void {
    const text = reasons[reason]
    const list = this.#reasons.get(row)
    if (list) list.push(text)
    else this.#reasons.set(row, [text])
    this.level[row] = Math.max(this.level[row], text.startsWith('error') ? 2 : 1)
  }

  #call(input: TableInput, values: Values, start: number, end: number, noInputs: boolean): void {
    const { mode, debug, debugItem, benchItem } = input
    const stateOf = (row: number): number => debug.items.state[debugItem[row]]
    const rows = Array.from({ length: end - start }, (_, i) => start + i)
    const ins = rows.filter(row => stateOf(row) === State.input || stateOf(row) === State.parameters)
    const outs = rows.filter(row => stateOf(row) === State.output)
    for (const row of rows) {
      if (noInputs && ins.includes(row)) continue
      if (mode !== 'md5') { if (overflows(input, row)) this.#say(row, 'overflow') } else if (benchItem[row] >= 0 && !sameMd5(input, row)) this.#say(row, 'crc')
    }
    const growing = noInputs || outs.length === 0 ? [] : mode === 'tensor' ? tensorGrowth(input, ins, outs) : mode === 'statistics' ? normGrowth(values, ins, outs) : []
    for (const { row, reason } of growing) if (reasons[reason].startsWith('error')) this.#say(row, reason)
    for (const row of rows) if (benchItem[row] >= 0 && mode !== 'md5' && !(noInputs && ins.includes(row))) for (const reason of inconsistent(input, row)) this.#say(row, reason)
    for (const { row, reason } of growing) if (reasons[reason].startsWith('warning')) this.#say(row, reason)
  }
}

const sameMd5 = ({ debug, bench, debugItem, benchItem }: TableInput, row: number): boolean =>
  codeText(debug, debug.items.md5[debugItem[row]]) === codeText(bench, bench.items.md5[benchItem[row]])

function overflows({ debug, bench, debugItem, benchItem }: TableInput, row: number): boolean {
  const infinite = (dump: Dump, item: number): boolean => [dump.items.max, dump.items.min].some(cells => cells.kind[item] === Kind.float && !Number.isFinite(cells.value[item]))
  return infinite(debug, debugItem[row]) && (benchItem[row] < 0 || !infinite(bench, benchItem[row]))
}

type Reason = keyof typeof reasons

/** A dtype in the spelling that both frameworks share. */
const bareDtype = (dump: Dump, item: number): string => codeText(dump, dump.items.dtype[item]).replace(/^torch\./, '').toLowerCase()

function inconsistent({ debug, bench, debugItem, benchItem }: TableInput, row: number): Reason[] {
  const [item, other] = [debugItem[row], benchItem[row]]
  const found: Reason[] = []
  if (gradText(debug, item) !== gradText(bench, other)) found.push('grad')
  if (bareDtype(debug, item) !== bareDtype(bench, other)) found.push('dtype')
  if (codeText(debug, debug.items.shape[item]) !== codeText(bench, bench.items.shape[other])) found.push('shape')
  if (debug.items.tensor[item] === 0 && debug.items.dtype[item] >= 0 && statText(debug, debug.items.max, item) !== statText(bench, bench.items.max, other)) found.push('scalar')
  return found
}

const gradText = (dump: Dump, item: number): string => ['False', 'True', noOne][dump.items.requiresGrad[item]] ?? noOne

const numbersOf = (values: readonly (number | string)[]): number[] => values.filter(value => typeof value === 'number')

/** Where an output of a call is worse than its inputs. Reasons about all outputs stand in the row of the first. */
interface Growth { readonly row: number; readonly reason: Reason }

function normGrowth(values: Values, ins: readonly number[], outs: readonly number[]): Growth[] {
  const into = Math.max(0, ...numbersOf(ins.map(row => values.relative('norm', row))).filter(Number.isFinite))
  const errors = outs.map(row => ({ row, error: values.relative('norm', row) }))
  const out = Math.max(0, ...numbersOf(errors.map(({ error }) => error)))
  const grows = Number.isFinite(out) && (into === 0 ? out > 0.1 : out > 10 * into)
  return [
    ...errors.filter(({ error }) => into < 0.1 && typeof error === 'number' && error > 0.5).map(({ row }) => ({ row, reason: 'norm' as const })),
    ...(grows ? [{ row: outs[0], reason: 'normGrowth' as const }] : []),
  ]
}

function tensorGrowth({ measured, pairOf }: TableInput, ins: readonly number[], outs: readonly number[]): Growth[] {
  const of = (rows: readonly number[], column: 'thousandth' | 'cosine'): number[] => rows.map(row => {
    const pair = pairOf ? pairOf[row] : -1
    if (!measured || pair < 0 || measured.outcome[pair] !== Outcome.measured || measured.notes[pair] & Note.single) return NaN
    return column === 'cosine' ? roundCosine(measured.cosine[pair]) : fixed12(measured.thousandth[pair])
  }).filter(value => !Number.isNaN(value))
  const [ratioIn, ratioOut, cosineIn, cosineOut] = [of(ins, 'thousandth'), of(outs, 'thousandth'), of(ins, 'cosine'), of(outs, 'cosine')]
  const least = Math.min(1, ...cosineIn)
  return [
    ...(Math.min(1, ...ratioIn) > 0.9 && Math.min(1, ...ratioOut) < 0.1 ? [{ row: outs[0], reason: 'thousandth' as const }] : []),
    ...(least > 0.9 && least - Math.min(1, ...cosineOut) > 0.1 ? [{ row: outs[0], reason: 'cosine' as const }] : []),
  ]
}

// ---------------------------------------------------------------------------------------------- cells

function cellsOf(input: TableInput, values: Values, answers: Answers): Readonly<Record<string, Cell>> {
  const { debug, bench, debugItem, benchItem } = input
  const mine = (column: Int32Array | Uint32Array): Cell => textCell(row => codeText(debug, column[debugItem[row]]))
  const theirs = (column: Int32Array | Uint32Array): Cell => textCell(row => (benchItem[row] < 0 ? noOne : codeText(bench, column[benchItem[row]])))
  const grads = (row: number): [string, string] => [gradText(debug, debugItem[row]), benchItem[row] < 0 ? noOne : gradText(bench, benchItem[row])]
  const md5 = (dump: Dump, items: Int32Array): Cell => textCell(row => (items[row] < 0 || dump.items.md5[items[row]] < 0 ? noOne : dump.texts.get(dump.items.md5[items[row]])))
  const stacks = stackTexts(debug)
  const cells: Record<string, Cell> = {
    debugName: mine(debug.items.name), benchName: theirs(bench.items.name), debugDtype: mine(debug.items.dtype), benchDtype: theirs(bench.items.dtype),
    debugShape: mine(debug.items.shape), benchShape: theirs(bench.items.shape),
    debugGrad: textCell(row => grads(row)[0]), benchGrad: textCell(row => grads(row)[1]),
    gradsAgree: { ...textCell(row => (grads(row)[0] === grads(row)[1] ? 'True' : 'False')), kind: () => Kind.bool, number: row => (grads(row)[0] === grads(row)[1] ? 1 : 0) },
    debugMd5: md5(debug, debugItem), benchMd5: md5(bench, benchItem),
    result: textCell(row => levelNames[answers.level[row]]), message: textCell(row => answers.text(row)), why: textCell(row => input.why(row)),
    stack: textCell(row => {
      const stack = input.stackShown[row] ? debug.stacks.of(debug.ops.name[debug.items.op[debugItem[row]]]) : -1
      return stack < 0 ? noOne : stacks(stack)
    }),
    dataName: textCell(row => {
      const name = (dump: Dump, item: number): string => (dump.items.dataName[item] < 0 ? '-1' : dump.texts.get(dump.items.dataName[item]))
      return pyStr([name(debug, debugItem[row]), benchItem[row] < 0 ? noOne : name(bench, benchItem[row])])
    }),
  }
  for (const stat of stats) {
    const name = stat.charAt(0).toUpperCase() + stat.slice(1)
    cells[`debug${name}`] = statCell(debug, debug.items[stat], debugItem)
    cells[`bench${name}`] = statCell(bench, bench.items[stat], benchItem)
    cells[`${stat}Diff`] = mixedCell(row => values.diff(stat, row), plainNumber)
    cells[`${stat}Relative`] = mixedCell(row => values.relative(stat, row), share => (share === 0 ? '0' : share === Infinity ? 'inf' : percent(share * 100)), true)
  }
  if (input.measured && input.pairOf) for (const rule of metricRules) cells[rule.id] = metricCell(input.measured, input.pairOf, rule)
  return cells
}

const textCell = (text: (row: number) => string): Cell => ({ kind: () => Kind.text, number: () => NaN, text, sortable: () => NaN })
const plainNumber = (x: number): string => (x === 0 ? '0' : plain(x))

/** A number, printed somehow, or a text in its place. */
function mixedCell(value: (row: number) => number | string, print: (x: number) => string, printedIsText = false): Cell {
  const number = (row: number): number => { const found = value(row); return typeof found === 'number' ? found : NaN }
  return {
    kind: row => (typeof value(row) === 'string' || (printedIsText && value(row) !== 0) ? Kind.text : Kind.float),
    number: row => (printedIsText && number(row) !== 0 ? NaN : number(row)),
    text: row => { const found = value(row); return typeof found === 'string' ? found : print(found) },
    sortable: number,
  }
}

const kinds: readonly Kind[] = [Kind.text, Kind.text, Kind.int, Kind.float, Kind.bool, Kind.text, Kind.int]

function statCell(dump: Dump, cells: Cells, items: Int32Array): Cell {
  const numeric = (row: number): boolean => items[row] >= 0 && isNumeric(cells.kind[items[row]])
  const number = (row: number): number => (numeric(row) ? numberOf(cells, items[row], dump) : NaN)
  return {
    kind: row => (items[row] < 0 || (numeric(row) && !Number.isFinite(number(row))) ? Kind.text : kinds[cells.kind[items[row]]]),
    number: row => (items[row] >= 0 && cells.kind[items[row]] === Kind.bool ? cells.value[items[row]] : number(row)), text: row => (items[row] < 0 ? noOne : statText(dump, cells, items[row])), sortable: number,
  }
}

const same = (x: number): number => x
interface MetricRule { readonly id: 'cosine' | 'euclid' | 'maxAbs' | 'maxRel' | 'thousandth' | 'fiveThousandths'; readonly shown: (x: number) => number; readonly scalars: boolean }
const metricRules: readonly MetricRule[] = [
  { id: 'cosine', shown: roundCosine, scalars: false }, { id: 'euclid', shown: same, scalars: false }, { id: 'maxAbs', shown: fixed12, scalars: true },
  { id: 'maxRel', shown: fixed12, scalars: true }, { id: 'thousandth', shown: fixed12, scalars: false }, { id: 'fiveThousandths', shown: fixed12, scalars: false },
]

function metricCell(measured: Measured, pairOf: Int32Array, rule: MetricRule): Cell {
  return mixedCell(row => {
    const pair = pairOf[row]
    if (pair < 0) return noNumbers
    const text = insteadOfNumbers[measured.outcome[pair]]
    if (text !== null) return text
    if (!rule.scalars && (measured.outcome[pair] === Outcome.scalar || measured.notes[pair] & Note.single)) return noNumbers
    return Number.isNaN(measured[rule.id][pair]) ? 'Nan' : rule.shown(measured[rule.id][pair])
  }, plain)
}
