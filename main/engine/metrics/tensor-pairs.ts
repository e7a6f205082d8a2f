// Measures many pairs of tensor files: a list that threads share, columns that they fill in place.
import type { Files } from '../io/files.ts'
import { quickFiles } from '../io/quick.ts'
import type { Job } from '../job.ts'
import type { Problem } from '../problem.ts'
import type { Pool, TaskContext } from '../work/task.ts'
import type { Kernels } from './chunks.ts'
import type { Measured, TensorPair } from './measured.ts'
import { type PairAnswer, PairMeter } from './pair.ts'

const doubles = 6
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
  /** The pair that is measured first, second …; the first `large` are taken one at a time. */
  readonly order: SharedArrayBuffer
  /** File names in that order, debug and bench by turns, from character `offsets[i]` to `offsets[i + 1]`; see `sharedText`. */
  readonly names: SharedArrayBuffer
  readonly offsets: SharedArrayBuffer
  /** Folder and dtype of each name; the debug side's dtype comes after the zero rule of the pair. */
  readonly codes: SharedArrayBuffer
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
    // Sizes told by a dump may be wrong: what is finished counts as all of it.
    const bytes = finished === pairs.length ? totalBytes : Math.min(totalBytes, Atomics.load(control, kibibytes) * 1024)
    job.report(known
      ? { what: 'job.comparing', done: bytes, total: totalBytes, unit: 'bytes' }
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
  const { order, large } = largeFirst(pairs)
  const folders = new Codes()
  const dtypes = new Codes()
  const codes = new Uint32Array(sharedBytes(pairs.length * 16))
  const offsets = new Float64Array(sharedBytes(pairs.length * 16 + 8))
  const names: string[] = []
  let length = 0
  const add = (at: number, folder: FolderCode, file: string, dtype: string): void => {
    const cut = Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1
    names.push(cut ? file.slice(cut) : file)
    length += file.length - cut
    codes[at * 2] = folder.of(file, cut)
    codes[at * 2 + 1] = dtypes.of(dtype)
    offsets[at + 1] = length
  }
  const debugFolder = new FolderCode(folders)
  const benchFolder = new FolderCode(folders)
  for (let i = 0; i < pairs.length; i++) {
    const pair = pairs[order[i]]
    // The rule travels with the first type.
    add(i * 2, debugFolder, pair.debug, `${pair.zeros ?? 'tiny'} ${pair.debugDtype ?? ''}`)
    add(i * 2 + 1, benchFolder, pair.bench, pair.benchDtype ?? '')
  }
  const text = sharedText(names.join(''))
  return {
    roots, folders: folders.texts, dtypes: dtypes.texts, length: pairs.length, names: text, offsets: offsets.buffer, codes: codes.buffer,
    order: order.buffer, large, columns: sharedBytes(pairs.length * bytesPerPair), control: sharedBytes(12),
  }
}

const sharedBytes = (length: number): SharedArrayBuffer => new SharedArrayBuffer(length)

/** A byte per character where that is enough, else two: positions stay those of the text. */
function sharedText(text: string): SharedArrayBuffer {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length === text.length) {
    const narrow = new Uint8Array(sharedBytes(text.length))
    narrow.set(bytes)
    return narrow.buffer
  }
  const wide = new Uint16Array(sharedBytes(text.length * 2))
  for (let i = 0; i < text.length; i++) wide[i] = text.charCodeAt(i)
  return wide.buffer
}

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

