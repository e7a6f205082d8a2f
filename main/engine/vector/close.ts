// Two tensors side by side, element by element, as `cp` has it: close or not in float32, the first errors, the largest.
import { type Dtype, OpenTensor } from '../formats/index.ts'
import { quickFiles, type Root } from '../io/index.ts'
import { absoluteError, Largest } from '../measure/index.ts'
import { problem, Refusal, type TensorRef } from '../model/index.ts'
import type { TaskContext } from '../work/index.ts'

export interface CloseQuery {
  readonly left: TensorRef
  readonly right: TensorRef
  /** Absolute and relative tolerance: |l − r| ≤ al + rl · |r|. */
  readonly al: number
  readonly rl: number
  /** How many elements are listed. */
  readonly most: number
}

/** Index, left, right, |left − right|. */
export type CloseElement = readonly [index: number, left: number, right: number, off: number]

export interface CloseSide {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly nan: number
  readonly inf: number
}

/** Two sides of whole numbers as they are, without the detour over float32. */
export interface ExactIntegers {
  readonly differing: number
  /** As text: it may lie beyond what a double can count. */
  readonly largest: string
}

export interface CloseAnswer {
  readonly left: CloseSide
  readonly right: CloseSide
  /** Elements of the longer side: the other one is filled up with zeros. */
  readonly count: number
  /** As many elements on both sides. */
  readonly comparable: boolean
  readonly allClose: boolean
  readonly cosine: number
  readonly errors: number
  readonly firstErrors: readonly CloseElement[]
  readonly first: readonly CloseElement[]
  readonly largest: readonly CloseElement[]
  readonly exact: ExactIntegers | null
}

export function* closeTask(
  arg: { readonly roots: readonly Root[]; readonly query: CloseQuery },
  context: TaskContext,
): Generator<void, CloseAnswer, void> {
  const { query } = arg
  if (!(query.al >= 0) || !(query.rl >= 0)) throw new Refusal(problem('tolerance-invalid', query.left.file))
  const files = quickFiles(arg.roots)
  const left = new OpenTensor(files, query.left)
  try {
    const right = new OpenTensor(files, query.right)
    try {
      return yield* compared(left, right, query, context)
    } finally {
      right.close()
    }
  } finally {
    left.close()
  }
}

function* compared(
  left: OpenTensor,
  right: OpenTensor,
  query: CloseQuery,
  context: TaskContext,
): Generator<void, CloseAnswer, void> {
  const size = Math.max(left.layout.size, right.layout.size)
  const close = new Closeness(query)
  const exact = Integers.of(left, right)
  let told = 0
  for (let first = 0; first < size;) {
    const wanted = Math.min(filled(left, first, size - first), filled(right, first, size - first))
    close.add(first, left.values, right.values, wanted)
    exact?.add(wanted)
    first += wanted
    if (first / size >= told + 0.01) context.tell((told = first / size))
    yield
  }
  return {
    ...close.answer(),
    left: { ...close.left, ...kindOf(left) },
    right: { ...close.right, ...kindOf(right) },
    count: size,
    comparable: left.layout.size === right.layout.size,
    exact: exact?.answer() ?? null,
  }
}

const kindOf = ({ layout }: OpenTensor): Pick<CloseSide, 'dtype' | 'shape'> => ({
  dtype: layout.dtype.name,
  shape: layout.shape,
})

/** Reads a stretch; behind the last element there are zeros. Returns how many stand in `values`. */
function filled(tensor: OpenTensor, first: number, wanted: number): number {
  const have = tensor.layout.size - first
  if (have > 0) return tensor.read(first, Math.min(have, wanted))
  tensor.values.fill(0)
  tensor.bytes.fill(0)
  return Math.min(wanted, tensor.values.length)
}

class Closeness {
  readonly left = { nan: 0, inf: 0 }
  readonly right = { nan: 0, inf: 0 }
  readonly #al: number
  readonly #rl: number
  readonly #most: number
  readonly #firstErrors: CloseElement[] = []
  readonly #first: CloseElement[] = []
  readonly #largest: Largest
  #errors = 0
  #allClose = true
  #product = 0
  #leftSquares = 0
  #rightSquares = 0

