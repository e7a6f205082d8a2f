// Large elementwise calls a block at a time: what was read is computed with and judged while it stands in the cache, and no
// array of the whole is made.
import type { Given, TensorArgument } from './arguments.ts'
import { array, type NdArray, sameShape, sizeOf } from './array.ts'
import type { Operation, Outcome } from './operation.ts'
import type { PartReader } from './read.ts'
import { floatFormat } from './rounding.ts'
import { asStored } from './ties.ts'
import { Judging } from './verdict.ts'

/** Each element of the result is made of the elements at its place alone. */
const elementwise = new Set(
  (
    'add sub rsub mul div neg abs exp exp2 expm1 log log2 log10 log1p sqrt rsqrt square reciprocal sin cos tanh pow ' +
    'floor ceil trunc round sign relu relu6 hardtanh threshold clamp maximum minimum fmax fmin ' +
    'eq ne lt le gt ge logical_and logical_or logical_not isnan isinf isfinite type_as clone'
  ).split(' '),
)

const blockElements = 1 << 15
/** Below it a whole is as fast. */
const leastElements = 1 << 18

export interface InBlocks {
  readonly row: Operation
  readonly given: Given
  readonly stored: TensorArgument
  /** Null for what cannot be read in parts. */
  open(of: TensorArgument): PartReader | null
  finish(outcome: Outcome): Outcome
  overflows(values: NdArray): boolean
}

export interface BlocksAnswer extends ReturnType<Judging['whole']> {
  readonly overflowed: { readonly stored: boolean; readonly exact: boolean }
}

/** Null where the call is to be computed as a whole. */
export function judgeInBlocks(call: InBlocks): BlocksAnswer | null {
  const { row, given, stored, open } = call
  const tensors = given.tensorArguments
  if (!tensors || !row.names.some(name => elementwise.has(name))) return null
  if (stored.shape.length === 0 || sizeOf(stored.shape) < leastElements) return null
  const isNumber = ({ shape }: TensorArgument): boolean => sizeOf(shape) === 1 && shape.length < 2
  if (!tensors.every(one => isNumber(one) || sameShape(one.shape, stored.shape))) return null
  const readers: PartReader[] = []
  try {
    const parts = [stored, ...tensors].map(of => {
      const reader = open(of)
      if (reader) readers.push(reader)
      return reader && sameShape(reader.shape, of.shape) ? new Part(of, reader) : null
    })
    return parts.every(part => part !== null) ? judged(call, parts) : null
  } finally {
    for (const reader of readers) reader.close()
  }
}

/** Where a tensor's values of the moment stand. */
class Part {
  readonly of: TensorArgument
  readonly #reader: PartReader
  readonly #room: Float64Array
  #now: NdArray

  constructor(of: TensorArgument, reader: PartReader) {
    this.of = of
    this.#reader = reader
    this.#room = new Float64Array(Math.min(blockElements, sizeOf(of.shape)))
    this.#now = array(this.#room, of.shape, this.dtype)
    if (this.#room.length === 1) reader.read(0, this.#room)
  }

  /** bfloat16 is kept as float32 by some: the dump says what it was. */
  get dtype(): NdArray['dtype'] {
    return floatFormat(this.#reader.dtype) ? this.of.dtype : this.#reader.dtype
  }

  get now(): NdArray {
    return this.#now
  }

  move(first: number, count: number): void {
    if (this.#room.length === 1) return
    const data = this.#room.subarray(0, count)
    this.#reader.read(first, data)
    this.#now = array(data, [count], this.dtype)
  }
}

function judged({ row, given, finish, overflows }: InBlocks, parts: readonly Part[]): BlocksAnswer | null {
  const [stored, ...inputs] = parts
  const known = new Map(inputs.map(part => [part.of, part]))
  const through = given.through(of => known.get(of)?.now ?? array(new Float64Array(0), [0]))
  const size = sizeOf(stored.of.shape)
  const judging = new Judging(stored.dtype)
  const overflowed = { stored: false, exact: false }
  for (let first = 0; first < size; first += blockElements) {
    const count = Math.min(blockElements, size - first)
    for (const part of parts) part.move(first, count)
    const [outcome, ...others] = row.forward(through).map(finish)
    if (!outcome || others.length > 0 || outcome.bound.is === 'sum' || outcome.values.imaginary) return null
    if (!sameShape(outcome.values.shape, [count])) return null
    judging.add(asStored(outcome, stored.now), stored.now, first)
    if (judging.isFinite) continue
    overflowed.stored ||= overflows(stored.now)
    overflowed.exact ||= overflows({ ...outcome.values, dtype: stored.dtype })
  }
  return { ...judging.whole(), overflowed }
}
