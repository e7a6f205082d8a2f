// The loss of connectionist temporal classification: over all ways to spell a target, with blanks between.
import type { Given } from './arguments.ts'
import { array, map, type NdArray, reshape, sameShape } from './array.ts'
import { gathered, reductionOf } from './loss.ts'
import {
  type BackwardCall,
  exact,
  type Gradient,
  incoming,
  type Operation,
  operation,
  type Outcome,
  staged,
  step,
} from './operation.ts'
import { logSumExp, sizeOfGradient } from './reduce.ts'
import { Unsupported } from './unsupported.ts'

interface Spelling {
  /** [steps, batch, classes] */
  readonly logs: NdArray
  readonly blank: number
  /** Per sequence: how many steps it has, and its labels with blanks around each. */
  readonly steps: readonly number[]
  readonly labels: readonly (readonly number[])[]
}

function spellingOf(given: Given): Spelling {
  const raw = given.tensor('log_probs')
  const logs = raw.shape.length === 3 ? raw : reshape(raw, [raw.shape[0], 1, raw.shape[1]])
  const [, batch, classes] = logs.shape
  const blank = given.number('blank', 0)
  const lengths = (name: string): readonly number[] => {
    const all = given.ints(name)
    if (!all || all.length !== batch) throw new Unsupported('arguments', name)
    return all
  }
  const [steps, counts] = [lengths('input_lengths'), lengths('target_lengths')]
  const targets = given.tensor('targets')
  const below = targets.shape.length === 2
  let from = 0
  const labels = counts.map((count, i) => {
    const at = below ? i * targets.shape[1] : from
    from += count
    const own = [...targets.data.subarray(at, at + count)]
    if (own.length !== count || own.some(label => !(label >= 0 && label < classes)))
      throw new Unsupported('arguments', 'targets')
    return [blank, ...own.flatMap(label => [label, blank])]
  })
  if (steps.some(count => count > logs.shape[0])) throw new Unsupported('arguments', 'input_lengths')
  return { logs, blank, steps, labels }
}

const logAt = ({ logs }: Spelling, step: number, sequence: number, label: number): number =>
  logs.data[(step * logs.shape[1] + sequence) * logs.shape[2] + label]

/** From one label to the next but one it goes over a blank only where both differ. */
const skips = (labels: readonly number[], at: number, blank: number): boolean =>
  at >= 2 && labels[at] !== blank && labels[at] !== labels[at - 2]

/** Logarithms of the likelihood of each beginning: per step, per place among the labels. */
function beginnings(of: Spelling, sequence: number): readonly Float64Array[] {
  const labels = of.labels[sequence]
  const rows: Float64Array[] = []
  for (let t = 0; t < of.steps[sequence]; t++) {
    const before = rows.at(-1)
    const row = new Float64Array(labels.length).fill(-Infinity)
    for (const [s, label] of labels.entries()) {
      const ways = before
        ? Float64Array.of(
            before[s],
            s > 0 ? before[s - 1] : -Infinity,
            skips(labels, s, of.blank) ? before[s - 2] : -Infinity,
          )
        : Float64Array.of(s < 2 ? 0 : -Infinity)
      row[s] = sumOfWays(ways) + logAt(of, t, sequence, label)
    }
    rows.push(row)
  }
  return rows
}

const sumOfWays = (ways: Float64Array): number =>
  ways.every(way => way === -Infinity) ? -Infinity : logSumExp(ways)

/** The same for what is left to the end, this step included. */
function endings(of: Spelling, sequence: number): readonly Float64Array[] {
  const labels = of.labels[sequence]
  const last = labels.length - 1
  const rows: Float64Array[] = []
  for (let t = of.steps[sequence] - 1; t >= 0; t--) {
    const after = rows[0]
    const row = new Float64Array(labels.length).fill(-Infinity)
    for (const [s, label] of labels.entries()) {
      const ways = after
        ? Float64Array.of(
            after[s],
            s < last ? after[s + 1] : -Infinity,
            s + 2 <= last && skips(labels, s + 2, of.blank) ? after[s + 2] : -Infinity,
          )
        : Float64Array.of(s >= last - 1 ? 0 : -Infinity)
      row[s] = sumOfWays(ways) + logAt(of, t, sequence, label)
    }
    rows.unshift(row)
  }
  return rows
}

