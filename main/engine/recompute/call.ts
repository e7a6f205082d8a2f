// One call of a dump, computed again from its stored inputs: forward, and the gradients of its last node.
import { isArray, isObject, type Json, type JsonObject, JsonReader } from '../json/index.ts'
import { type DtypeName, inFolder } from '../formats/index.ts'
import type { QuickFiles } from '../io/index.ts'
import type { DirectionAnswer, DirectionName, ItemAnswer, Judged } from '../model/index.ts'
import {
  type Argument,
  argumentOf,
  bind,
  Given,
  isList,
  isNumber,
  isTensor,
  type TensorArgument,
} from './arguments.ts'
import { array, type NdArray, sameShape, sizeOf } from './array.ts'
import { autocast } from './autocast.ts'
import { judgeInBlocks } from './blocks.ts'
import type { BackwardCall, Gradient, Operation, Outcome } from './operation.ts'
import { lowPrecision, lowSum } from './precision.ts'
import { openParts, readArray } from './read.ts'
import { floatFormat } from './rounding.ts'
import { isInPlace, operationOf } from './table.ts'
import { asStored } from './ties.ts'
import { sampleOf } from './sample.ts'
import { Unsupported, whyNot } from './unsupported.ts'
import { gatheredShort, judgeAll } from './verdict.ts'

/** A call as it stands in the dump; plain data. */
export interface CallOrder {
  /** `Torch.add.0` */
  readonly call: string
  /** `Torch`, and `add` */
  readonly type: string
  readonly path: string
  readonly mindspore: boolean
  /** The entries of both directions as they were written; '' where there is none. */
  readonly forward: string
  readonly backward: string
  /** Folder of the tensor files. */
  readonly folder: string
  /** More multiplications than this are not done; rows are sampled where that can be. */
  readonly limit: number
}

/** What is done with each pair of arrays besides judging it. */
export type Visit = (of: {
  readonly answer: ItemAnswer
  readonly direction: DirectionName
  readonly outcome: Outcome
  readonly stored: NdArray
}) => void

/** A stored result. */
interface Leaf {
  readonly item: string
  readonly value: Argument
  /** As written. */
  readonly dtype: string
}

export function recompute(
  files: QuickFiles,
  order: CallOrder,
  visit: Visit | null = null,
): readonly DirectionAnswer[] {
  const run = new CallRun(files, order)
  const answers: DirectionAnswer[] = []
  if (order.forward !== '') answers.push(run.answer('forward', visit))
  if (order.backward !== '') answers.push(run.answer('backward', visit))
  return answers
}

const entryOf = (text: string): JsonObject => {
  const json = new JsonReader(new TextEncoder().encode(text)).value()
  if (!isObject(json)) throw new Unsupported('arguments', 'entry')
  return json
}

interface Computed {
  readonly row: Operation
  readonly given: Given
  readonly outcomes: readonly Outcome[]
}

class CallRun {
  readonly #files: QuickFiles
  readonly #order: CallOrder
  readonly #known = new Map<string, NdArray>()
  #forward: Computed | null = null

  constructor(files: QuickFiles, order: CallOrder) {
    this.#files = files
    this.#order = order
  }

  answer(direction: DirectionName, visit: Visit | null): DirectionAnswer {
    const { call } = this.#order
    const head = { call, direction }
    try {
      const outputs = direction === 'forward' ? this.#forwardItems(visit) : this.#backwardItems(visit)
      return { ...head, status: 'computed', reason: '', detail: '', outputs }
    } catch (error) {
      const why = whyNot(error)
      if (!why) throw error
      return { ...head, status: 'skipped', reason: why.reason, detail: why.detail, outputs: [] }
    }
  }

  readonly #load = (of: TensorArgument): NdArray => {
    const { file, dtype } = of
    const path = inFolder(this.#order.folder, file)
    if (path === '') throw new Unsupported('noData', file)
    const known = this.#known.get(path)
    if (known) return known
    const read = readArray(this.#files, { file: path, dtype })
    // bfloat16 is kept as float32 by some: the dump says what it was.
    const values = floatFormat(read.dtype) ? { ...read, dtype } : read
    if (!sameShape(values.shape, of.shape)) throw new Unsupported('shapes', file)
    this.#known.set(path, values)
    return values
  }

  #leaves(direction: DirectionName, part: string): readonly Leaf[] {
    const { call, forward, backward } = this.#order
    const entry = entryOf(direction === 'forward' ? forward : backward)
    const leaves: Leaf[] = []
    collect(entry.get(part) ?? null, `${call}.${direction}.${part}`, leaves)
    return leaves
  }

