// Measures many pairs of tensor files: a list that threads share, columns that they fill in place.
import type { Files, Root } from '../io/index.ts'
import type { Job, Pool } from '../work/index.ts'
import type { Measured, MeasuredRow, Problem, TensorPair, TensorRef } from '../model/index.ts'
import type { ZeroRule } from './kernels.ts'
import { bytesPerPair, sharedMeasured } from './metrics.ts'

export const mostProblems = 1000

/** Positions in the control words. */
export const at = { next: 0, done: 1, kibibytes: 2 } as const

/** How a tensor is read: a few ways, however many pairs there are. */
interface Reading {
  readonly dtype: string
  readonly zeros: ZeroRule
  readonly squeezed: boolean
  /** The name of the file is followed by NUL and the part of it, in JSON. */
  readonly inPart: boolean
}

export interface Shared {
  readonly roots: readonly Root[]
  readonly folders: readonly string[]
  readonly readings: readonly Reading[]
  readonly length: number
  /** The pair that is measured first, second …; the first `large` are taken one at a time. */
  readonly order: SharedArrayBuffer
  /**
   * File names in that order, debug and bench by turns, from character `offsets[i]` to `offsets[i + 1]`; see
   * `sharedText`.
   */
  readonly names: SharedArrayBuffer
  readonly offsets: SharedArrayBuffer
  /** Folder and reading of each name. */
  readonly codes: SharedArrayBuffer
  readonly large: number
  readonly columns: SharedArrayBuffer
  readonly control: SharedArrayBuffer
}

const smallBytes = 1 << 20

/**
 * Numbers of every pair. `grown` is told now and then that more entries stand in the columns.
 * A file that cannot be read costs its own pair only.
 */
export async function measurePairs(
  pool: Pool,
  files: Files,
  pairs: readonly TensorPair[],
  job: Job,
  grown?: (so: Measured) => void,
): Promise<Measured> {
  const shared = share(files.roots(), pairs)
  const problems: Problem[] = []
  const measured: Measured = { ...sharedMeasured(shared.columns, pairs.length), problems }
  const control = new Int32Array(shared.control)
  const known = pairs.some(pair => pair.bytes !== undefined)
  const totalBytes = pairs.reduce((sum, pair) => sum + (pair.bytes ?? 0) * 2, 0)
  let seen = 0

  const look = (): void => {
    const finished = Atomics.load(control, at.done)
    // Sizes told by a dump may be wrong: what is finished counts as all of it.
    const bytes =
      finished === pairs.length
        ? totalBytes
        : Math.min(totalBytes, Atomics.load(control, at.kibibytes) * 1024)
    job.report(
      known
        ? { what: 'job.comparing', done: bytes, total: totalBytes, countedIn: 'bytes' }
        : { what: 'job.comparing', done: finished, total: pairs.length, countedIn: 'items' },
    )
    if (finished > seen) {
      seen = finished
      grown?.(measured)
    }
  }
  const timer = setInterval(look, 100)
  const tell = (message: unknown): void => {
    for (const found of message as readonly Problem[])
      if (problems.length < mostProblems) problems.push(found)
  }
  try {
    const workers = Math.min(pool.size, Math.max(1, pairs.length))
    await Promise.all(
      Array.from({ length: workers }, () => pool.run('measure', shared, { signal: job.signal, tell })),
    )
  } finally {
    clearInterval(timer)
  }
  look()
  return measured
}

function share(roots: readonly Root[], pairs: readonly TensorPair[]): Shared {
  const { order, large } = largeFirst(pairs)
  const folders = new Codes()
  const readings = new Readings()
  const codes = new Uint32Array(sharedBytes(pairs.length * 16))
  const offsets = new Float64Array(sharedBytes(pairs.length * 16 + 8))
  const names: string[] = []
  let length = 0
  const add = (
    place: number,
    folder: FolderCode,
    ref: TensorRef | null,
    { zeros, squeezed }: TensorPair,
  ): void => {
    const file = ref?.file ?? ''
    const cut = Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1
    const name = (cut ? file.slice(cut) : file) + partText(ref)
    names.push(name)
    length += name.length
    codes[place * 2] = folder.of(file, cut)
    codes[place * 2 + 1] = readings.of(ref, { zeros: zeros ?? 'tiny', squeezed: squeezed ?? false })
    offsets[place + 1] = length
  }
  const debugFolder = new FolderCode(folders)
  const benchFolder = new FolderCode(folders)
  for (let i = 0; i < pairs.length; i++) {
    const pair = pairs[order[i]]
    add(i * 2, debugFolder, pair.debug, pair)
    add(i * 2 + 1, benchFolder, pair.bench, pair)
  }
  const text = sharedText(names.join(''))
  return {
    roots,
    folders: folders.texts,
    readings: readings.list,
    length: pairs.length,
    names: text,
    offsets: offsets.buffer,
    codes: codes.buffer,
    order: order.buffer,
    large,
    columns: sharedBytes(pairs.length * bytesPerPair),
    control: sharedBytes(12),
  }
}

/** NUL, which no name of a file holds, and the part; '' for a file that is one tensor. */
export const partText = (ref: TensorRef | null): string =>
  isWhole(ref) ? '' : `\0${JSON.stringify({ part: ref?.part, through: ref?.through })}`

const isWhole = (ref: TensorRef | null): boolean => ref?.part === undefined && ref?.through === undefined

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

class Readings {
  readonly list: Reading[] = []
  readonly #codes = new Codes()
  of(ref: TensorRef | null, how: Pick<Reading, 'zeros' | 'squeezed'>): number {
    const dtype = ref?.dtype ?? ''
    const inPart = !isWhole(ref)
    const code = this.#codes.of(`${how.zeros} ${how.squeezed ? 1 : 0}${inPart ? 1 : 0} ${dtype}`)
    if (code === this.list.length) this.list.push({ dtype, ...how, inPart })
    return code
  }
}

/** The folder of a file is nearly always that of the file before it. */
class FolderCode {
  readonly #codes: Codes
  #last = ''
  #code = -1
  constructor(codes: Codes) {
    this.#codes = codes
  }
  of(file: string, cut: number): number {
    if (this.#code >= 0 && cut === this.#last.length && file.startsWith(this.#last)) return this.#code
    this.#last = file.slice(0, cut)
    return (this.#code = this.#codes.of(this.#last))
  }
}

/**
 * Large pairs by falling size, then the small ones in the order given, which is the order they were written
 * in.
 */
function largeFirst(pairs: readonly TensorPair[]): { order: Uint32Array<SharedArrayBuffer>; large: number } {
  const order = new Uint32Array(sharedBytes(pairs.length * 4))
  const isLarge = (row: MeasuredRow): boolean => (pairs[row].bytes ?? 0) > smallBytes
  const large = [...pairs.keys()]
    .filter(isLarge)
    .sort((x, y) => (pairs[y].bytes ?? 0) - (pairs[x].bytes ?? 0))
  order.set(large)
  for (let row = 0, place = large.length; row < pairs.length; row++) if (!isLarge(row)) order[place++] = row
  return { order, large: large.length }
}
