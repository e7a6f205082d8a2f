// Losses of margins, rates and distances: what is lost per element or per row, and its sum or mean.
import type { Given } from './arguments.ts'
import { array, broadcast, combine, expand, map, type NdArray, reshape, rowsOf, sameShape } from './array.ts'
import { gathered, reductionOf } from './loss.ts'
import {
  type BackwardCall,
  exact,
  type Gradient,
  incoming,
  type Operation,
  operation,
  staged,
  step,
} from './operation.ts'
import { normOf } from './reduce.ts'
import { sigmoid, softplus } from './special.ts'
import { Unsupported } from './unsupported.ts'

/** The logarithm of a factorial, nearly. */
const stirling = (n: number): number => n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n)

/** What is lost, and how large the numbers are that it was taken from. */
interface Losses {
  readonly values: NdArray
  readonly sizes: Float64Array
}

type Lose = (given: Given) => Losses

const lossesOf = (values: NdArray, sizes: Float64Array = values.data.map(Math.abs)): Losses => ({
  values,
  sizes,
})

/** The gradient of the mean or the sum: the incoming one, spread over what was lost. */
function backOfGathering(call: BackwardCall, { values }: Losses, reduction: string): readonly Gradient[] {
  const grad = incoming(call)
  const [stored] = call.stored
  if (!grad || reduction === 'none' || call.stored.length !== 1 || !stored) return []
  if (!sameShape(stored, values.shape)) return []
  const by = reduction === 'mean' ? values.data.length : 1
  const wide = map(expand(grad, values.shape), g => g / by)
  return [by === 1 ? exact(wide) : step(wide)]
}

const losing = (
  name: string,
  signature: string,
  lose: Lose,
  { first = 'input', ...more }: Partial<Pick<Operation, 'backward'>> & { readonly first?: string } = {},
): Operation =>
  operation(
    name,
    signature,
    given => {
      const { values, sizes } = lose(given)
      return gathered(values, reductionOf(given), {
        by: values.data.length,
        dtype: given.operand(first).dtype,
        sizes,
      })
    },
    { backward: call => backOfGathering(call, lose(call.given), reductionOf(call.given)), ...more },
  )

// ---------------------------------------- element by element

const pairOf = (
  given: Given,
  first = 'input',
  second = 'target',
): readonly [NdArray, NdArray, readonly number[]] => {
  const [a, b] = [given.operand(first), given.operand(second)]
  const shape = broadcast(a.shape, b.shape)
  return [expand(a, shape), expand(b, shape), shape]
}

function poisson(given: Given): Losses {
  const [x, y, shape] = pairOf(given)
  const [isLog, full, eps] = [
    given.flag('log_input', true),
    given.flag('full', false),
    given.number('eps', 1e-8),
  ]
  const of = (v: number, t: number): number => {
    const rest = full && t > 1 ? stirling(t) : 0
    return (isLog ? Math.exp(v) - t * v : v - t * Math.log(v + eps)) + rest
  }
  const size = (v: number, t: number): number =>
    isLog
      ? Math.exp(v) + Math.abs(t * v)
      : Math.abs(v) + Math.abs(t * Math.log(v + eps)) + t * Math.log(t + 2)
  return lossesOf(
    array(
      x.data.map((v, i) => of(v, y.data[i])),
      shape,
    ),
    x.data.map((v, i) => size(v, y.data[i])),
  )
}

function gaussian(given: Given): Losses {
  const [x, y, shape] = pairOf(given)
  const raw = given.operand('var')
  const eps = given.number('eps', 1e-6)
  const own =
    raw.shape.length === shape.length || raw.data.length === 1 ? raw : reshape(raw, [...raw.shape, 1])
  const spread = expand(own, shape)
  const more = given.flag('full', false) ? 0.5 * Math.log(2 * Math.PI) : 0
  const wide = (i: number): number => Math.max(spread.data[i], eps)
  const square = (i: number): number => (x.data[i] - y.data[i]) ** 2 / wide(i)
  const near = (i: number): number =>
    ((Math.abs(x.data[i]) + Math.abs(y.data[i])) * Math.abs(x.data[i] - y.data[i])) / wide(i)
  return lossesOf(
    array(
      x.data.map((_, i) => 0.5 * (Math.log(wide(i)) + square(i)) + more),
      shape,
    ),
    x.data.map((_, i) => 0.5 * (Math.abs(Math.log(wide(i))) + square(i)) + near(i) + more),
  )
}