/** The folder of a file is nearly always that of the file before it. */
class FolderCode {
  readonly #codes: Codes
  #last = ''
  #code = -1
  constructor(codes: Codes) { this.#codes = codes }
  of(file: string, cut: number): number {
    if (this.#code >= 0 && cut === this.#last.length && file.startsWith(this.#last)) return this.#code
    this.#last = file.slice(0, cut)
    return (this.#code = this.#codes.of(this.#last))
  }
}

/** Large pairs by falling size, then the small ones in the order given, which is the order they were written in. */
function largeFirst(pairs: readonly TensorPair[]): { order: Uint32Array<SharedArrayBuffer>; large: number } {
  const order = new Uint32Array(sharedBytes(pairs.length * 4))
  const isLarge = (row: number): boolean => (pairs[row].bytes ?? 0) > smallBytes
  const large = [...pairs.keys()].filter(isLarge).sort((x, y) => (pairs[y].bytes ?? 0) - (pairs[x].bytes ?? 0))
  order.set(large)
  for (let row = 0, at = large.length; row < pairs.length; row++) if (!isLarge(row)) order[at++] = row
  return { order, large: large.length }
}

const bytesPerPair = doubles * 8 + 2 * 8 + 2

/** The columns of a measurement over one shared block: doubles first, so that every column is aligned. */
function columnsOf(buffer: SharedArrayBuffer, length: number): Measured {
  const double = (i: number): Float64Array => new Float64Array(buffer, i * length * 8, length)
  const rest = doubles * length * 8
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
  const measured = columnsOf(arg.columns, arg.length)
  const control = new Int32Array(arg.control)
  const order = new Uint32Array(arg.order)
  const pairsAt = pairReader(arg)
  const small = arg.large > 0 ? batch.known : batch.unknown
  let bytes = 0
  const meter = new PairMeter(quickFiles(arg.roots), kernels, more => {
    bytes += more
    const whole = Math.floor(bytes / 1024)
    if (whole) { Atomics.add(control, kibibytes, whole); bytes -= whole * 1024 }
  })
  let problems: Problem[] = []
  let count = 0
  for (;;) {
    const from = take(control, arg.large, arg.length, small)
    const to = Math.min(arg.length, from < arg.large ? from + 1 : from + small)
    if (from >= arg.length) break
    let at = from
    for (const pair of pairsAt(from, to)) {
      const started = meter.start(pair)
      const answer = 'cells' in started ? started : yield* started
      put(measured, order[at++], answer)
      if (problems.length < mostProblems) for (const found of answer.problems) problems.push(found)
      Atomics.add(control, done, 1)
      count++
    }
    if (problems.length) { context.tell(problems); problems = [] }
    yield
  }
  return count
}

/** Claims the pair at the answered place and those behind it: one at a time while they are large. */
function take(control: Int32Array, large: number, length: number, small: number): number {
  for (;;) {
    const from = Atomics.load(control, next)
    if (from >= length) return length
    const to = Math.min(length, from < large ? from + 1 : from + small)
    if (Atomics.compareExchange(control, next, from, to) === from) return from
  }
}

function put(measured: Measured, row: number, { cells, hashes }: PairAnswer): void {
  measured.cosine[row] = cells.cosine
  measured.euclid[row] = cells.euclid
  measured.maxAbs[row] = cells.maxAbs
  measured.maxRel[row] = cells.maxRel
  measured.thousandth[row] = cells.thousandth
  measured.fiveThousandths[row] = cells.fiveThousandths
  measured.debugHash[row * 2] = hashes[0]
  measured.debugHash[row * 2 + 1] = hashes[1]
  measured.benchHash[row * 2] = hashes[2]
  measured.benchHash[row * 2 + 1] = hashes[3]
  measured.notes[row] = cells.notes
  // Last: whoever sees an outcome finds its numbers.
  measured.outcome[row] = cells.outcome
}

/** The pairs at places [from, to). Names are turned into one text at a time: that is five times as fast as one by one. */
function pairReader(arg: Shared): (from: number, to: number) => readonly TensorPair[] {
  const offsets = new Float64Array(arg.offsets)
  const codes = new Uint32Array(arg.codes)
  const width = arg.names.byteLength === offsets[arg.length * 2] ? 1 : 2
  const bytes = new Uint8Array(arg.names)
  const rules = arg.dtypes.map(text => ({ zeros: text.startsWith('machine ') ? 'machine' as const : 'tiny' as const, dtype: text.slice(text.indexOf(' ') + 1) }))
  const decoder = new TextDecoder(width === 1 ? 'utf-8' : 'utf-16le', { ignoreBOM: true })
  return (from, to) => {
    const start = offsets[from * 2]
    // Shared memory cannot be decoded where it lies.
    const text = decoder.decode(bytes.slice(start * width, offsets[to * 2] * width))
    const file = (i: number): string => arg.folders[codes[i * 2]] + text.slice(offsets[i] - start, offsets[i + 1] - start)
    return Array.from({ length: to - from }, (_, i) => {
      const at = from + i
      const { zeros, dtype } = rules[codes[at * 4 + 1]]
      return { debug: file(at * 2), bench: file(at * 2 + 1), debugDtype: dtype, benchDtype: arg.dtypes[codes[at * 4 + 3]], zeros }
    })
  }
}
