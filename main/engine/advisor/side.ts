// One side as the advisor sees it: what each op is, where it stands in the model, which items carry numbers and in which precision.
import type { Dump } from '../dump.ts'
import { countElements, parentOps, startOf, type Flow } from '../graph/flow.ts'
import { Kind, State } from '../model.ts'
import { kindOf, type OpKind } from './kinds.ts'

export const Direction = { forward: 0, backward: 1, gradients: 2 } as const
export type Direction = (typeof Direction)[keyof typeof Direction]

/** Precision classes, coarser ones last among the floats. */
export const Precision = { none: 0, whole: 1, float64: 2, float32: 3, float16: 4, brain: 5 } as const
export type Precision = (typeof Precision)[keyof typeof Precision]

/** Codes for texts that both sides share: api names and places. */
export class SharedNames {
  readonly #codes = new Map<string, number>()
  readonly #texts: string[] = []

  code(text: string): number {
    let code = this.#codes.get(text)
    if (code === undefined) {
      code = this.#texts.length
      this.#texts.push(text)
      this.#codes.set(text, code)
    }
    return code
  }

  text(code: number): string { return this.#texts[code] }
}

/** Columns by op (api … leaf) and by item (numel …). */
export interface SideView {
  readonly dump: Dump
  readonly flow: Flow
  readonly names: SharedNames
  /** Code of the name without call number and direction. */
  readonly api: Int32Array
  /** Code of the enclosing module's path without call number; -1 at the top and where there is no hierarchy. */
  readonly place: Int32Array
  readonly call: Int32Array
  readonly direction: Uint8Array
  readonly module: Uint8Array
  readonly kind: readonly OpKind[]
  readonly parent: Int32Array
  readonly start: Int32Array
  /** 1: carries data and nothing below it does. */
  readonly leaf: Uint8Array
  /** Forward op of a backward op or of a gradient entry, -1 when it was not dumped. */
  readonly forward: Int32Array
  readonly numel: Float64Array
  readonly precision: Uint8Array
  /** 1: max, min and norm are numbers. */
  readonly counted: Uint8Array
  /** max(|Max|, |Min|) of those that are finite. */
  readonly range: Float64Array
  /** 1: Max, Min, Mean or Norm is NaN or infinite. */
  readonly wild: Uint8Array
  readonly hierarchy: boolean
}

export interface ParsedName {
  readonly api: string
  readonly direction: Direction
  readonly call: number
  readonly module: boolean
}

const gradients = /^(.*?)\.parameters_grad(?:\.(\d+))?$/
const modules = /^(.*)\.(forward|backward)\.(\d+)$/
const apis = /^(.*)\.(\d+)\.(forward|backward)$/

/** Splits an op key (dump-formats.md 2.1). A name of no known form is its own api. */
export function parseName(name: string): ParsedName {
  const last = name.charCodeAt(name.length - 1)
  if (last === 100) {
    const api = apis.exec(name)
    if (api) return { api: api[1], direction: api[3] === 'forward' ? Direction.forward : Direction.backward, call: Number(api[2]), module: false }
  }
  const grad = gradients.exec(name)
  if (grad) return { api: grad[1], direction: Direction.gradients, call: Number(grad[2] ?? 0), module: true }
  const module = modules.exec(name)
  if (module) return { api: module[1], direction: module[2] === 'forward' ? Direction.forward : Direction.backward, call: Number(module[3]), module: true }
  return { api: name, direction: Direction.forward, call: 0, module: false }
}

/** All but the dataflow follows from the dump alone. */
export type DumpView = Omit<SideView, 'flow'>

export function viewSide(dump: Dump, names: SharedNames): DumpView {
  const { ops, items, texts, construct } = dump
  const count = ops.length
  const api = new Int32Array(count)
  const place = new Int32Array(count).fill(-1)
  const call = new Int32Array(count)
  const direction = new Uint8Array(count)
  const module = new Uint8Array(count)
  const kind: OpKind[] = Array.from({ length: count }, () => 'plain')
  const kindOfApi = new Map<number, OpKind>()
  const parent = parentOps(dump)
  const placeOf = new Map<number, number>()
  for (let op = 0; op < count; op++) {
    const parsed = parseName(texts.get(ops.name[op]))
    api[op] = names.code(parsed.api)
    call[op] = parsed.call
    direction[op] = parsed.direction
    module[op] = parsed.module ? 1 : 0
    let known = kindOfApi.get(api[op])
    if (known === undefined) kindOfApi.set(api[op], known = kindOf(parsed.api))
    kind[op] = known
    const at = construct.length > 0 ? construct.find(ops.name[op]) : -1
    const code = at < 0 ? -1 : construct.parent[at]
    if (code < 0) continue
    let shared = placeOf.get(code)
    if (shared === undefined) placeOf.set(code, shared = names.code(parseName(texts.get(code)).api))
    place[op] = shared
  }
  const carries = (op: number): boolean => ops.first[op + 1] > ops.first[op]
  const leaf = new Uint8Array(count)
  for (let op = 0; op < count; op++) leaf[op] = carries(op) ? 1 : 0
  for (let op = 0; op < count; op++) if (carries(op) && parent[op] >= 0 && direction[op] === direction[parent[op]]) leaf[parent[op]] = 0

  const numel = countElements(dump)
  const precision = new Uint8Array(items.length)
  const counted = new Uint8Array(items.length)
  const range = new Float64Array(items.length)
  const wild = new Uint8Array(items.length)
  const precisionOf = new Map<number, Precision>()
  for (let i = 0; i < items.length; i++) {
    if (items.tensor[i] === 0) continue
    let known = precisionOf.get(items.dtype[i])
    if (known === undefined) precisionOf.set(items.dtype[i], known = items.dtype[i] < 0 ? Precision.none : precisionOfText(texts.get(items.dtype[i])))
    precision[i] = known
    if (!numeric(items.max.kind[i]) || !numeric(items.min.kind[i])) continue
    counted[i] = 1
    range[i] = Math.max(finite(items.max.value[i]), finite(items.min.value[i]))
    const norm = numeric(items.norm.kind[i]) ? items.norm.value[i] : 0
    const mean = numeric(items.mean.kind[i]) ? items.mean.value[i] : 0
    // A norm or mean that overflows over finite extremes says something of the statistic, not of the tensor.
    wild[i] = Number.isFinite(items.max.value[i]) && Number.isFinite(items.min.value[i]) && !Number.isNaN(norm) && !Number.isNaN(mean) ? 0 : 1
  }
  const view: DumpView = {
    dump, names, api, place, call, direction, module, kind, parent, start: startOf(parent), leaf, forward: new Int32Array(count).fill(-1),
    numel, precision, counted, range, wild, hierarchy: construct.length > 0,
  }
  findForwards(view)
  return view
}

export const isFloatItem = (view: SideView, item: number): boolean => view.precision[item] > Precision.whole

const finite = (value: number): number => (Number.isFinite(value) ? Math.abs(value) : 0)

export const numeric = (kind: number): boolean => kind === Kind.float || kind === Kind.int || kind === Kind.bool

function precisionOfText(text: string): Precision {
  const word = text.toLowerCase()
  if (word.includes('bfloat16')) return Precision.brain
  if (word.includes('float16')) return Precision.float16
  if (word.includes('float32') || word.includes('complex64')) return Precision.float32
  if (word.includes('float64') || word.includes('complex128')) return Precision.float64
  if (word.includes('int') || word.includes('bool')) return Precision.whole
  return Precision.none
}

/** Links backward ops to the forward call they belong to. Module calls are counted anew in backward, mostly in reverse. */
function findForwards(view: DumpView): void {
  const { api, call, direction, module, forward, parent, dump } = view
  const calls = new Map<number, Calls>()
  for (let op = 0; op < api.length; op++) {
    if (direction[op] !== Direction.forward) continue
    let of = calls.get(api[op])
    if (!of) calls.set(api[op], of = { ops: [], byCall: new Map(), byShape: new Map() })
    of.ops.push(op)
    if (!of.byCall.has(call[op])) of.byCall.set(call[op], op)
    const shape = firstShape(dump, op, State.output)
    if (!of.byShape.has(shape)) of.byShape.set(shape, op)
  }
  for (let op = 0; op < api.length; op++) {
    if (direction[op] !== Direction.backward || module[op] === 1) continue
    const found = calls.get(api[op])?.byCall.get(call[op])
    if (found === undefined) continue
    forward[op] = found
    const [up, upForward] = [parent[op], parent[found]]
    if (up >= 0 && upForward >= 0 && forward[up] < 0 && api[up] === api[upForward]) forward[up] = upForward
  }
  for (let op = 0; op < api.length; op++) {
    if (direction[op] === Direction.forward || forward[op] >= 0) continue
    const of = calls.get(api[op])
    if (!of) continue
    const reversed = of.ops[of.ops.length - 1 - call[op]] ?? of.ops[0]
    // A backward op's first input has the shape of its forward op's first output.
    const shape = firstShape(dump, op, State.input)
    forward[op] = of.ops.length === 1 || direction[op] === Direction.gradients ? of.ops[0]
      : direction[op] === Direction.backward && firstShape(dump, reversed, State.output) === shape ? reversed : of.byShape.get(shape) ?? reversed
  }
}

/** Forward ops of one api. */
interface Calls {
  readonly ops: number[]
  /** The first with a call number, and with a shape. */
  readonly byCall: Map<number, number>
  readonly byShape: Map<number, number>
}

function firstShape(dump: Dump, op: number, state: State): number {
  for (let i = dump.ops.first[op]; i < dump.ops.first[op + 1]; i++) if (dump.items.state[i] === state && dump.items.tensor[i] === 1) return dump.items.shape[i]
  return -1
}
