// Losses: what is lost per element, and its sum or mean.
import { type Given, isNumber } from './arguments.ts'
import { array, broadcast, expand, map, type NdArray, permute, sameShape, scalar, sizeOf } from './array.ts'
import { ofShape } from './binary.ts'
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
  summedInSteps,
} from './operation.ts'
import { logSoftmaxOf, softmaxGradient } from './reduce.ts'
import { isFloat } from './rounding.ts'
import { sigmoid, softplus } from './special.ts'
import { Unsupported } from './unsupported.ts'

export function reductionOf(given: Given): string {
  const flag = (name: string): boolean | null => {
    const raw = given.raw(name)
    return isNumber(raw) ? raw.value !== 0 : null
  }
  const [average, reduce] = [flag('size_average'), flag('reduce')]
  if (average === null && reduce === null) return given.text('reduction', 'mean')
  if (reduce === false) return 'none'
  return average === false ? 'sum' : 'mean'
}

const total = (data: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < data.length; i++) sum += data[i]
  return sum
}

interface Gathering {
  /** What the mean divides by. */
  readonly by: number
  readonly dtype: NdArray['dtype']
  /** How large the numbers were that each loss was taken from, where they are larger than it. */
  readonly sizes?: Float64Array
}

/** All elements as one number, divided where the mean is asked for. */
export function gathered(
  losses: NdArray,
  reduction: string,
  { by: count, dtype, sizes = losses.data.map(Math.abs) }: Gathering,
): readonly Outcome[] {
  if (reduction === 'none') {
    return [summedInSteps({ ...losses, dtype }, 0, () => sizes)]
  }
  const by = reduction === 'sum' ? 1 : count
  if (!['sum', 'mean', 'batchmean'].includes(reduction)) throw new Unsupported('arguments', 'reduction')
  const values = scalar(total(losses.data) / by, dtype)
  return [summedInSteps(values, losses.data.length, () => Float64Array.of(total(sizes) / by))]
}

// ---------------------------------------- two arrays of one shape

interface Lost {
  /** `i`: which element of the losses it is. */
  of(x: number, y: number, i: number): number
  /** By the first argument, and by the second where it has one. */
  slope(x: number, y: number, i: number): number
  slopeOfTarget?(x: number, y: number): number
}

interface Sides {
  readonly x: NdArray
  readonly y: NdArray
  readonly weight: NdArray | null
  readonly shape: readonly number[]
}

function sidesOf(given: Given): Sides {
  const [a, b] = [given.operand('input'), given.operand('target')]
  const weight = given.maybe('weight')
  const shape = broadcast(a.shape, b.shape, ...(weight ? [weight.shape] : []))
  return { x: expand(a, shape), y: expand(b, shape), weight: weight && expand(weight, shape), shape }
}

/** What the mean is divided by. */
function divisor(given: Given, shape: readonly number[]): number {
  const reduction = reductionOf(given)
  if (reduction === 'mean') return sizeOf(shape)
  return reduction === 'batchmean' ? shape[0] : 1
}

const pointwise = (
  names: string,
  signature: string,
  lost: (given: Given) => Lost,
  back?: Operation['backward'],
): Operation =>
  operation(
    names,
    signature,
    given => {
      const { x, y, weight, shape } = sidesOf(given)
      const { of } = lost(given)
      const data = x.data.map((v, i) => of(v, y.data[i], i) * (weight ? weight.data[i] : 1))
      const name = given.operand('input').dtype
      return gathered(array(data, shape), reductionOf(given), {
        by: divisor(given, shape),
        dtype: isFloat(name) ? name : 'float32',
      })
    },
    { backward: back ?? (call => backOfPoints(call, lost(call.given))) },
  )

function backOfPoints(call: BackwardCall, { slope, slopeOfTarget }: Lost): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null]
  const { given } = call
  const { x, y, weight, shape } = sidesOf(given)
  const by = divisor(given, shape)
  const incomingOf = expand(grad, shape)
  const of = (by_: (x: number, y: number, i: number) => number): NdArray =>
    array(
      incomingOf.data.map(
        (g, i) => ((g * by_(x.data[i], y.data[i], i)) / by) * (weight ? weight.data[i] : 1),
      ),
      shape,
    )
  return [
    ofShape(of(slope), given.operand('input').shape, false),
    slopeOfTarget ? ofShape(of(slopeOfTarget), given.operand('target').shape, false) : null,
  ]
}

/** The node is the mean or the sum of the elements: the incoming gradient, spread. */
function backOfReduction(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  const [stored] = call.stored
  if (!grad || !stored) return []
  const { shape } = sidesOf(call.given)
  if (sizeOf(stored) !== sizeOf(shape) || reductionOf(call.given) === 'none') return []
  const by = divisor(call.given, shape)
  const values = map(expand(grad, shape), g => g / by)
  return [by === 1 ? exact(values) : step(values)]
}

const logOf = (x: number): number => Math.max(Math.log(x), -100)

