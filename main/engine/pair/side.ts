// One side as aligning and advisor see it: what each op is, where it stands in the model, which items carry numbers
// and in which precision.
import { kindOf, type OpKind } from './op-kinds.ts'
import { countElements, type Flow, parentOps, startOf } from '../flow/index.ts'
import {
  type BenchOp,
  byText,
  type Column,
  type DebugOp,
  Direction,
  type Dump,
  type Ids,
  type ItemRow,
  Kind,
  type NameCode,
  type OpRow,
  State,
  type TextCode,
} from '../model/index.ts'
import { atOnce, overRows, type Steps } from '../work/index.ts'

export { Direction }

/** Precision classes, coarser ones last among the floats. */
export const Precision = { none: 0, whole: 1, float64: 2, float32: 3, float16: 4, brain: 5 } as const
export type Precision = (typeof Precision)[keyof typeof Precision]

/** Codes for texts that both sides share: api names and places. */
export class SharedNames {
  readonly #codes = new Map<string, NameCode>()
  readonly #texts: string[] = []

  code(text: string): NameCode {
    let code = this.#codes.get(text)
    if (code === undefined) {
      code = this.#texts.length
      this.#texts.push(text)
      this.#codes.set(text, code)
    }
    return code
  }

  text(code: NameCode): string {
    return this.#texts[code]
  }
}

/** Columns by op (api … leaf) and by item (numel …). */
export interface SideView {
  readonly dump: Dump
  readonly flow: Flow
  readonly names: SharedNames
  /** Code of the name without call number and direction. */
  readonly api: Ids<OpRow, NameCode>
  /**
   * Code of the enclosing module's path without call number; -1 at the top and where there is no hierarchy.
   */
  readonly place: Ids<OpRow, NameCode>
  readonly call: Column<Int32Array, OpRow>
  readonly direction: Column<Uint8Array, OpRow>
  readonly module: Column<Uint8Array, OpRow>
  readonly kind: readonly OpKind[]
  readonly parent: Ids<OpRow, OpRow>
  readonly start: Ids<OpRow, OpRow>
  /** 1: carries data and nothing below it does. */
  readonly leaf: Column<Uint8Array, OpRow>
  /** Forward op of a backward op or of a gradient entry, -1 when it was not dumped. */
  readonly forward: Ids<OpRow, OpRow>
  readonly numel: Column<Float64Array, ItemRow>
  readonly precision: Column<Uint8Array, ItemRow>
  /** 1: max, min and norm are numbers. */
  readonly counted: Column<Uint8Array, ItemRow>
  /** max(|Max|, |Min|) of those that are finite. */
  readonly range: Column<Float64Array, ItemRow>
  /** 1: Max, Min, Mean or Norm is NaN or infinite. */
  readonly nonFinite: Column<Uint8Array, ItemRow>
  readonly hierarchy: boolean
}

/** All but the dataflow follows from the dump alone. */
export type DumpView = Omit<SideView, 'flow'>

export const viewSide = (dump: Dump, names: SharedNames): DumpView => atOnce(viewInSteps(dump, names))

export function* viewInSteps(dump: Dump, names: SharedNames): Steps<DumpView> {
  const view: DumpView = {
    dump,
    names,
    ...(yield* opColumns(dump, names)),
    ...(yield* itemColumns(dump)),
    numel: countElements(dump),
    hierarchy: dump.construct.length > 0,
  }
  yield
  yield* findForwards(view)
  return view
}

