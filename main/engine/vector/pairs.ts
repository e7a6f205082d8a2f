// What each thread does of a full-net compare: opens the tensors of a pair, lays them over each other, sums up.
import {
  npuType,
  OpenTensor,
  rawReading,
  type RawTensor,
  type RawWish,
  type TensorLayout,
} from '../formats/index.ts'
import { quickFiles, type QuickFiles, type Root } from '../io/index.ts'
import { type Problem, Refusal, type TensorRef } from '../model/index.ts'
import { isFlat, type LeftOrigin, overlay, padded, sizeOf, wishFor } from './prepare.ts'
import { PairSums } from './sums.ts'

/** A tensor that was decoded from a raw dump: an array, in the shape that it was given then. */
export interface DecodedTensor extends Pick<RawTensor, 'io' | 'index' | 'shape'> {
  /** Its type as arrays are called; '' where the file cannot be read. */
  readonly array: string
  readonly layout: TensorLayout | null
}

/** One tensor of the NPU. */
export interface RawPart {
  readonly file: string
  readonly tensor: RawTensor | DecodedTensor
}

export const isDecoded = (tensor: RawTensor | DecodedTensor): tensor is DecodedTensor => 'array' in tensor

export interface VectorPair {
  readonly left: RawPart
  /** One of the NPU too where two NPU runs are compared: both as they lie before their layouts were chosen. */
  readonly right: RawPart | TensorRef
  readonly origin: LeftOrigin
}

/** Plain data: what a pair came to. */
export interface VectorAnswer {
  /** In the order of `numberNames`; empty where nothing was measured. */
  readonly numbers: Float64Array
  readonly shape: readonly number[]
  readonly types: readonly [left: string, right: string]
  readonly count: number
  readonly bool: boolean
  readonly reshaped: boolean
  /** Why not: shapes, or a problem. */
  readonly apart: readonly [left: readonly number[], right: readonly number[]] | null
  readonly problem: Problem | null
}

const nothing: VectorAnswer = {
  numbers: new Float64Array(0),
  shape: [],
  types: ['NaN', 'NaN'],
  count: 0,
  bool: false,
  reshaped: false,
  apart: null,
  problem: null,
}

export function* vectorTask(arg: {
  readonly roots: readonly Root[]
  readonly pairs: readonly VectorPair[]
}): Generator<void, readonly VectorAnswer[], void> {
  const files = quickFiles(arg.roots)
  const answers: VectorAnswer[] = []
  for (const pair of arg.pairs) answers.push(yield* answerOf(files, pair))
  return answers
}

/** The largest magnitude of each tensor, NaN left aside; NaN of one that cannot be read. */
export function* peakTask(arg: {
  readonly roots: readonly Root[]
  readonly parts: readonly RawPart[]
}): Generator<void, readonly number[], void> {
  const files = quickFiles(arg.roots)
  const peaks: number[] = []
  for (const part of arg.parts) peaks.push(yield* peakOf(files, part))
  return peaks
}

function* peakOf(files: QuickFiles, part: RawPart): Generator<void, number, void> {
  let open: OpenTensor | null = null
  try {
    open = new OpenTensor(files, refOf(part, { layout: 'device' }))
    let peak = 0
    for (let first = 0; first < open.layout.size;) {
      const many = open.read(first, open.layout.size - first)
      for (let i = 0; i < many; i++) if (Math.abs(open.values[i]) > peak) peak = Math.abs(open.values[i])
      first += many
      yield
    }
    return peak
  } catch (error) {
    if (error instanceof Refusal) return NaN
    throw error
  } finally {
    open?.close()
  }
}

function* answerOf(files: QuickFiles, pair: VectorPair): Generator<void, VectorAnswer, void> {
  const open: OpenTensor[] = []
  const opened = (ref: TensorRef): OpenTensor => {
    const tensor = new OpenTensor(files, ref)
    open.push(tensor)
    return tensor
  }
  try {
    const right = opened(
      'tensor' in pair.right ? refOf(pair.right, wishBeside(pair.right, pair.left)) : pair.right,
    )
    const left = opened(refOf(pair.left, wishOfLeft(pair, right.layout.shape)))
    return yield* measured(pair, left, right)
  } catch (error) {
    if (error instanceof Refusal) return { ...nothing, problem: error.problem }
    throw error
  } finally {
    for (const tensor of open) tensor.close()
  }
}

