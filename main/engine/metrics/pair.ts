// One pair of tensor files: what stands in their way, then their elements through the kernels, a chunk of each at a time.
import { lieAlike, tensorLayout, type TensorLayout, type TensorReader, tensorReader } from '../formats/tensor.ts'
import type { Handle } from '../io/files.ts'
import type { QuickFiles } from '../io/quick.ts'
import { problem, type Problem, Refusal } from '../problem.ts'
import { type Cells, cellsOf, noSums, withoutNumbers, zeroDimensional } from './kernels.ts'
import { integerOf, type Kernels, valueOf } from './chunks.ts'
import { Note, Outcome, type TensorPair } from './measured.ts'

export interface PairAnswer {
  readonly cells: Cells
  /** Halves of both hashes; zero where a side was not read. */
  readonly hashes: readonly [number, number, number, number]
  readonly problems: readonly Problem[]
}

interface Opened {
  readonly file: string
  readonly handle: Handle
  /** Bytes of the beginning that already lie in the chunk buffer. */
  readonly held: number
  readonly layout: TensorLayout
}

const unread = [0, 0, 0, 0] as const
const answer = (cells: Cells, problems: readonly Problem[] = []): PairAnswer => ({ cells, hashes: unread, problems })

/** Elements per step are a multiple of this, so that no hash or vector block is cut. */
const block = 64

export function* measurePair(files: QuickFiles, kernels: Kernels, pair: TensorPair, count: (bytes: number) => void = () => {}): Generator<void, PairAnswer, void> {
  const handles: Handle[] = []
  try {
    const debug = open(files, pair.debug, kernels.debug, handles)
    if (debug === null) return answer(withoutNumbers(Outcome.debugMissing))
    const bench = open(files, pair.bench, kernels.bench, handles)
    if (bench === null) return answer(withoutNumbers(Outcome.benchMissing))
    const a = layoutOf(debug, kernels.debug, pair.debugDtype)
    const b = layoutOf(bench, kernels.bench, pair.benchDtype)
    const outcome = obstacle(a.layout, b.layout)
    if (outcome === Outcome.scalar) return zeroDimensionalAnswer(a, b, kernels)
    if (outcome !== Outcome.measured) return answer(withoutNumbers(outcome))
    return yield* elements(a, b, kernels, count)
  } catch (error) {
    const found = problemOf(error, pair)
    return answer(withoutNumbers(found.code === 'dtype-unsupported' ? Outcome.unreadable : Outcome.corrupt), [found])
  } finally {
    for (const handle of handles) handle.close()
  }
}

/** Only what the files themselves are to blame for counts as a corrupt file. */
function problemOf(error: unknown, pair: TensorPair): Problem {
  if (error instanceof Refusal) return error.problem
  if (error instanceof RangeError) return problem('npy-invalid', pair.debug, { reason: error.message })
  throw error
}

function open(files: QuickFiles, file: string, buffer: Uint8Array, handles: Handle[]): { file: string; handle: Handle; held: number } | null {
  const handle = file ? files.open(file) : null
  if (!handle) return null
  handles.push(handle)
  return { file, handle, held: handle.read(0, buffer) }
}

function layoutOf(side: { file: string; handle: Handle; held: number }, buffer: Uint8Array, declared = ''): Opened {
  const head = buffer.subarray(0, side.held)
  // A file that fits the buffer is looked at where it already lies.
  const source = side.held < buffer.length
    ? { size: side.held, read: (from: number, into: Uint8Array) => { const part = head.subarray(from, from + into.length); into.set(part); return part.length } }
    : side.handle
  return { ...side, layout: tensorLayout(source, side.file, declared, undefined, head) }
}

/** msprobe's checks on the shapes, in its order. */
function obstacle(debug: TensorLayout, bench: TensorLayout): Outcome {
  if (debug.size === 0) return Outcome.empty
  if (debug.shape.length !== bench.shape.length || debug.shape.some((dim, axis) => dim !== bench.shape[axis])) return Outcome.shapesDiffer
  return debug.shape.length === 0 ? Outcome.scalar : Outcome.measured
}

function zeroDimensionalAnswer(a: Opened, b: Opened, kernels: Kernels): PairAnswer {
  const [x, y] = [a, b].map(side => {
    const bytes = new Uint8Array(side.layout.dtype.bytes)
    tensorReader(side.handle, side.layout, side.file).read(0, bytes)
    return bytes
  })
  const value = (side: Opened, bytes: Uint8Array): number | bigint => integerOf(side.layout.dtype, bytes) ?? valueOf(side.layout.dtype, bytes)
  kernels.debug.set(x)
  kernels.bench.set(y)
  const hashes = hashesOf(kernels, x.length, y.length)
  return { cells: zeroDimensional(a.layout.dtype, value(a, x), b.layout.dtype, value(b, y)), hashes, problems: [] }
}

function hashesOf(kernels: Kernels, debugBytes: number, benchBytes: number): [number, number, number, number] {
  kernels.begin()
  kernels.hash(0, debugBytes, 0, benchBytes)
  return kernels.end()
}

function* elements(a: Opened, b: Opened, kernels: Kernels, count: (bytes: number) => void): Generator<void, PairAnswer, void> {
  const { size } = a.layout
  const types = kernels.types(a.layout.dtype, b.layout.dtype)
  const asStored = lieAlike(a.layout, b.layout)
  const readA = tensorReader(a.handle, a.layout, a.file, asStored)
  const readB = tensorReader(b.handle, b.layout, b.file, asStored)
  const sums = noSums()
  let equal = a.layout.dtype === b.layout.dtype
  kernels.begin()
  let first = 0
  // What the first read brought is used where it lies, behind the header.
  const ready = whole(Math.min(heldElements(a, asStored), heldElements(b, asStored)), size)
  if (ready > 0) {
    equal = kernels.add(types, a.layout.from, b.layout.from, ready, sums) && equal
    first = ready
    count(ready * (a.layout.dtype.bytes + b.layout.dtype.bytes))
  }
  const most = Math.floor(Math.min(kernels.debug.length / a.layout.dtype.bytes, kernels.bench.length / b.layout.dtype.bytes) / block) * block
  while (first < size) {
    yield
    const many = Math.min(most, size - first)
    const bytesA = many * a.layout.dtype.bytes
    const bytesB = many * b.layout.dtype.bytes
    fill(readA, first, bytesA, kernels.debug)
    fill(readB, first, bytesB, kernels.bench)
    // The numbers are lost, the hashes are still wanted.
    if (sums.mismatch) kernels.hash(0, bytesA, 0, bytesB)
    else equal = kernels.add(types, 0, 0, many, sums) && equal
    first += many
    count(bytesA + bytesB)
  }
  const cells = cellsOf(sums, size, a.layout.dtype, b.layout.dtype)
  if (equal && !sums.mismatch) cells.notes |= Note.equalBytes
  return { cells, hashes: kernels.end(), problems: [] }
}

const fill = (reader: TensorReader, first: number, bytes: number, into: Uint8Array): void => { reader.read(first, into.subarray(0, bytes)) }

/** Elements of the beginning that the buffer holds ready to use. */
function heldElements(side: Opened, asStored: boolean): number {
  const { layout, held } = side
  if (layout.packed || layout.bigEndian || (layout.strides && !asStored)) return 0
  return Math.max(0, Math.floor((held - layout.from) / layout.dtype.bytes))
}

const whole = (count: number, size: number): number => (count >= size ? size : Math.floor(count / block) * block)
