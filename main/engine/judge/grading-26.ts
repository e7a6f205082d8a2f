// How msprobe 26 grades one call, in tables and in graphs alike: every compared item passes, warns or fails for reasons.
import { isNumeric, numberIn } from '../measure/index.ts'
import { type Dump, type ItemRow, Kind, type Mode, State, type TextCode } from '../model/index.ts'

export const gradeNames = ['pass', 'warning', 'error'] as const
/** A place in `gradeNames`. */
export type Grade = 0 | 1 | 2

/** Why an item does not pass, in msprobe's words. */
const reasonTexts = {
  overflow: 'error: There is nan/inf/-inf in the maximum or minimum value of NPU.',
  thousandth: 'error: The input/parameters of One Thousandth Err Ratio > 0.9 while the output < 0.6.',
  norm: 'error: The NormRelativeErr of output is greater than 0.5.',
  grad: 'error: The Required_Grad of NPU and Bench are inconsistent',
  scalar: 'error: The scalar parameters of NPU and Bench are inconsistent.',
  dtype: 'error: The dtype of NPU and Bench are inconsistent.',
  shape: 'error: The shape of NPU and Bench are inconsistent.',
  crc: 'error: The CRC-32 value of NPU differs from that of the bench.',
  partner: 'warning: The parameter of NPU does not match the bench.',
  normGrowth: 'warning: The norm relative error of output is 10 times that of input.',
  cosine: 'warning: The input/parameters of Cosine > 0.9, and input/parameters - output > 0.1',
} as const
type Reason = keyof typeof reasonTexts

export const gradeReasons: readonly string[] = Object.values(reasonTexts)

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

/** What stands beside an item: one of the bench, nothing, or (in graphs) a blank that differs from everything. */
export const beside = { nothing: -1, blank: -2 } as const

/** The items of a dump beside those of the other, by rows of whoever asks. */
export interface GradedItems {
  readonly mode: Mode
  readonly debug: Dump
  readonly bench: Dump
  /** What is null on one side, and has no type or shape there, is no other one. */
  readonly nullPasses: boolean
  item(row: number): ItemRow
  /** Item of the bench, or one of `beside`. */
  other(row: number): number
  /** Relative error of the norms; NaN where a text stands, unless that text is an infinity. */
  norm(row: number): { readonly share: number; readonly isText: boolean }
  /** As they are printed; NaN where a text stands. */
  thousandth(row: number): number
  cosine(row: number): number
  /** requires_grad of both sides agree, or one is not told and nothing is made of it. */
  sameGrad(row: number): boolean
}

export interface Graded {
  grade: Grade
  readonly reasons: string[]
}

/** The rows of one call, in their order. */
export function gradedCall(items: GradedItems, rows: readonly number[]): readonly Graded[] {
  const { debug } = items
  const graded = rows.map((): Graded => ({ grade: 0, reasons: [] }))
  const say = (place: number, reason: Reason): void => {
    const text = reasonTexts[reason]
    graded[place].reasons.push(text)
    const grade = text.startsWith('error') ? 2 : 1
    if (grade > graded[place].grade) graded[place].grade = grade
  }
  const places = rows.map((_, place) => place)
  const isOutput = outputsOf(debug)
  const [ins, outs] = [
    places.filter(place => !isOutput(items.item(rows[place]))),
    places.filter(place => isOutput(items.item(rows[place]))),
  ]
  const word = ins.length > 0 ? apiWord(debug, items.item(rows[ins[0]])) : ''
  if (ignored.has(word)) return graded
  const calls = inputless.has(word)
  const seen = calls ? outs : [...ins, ...outs]
  const each = (places: readonly number[], reason: Reason, holds: (row: number) => boolean): void => {
    for (const place of places) if (holds(rows[place])) say(place, reason)
  }
  if (items.mode === 'md5') {
    const differs = (row: number): boolean => !sameMd5(items, row)
    each(seen, 'crc', row => differs(row) && !unpaired(items, row))
    each(seen, 'partner', row => differs(row) && unpaired(items, row))
    return graded
  }
  each(seen, 'overflow', row => overflows(items, row))
  const growth = calls ? [] : growthOf(items, pick(rows, ins), pick(rows, outs))
  for (const { at, reason } of growth)
    if (reason !== 'normGrowth' && reason !== 'cosine') say(outs[at], reason)
  each(seen, 'grad', row => items.other(row) !== beside.nothing && !items.sameGrad(row))
  if (!calls) each(ins, 'scalar', row => otherScalar(items, row))
  each(seen, 'dtype', row => otherDtype(items, row))
  each(seen, 'shape', row => otherShape(items, row))
  for (const { at, reason } of growth)
    if (reason === 'normGrowth' || reason === 'cosine') say(outs[at], reason)
  return graded
}

const pick = (rows: readonly number[], places: readonly number[]): readonly number[] =>
  places.map(place => rows[place])

/** msprobe goes by the names: what stands below a module called output is one. */
function outputsOf(dump: Dump): (item: ItemRow) => boolean {
  const known = new Map<number, boolean>()
  return item => {
    const op = dump.items.op[item]
    let below = known.get(op)
    if (below === undefined) {
      below = `${dump.texts.get(dump.ops.name[op])}.`.includes('.output.')
      known.set(op, below)
    }
    return below || dump.items.state[item] === State.output
  }
}

const apiWord = (dump: Dump, item: ItemRow): string =>
  dump.texts.get(dump.items.name[item]).split('.')[1] ?? ''