  constructor({ al, rl, most }: CloseQuery) {
    this.#al = Math.fround(al)
    this.#rl = Math.fround(rl)
    this.#most = most
    this.#largest = new Largest(most)
  }

  add(first: number, left: Float64Array, right: Float64Array, count: number): void {
    for (let i = 0; i < count; i++) {
      const l = Math.fround(left[i])
      const r = Math.fround(right[i])
      if (first + i < this.#most) this.#first.push([first + i, l, r, Math.abs(Math.fround(l - r))])
      this.#product += l * r
      this.#leftSquares += l * l
      this.#rightSquares += r * r
      if (l - l !== 0) countOdd(this.left, l)
      if (r - r !== 0) countOdd(this.right, r)
      // Equal infinities are close, NaN never is.
      if (l !== r) this.#apart(first + i, l, r)
    }
  }

  #apart(index: number, l: number, r: number): void {
    const off = Math.abs(Math.fround(l - r))
    const allowed = Math.fround(this.#al + Math.fround(this.#rl * Math.abs(r)))
    // Against an infinity no finite number is close, however much is allowed.
    if (!(off <= allowed) || Math.abs(r) === Infinity) this.#allClose = false
    // NaN is not counted: no comparison with it holds.
    if (off > allowed) {
      this.#errors++
      if (this.#firstErrors.length < this.#most) this.#firstErrors.push([index, l, r, off])
    }
    const error = absoluteError(l, r)
    if (error > this.#largest.least) this.#largest.add({ element: index, debug: l, bench: r, error })
  }

  answer(): Pick<CloseAnswer, 'allClose' | 'cosine' | 'errors' | 'firstErrors' | 'first' | 'largest'> {
    return {
      allClose: this.#allClose,
      cosine: this.#product / Math.sqrt(this.#leftSquares) / Math.sqrt(this.#rightSquares),
      errors: this.#errors,
      firstErrors: this.#firstErrors,
      first: this.#first,
      largest: this.#largest.items.map(({ element, debug, bench, error }) => [element, debug, bench, error]),
    }
  }
}

function countOdd(side: { nan: number; inf: number }, x: number): void {
  if (Number.isNaN(x)) side.nan++
  else side.inf++
}

/** Integers against integers, to the last digit. */
class Integers {
  readonly #left: () => ArrayLike<bigint | number>
  readonly #right: () => ArrayLike<bigint | number>
  #differing = 0
  #largest = 0n

  static of(left: OpenTensor, right: OpenTensor): Integers | null {
    const whole = [left, right].every(({ layout }) => layout.dtype.low !== undefined)
    return whole ? new Integers(left, right) : null
  }

  private constructor(left: OpenTensor, right: OpenTensor) {
    this.#left = elementsOf(left)
    this.#right = elementsOf(right)
  }

  add(count: number): void {
    const left = this.#left()
    const right = this.#right()
    for (let i = 0; i < count; i++) {
      if (left[i] === right[i]) continue
      const [l, r] = [BigInt(left[i]), BigInt(right[i])]
      if (l === r) continue
      this.#differing++
      const off = l < r ? r - l : l - r
      if (off > this.#largest) this.#largest = off
    }
  }

  answer(): ExactIntegers {
    return { differing: this.#differing, largest: String(this.#largest) }
  }
}

const wide: Readonly<Record<string, (bytes: Uint8Array) => ArrayLike<bigint>>> = {
  int64: bytes => new BigInt64Array(bytes.buffer, bytes.byteOffset, bytes.length >> 3),
  uint64: bytes => new BigUint64Array(bytes.buffer, bytes.byteOffset, bytes.length >> 3),
}

/** The elements that were read last: doubles hold all but 64 bits. */
function elementsOf(tensor: OpenTensor): () => ArrayLike<bigint | number> {
  const { name }: Dtype = tensor.layout.dtype
  const of = wide[name]
  return of ? () => of(tensor.bytes) : () => tensor.values
}
