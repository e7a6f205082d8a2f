// What each thread does of measuring many pairs: takes the next ones, and writes their numbers into the
// columns that all share.
import { quickFiles } from '../io/index.ts'
import type { Measured, MeasuredRow, Problem, TensorPair, TensorRef } from '../model/index.ts'
import type { TaskContext } from '../work/index.ts'
import type { Kernels } from './chunks.ts'
import { metrics, sharedMeasured } from './metrics.ts'
import { type PairAnswer, PairMeter } from './tensor-pair.ts'
import { at, mostProblems, type Shared } from './tensor-pairs.ts'

const batch = { known: 32, unknown: 4 }

/** Takes the next pairs until there are none. */
export function* measureTask(
  kernels: Kernels,
  arg: Shared,
  context: TaskContext,
): Generator<void, number, void> {
  const put = putter(sharedMeasured(arg.columns, arg.length))
  const control = new Int32Array(arg.control)
  const order = new Uint32Array(arg.order)
  const pairsAt = pairReader(arg)
  const small = arg.large > 0 ? batch.known : batch.unknown
  let bytes = 0
  const meter = new PairMeter(quickFiles(arg.roots), kernels, more => {
    bytes += more
    const whole = Math.floor(bytes / 1024)
    if (whole) {
      Atomics.add(control, at.kibibytes, whole)
      bytes -= whole * 1024
    }
  })
  let problems: Problem[] = []
  let count = 0
  for (;;) {
    const from = take(control, arg.large, arg.length, small)
    const to = Math.min(arg.length, from < arg.large ? from + 1 : from + small)
    if (from >= arg.length) break
    let place = from
    for (const pair of pairsAt(from, to)) {
      const started = meter.start(pair)
      const answer = 'numbers' in started ? started : yield* started
      put(order[place++], answer)
      if (problems.length < mostProblems) for (const found of answer.problems) problems.push(found)
      Atomics.add(control, at.done, 1)
      count++
    }
    if (problems.length) {
      context.tell(problems)
      problems = []
    }
    yield
  }
  return count
}

/** Claims the pair at the answered place and those behind it: one at a time while they are large. */
function take(control: Int32Array, large: number, length: number, small: number): number {
  for (;;) {
    const from = Atomics.load(control, at.next)
    if (from >= length) return length
    const to = Math.min(length, from < large ? from + 1 : from + small)
    if (Atomics.compareExchange(control, at.next, from, to) === from) return from
  }
}

/** Writes the answers of pairs into the columns that all threads share. */
function putter(measured: Measured): (row: MeasuredRow, answer: PairAnswer) => void {
  const columns = metrics.map(({ id }) => measured[id])
  const { debugHash, benchHash, benchNorm, notes, outcome } = measured
  return (row, { numbers, hashes }) => {
    for (let i = 0; i < columns.length; i++) columns[i][row] = numbers.values[i]
    benchNorm[row] = numbers.benchNorm
    debugHash[row * 2] = hashes[0]
    debugHash[row * 2 + 1] = hashes[1]
    benchHash[row * 2] = hashes[2]
    benchHash[row * 2 + 1] = hashes[3]
    notes[row] = numbers.notes
    // Last: whoever sees an outcome finds its numbers.
    outcome[row] = numbers.outcome
  }
}

/**
 * The pairs at places [from, to). Names are turned into one text at a time: that is five times as fast as one
 * by one.
 */
function pairReader(arg: Shared): (from: number, to: number) => readonly TensorPair[] {
  const offsets = new Float64Array(arg.offsets)
  const codes = new Uint32Array(arg.codes)
  const width = arg.names.byteLength === offsets[arg.length * 2] ? 1 : 2
  const bytes = new Uint8Array(arg.names)
  const decoder = new TextDecoder(width === 1 ? 'utf-8' : 'utf-16le', { ignoreBOM: true })
  return (from, to) => {
    const start = offsets[from * 2]
    // Shared memory cannot be decoded where it lies.
    const text = decoder.decode(bytes.slice(start * width, offsets[to * 2] * width))
    const ref = (i: number): TensorRef | null => {
      const name = text.slice(offsets[i] - start, offsets[i + 1] - start)
      const { dtype, inPart } = arg.readings[codes[i * 2 + 1]]
      const folder = arg.folders[codes[i * 2]]
      if (inPart) return partIn(folder, name, dtype)
      return name === '' ? null : { file: folder + name, dtype }
    }
    return Array.from({ length: to - from }, (_, i) => {
      const place = (from + i) * 2
      const { zeros, squeezed } = arg.readings[codes[place * 2 + 1]]
      return { debug: ref(place), bench: ref(place + 1), zeros, squeezed }
    })
  }
}

function partIn(folder: string, name: string, dtype: string): TensorRef {
  const cut = name.indexOf('\0')
  const within = JSON.parse(name.slice(cut + 1)) as Pick<TensorRef, 'part' | 'through'>
  return { file: folder + name.slice(0, cut), dtype, ...within }
}