  #bound(): { readonly row: Operation; readonly given: Given } {
    const { type, path, mindspore, forward } = this.#order
    const row = operationOf(type, path, mindspore)
    if (forward === '') throw new Unsupported('noForward')
    const entry = entryOf(forward)
    const positional = argumentOf(entry.get('input_args') ?? entry.get('input') ?? null)
    const keywords = entry.get('input_kwargs')
    const results = this.#leaves('forward', 'output').map(({ value }) => (isTensor(value) ? value : null))
    const given = new Given(
      bind(row.signature, {
        positional: isList(positional) ? positional : [],
        keywords: new Map(
          isObject(keywords ?? null)
            ? [...(keywords as JsonObject)].map(([key, value]) => [key, argumentOf(value)])
            : [],
        ),
      }),
      this.#load,
      results.map(result => result && result.shape),
      mindspore,
    )
    if (row.random?.(given)) throw new Unsupported('random', path)
    const stored = results.find(result => result !== null)?.dtype ?? null
    return { row, given: autocast(row, given, stored, this.#load) }
  }

  /** The forward call, once for both directions. */
  #computed(): Computed {
    if (this.#forward) return this.#forward
    const { row, given } = this.#bound()
    const outcomes = (sampleOf(row, given, this.#order.limit) ?? row.forward(given)).map(one =>
      given.readsFloats ? one : inFloat32(one),
    )
    return (this.#forward = { row, given, outcomes })
  }

  /** A large elementwise call block by block, where nothing else needs its values; null for all others. */
  #inBlocks(): ItemAnswer | null {
    if (this.#order.backward !== '') return null
    const { row, given } = this.#bound()
    const [leaf, ...others] = this.#leaves('forward', 'output')
    if (!leaf || !isTensor(leaf.value) || others.length > 0) return null
    const found = judgeInBlocks({
      row,
      given,
      stored: leaf.value,
      open: ({ file, dtype }) => {
        const path = inFolder(this.#order.folder, file)
        return path === '' ? null : openParts(this.#files, { file: path, dtype })
      },
      finish: one => (given.readsFloats ? one : inFloat32(one)),
      overflows: values => overflows(values, values.dtype),
    })
    // What was overwritten in place is told from the whole.
    if (!found || (isInPlace(this.#order.path) && found.judged.verdict === 'error')) return null
    const { shape } = leaf.value
    const head = { item: leaf.item, dtype: leaf.dtype, shape, count: sizeOf(shape) }
    return { ...head, ...found.judged, overflowed: found.overflowed }
  }

  #forwardItems(visit: Visit | null): readonly ItemAnswer[] {
    const quick = visit ? null : this.#inBlocks()
    if (quick) return [quick]
    const { row, given, outcomes } = this.#computed()
    const leaves = this.#leaves('forward', 'output')
    const items: ItemAnswer[] = []
    for (const [i, leaf] of leaves.entries()) {
      const outcome = outcomes[i]
      if (!outcome || leaf.value === null) continue
      const found = this.#stored(leaf)
      if (!found) continue
      const again = (load: (values: NdArray, name: string) => NdArray): Outcome | null =>
        row.forward(given.through((of, name) => load(this.#load(of), name)))[i] ?? null
      items.push(
        this.#item(leaf, outcome, { found, direction: 'forward', again: row.flops ? again : null, visit }),
      )
    }
    if (items.length === 0)
      throw new Unsupported(leaves.some(({ value }) => value !== null) ? 'noData' : 'noOutput')
    this.#checkOverwritten(given, items)
    return items
  }

  /** What an in-place call read may have been overwritten before it was stored. */
  #checkOverwritten(given: Given, items: readonly ItemAnswer[]): void {
    if (!isInPlace(this.#order.path) || items[0].verdict !== 'error' || !given.isTensor('input')) return
    const input = given.tensor('input')
    const output = this.#stored(this.#leaves('forward', 'output')[0])
    if (output && input.data.length > 0 && input.data.every((x, i) => x === output.data[i]))
      throw new Unsupported('asynchronous', this.#order.path)
  }

  #stored({ value }: Leaf): NdArray | null {
    if (isTensor(value)) return this.#load(value)
    if (isNumber(value))
      return array(Float64Array.of(value.value), [], value.kind === 'float' ? 'float64' : 'int64')
    return null
  }

  #item(leaf: Leaf, outcome: Outcome, how: Judging): ItemAnswer {
    const { found } = how
    const { values } = outcome
    const fits = values.data.length === found.data.length && sameShape(values.shape, found.shape)
    const { judged, isFinite } = fits ? this.#judged(outcome, how) : { judged: mismatched, isFinite: false }
    const answer: ItemAnswer = {
      item: leaf.item,
      dtype: leaf.dtype,
      shape: found.shape,
      count: found.data.length,
      ...judged,
      overflowed: {
        stored: !isFinite && overflows(found, found.dtype),
        exact: !isFinite && fits && overflows(values, found.dtype),
      },
    }
    how.visit?.({ answer, direction: how.direction, outcome, stored: found })
    return answer
  }

  #judged(outcome: Outcome, { found, again }: Judging): ReturnType<typeof judgeAll> {
    const all = judgeAll(asStored(outcome, found), found)
    const { judged } = all
    if (judged.verdict === 'pass' || judged.note !== '') return all
    const note =
      judged.verdict === 'error' && again ? lowPrecision(outcome, found, again) : lowSum(outcome, found)
    if (note === '') return all
    const short = note === 'lowAccumulation' ? gatheredShort(outcome) : null
    const gathered = short && judgeAll(short, found)
    if (gathered?.judged.verdict === 'pass') return gathered
    return { ...all, judged: { ...judged, verdict: 'warning', note } }
  }

  // ---------------------------------------- backward

  #backwardItems(visit: Visit | null): readonly ItemAnswer[] {
    const { row, given, outcomes } = this.#computed()
    if (!row.backward) throw new Unsupported('inner', this.#order.path)
    if (outcomes.some(one => one.sampled)) throw new Unsupported('limit')
    const leaves = this.#leaves('backward', 'output')
    const kept = leaves.filter(leaf => isTensor(leaf.value))
    if (kept.length === 0) throw new Unsupported('noOutput')
    const stored = leaves.map(leaf => (isTensor(leaf.value) ? leaf.value.shape : null))
    const grads = this.#leaves('backward', 'input').map(leaf => this.#stored(leaf))
    if (grads.every(grad => grad === null)) throw new Unsupported('noData', 'backward.input')
    const call: BackwardCall = { given, grads, stored, outputs: () => this.#results(outcomes) }
    const aligned = align(row.backward(call), stored, this.#order)
    const roughest = roughestUnit(given, grads)
    const items: ItemAnswer[] = []
    for (const [i, leaf] of leaves.entries()) {
      const gradient = aligned[i]
      const found = gradient && this.#stored(leaf)
      if (!gradient || !found) continue
      const again = row.flops ? this.#gradientAgain(row, call, i) : null
      items.push(
        this.#item(leaf, inBackward(gradient, roughest), { found, direction: 'backward', again, visit }),
      )
    }
    if (items.length === 0) throw new Unsupported('inner', this.#order.path)
    if (row.passes && items[0].verdict === 'error' && this.#returnedInput(given))
      throw new Unsupported('inner', this.#order.path)
    this.#checkPassed(given, items, grads)
    return items
  }

  /** What the forward call came to; of several places that are right those that it told. */
  #results(outcomes: readonly Outcome[]): readonly NdArray[] {
    const leaves = this.#leaves('forward', 'output')
    return outcomes.map((outcome, i) => {
      const leaf = outcome.ties && leaves[i]
      const stored = leaf && isTensor(leaf.value) && leaf.value.file !== '' ? this.#stored(leaf) : null
      return (stored ? asStored(outcome, stored) : outcome).values
    })
  }

  /** The result has the shape and type of the input, and may be the input itself. */
  #returnedInput(given: Given): boolean {
    const [leaf] = this.#leaves('forward', 'output')
    const input = given.raw('input')
    if (!leaf || !isTensor(leaf.value) || !isTensor(input ?? null)) return false
    const { dtype, shape } = given.tensor('input')
    return leaf.value.dtype === dtype && sameShape(leaf.value.shape, shape)
  }

  /** Hooks see the gradient of what an in-place call left there: the one that came in. */
  #checkPassed(given: Given, items: readonly ItemAnswer[], grads: readonly (NdArray | null)[]): void {
    const inPlace = isInPlace(this.#order.path) || given.flag('inplace', false)
    const [grad] = grads
    if (!inPlace || !grad || items[0].verdict !== 'error') return
    const output = this.#leaves('backward', 'output').find(leaf => isTensor(leaf.value))
    const stored = output && this.#stored(output)
    if (stored && sameShape(stored.shape, grad.shape) && stored.data.every((x, i) => x === grad.data[i]))
      throw new Unsupported('inner', this.#order.path)
  }

  #gradientAgain(row: Operation, call: BackwardCall, i: number): Judging['again'] {
    return load => {
      const given = call.given.through((of, name) => load(this.#load(of), name))
      const grads = call.grads.map(grad => grad && load(grad, 'grad'))
      const list = row.backward?.({ ...call, given, grads }) ?? []
      return align(list, call.stored, this.#order)[i] ?? null
    }
  }
}

interface Judging {
  readonly found: NdArray
  readonly direction: DirectionName
  /** The same result from other inputs; null where products of matrices take no part. */
  readonly again: ((load: (values: NdArray, name: string) => NdArray) => Outcome | null) | null
  readonly visit: Visit | null
}

const mismatched: Judged = {
  maxAbs: NaN,
  maxUlp: null,
  mismatches: 0,
  worst: null,
  nonFinite: 0,
  ratio: null,
  verdict: 'error',
  note: 'shape',
  sampled: null,
}

/** Of integers alone a function makes float32, not less exactly than that. */
function inFloat32(outcome: Outcome): Outcome {
  const { values } = outcome
  if (values.dtype !== 'float32') return outcome
  return { ...outcome, values: { ...values, data: values.data.map(Math.fround) } }
}

/** Gradients of 16-bit types pass through several roundings. */
function inBackward(gradient: Outcome, roughest: number): Outcome {
  const { bound } = gradient
  if (bound.is === 'exact') return gradient
  const sum = bound.is === 'sum' ? bound : { is: 'sum' as const, length: 0 }
  return { ...gradient, bound: { ...sum, stages: true, roughest } }
}

/** Of the least precise tensor that takes part: what is made for a wider parameter beside it is rounded there. */
function roughestUnit(given: Given, grads: readonly (NdArray | null)[]): number {
  const dtypes = [...(given.tensorArguments ?? []), ...grads].flatMap(one => (one ? [one.dtype] : []))
  return dtypes.reduce((most, dtype) => Math.max(most, floatFormat(dtype)?.unit ?? 0), 0)
}

/** Every type of floats goes further. */
const surelyFinite = 1e4

function overflows({ data, imaginary }: NdArray, dtype: DtypeName): boolean {
  const format = floatFormat(dtype)
  if (!format) return false
  const bad = (values: Float64Array): boolean => {
    for (let i = 0; i < values.length; i++)
      if (!(Math.abs(values[i]) < surelyFinite) && !Number.isFinite(format.round(values[i]))) return true
    return false
  }
  return bad(data) || (imaginary !== undefined && bad(imaginary))
}

/** Results in the order of the dump; lists within lists are walked through. */
function collect(json: Json, name: string, into: Leaf[]): void {
  if (isArray(json)) {
    for (const [i, one] of json.entries()) collect(one, `${name}.${i}`, into)
    return
  }
  const value = argumentOf(json)
  if (isList(value)) return
  const dtype = isObject(json) ? json.get('dtype') : null
  const type = isObject(json) ? json.get('type') : null
  const file = isTensor(value) ? value.file.replace(/\.[^.]*$/, '') : ''
  const text = [dtype, type].find(one => typeof one === 'string') ?? ''
  into.push({ item: file || name, value, dtype: text })
}

/**
 * Our gradients beside the stored ones. MindSpore stores those of the parameters first; both leave out
 * arguments that have none.
 */
function align(
  gradients: readonly Gradient[],
  stored: readonly (readonly number[] | null)[],
  { mindspore, type }: Pick<CallOrder, 'mindspore' | 'type'>,
): readonly Gradient[] {
  const fits = (gradient: Gradient, i: number): boolean => {
    const shape = stored[i]
    return !gradient || !shape || sameShape(gradient.values.shape, shape)
  }
  const order =
    mindspore && type === 'Primitive' ? [...gradients.slice(1), ...gradients.slice(0, 1)] : gradients
  if (order.length === stored.length && order.every(fits)) return order
  const own = order.filter(gradient => gradient !== null)
  if (own.length === stored.length && own.every(fits)) return own
  if (!mindspore) return stored.map(() => null)
  const left = [...own]
  return stored.map(shape => {
    const at = shape ? left.findIndex(one => sameShape(one.values.shape, shape)) : -1
    return at < 0 ? null : (left.splice(at, 1)[0] ?? null)
  })
}