/** What was decoded may lie as the device has it: so is the raw tensor read then. */
const wishBeside = ({ tensor }: RawPart, other: RawPart): RawWish =>
  isDecoded(other.tensor) && sameDims(tensor.shape, other.tensor.shape) ? { layout: 'device' } : {}

function wishOfLeft({ left, right, origin }: VectorPair, shape: readonly number[]): RawWish {
  if (isDecoded(left.tensor)) return {}
  return 'tensor' in right && isDecoded(right.tensor)
    ? wishBeside(left, right)
    : wishFor(left.tensor, origin, shape)
}

const sameDims = (a: readonly number[], b: readonly number[]): boolean => a.join() === b.join()

function refOf({ file, tensor }: RawPart, wish: RawWish): TensorRef {
  if (isDecoded(tensor)) return { file }
  const { range, problems } = rawReading(file, tensor, wish)
  if (range === null) throw new Refusal(problems[0])
  return { file, part: range, ...(tensor.through && { through: tensor.through }) }
}

function* measured(
  { left: of, right: other, origin }: VectorPair,
  left: OpenTensor,
  right: OpenTensor,
): Generator<void, VectorAnswer, void> {
  const both = 'tensor' in other
  const mine = shapeOf(of.tensor, left)
  const laid = overlay(mine, right.layout.shape, !both && !isDecoded(of.tensor) && isFlat(of.tensor, origin))
  if (!laid) return { ...nothing, apart: [mine, right.layout.shape] }
  const bool = left.layout.dtype.name === 'bool' && right.layout.dtype.name === 'bool'
  const count = laid.block ? sizeOf(laid.block) : sizeOf(mine)
  const sums = new PairSums(!bool)
  const block = laid.block ? new LeadingBlock(left, mine, laid.block) : null
  for (const pass of ['add', 'addAgain'] as const) {
    for (let first = 0; first < count;) {
      const got = right.read(first, count - first)
      const values = block ? block.read(first, got) : left.values
      const many = block ? got : left.read(first, got)
      sums[pass](values, right.values, many)
      first += many
      yield
    }
    if (pass === 'add') sums.settle()
  }
  return {
    ...nothing,
    numbers: sums.numbers(),
    shape: both ? of.tensor.shape : laid.shape,
    types: both
      ? [typeOf(of.tensor), typeOf(other.tensor)]
      : [left.layout.dtype.array, right.layout.dtype.array],
    count,
    bool,
    reshaped: laid.reshaped,
  }
}

/** What was not turned keeps the shape that it lies in. */
const shapeOf = (tensor: RawPart['tensor'], { layout }: OpenTensor): readonly number[] =>
  layout.tiling || sizeOf(tensor.shape) !== layout.size ? layout.shape : tensor.shape

const typeOf = (tensor: RawPart['tensor']): string => {
  if (isDecoded(tensor)) return tensor.array
  const { as, packing, name } = npuType(tensor.dtype)
  return packing ?? as ?? name.toLowerCase()
}

/** The elements of the leading block of a tensor, one row of its last axis after the other. */
class LeadingBlock {
  readonly #tensor: OpenTensor
  readonly #steps: readonly number[]
  readonly #block: readonly number[]
  readonly #values: Float64Array
  #first = 0
  #held = 0

  constructor(tensor: OpenTensor, shape: readonly number[], block: readonly number[]) {
    const axes = Math.max(shape.length, block.length)
    const whole = padded(shape, axes)
    this.#tensor = tensor
    this.#block = padded(block, axes)
    this.#steps = whole.map((_, axis) => sizeOf(whole.slice(axis + 1)))
    this.#values = new Float64Array(tensor.values.length)
  }

  /** The stretch from an element of the block on; it holds as many as one reads at a time, at most. */
  read(first: number, count: number): Float64Array {
    for (let i = 0; i < count; i++) this.#values[i] = this.#at(this.#place(first + i))
    return this.#values
  }

  #place(element: number): number {
    let place = 0
    for (let axis = this.#block.length - 1, rest = element; axis >= 0; axis--) {
      place += (rest % this.#block[axis]) * this.#steps[axis]
      rest = Math.floor(rest / this.#block[axis])
    }
    return place
  }

  #at(place: number): number {
    if (place < this.#first || place >= this.#first + this.#held) {
      this.#first = place
      this.#held = this.#tensor.read(place, this.#tensor.values.length)
    }
    return this.#tensor.values[place - this.#first]
  }
}