function ranking(given: Given): Losses {
  const [a, b, shape] = pairOf(given, 'input1', 'input2')
  const y = expand(given.operand('target'), shape)
  const margin = given.number('margin', 0)
  return lossesOf(
    array(
      a.data.map((x, i) => Math.max(0, -y.data[i] * (x - b.data[i]) + margin)),
      shape,
    ),
    a.data.map((x, i) => Math.abs(x) + Math.abs(b.data[i]) + Math.abs(margin)),
  )
}

/** One loss for what belongs together, another for what does not; nothing for other targets. */
function signed(target: number, together: number, apart: number): number {
  if (target === 1) return together
  return target === -1 ? apart : 0
}

function hinge(given: Given): Losses {
  const [x, y, shape] = pairOf(given)
  const margin = given.number('margin', 1)
  const of = (v: number, t: number): number => signed(t, v, Math.max(0, margin - v))
  return lossesOf(
    array(
      x.data.map((v, i) => of(v, y.data[i])),
      shape,
    ),
    x.data.map(v => Math.abs(v) + Math.abs(margin)),
  )
}

function soft(given: Given): Losses {
  const [x, y, shape] = pairOf(given)
  return lossesOf(
    array(
      x.data.map((v, i) => softplus(-y.data[i] * v)),
      shape,
    ),
  )
}

function backOfSoft(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return []
  const [x, y, shape] = pairOf(call.given)
  const by = reductionOf(call.given) === 'mean' ? x.data.length : 1
  const wide = expand(grad, shape)
  const data = x.data.map((v, i) => (-y.data[i] * sigmoid(-y.data[i] * v) * wide.data[i]) / by)
  return [staged(array(data, shape))]
}

// ---------------------------------------- row by row

const rowsAlong = (a: NdArray): readonly Float64Array[] => {
  const rows = rowsOf(a, a.shape.length > 0 ? [a.shape.length - 1] : [])
  return Array.from({ length: rows.count }, (_, i) =>
    rows.data.subarray(i * rows.length, (i + 1) * rows.length),
  )
}

const dot = (x: Float64Array, y: Float64Array): number => x.reduce((sum, v, i) => sum + v * y[i], 0)

function cosine(given: Given): Losses {
  const [a, b] = [given.tensor('input1'), given.tensor('input2')]
  const y = given.tensor('target')
  const margin = given.number('margin', 0)
  const eps = 1e-12
  const others = rowsAlong(b)
  const found = rowsAlong(a).map(
    (x, i) => dot(x, others[i]) / Math.sqrt((dot(x, x) + eps) * (dot(others[i], others[i]) + eps)),
  )
  const of = (cos: number, t: number): number => signed(t, 1 - cos, Math.max(0, cos - margin))
  const shape = a.shape.slice(0, -1)
  const length = a.shape.at(-1) ?? 1
  return lossesOf(
    array(
      Float64Array.from(found, (cos, i) => of(cos, y.data[i])),
      shape,
    ),
    Float64Array.from(found, () => 1 + Math.abs(margin) + length / 16),
  )
}

/** Every class is held against each target of its row; targets end with the first negative one. */
function multilabel(given: Given): Losses {
  const [x, y] = [given.tensor('input'), given.tensor('target')]
  const wanted = rowsAlong(y)
  const found = rowsAlong(x).map((row, r) => {
    const end = wanted[r].findIndex(t => t < 0)
    const own = [...wanted[r].subarray(0, end < 0 ? undefined : end)]
    let sum = 0
    for (const t of own)
      for (const [c, v] of row.entries()) if (!own.includes(c)) sum += Math.max(0, 1 - (row[t] - v))
    return sum / row.length
  })
  return byRows(x, found)
}

/** Losses of rows; a single row has one without an axis. */
function byRows(x: NdArray, found: readonly number[]): Losses {
  const most = x.data.reduce((top, v) => Math.max(top, Math.abs(v)), 0)
  return lossesOf(
    array(Float64Array.from(found), x.shape.slice(0, -1)),
    Float64Array.from(found, loss => Math.abs(loss) + 2 * most + 1),
  )
}

function multilabelSoft(given: Given): Losses {
  const [x, y] = [given.tensor('input'), given.tensor('target')]
  const weight = given.maybe('weight')
  const all = expand(weight ?? array(Float64Array.of(1), []), x.shape)
  const lost = x.data.map((v, i) => (y.data[i] * softplus(-v) + (1 - y.data[i]) * softplus(v)) * all.data[i])
  return byRows(
    x,
    rowsAlong(array(lost, x.shape)).map(row => row.reduce((sum, v) => sum + v, 0) / row.length),
  )
}

/** Each class against the wanted one, to a power of one or two. */
function multi(given: Given): Losses {
  const x = given.tensor('input')
  const target = given.tensor('target')
  const found = rowsAlong(x).map((row, r) => {
    const t = target.data[r]
    let sum = 0
    eachAbove(given, row, t, loss => {
      sum += loss
    })
    return sum / row.length
  })
  return byRows(x, found)
}

