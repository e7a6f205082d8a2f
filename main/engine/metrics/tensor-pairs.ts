// Measures many pairs of tensor files: a list that threads share, columns that they fill in place.
import type { Files } from '../io/files.ts'
import { quickFiles } from '../io/quick.ts'
import type { Job } from '../job.ts'
import type { Problem } from '../problem.ts'
import type { Pool, TaskContext } from '../work/task.ts'
import type { Kernels } from './chunks.ts'
import type { Measured, TensorPair } from './measured.ts'
import { measurePair, type PairAnswer } from './pair.ts'

const numbers = ['cosine', 'euclid', 'maxAbs', 'maxRel', 'thousandth', 'fiveThousandths'] as const
const mostProblems = 1000

/** Positions in the control words. */
const next = 0
const done = 1
const kibibytes = 2

interface Shared {
  readonly roots: readonly string[]
  readonly folders: readonly string[]
  readonly dtypes: readonly string[]
  readonly length: number
  /** UTF-8 of file names, debug and bench by turns, at `offsets`. */
  readonly names: SharedArrayBuffer
  readonly offsets: SharedArrayBuffer
  /** Folder and dtype of each name. */
  readonly codes: SharedArrayBuffer
  /** Pairs in the order in which they are measured; the first `large` are taken one at a time. */
  readonly order: SharedArrayBuffer
  readonly large: number
  readonly columns: SharedArrayBuffer
  readonly control: SharedArrayBuffer
}

const smallBytes = 1 << 20
const batch = { known: 32, unknown: 4 }

/**
 * Numbers of every pair. `grown` is told now and then that more entries stand in the columns.
 * A file that cannot be read costs its own pair only.
 */
export async function measurePairs(pool: Pool, files: Files, pairs: readonly TensorPair[], job: Job, grown?: (so: Measured) => void): Promise<Measured> {
  const shared = share(files.roots(), pairs)
  const problems: Problem[] = []
  const measured: Measured = { ...columnsOf(shared.columns, pairs.length), problems }
  const control = new Int32Array(shared.control)
  const known = pairs.some(pair => pair.bytes !== undefined)
  const totalBytes = pairs.reduce((sum, pair) => sum + (pair.bytes ?? 0) * 2, 0)
  let seen = 0

  const look = (): void => {
    const finished = Atomics.load(control, done)
    job.report(known
      ? { what: 'job.comparing', done: Math.min(totalBytes, Atomics.load(control, kibibytes) * 1024), total: totalBytes, unit: 'bytes' }
      : { what: 'job.comparing', done: finished, total: pairs.length, unit: 'items' })
    if (finished > seen) { seen = finished; grown?.(measured) }
  }
  const timer = setInterval(look, 100)
  const tell = (message: unknown): void => {
    for (const found of message as readonly Problem[]) if (problems.length < mostProblems) problems.push(found)
  }
  try {
    const workers = Math.min(pool.size, Math.max(1, pairs.length))
    await Promise.all(Array.from({ length: workers }, () => pool.run('measure', shared, { signal: job.signal, tell })))
  } finally {
    clearInterval(timer)
  }
  look()
  return measured
}

function share(roots: readonly string[], pairs: readonly TensorPair[]): Shared {
  const folders = new Codes()
  const dtypes = new Codes()
  const codes = new Uint32Array(sharedBytes(pairs.length * 16))
  const offsets = new Float64Array(sharedBytes(pairs.length * 16 + 8))
  const encoder = new TextEncoder()
  const names: Uint8Array[] = []
  let length = 0
  pairs.forEach((pair, row) => {
    for (const [side, file, dtype] of [[0, pair.debug, pair.debugDtype], [1, pair.bench, pair.benchDtype]] as const) {
      const cut = Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1
      const name = encoder.encode(file.slice(cut))
      names.push(name)
      length += name.length
      codes[row * 4 + side * 2] = folders.of(file.slice(0, cut))
      codes[row * 4 + side * 2 + 1] = dtypes.of(dtype ?? '')
      offsets[row * 2 + side + 1] = length
    }
  })
  const bytes = new Uint8Array(sharedBytes(length))
  names.forEach((name, i) => bytes.set(name, offsets[i]))
  return {
    roots, folders: folders.texts, dtypes: dtypes.texts, length: pairs.length, names: bytes.buffer, offsets: offsets.buffer, codes: codes.buffer,
    ...largeFirst(pairs), columns: sharedBytes(pairs.length * bytesPerPair), control: sharedBytes(12),
  }
}

const sharedBytes = (length: number): SharedArrayBuffer => new SharedArrayBuffer(length)

