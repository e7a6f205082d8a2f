// What each thread does of measuring many pairs: takes the next ones, and writes their numbers into the columns that all share.
import { quickFiles } from '../io/quick.ts'
import type { Problem } from '../problem.ts'
import type { TaskContext } from '../work/task.ts'
import type { Kernels } from './chunks.ts'
import type { Measured, TensorPair } from './measured.ts'
import { type PairAnswer, PairMeter } from './pair.ts'
import { at, columnsOf, mostProblems, type Shared } from './tensor-pairs.ts'

const batch = { known: 32, unknown: 4 }

/** Takes the next pairs until there are none. */
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
    if (whole) { Atomics.add(control, at.kibibytes, whole); bytes -= whole * 1024 }
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
      const answer = 'cells' in started ? started : yield* started
      put(measured, order[place++], answer)
      if (problems.length < mostProblems) for (const found of answer.problems) problems.push(found)
      Atomics.add(control, at.done, 1)
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
    const from = Atomics.load(control, at.next)
    if (from >= length) return length
    const to = Math.min(length, from < large ? from + 1 : from + small)
    if (Atomics.compareExchange(control, at.next, from, to) === from) return from
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
      const place = from + i
      const { zeros, dtype } = rules[codes[place * 4 + 1]]
      return { debug: file(place * 2), bench: file(place * 2 + 1), debugDtype: dtype, benchDtype: arg.dtypes[codes[place * 4 + 3]], zeros }
    })
  }
}