/** What names and hierarchy say of ops; their forward ops are found later. */
function* opColumns(dump: Dump, names: SharedNames): Steps<Pick<DumpView, OpColumn>> {
  const { ops, texts } = dump
  const count = ops.length
  const api = new Int32Array(count)
  const call = new Int32Array(count)
  const direction = new Uint8Array(count)
  const module = new Uint8Array(count)
  const kind: OpKind[] = Array.from({ length: count }, () => 'plain')
  const kindOfApi = new Map<NameCode, OpKind>()
  yield* overRows(count, (from, to) => {
    for (let op = from; op < to; op++) {
      const parsed = dump.names.parse(texts.get(ops.name[op]))
      api[op] = names.code(parsed.owner)
      call[op] = parsed.call
      direction[op] = parsed.direction
      module[op] = parsed.form === 'module' || parsed.form === 'gradients' ? 1 : 0
      let known = kindOfApi.get(api[op])
      if (known === undefined) kindOfApi.set(api[op], (known = kindOf(dump.names, parsed.owner)))
      kind[op] = known
    }
  })
  const parent = parentOps(dump)
  yield
  const place = yield* placesOf(dump, names)
  const start = startOf(parent)
  yield
  /** What the tool's own hooks call before a module begins. */
  const opensModule = (op: OpRow): boolean =>
    start[parent[op]] === op && names.text(api[op]).endsWith('.view_as')
  return {
    api,
    place,
    call,
    direction,
    module,
    kind,
    parent,
    start,
    leaf: leavesOf(dump, parent, direction, opensModule),
    forward: new Int32Array(count).fill(-1),
  }
}

type OpColumn =
  'api' | 'place' | 'call' | 'direction' | 'module' | 'kind' | 'parent' | 'start' | 'leaf' | 'forward'

/** Path of the module around each op, as codes that both sides share. */
function* placesOf(
  { ops, construct, texts, ...dump }: Dump,
  names: SharedNames,
): Steps<Ids<OpRow, NameCode>> {
  const place = new Int32Array(ops.length).fill(-1)
  const known = new Map<TextCode, NameCode>()
  yield* overRows(ops.length, (from, to) => {
    for (let op = from; op < to; op++) {
      const at = construct.length > 0 ? construct.find(ops.name[op]) : -1
      const code = at < 0 ? -1 : construct.parent[at]
      if (code < 0) continue
      let shared = known.get(code)
      if (shared === undefined)
        known.set(code, (shared = names.code(dump.names.parse(texts.get(code)).owner)))
      place[op] = shared
    }
  })
  return place
}

/** Ops that carry data and below which nothing of their direction does but hooks. */
function leavesOf(
  { ops }: Dump,
  parent: Ids<OpRow, OpRow>,
  direction: Column<Uint8Array, OpRow>,
  isHook: (op: OpRow) => boolean,
): Column<Uint8Array, OpRow> {
  const carries = (op: OpRow): boolean => ops.first[op + 1] > ops.first[op]
  const leaf = new Uint8Array(ops.length)
  for (let op = 0; op < leaf.length; op++) leaf[op] = carries(op) ? 1 : 0
  for (let op = 0; op < leaf.length; op++)
    if (carries(op) && parent[op] >= 0 && direction[op] === direction[parent[op]] && !isHook(op))
      leaf[parent[op]] = 0
  return leaf
}

/** Which items carry numbers, how large, and in which precision. */
function* itemColumns({
  items,
  texts,
}: Dump): Steps<Pick<DumpView, 'precision' | 'counted' | 'range' | 'nonFinite'>> {
  const precision = new Uint8Array(items.length)
  const counted = new Uint8Array(items.length)
  const range = new Float64Array(items.length)
  const nonFinite = new Uint8Array(items.length)
  const ofItem = byText(texts, items.dtype, precisionOf)
  yield* overRows(items.length, (from, to) => {
    for (let i = from; i < to; i++) {
      if (items.tensor[i] === 0) continue
      precision[i] = ofItem(i)
      if (!numeric(items.max.kind[i]) || !numeric(items.min.kind[i])) continue
      counted[i] = 1
      range[i] = Math.max(finite(items.max.value[i]), finite(items.min.value[i]))
      nonFinite[i] = isNonFinite(items, i) ? 1 : 0
    }
  })
  return { precision, counted, range, nonFinite }
}

function isNonFinite({ max, min, mean, norm }: Dump['items'], item: ItemRow): boolean {
  if (!Number.isFinite(max.value[item]) || !Number.isFinite(min.value[item])) return true
  // A norm or mean that overflows over finite extremes says something of the statistic, not of the tensor.
  return [mean, norm].some(({ kind, value }) => numeric(kind[item]) && Number.isNaN(value[item]))
}

