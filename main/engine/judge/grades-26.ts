// The answers of msprobe 26: pass, warning or error per row, with the reasons.
import {
  type Column,
  type Dump,
  type ItemRow,
  Kind,
  type Mode,
  Note,
  Outcome,
  type PairRow,
  State,
} from '../model/index.ts'
import { fixed12, roundCosine } from '../python/index.ts'
import type { Steps } from '../work/index.ts'
import type { TableInput } from './compared.ts'
import { codeText, gradText, sameMd5, statText, type Values } from './values-26.ts'

const rowsPerStep = 4096

export const gradeNames = ['pass', 'warning', 'error'] as const

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

export const gradeReasons: readonly string[] = Object.values(reasons)

/** Calls whose results say nothing. */
const ignored = new Set([
  'empty',
  'empty_like',
  'numpy',
  'to',
  '__setitem__',
  'empty_with_format',
  'new_empty_strided',
  'new_empty',
  'empty_strided',
])
/** Calls whose inputs are buffers still to be filled. */
const inputless = new Set([
  '_reduce_scatter_base',
  '_all_gather_base',
  'all_to_all_single',
  'batch_isend_irecv',
])

/** Per row the worst of its reasons (a place in `gradeNames`), and the reasons. */
export class Grades {
  readonly grade: Column<Uint8Array, PairRow>
  readonly #reasons = new Map<PairRow, string[]>()
  readonly #input: TableInput
  readonly #values: Values

  constructor(input: TableInput, values: Values) {
    this.#input = input
    this.#values = values
    this.grade = new Uint8Array(input.debugItem.length)
  }

  /** Finds the reasons, call by call. */
  *steps(): Steps<void> {
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
      const api = debug.names.word(debug.texts.get(debug.ops.name[op]))
      if (!ignored.has(api)) this.#call(this.#input, this.#values, start, end, inputless.has(api))
      start = end
    }
  }

  text(row: PairRow): string {
    const list = this.#reasons.get(row) ?? []
    return `[${list.map(reason => JSON.stringify(reason)).join(', ')}]`
  }

  #say(row: PairRow, reason: keyof typeof reasons): void {
    const text = reasons[reason]
    const list = this.#reasons.get(row)
    if (list) list.push(text)
    else this.#reasons.set(row, [text])
    this.grade[row] = Math.max(this.grade[row], text.startsWith('error') ? 2 : 1)
  }

  #call(input: TableInput, values: Values, start: number, end: number, noInputs: boolean): void {
    const { mode, debug, debugItem, benchItem } = input
    const stateOf = (row: PairRow): number => debug.items.state[debugItem[row]]
    const rows = Array.from({ length: end - start }, (_, i) => start + i)
    const ins = rows.filter(row => stateOf(row) === State.input || stateOf(row) === State.parameters)
    const outs = rows.filter(row => stateOf(row) === State.output)
    for (const row of rows) {
      if (noInputs && ins.includes(row)) continue
      if (mode !== 'md5') {
        if (overflows(input, row)) this.#say(row, 'overflow')
      } else if (benchItem[row] >= 0 && !sameMd5(input, row)) this.#say(row, 'crc')
    }
    const growing = noInputs || outs.length === 0 ? [] : growthIn[mode](input, values, ins, outs)
    for (const { row, reason } of growing) if (reasons[reason].startsWith('error')) this.#say(row, reason)
    for (const row of rows)
      if (benchItem[row] >= 0 && mode !== 'md5' && !(noInputs && ins.includes(row)))
        for (const reason of inconsistent(input, row)) this.#say(row, reason)
    for (const { row, reason } of growing) if (reasons[reason].startsWith('warning')) this.#say(row, reason)
  }
}

function overflows({ debug, bench, debugItem, benchItem }: TableInput, row: PairRow): boolean {
  const infinite = (dump: Dump, item: ItemRow): boolean =>
    [dump.items.max, dump.items.min].some(
      cells => cells.kind[item] === Kind.float && !Number.isFinite(cells.value[item]),
    )
  return infinite(debug, debugItem[row]) && (benchItem[row] < 0 || !infinite(bench, benchItem[row]))
}

