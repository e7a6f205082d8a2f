// One pair of tensor files: what stands in their way, then their elements through the kernels, a chunk of
// each at a time.
import {
  type ByteSource,
  layoutOf,
  lieAlike,
  openRef,
  plain,
  type TensorLayout,
  tensorReader,
} from '../formats/index.ts'
import type { Handle, QuickFiles } from '../io/index.ts'
import {
  Note,
  Outcome,
  problem,
  type Problem,
  Refusal,
  type TensorPair,
  type TensorRef,
} from '../model/index.ts'
import { chunkBytes, integerOf, type Kernels, type PairTypes, valueOf } from './chunks.ts'
import { noSums, type Sums, type ZeroRule } from './kernels.ts'
import { type PairNumbers, pairNumbers, scalarNumbers, withoutNumbers } from './metrics.ts'

export interface PairAnswer {
  readonly numbers: PairNumbers
  /** Halves of both hashes; zero where a side was not read. */
  readonly hashes: Hashes
  readonly problems: readonly Problem[]
}
type Hashes = readonly [number, number, number, number]

const unread: Hashes = [0, 0, 0, 0]
const fine: readonly Problem[] = []
const without = (outcome: Outcome, problems = fine): PairAnswer => ({
  numbers: withoutNumbers(outcome),
  hashes: unread,
  problems,
})

/** Elements per step are a multiple of this, so that no hash or vector block is cut. */
const block = 64

/** One tensor of a pair; its beginning, or that of its file, already lies in a chunk buffer. */
class Side implements ByteSource {
  readonly file: string
  readonly handle: Handle
  readonly buffer: Uint8Array
  readonly held: number
  readonly layout: TensorLayout
  /** Where the first element stands in the buffer. */
  readonly first: number

  constructor(ref: TensorRef, handle: Handle, buffer: Uint8Array) {
    this.file = ref.file
    this.handle = handle
    this.buffer = buffer
    if (typeof ref.part === 'object') {
      // Nothing around the elements is read: a file may hold thousands of tensors.
      this.layout = layoutOf(handle, ref)
      const bytes = plain(this.layout) ? this.layout.size * this.layout.dtype.bytes : 0
      this.held = handle.read(this.layout.from, buffer.subarray(0, Math.min(bytes, buffer.length)))
      this.first = 0
    } else {
      this.held = handle.read(0, buffer)
      this.layout = layoutOf(this, ref, buffer.subarray(0, this.held))
      this.first = this.layout.from
    }
  }

  /** A file that fits the buffer is not asked for its size. */
  get size(): number {
    return this.held < this.buffer.length ? this.held : this.handle.size
  }
  read(from: number, into: Uint8Array): number {
    if (this.held === this.buffer.length) return this.handle.read(from, into)
    const part = this.buffer.subarray(from, Math.min(this.held, from + into.length))
    into.set(part)
    return part.length
  }

  /** Elements of the beginning that stand in the buffer ready to use. */
  ready(asStored: boolean): number {
    const { strides, dtype } = this.layout
    if (!plain(this.layout) || (strides && !asStored)) return 0
    return Math.max(0, Math.floor((this.held - this.first) / dtype.bytes))
  }
}

/** A pair whose first elements have been added. */
interface Begun {
  readonly debug: Side
  readonly bench: Side
  readonly types: PairTypes
  readonly sums: Sums
  /** The bytes of both sides so far. */
  readonly equal: boolean
  /** How many elements that are. */
  readonly ready: number
  /** Both lie alike in their files: elements are taken in the order in which they are stored. */
  readonly asStored: boolean
}

export class PairMeter {
  readonly #files: QuickFiles
  readonly #kernels: Kernels
  readonly #count: (bytes: number) => void

  /** `count` is told the bytes that were read. */
  constructor(files: QuickFiles, kernels: Kernels, count: (bytes: number) => void = () => {}) {
    this.#files = files
    this.#kernels = kernels
    this.#count = count
  }

  /** The answer, or the work that is left when the files are larger than the first read. */
  start(pair: TensorPair): PairAnswer | Generator<void, PairAnswer, void> {
    const handles: Handle[] = []
    let left: Generator<void, PairAnswer, void> | undefined
    try {
      const answer = this.#first(pair, handles)
      if ('numbers' in answer) return answer
      left = this.#guarded(answer, pair, handles)
      return left
    } catch (error) {
      return without(...blame(error, pair))
    } finally {
      if (!left) for (const handle of handles) handle.close()
    }
  }

  *measure(pair: TensorPair): Generator<void, PairAnswer, void> {
    const started = this.start(pair)
    return 'numbers' in started ? started : yield* started
  }

  #open(ref: TensorRef, handles: Handle[]): Handle | null {
    const handle = openRef(this.#files, ref)
    if (handle) handles.push(handle)
    return handle
  }