function lossOf(of: Spelling, sequence: number): number {
  const row = beginnings(of, sequence).at(-1)
  if (!row) return of.labels[sequence].length === 1 ? 0 : Infinity
  return -sumOfWays(row.slice(-2))
}

function losses(given: Given): NdArray {
  const of = spellingOf(given)
  const zero = given.flag('zero_infinity', false)
  const found = of.labels.map((_, i) => lossOf(of, i))
  return array(
    Float64Array.from(found, loss => (zero && loss === Infinity ? 0 : loss)),
    [found.length],
  )
}

/** In the mean each loss counts by the length of its target. */
function spelled(given: Given): readonly Outcome[] {
  const reduction = reductionOf(given)
  const all = losses(given)
  const { labels, steps } = spellingOf(given)
  const dtype = given.tensor('log_probs').dtype
  const lengths = labels.map(label => Math.max(1, (label.length - 1) / 2))
  const weighed = reduction === 'mean' ? { ...all, data: all.data.map((loss, i) => loss / lengths[i]) } : all
  const isBatched = given.tensor('log_probs').shape.length === 3
  const [outcome] = gathered(weighed, reduction, { by: labels.length, dtype })
  // Every step adds its own rounding.
  const { bound, values } = outcome
  const long = bound.is === 'sum' ? { ...bound, length: bound.length + 4 * Math.max(...steps, 1) } : bound
  return [{ values: reduction === 'none' && !isBatched ? reshape(values, []) : values, bound: long }]
}

function backOfSpelled(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  const [stored] = call.stored
  if (!grad || !stored || call.stored.length !== 1) return []
  const reduction = reductionOf(call.given)
  const of = spellingOf(call.given)
  const batch = of.labels.length
  if (reduction !== 'none') {
    // The node of the mean or the sum: it takes the losses.
    if (!sameShape(stored, [batch])) return []
    const wide = array(new Float64Array(batch).fill(grad.data[0]), [batch])
    return [reduction === 'sum' ? exact(wide) : step(map(wide, g => g / batch))]
  }
  const raw = call.given.tensor('log_probs')
  if (!sameShape(stored, raw.shape) || call.given.flag('zero_infinity', false)) return []
  const into = new Float64Array(of.logs.data.length)
  for (let i = 0; i < batch; i++) addSlopes(of, i, grad.data[i] ?? 0, into)
  return [staged(array(into, raw.shape), 4 * of.logs.shape[0], sizeOfGradient(grad))]
}

/** As the framework has it: what the logarithms stand for less the share that spells the target there. */
function addSlopes(of: Spelling, sequence: number, grad: number, into: Float64Array): void {
  const [, batch, classes] = of.logs.shape
  const loss = lossOf(of, sequence)
  const [first, rest] = [beginnings(of, sequence), endings(of, sequence)]
  for (let t = 0; t < of.steps[sequence]; t++) {
    const shares = new Float64Array(classes)
    for (const [s, label] of of.labels[sequence].entries())
      shares[label] += Math.exp(first[t][s] + rest[t][s] + loss - 2 * logAt(of, t, sequence, label))
    for (let c = 0; c < classes; c++) {
      const p = Math.exp(logAt(of, t, sequence, c))
      into[(t * batch + sequence) * classes + c] = grad * (p - shares[c] * p)
    }
  }
}

export const ctcOperations: readonly Operation[] = [
  operation(
    'ctc_loss',
    'log_probs targets input_lengths target_lengths blank reduction zero_infinity',
    spelled,
    { backward: backOfSpelled },
  ),
]