type Reason = keyof typeof reasons

/** A dtype in the spelling that both frameworks share. */
const bareDtype = (dump: Dump, item: ItemRow): string =>
  codeText(dump, dump.items.dtype[item])
    .replace(/^torch\./, '')
    .toLowerCase()

function inconsistent({ debug, bench, debugItem, benchItem }: TableInput, row: PairRow): Reason[] {
  const [item, other] = [debugItem[row], benchItem[row]]
  const found: Reason[] = []
  if (gradText(debug, item) !== gradText(bench, other)) found.push('grad')
  if (bareDtype(debug, item) !== bareDtype(bench, other)) found.push('dtype')
  if (codeText(debug, debug.items.shape[item]) !== codeText(bench, bench.items.shape[other]))
    found.push('shape')
  if (
    debug.items.tensor[item] === 0 &&
    debug.items.dtype[item] >= 0 &&
    statText(debug, debug.items.max, item) !== statText(bench, bench.items.max, other)
  )
    found.push('scalar')
  return found
}

const numbersOf = (values: readonly (number | string)[]): number[] =>
  values.filter(value => typeof value === 'number')

/**
 * Where an output of a call is worse than its inputs. Reasons about all outputs stand in the row of the
 * first.
 */
interface Growth {
  readonly row: PairRow
  readonly reason: Reason
}

function normGrowth(values: Values, ins: readonly PairRow[], outs: readonly PairRow[]): Growth[] {
  const into = Math.max(0, ...numbersOf(ins.map(row => values.relative('norm', row))).filter(Number.isFinite))
  const errors = outs.map(row => ({ row, error: values.relative('norm', row) }))
  const out = Math.max(0, ...numbersOf(errors.map(({ error }) => error)))
  const grows = Number.isFinite(out) && (into === 0 ? out > 0.1 : out > 10 * into)
  return [
    ...errors
      .filter(({ error }) => into < 0.1 && typeof error === 'number' && error > 0.5)
      .map(({ row }) => ({ row, reason: 'norm' as const })),
    ...(grows ? [{ row: outs[0], reason: 'normGrowth' as const }] : []),
  ]
}

function tensorGrowth(
  { measured, pairOf }: TableInput,
  ins: readonly PairRow[],
  outs: readonly PairRow[],
): Growth[] {
  const of = (rows: readonly PairRow[], column: 'thousandth' | 'cosine'): number[] =>
    rows
      .map(row => {
        const pair = pairOf ? pairOf[row] : -1
        if (
          !measured ||
          pair < 0 ||
          measured.outcome[pair] !== Outcome.measured ||
          measured.notes[pair] & Note.single
        )
          return NaN
        return column === 'cosine' ? roundCosine(measured.cosine[pair]) : fixed12(measured.thousandth[pair])
      })
      .filter(value => !Number.isNaN(value))
  const [ratioIn, ratioOut, cosineIn, cosineOut] = [
    of(ins, 'thousandth'),
    of(outs, 'thousandth'),
    of(ins, 'cosine'),
    of(outs, 'cosine'),
  ]
  const least = Math.min(1, ...cosineIn)
  return [
    ...(Math.min(1, ...ratioIn) > 0.9 && Math.min(1, ...ratioOut) < 0.1
      ? [{ row: outs[0], reason: 'thousandth' as const }]
      : []),
    ...(least > 0.9 && least - Math.min(1, ...cosineOut) > 0.1
      ? [{ row: outs[0], reason: 'cosine' as const }]
      : []),
  ]
}

type GrowthIn = (
  input: TableInput,
  values: Values,
  ins: readonly PairRow[],
  outs: readonly PairRow[],
) => readonly Growth[]

const growthIn: Readonly<Record<Mode, GrowthIn>> = {
  tensor: (input, _values, ins, outs) => tensorGrowth(input, ins, outs),
  statistics: (_input, values, ins, outs) => normGrowth(values, ins, outs),
  md5: () => [],
}