  #first(pair: TensorPair, handles: Handle[]): PairAnswer | Generator<void, PairAnswer, void> {
    const debugHandle = pair.debug && this.#open(pair.debug, handles)
    if (!pair.debug || !debugHandle) return without(Outcome.debugMissing)
    const benchHandle = pair.bench && this.#open(pair.bench, handles)
    if (!pair.bench || !benchHandle) return without(Outcome.benchMissing)
    const kernels = this.#kernels
    const debug = new Side(pair.debug, debugHandle, kernels.debug)
    const bench = new Side(pair.bench, benchHandle, kernels.bench)
    const outcome = obstacle(debug.layout.shape, bench.layout.shape, pair.squeezed ?? false)
    if (outcome === Outcome.scalar) return withoutAxes(debug, bench, kernels, pair.zeros)
    if (outcome !== Outcome.measured) return without(outcome)
    return this.#elements(debug, bench, pair.zeros)
  }

  #elements(
    debug: Side,
    bench: Side,
    zeros: ZeroRule | undefined,
  ): PairAnswer | Generator<void, PairAnswer, void> {
    const kernels = this.#kernels
    const { size, dtype } = debug.layout
    const asStored = lieAlike(debug.layout, bench.layout)
    const types = kernels.types(dtype, bench.layout.dtype, zeros)
    const sums = noSums()
    kernels.begin()
    // What the first read brought is used where it lies, behind the header.
    const held = Math.min(debug.ready(asStored), bench.ready(asStored))
    const ready = held >= size ? size : held - (held % block)
    let equal = dtype === bench.layout.dtype
    if (ready > 0) {
      equal = kernels.add(types, debug.first, bench.first, ready, sums) && equal
      this.#count(ready * (dtype.bytes + bench.layout.dtype.bytes))
    }
    return ready === size
      ? this.#end(debug, bench, sums, equal)
      : this.#rest({ debug, bench, types, sums, equal, ready, asStored })
  }

  *#rest(begun: Begun): Generator<void, PairAnswer, void> {
    const { debug, bench, types, sums, ready, asStored } = begun
    const kernels = this.#kernels
    const { size, dtype } = debug.layout
    const readDebug = tensorReader(debug.handle, debug.layout, debug.file, asStored)
    const readBench = tensorReader(bench.handle, bench.layout, bench.file, asStored)
    const widest = Math.max(dtype.bytes, bench.layout.dtype.bytes)
    const most = Math.floor(chunkBytes / widest / block) * block
    let { equal } = begun
    for (let first = ready; first < size;) {
      yield
      const many = Math.min(most, size - first)
      const debugBytes = many * dtype.bytes
      const benchBytes = many * bench.layout.dtype.bytes
      readDebug.read(first, kernels.debug.subarray(0, debugBytes))
      readBench.read(first, kernels.bench.subarray(0, benchBytes))
      // With a mismatch the numbers are lost, the hashes are still wanted.
      if (sums.mismatch) kernels.hash(0, debugBytes, 0, benchBytes)
      else equal = kernels.add(types, 0, 0, many, sums) && equal
      first += many
      this.#count(debugBytes + benchBytes)
    }
    // What was equal before the first difference was not summed up: one side is read again for it.
    if (sums.eager && !sums.mismatch) {
      for (let first = 0; first < sums.skipped; first += most) {
        yield
        const many = Math.min(most, sums.skipped - first)
        readDebug.read(first, kernels.debug.subarray(0, many * dtype.bytes))
        kernels.catchUp(types, many, sums)
      }
    }
    return this.#end(debug, bench, sums, equal)
  }

  #end(debug: Side, bench: Side, sums: Sums, equal: boolean): PairAnswer {
    const numbers = pairNumbers(sums, debug.layout.size, debug.layout.dtype, bench.layout.dtype)
    if (equal && !sums.mismatch) numbers.notes |= Note.equalBytes
    return { numbers, hashes: this.#kernels.end(), problems: fine }
  }

  *#guarded(
    work: Generator<void, PairAnswer, void>,
    pair: TensorPair,
    handles: readonly Handle[],
  ): Generator<void, PairAnswer, void> {
    try {
      return yield* work
    } catch (error) {
      return without(...blame(error, pair))
    } finally {
      for (const handle of handles) handle.close()
    }
  }
}

/** Only what the files themselves are to blame for costs the pair alone. */
function blame(error: unknown, pair: TensorPair): [Outcome, readonly Problem[]] {
  if (error instanceof Refusal)
    return [
      error.problem.code === 'dtype-unsupported' ? Outcome.unreadable : Outcome.corrupt,
      [error.problem],
    ]
  if (error instanceof RangeError)
    return [Outcome.corrupt, [problem('npy-invalid', pair.debug?.file ?? '', { reason: error.message })]]
  throw error
}

/** msprobe's checks on the shapes, in its order. */
function obstacle(debug: Shape, bench: Shape, squeezed: boolean): Outcome {
  if (debug.includes(0)) return Outcome.empty
  const same = sameShape(debug, bench) || (squeezed && sameShape(longAxes(debug), longAxes(bench)))
  if (!same) return Outcome.shapesDiffer
  return debug.length === 0 ? Outcome.scalar : Outcome.measured
}

type Shape = TensorLayout['shape']

const sameShape = (a: Shape, b: Shape): boolean =>
  a === b || (a.length === b.length && a.every((dim, axis) => dim === b[axis]))
const longAxes = (shape: Shape): Shape => shape.filter(dim => dim !== 1)

function withoutAxes(debug: Side, bench: Side, kernels: Kernels, zeros: ZeroRule | undefined): PairAnswer {
  const [x, y] = [debug, bench].map(side => {
    const bytes = new Uint8Array(side.layout.dtype.bytes)
    tensorReader(side.handle, side.layout, side.file).read(0, bytes)
    return bytes
  })
  const value = ({ layout: { dtype } }: Side, bytes: Uint8Array): number | bigint =>
    integerOf(dtype, bytes) ?? valueOf(dtype, bytes)
  kernels.debug.set(x)
  kernels.bench.set(y)
  kernels.begin()
  kernels.hash(0, x.length, 0, y.length)
  return {
    numbers: scalarNumbers(
      { debug: debug.layout.dtype, x: value(debug, x), bench: bench.layout.dtype, y: value(bench, y) },
      zeros,
    ),
    hashes: kernels.end(),
    problems: fine,
  }
}