/** Both sides as they are aligned. */
export interface AlignedSides {
  readonly debug: SideView
  readonly bench: SideView
  /** Bench op of each debug op by the rows, -1: none. Across frameworks nothing else is known. */
  readonly given: Ids<DebugOp, BenchOp>
  readonly across: boolean
}

/** First float result of an op, -1: none. */
export function firstResult(view: SideView, op: OpRow): ItemRow {
  const { ops, items } = view.dump
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (items.state[i] === State.output && isFloatItem(view, i)) return i
  return -1
}

export const isFloatItem = (view: Pick<SideView, 'precision'>, item: ItemRow): boolean =>
  view.precision[item] > Precision.whole

const finite = (value: number): number => (Number.isFinite(value) ? Math.abs(value) : 0)

export const numeric = (kind: number): boolean =>
  kind === Kind.float || kind === Kind.int || kind === Kind.bool

/** Of a dtype as dumps write it. */
export function precisionOf(dtype: string): Precision {
  const word = dtype.toLowerCase()
  if (word.includes('bfloat16')) return Precision.brain
  if (word.includes('float16')) return Precision.float16
  if (word.includes('float32') || word.includes('complex64')) return Precision.float32
  if (word.includes('float64') || word.includes('complex128')) return Precision.float64
  if (word.includes('int') || word.includes('bool')) return Precision.whole
  return Precision.none
}

/**
 * Links backward ops to the forward call they belong to. Module calls are counted anew in backward: each takes the latest
 * call before it that none has taken.
 */
function* findForwards(view: DumpView): Steps<void> {
  const { api, call, direction, module, forward, parent, dump } = view
  const calls = new Map<NameCode, Calls>()
  const eachOp = (act: (op: OpRow) => void): Steps<void> =>
    overRows(api.length, (from, to) => {
      for (let op = from; op < to; op++) act(op)
    })
  yield* eachOp(op => {
    if (direction[op] !== Direction.forward) return
    let of = calls.get(api[op])
    if (!of) calls.set(api[op], (of = { ops: [], byCall: new Map(), byShape: new Map(), taken: new Set() }))
    of.ops.push(op)
    if (!of.byCall.has(call[op])) of.byCall.set(call[op], op)
    const shape = firstShape(dump, op, State.output)
    if (!of.byShape.has(shape)) of.byShape.set(shape, op)
  })
  yield* eachOp(op => {
    if (direction[op] !== Direction.backward || module[op] === 1) return
    const found = calls.get(api[op])?.byCall.get(call[op])
    if (found === undefined) return
    forward[op] = found
    const [up, upForward] = [parent[op], parent[found]]
    if (up >= 0 && upForward >= 0 && forward[up] < 0 && api[up] === api[upForward]) forward[up] = upForward
  })
  yield* eachOp(op => {
    if (direction[op] === Direction.forward || forward[op] >= 0) return
    const of = calls.get(api[op])
    if (of) forward[op] = forwardOf(view, op, of)
  })
}

/** A backward op's first input has the shape of its forward op's first output. */
function forwardOf({ dump, direction, call }: DumpView, op: OpRow, { ops, byShape, taken }: Calls): OpRow {
  if (ops.length === 1 || direction[op] === Direction.gradients) return ops[0]
  const shape = firstShape(dump, op, State.input)
  const before = ops.findLast(
    one => one < op && !taken.has(one) && firstShape(dump, one, State.output) === shape,
  )
  if (before !== undefined) {
    taken.add(before)
    return before
  }
  return byShape.get(shape) ?? ops[ops.length - 1 - call[op]] ?? ops[0]
}

/** Forward ops of one api. */
interface Calls {
  readonly ops: OpRow[]
  /** The first with a call number, and with a shape. */
  readonly byCall: Map<number, OpRow>
  readonly byShape: Map<TextCode, OpRow>
  /** Those whose backward half is known. */
  readonly taken: Set<OpRow>
}

function firstShape(dump: Dump, op: OpRow, state: State): TextCode {
  for (let i = dump.ops.first[op]; i < dump.ops.first[op + 1]; i++)
    if (dump.items.state[i] === state && dump.items.tensor[i] === 1) return dump.items.shape[i]
  return -1
}