/** Target logarithms too, where they are given as such. */
const divergence = (given: Given): Lost =>
  given.flag('log_target', false)
    ? { of: (x, y) => Math.exp(y) * (y - x), slope: (_, y) => -Math.exp(y) }
    : { of: (x, y) => (y === 0 ? 0 : y * Math.log(y)) - y * x, slope: (_, y) => -y }

function smooth(beta: number): Lost {
  return {
    of(x, y) {
      const d = Math.abs(x - y)
      return d < beta ? (0.5 * d * d) / beta : d - 0.5 * beta
    },
    slope: (x, y) => (Math.abs(x - y) < beta ? (x - y) / beta : Math.sign(x - y)),
    slopeOfTarget: (x, y) => (Math.abs(x - y) < beta ? (y - x) / beta : Math.sign(y - x)),
  }
}

function huber(delta: number): Lost {
  return {
    of(x, y) {
      const d = Math.abs(x - y)
      return d <= delta ? 0.5 * d * d : delta * (d - 0.5 * delta)
    },
    slope: (x, y) => (Math.abs(x - y) <= delta ? x - y : delta * Math.sign(x - y)),
    slopeOfTarget: (x, y) => (Math.abs(x - y) <= delta ? y - x : delta * Math.sign(y - x)),
  }
}

const withLogits = (given: Given): Lost => {
  const weight = given.maybe('pos_weight')
  const positive = weight && expand(weight, sidesOf(given).shape).data
  const by = (i: number): number => (positive ? positive[i] : 1)
  return {
    of: (x, y, i) => y * by(i) * softplus(-x) + (1 - y) * softplus(x),
    slope: (x, y, i) => (1 - y) * sigmoid(x) - y * by(i) * sigmoid(-x),
  }
}

// ---------------------------------------- classes

/** Logarithms as rows [samples, classes], and how often each sample counts. */
interface Classes {
  readonly rows: NdArray
  readonly classes: number
  /** Chosen class per row; -1 where it is ignored. */
  readonly targets: Float64Array
  readonly weights: Float64Array | null
  /** Shape of the losses, one per row. */
  readonly shape: readonly number[]
}

/** [batch, classes, …] with the classes last. */
function classRows(a: NdArray): NdArray {
  if (a.shape.length < 3) return a
  const rest = a.shape.map((_, axis) => axis).slice(2)
  return permute(a, [0, ...rest, 1])
}

function classesOf(given: Given, a: NdArray): Classes {
  const target = given.tensor('target')
  const weight = given.maybe('weight')
  const classes = a.shape[a.shape.length > 1 ? 1 : 0]
  const ignored = given.number('ignore_index', -100)
  const targets = target.data.map(at => {
    if (at === ignored) return -1
    if (!(at >= 0 && at < classes)) throw new Unsupported('arguments', `target ${at}`)
    return at
  })
  return { rows: classRows(a), classes, targets, weights: weight && weight.data, shape: target.shape }
}

const weightAt = ({ weights }: Classes, target: number): number => (weights ? weights[target] : 1)

function picked(classes: Classes, given: Given, name: NdArray['dtype']): readonly Outcome[] {
  const { rows, targets, shape } = classes
  let count = 0
  const losses = targets.map((target, i) => {
    if (target < 0) return 0
    const by = weightAt(classes, target)
    count += by
    return -rows.data[i * classes.classes + target] * by
  })
  return gathered(array(losses, shape), reductionOf(given), { by: count, dtype: name })
}

function backOfClasses(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const { given } = call
  const a = given.tensor('input')
  return [staged(chosenGradient(classesOf(given, a), grad, reductionOf(given), a))]
}

/** The gradient of the negative logarithm of the chosen classes. */
function chosenGradient(classes: Classes, grad: NdArray, reduction: string, a: NdArray): NdArray {
  const { targets, rows } = classes
  const count = targets.reduce((sum, target) => sum + (target < 0 ? 0 : weightAt(classes, target)), 0)
  const into = new Float64Array(rows.data.length)
  for (let i = 0; i < targets.length; i++) {
    if (targets[i] < 0) continue
    const g = (reduction === 'none' ? grad.data[i] : grad.data[0]) * weightAt(classes, targets[i])
    into[i * classes.classes + targets[i]] = reduction === 'mean' ? -g / count : -g
  }
  return backToClasses(into, a)
}

function backToClasses(data: Float64Array, a: NdArray): NdArray {
  if (a.shape.length < 3) return array(data, a.shape)
  const last = a.shape.length - 1
  const moved = array(data, [a.shape[0], ...a.shape.slice(2), a.shape[1]])
  return permute(moved, [0, last, ...a.shape.map((_, axis) => axis).slice(1, last)])
}

function crossEntropy(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const classAxis = a.shape.length > 1 ? 1 : 0
  const logs = logSoftmaxOf(a, classAxis)
  if (isFloat(given.tensor('target').dtype)) return byProbability(given, logs)
  const smoothing = given.number('label_smoothing', 0)
  const classes = classesOf(given, logs)
  const [plain] = picked(classes, given, a.dtype)
  if (smoothing === 0) return [plain]
  const [even] = evenly(classes, given, a.dtype)
  const by = smoothing / classes.classes
  const data = plain.values.data.map((x, i) => (1 - smoothing) * x + by * even.values.data[i])
  return [staged({ ...plain.values, data }, classes.rows.data.length)]
}