const textOf = (dump: Dump, code: TextCode): string | null => (code < 0 ? null : dump.texts.get(code))

const unpaired = ({ debug, bench, item, other }: GradedItems, row: number): boolean =>
  other(row) < 0 || debug.items.md5[item(row)] < 0 || bench.items.md5[other(row)] < 0

function sameMd5({ debug, bench, item, other }: GradedItems, row: number): boolean {
  const there = other(row)
  const mine = textOf(debug, debug.items.md5[item(row)])
  if (there === beside.nothing) return mine === null
  return there >= 0 && mine === textOf(bench, bench.items.md5[there])
}

function overflows({ debug, bench, item, other }: GradedItems, row: number): boolean {
  const there = other(row)
  return notFinite(debug, item(row)) && !(there >= 0 && notFinite(bench, there))
}

const endless = /^\s*(?:-?inf|nan)\s*$/i

const notFinite = (dump: Dump, item: ItemRow): boolean =>
  [dump.items.max, dump.items.min].some(cells => {
    const value = cells.value[item]
    if (cells.kind[item] === Kind.text) return endless.test(dump.texts.get(value))
    return cells.kind[item] === Kind.float && !Number.isFinite(value)
  })

function otherDtype({ debug, bench, item, other, nullPasses }: GradedItems, row: number): boolean {
  const there = other(row)
  const mine = textOf(debug, debug.items.dtype[item(row)])
  if (there === beside.nothing) return false
  if (there === beside.blank) return mine !== null
  // Parts that one side has fused may well be of another type.
  if (/qkv|gate_up/.test(bench.texts.get(bench.items.name[there]))) return false
  return unlike(mine, textOf(bench, bench.items.dtype[there]), nullPasses)
}

const unlike = (mine: string | null, theirs: string | null, nullPasses: boolean): boolean =>
  mine !== theirs && !(nullPasses && (mine === null || theirs === null))

function otherShape({ debug, bench, item, other, nullPasses }: GradedItems, row: number): boolean {
  const there = other(row)
  const mine = textOf(debug, debug.items.shape[item(row)])
  if (there === beside.nothing) return false
  if (there === beside.blank) return mine !== null
  return unlike(mine, textOf(bench, bench.items.shape[there]), nullPasses)
}

/** An argument that is no tensor has another value. */
function otherScalar({ debug, bench, item, other }: GradedItems, row: number): boolean {
  const [here, there] = [item(row), other(row)]
  if (there < 0) return false
  const isClass = (dump: Dump, at: ItemRow): boolean =>
    textOf(dump, dump.items.dtype[at])?.includes('class') ?? false
  if (!isClass(debug, here) || !isClass(bench, there) || textOf(debug, debug.items.shape[here]) !== '[]')
    return false
  return !sameValue(valueOf(debug, here), valueOf(bench, there))
}

const sameValue = (here: number | string | null, there: number | string | null): boolean =>
  here === there || (Number.isNaN(here) && Number.isNaN(there))

/** The value of an argument: its maximum; truth values are no numbers. */
function valueOf(dump: Dump, item: ItemRow): number | string | null {
  const { kind, value } = dump.items.max
  if (isNumeric(kind[item])) return numberIn(dump.items.max, item, dump)
  if (kind[item] === Kind.text) return dump.texts.get(value[item])
  return kind[item] === Kind.bool ? String(value[item] !== 0) : null
}

/** Where an output is worse than the inputs; reasons about all outputs stand at the first. */
interface Growth {
  readonly at: number
  readonly reason: Reason
}

const growthOf = (items: GradedItems, ins: readonly number[], outs: readonly number[]): readonly Growth[] =>
  items.mode === 'tensor' ? tensorGrowth(items, ins, outs) : normGrowth(items, ins, outs)

function normGrowth(items: GradedItems, ins: readonly number[], outs: readonly number[]): readonly Growth[] {
  const most = (rows: readonly number[]): number =>
    rows.reduce((found, row) => {
      const { share, isText } = items.norm(row)
      return !isText && share > found ? share : found
    }, 0)
  const [before, after] = [most(ins), most(outs)]
  const found: Growth[] = []
  if (before < 0.1)
    outs.forEach((row, at) => {
      if (items.norm(row).share > 0.5) found.push({ at, reason: 'norm' })
    })
  const grows = before === 0 ? after > 0.1 : after / before > 10
  if (grows && outs.length > 0) found.push({ at: 0, reason: 'normGrowth' })
  return found
}

function tensorGrowth(
  items: GradedItems,
  ins: readonly number[],
  outs: readonly number[],
): readonly Growth[] {
  if (outs.length === 0) return []
  const least = (rows: readonly number[], of: (row: number) => number): number =>
    rows.reduce((found, row) => (of(row) < found ? of(row) : found), 1)
  const ratio = (row: number): number => items.thousandth(row)
  const cosine = (row: number): number => items.cosine(row)
  const found: Growth[] = []
  if (least(ins, ratio) > 0.9 && least(outs, ratio) < 0.1) found.push({ at: 0, reason: 'thousandth' })
  const before = least(ins, cosine)
  if (before > 0.9 && before - least(outs, cosine) > 0.1) found.push({ at: 0, reason: 'cosine' })
  return found
}

/** The reasons as they are written: a list in JSON. */
export const reasonList = ({ reasons }: Graded): string =>
  `[${reasons.map(reason => JSON.stringify(reason)).join(', ')}]`
