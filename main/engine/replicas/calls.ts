// Names of a dump's calls, what each follows from, and what it gave, as one number each.
import { type Dump, Direction, type ItemRow, Kind, type OpName, type OpRow, State } from '../model/index.ts'
import { kindOf } from '../pair/index.ts'
import { nothing, Print, type Prints } from './values.ts'

/** Names of calls, taken apart once. */
export interface Calls {
  readonly names: readonly OpName[]
  readonly firstBackward: number
  /** Calls that hold others, by the hierarchy. */
  readonly holds: Uint8Array
}

export function callsOf(dump: Dump): Calls {
  const { ops, texts, construct, names } = dump
  const parsed = Array.from(ops.name, code => names.parse(texts.get(code)))
  const holders = new Set<number>()
  for (let entry = 0; entry < construct.length; entry++) holders.add(construct.parent[entry])
  const back = parsed.findIndex(({ direction }) => direction === Direction.backward)
  return {
    names: parsed,
    firstBackward: back < 0 ? ops.length : back,
    holds: Uint8Array.from(ops.name, code => (holders.has(code) ? 1 : 0)),
  }
}

// ---------------------------------------- what a call's result follows from

/** Modules of the frameworks whose result follows from what they read and their own weights. */
const plainModules =
  /^(?:Linear|Dense|LayerNorm|RMSNorm|GroupNorm|Embedding|Bilinear|Identity|Flatten|GELU|SiLU|Re[lL][uU]|Sigmoid|Tanh|Softmax|LogSoftmax|Conv[123]d|ConvTranspose[123]d|(?:Avg|Max)Pool[123]d|CrossEntropyLoss|MSELoss|L1Loss)$/
/** Draws numbers, beside what is called random everywhere. */
const drawing = /exponential_|geometric_|cauchy_|log_normal_|poisson|binomial|gumbel|fractional|rrelu|random_/

export interface Laws {
  /** Per call: all that its result follows from, `nothing` where that is not known; and its result. */
  readonly given: Float64Array
  readonly made: Float64Array
}

export function lawsOf(dump: Dump, prints: Prints, calls: Calls): Laws {
  const { ops } = dump
  const given = new Float64Array(ops.length)
  const made = new Float64Array(ops.length)
  const rows = new Map<number, OpRow>()
  for (let op = 0; op < ops.length; op++) {
    rows.set(ops.name[op], op)
    made[op] = madeBy(dump, prints, op)
    if (made[op] === nothing || !follows(dump, calls, op)) continue
    if (calls.names[op].direction === Direction.forward) given[op] = givenTo(dump, prints, op)
    else {
      const code = dump.texts.findPlain(dump.names.turned(dump.texts.get(ops.name[op]), Direction.forward))
      const forward = code < 0 ? undefined : rows.get(code)
      if (forward === undefined || made[forward] === nothing) continue
      const [own, of] = [givenTo(dump, prints, op), givenTo(dump, prints, forward)]
      if (own !== nothing && of !== nothing)
        given[op] = new Print().number(own).number(of).number(made[forward]).value
    }
  }
  return { given, made }
}

/** Whether the result of a call follows from what is recorded of it. */
function follows(dump: Dump, { names, holds }: Calls, op: OpRow): boolean {
  const { form, owner, path, direction } = names[op]
  if (form === 'module') {
    const plain = plainModules.test(owner.slice(owner.lastIndexOf('.') + 1))
    return plain && holds[op] === 0 && direction === Direction.forward
  }
  if (form !== 'api' || dump.names.communication(dump.texts.get(dump.ops.name[op])) !== null) return false
  const kind = kindOf(dump.names, owner)
  if (kind === 'random' || kind === 'empty' || drawing.test(path)) return false
  return !/attention|sdpa|flash|lstm|gru|rnn/i.test(path) || !mayDrop(dump, op)
}

/** A share between none and all among the arguments may be that of what is dropped. */
function mayDrop({ ops, items, texts }: Dump, op: OpRow): boolean {
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
    if (items.tensor[item] === 1 || items.max.kind[item] !== Kind.float) continue
    const value = items.max.value[item]
    if (value > 0 && value < 1 && !/scale/.test(texts.get(items.name[item]))) return true
  }
  return false
}

/** Of all that a call reads; `nothing` where some of it may be unlike though it seems alike. */
function givenTo({ ops, items }: Dump, { print, tells }: Prints, op: OpRow): number {
  const all = new Print()
  let tensors = 0
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
    const state = items.state[item]
    if (state !== State.input && state !== State.parameters) continue
    if (items.tensor[item] === 1) {
      if (tells[item] === 0) return nothing
      tensors++
    }
    all.number(print[item])
  }
  return tensors > 0 ? all.value : nothing
}

/** What a call reads beside its weights, as far as some of it tells. */
export function readBy({ ops, items }: Dump, { print, tells }: Prints, op: OpRow): number {
  const all = new Print()
  let isTold = false
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
    if (items.state[item] !== State.input) continue
    isTold ||= items.tensor[item] === 1 && tells[item] === 1
    all.number(print[item])
  }
  return isTold ? all.value : nothing
}

function madeBy({ ops, items }: Dump, { print }: Prints, op: OpRow): number {
  const all = new Print()
  let tensors = 0
  for (let item: ItemRow = ops.first[op]; item < ops.first[op + 1]; item++) {
    if (items.state[item] !== State.output || items.tensor[item] !== 1) continue
    if (print[item] === nothing) return nothing
    tensors++
    all.number(print[item])
  }
  return tensors > 0 ? all.value : nothing
}