/** Small numbers for texts that repeat. */
class Codes {
  readonly texts: string[] = []
  #known = new Map<string, number>()
  of(text: string): number {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    this.#known.set(text, this.texts.length)
    return this.texts.push(text) - 1
  }
}

/** Large pairs by falling size, then the small ones in the order given, which is the order they were written in. */
function largeFirst(pairs: readonly TensorPair[]): { order: SharedArrayBuffer; large: number } {
  const order = new Uint32Array(sharedBytes(pairs.length * 4))
  const isLarge = (row: number): boolean => (pairs[row].bytes ?? 0) > smallBytes
  const rows = pairs.map((_, row) => row)
  const large = rows.filter(isLarge).sort((x, y) => (pairs[y].bytes ?? 0) - (pairs[x].bytes ?? 0))
  order.set(large)
  order.set(rows.filter(row => !isLarge(row)), large.length)
  return { order: order.buffer, large: large.length }
}

const bytesPerPair = numbers.length * 8 + 2 * 8 + 2

/** The columns of a measurement over one shared block: doubles first, so that every column is aligned. */
function columnsOf(buffer: SharedArrayBuffer, length: number): Measured {
  const double = (i: number): Float64Array => new Float64Array(buffer, i * length * 8, length)
  const rest = numbers.length * length * 8
  return {
    length,
    cosine: double(0), euclid: double(1), maxAbs: double(2), maxRel: double(3), thousandth: double(4), fiveThousandths: double(5),
    debugHash: new Uint32Array(buffer, rest, length * 2),
    benchHash: new Uint32Array(buffer, rest + length * 8, length * 2),
    outcome: new Uint8Array(buffer, rest + length * 16, length),
    notes: new Uint8Array(buffer, rest + length * 17, length),
  }
}

/** What each thread does: takes the next pairs until there are none. */
export function* measureTask(kernels: Kernels, arg: Shared, context: TaskContext): Generator<void, number, void> {
  const files = quickFiles(arg.roots)
  const measured = columnsOf(arg.columns, arg.length)
  const control = new Int32Array(arg.control)
  const order = new Uint32Array(arg.order)
  const pairAt = pairReader(arg)
  const small = arg.large > 0 ? batch.known : batch.unknown
  let problems: Problem[] = []
  let count = 0
  for (;;) {
    const [from, to] = take(control, arg.large, arg.length, small)
    if (from >= arg.length) break
    for (let at = from; at < to; at++) {
      const row = order[at]
      put(measured, row, yield* measured1(files, kernels, pairAt(row), control, problems))
      Atomics.add(control, done, 1)
      count++
    }
    if (problems.length) { context.tell(problems); problems = [] }
    yield
  }
  return count
}

/** Claims pairs [from, to): one at a time while they are large. */
function take(control: Int32Array, large: number, length: number, small: number): [number, number] {
  for (;;) {
    const from = Atomics.load(control, next)
    if (from >= length) return [length, length]
    const to = Math.min(length, from < large ? from + 1 : from + small)
    if (Atomics.compareExchange(control, next, from, to) === from) return [from, to]
  }
}

function* measured1(files: ReturnType<typeof quickFiles>, kernels: Kernels, pair: TensorPair, control: Int32Array, problems: Problem[]): Generator<void, PairAnswer, void> {
  const answer = yield* measurePair(files, kernels, pair, bytes => { Atomics.add(control, kibibytes, Math.round(bytes / 1024)) })
  if (problems.length < mostProblems) problems.push(...answer.problems)
  return answer
}

function put(measured: Measured, row: number, { cells, hashes }: PairAnswer): void {
  for (const column of numbers) measured[column][row] = cells[column]
  measured.debugHash.set(hashes.slice(0, 2), row * 2)
  measured.benchHash.set(hashes.slice(2), row * 2)
  measured.notes[row] = cells.notes
  measured.outcome[row] = cells.outcome
}

function pairReader(arg: Shared): (row: number) => TensorPair {
  const names = new Uint8Array(arg.names)
  const offsets = new Float64Array(arg.offsets)
  const codes = new Uint32Array(arg.codes)
  const decoder = new TextDecoder()
  // Shared memory cannot be decoded directly.
  const file = (i: number): string => arg.folders[codes[i * 2]] + decoder.decode(names.slice(offsets[i], offsets[i + 1]))
  return row => ({ debug: file(row * 2), bench: file(row * 2 + 1), debugDtype: arg.dtypes[codes[row * 4 + 1]], benchDtype: arg.dtypes[codes[row * 4 + 3]] })
}