/** The same loss with all classes as targets. */
function evenly(classes: Classes, given: Given, name: NdArray['dtype']): readonly Outcome[] {
  const { rows, targets, shape } = classes
  let count = 0
  const losses = targets.map((target, i) => {
    if (target < 0) return 0
    count += weightAt(classes, target)
    let sum = 0
    for (let c = 0; c < classes.classes; c++) sum -= rows.data[i * classes.classes + c] * weightAt(classes, c)
    return sum
  })
  return gathered(array(losses, shape), reductionOf(given), { by: count, dtype: name })
}

function byProbability(given: Given, logs: NdArray): readonly Outcome[] {
  const smoothing = given.number('label_smoothing', 0)
  const weight = given.maybe('weight')
  const [rows, targets] = [classRows(logs), classRows(given.tensor('target'))]
  const classes = logs.shape[logs.shape.length > 1 ? 1 : 0]
  const losses = new Float64Array(rows.data.length / classes)
  for (let i = 0; i < rows.data.length; i++) {
    const c = i % classes
    const wanted = targets.data[i] * (1 - smoothing) + smoothing / classes
    losses[(i - c) / classes] -= rows.data[i] * wanted * (weight ? weight.data[c] : 1)
  }
  const shape = logs.shape.filter((_, axis) => axis !== (logs.shape.length > 1 ? 1 : 0))
  return gathered(array(losses, shape), reductionOf(given), { by: losses.length, dtype: logs.dtype })
}

/**
 * The last node takes the logarithms of the softmax; MindSpore tells the gradient of the call's own input. Which
 * one was stored cannot be seen from the shape.
 */
const backOfCrossEntropy = (call: BackwardCall): readonly Gradient[] => {
  const grad = incoming(call)
  const [stored] = call.stored
  const { given } = call
  const a = given.tensor('input')
  if (!grad || !stored || isFloat(given.tensor('target').dtype)) return []
  // Smoothed, the node adds two losses.
  if (given.number('label_smoothing', 0) !== 0)
    return call.stored.length === 2 && sameShape(stored, grad.shape) ? [exact(grad), exact(grad)] : []
  if (sizeOf(stored) !== a.data.length) return []
  const logs = logSoftmaxOf(a, a.shape.length > 1 ? 1 : 0)
  return [staged(chosenGradient(classesOf(given, logs), grad, reductionOf(given), a))]
}

export const wholeCrossEntropyGradient = (call: BackwardCall): readonly Gradient[] => {
  const [inner] = backOfCrossEntropy(call)
  const grad = incoming(call)
  if (!inner || !grad) return []
  const a = call.given.tensor('input')
  const axis = a.shape.length > 1 ? 1 : 0
  return [
    staged(
      softmaxGradient(logSoftmaxOf(a, axis), inner.values, axis, true),
      a.shape[axis],
      Math.abs(grad.data[0]),
    ),
    null,
  ]
}

const reductions = 'size_average reduce reduction'

export const lossOperations: readonly Operation[] = [
  pointwise('mse_loss', `input target ${reductions} weight`, () => ({
    of: (x, y) => (x - y) ** 2,
    slope: (x, y) => 2 * (x - y),
    slopeOfTarget: (x, y) => 2 * (y - x),
  })),
  pointwise(
    'l1_loss',
    `input target ${reductions} weight`,
    () => ({ of: (x, y) => Math.abs(x - y), slope: (x, y) => Math.sign(x - y) }),
    backOfReduction,
  ),
  pointwise('smooth_l1_loss', `input target ${reductions} beta`, given => smooth(given.number('beta', 1))),
  pointwise('huber_loss', 'input target reduction delta weight', given => huber(given.number('delta', 1))),
  pointwise('binary_cross_entropy', `input target weight ${reductions}`, () => ({
    of: (x, y) => -(y * logOf(x) + (1 - y) * logOf(1 - x)),
    slope: (x, y) => (x - y) / Math.max((1 - x) * x, 1e-12),
  })),
  pointwise('binary_cross_entropy_with_logits', `input target weight ${reductions} pos_weight`, withLogits),
  pointwise('kl_div', `input target ${reductions} log_target`, divergence, backOfDivergence),
  operation(
    'nll_loss',
    'input target weight size_average ignore_index reduce reduction',
    given => {
      const a = given.tensor('input')
      return picked(classesOf(given, a), given, a.dtype)
    },
    { backward: backOfClasses },
  ),
  operation(
    'cross_entropy',
    'input target weight size_average ignore_index reduce reduction label_smoothing',
    crossEntropy,
    { backward: backOfCrossEntropy },
  ),
]

/** With `batchmean` the node divides the sum: a number. */
function backOfDivergence(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  const [stored] = call.stored
  if (!grad || !stored) return []
  if (reductionOf(call.given) !== 'batchmean') return backOfReduction(call)
  if (stored.length !== 0) return []
  const [rows] = call.given.operand('input').shape
  return [step(map(grad, g => g / rows)), null]
}