function eachAbove(
  given: Given,
  row: Float64Array,
  target: number,
  visit: (loss: number, at: number, slope: number) => void,
): void {
  const [p, margin, weight] = [given.number('p', 1), given.number('margin', 1), given.maybe('weight')]
  if (!(target >= 0 && target < row.length)) throw new Unsupported('arguments', `target ${target}`)
  const by = weight ? weight.data[target] : 1
  for (const [c, v] of row.entries()) {
    const above = c === target ? 0 : margin - row[target] + v
    if (above > 0) visit(by * above ** p, c, by * (p === 1 ? 1 : 2 * above))
  }
}

function backOfMulti(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return []
  const { given } = call
  const [x, target] = [given.tensor('input'), given.tensor('target')]
  const rows = rowsAlong(x)
  const wide = expand(grad, target.shape)
  const by = reductionOf(given) === 'mean' ? rows.length : 1
  const into = new Float64Array(x.data.length)
  for (const [r, row] of rows.entries())
    eachAbove(given, row, target.data[r], (_, c, slope) => {
      const part = (slope * wide.data[r]) / row.length / by
      into[r * row.length + c] += part
      into[r * row.length + target.data[r]] -= part
    })
  return [staged(array(into, x.shape), rows[0].length)]
}

/** How much further off the negative one is than the positive one, as far as it falls short of the margin. */
function triplet(given: Given): Losses & { readonly short: Float64Array } {
  const [anchor, positive, negative] = ['anchor', 'positive', 'negative'].map(name => given.tensor(name))
  if (given.has('distance_function')) throw new Unsupported('unsupported', 'distance_function')
  const [margin, p, eps] = [given.number('margin', 1), given.number('p', 2), given.number('eps', 1e-6)]
  const shape = broadcast(anchor.shape, positive.shape, negative.shape)
  const between = (a: NdArray, b: NdArray): readonly number[] =>
    rowsAlong(combine(expand(a, shape), expand(b, shape), (x, y) => x - y + eps)).map(row => normOf(row, p))
  const [near, far] = [between(anchor, positive), between(anchor, negative)]
  const other = given.flag('swap', false) ? between(positive, negative) : far
  const short = Float64Array.from(near, (d, i) => d - Math.min(far[i], other[i]) + margin)
  return {
    values: array(
      short.map(x => Math.max(0, x)),
      shape.slice(0, -1),
    ),
    sizes: short.map((_, i) => near[i] + far[i] + Math.abs(margin)),
    short,
  }
}

/** Without a sum the last node cuts off below zero. */
function backOfTriplet(call: BackwardCall): readonly Gradient[] {
  const lost = triplet(call.given)
  const reduction = reductionOf(call.given)
  const grad = incoming(call)
  if (reduction !== 'none' || !grad) return backOfGathering(call, lost, reduction)
  const [stored] = call.stored
  if (call.stored.length !== 1 || !stored || !sameShape(stored, grad.shape)) return []
  return [exact({ ...grad, data: grad.data.map((g, i) => (lost.short[i] >= 0 ? g : 0)) })]
}

const reductions = 'size_average reduce reduction'

export const marginOperations: readonly Operation[] = [
  losing('poisson_nll_loss', 'input target log_input full size_average eps reduce reduction', poisson),
  losing('gaussian_nll_loss', 'input target var full eps reduction', gaussian),
  losing('margin_ranking_loss', `input1 input2 target margin ${reductions}`, ranking, { first: 'input1' }),
  losing('hinge_embedding_loss', `input target margin ${reductions}`, hinge),
  losing('soft_margin_loss', `input target ${reductions}`, soft, { backward: backOfSoft }),
  losing('cosine_embedding_loss', `input1 input2 target margin ${reductions}`, cosine, { first: 'input1' }),
  losing('multilabel_margin_loss', `input target ${reductions}`, multilabel, { backward: () => [] }),
  losing('multilabel_soft_margin_loss', `input target weight ${reductions}`, multilabelSoft),
  losing('multi_margin_loss', `input target p margin weight ${reductions}`, multi, { backward: backOfMulti }),
  losing('triplet_margin_loss', `anchor positive negative margin p eps swap ${reductions}`, triplet, {
    first: 'anchor',
    backward: backOfTriplet,
  }),
  losing(
    'triplet_margin_with_distance_loss',
    'anchor positive negative | distance_function margin swap reduction',
    triplet,
    { first: 'anchor', backward: backOfTriplet },
  ),
]
