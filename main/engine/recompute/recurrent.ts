// Recurrent layers and their single steps: LSTM, GRU and plain ones, packed or not, in both directions.
import { type Argument, type Given, isList, isNumber, isTensor } from './arguments.ts'
import { add, array, map, type NdArray, permute, reshape, sameShape, swapped } from './array.ts'
import { fitting } from './matmul.ts'
import {
  type BackwardCall,
  exact,
  type Gradient,
  incoming,
  type Operation,
  operation,
  type Outcome,
  staged,
} from './operation.ts'
import { product, transposed } from './product.ts'
import { sizeOfGradient } from './reduce.ts'
import { joined, picked } from './shapes.ts'
import { sigmoid } from './special.ts'
import { Unsupported } from './unsupported.ts'

/** What one step makes of the sums for its gates: states in, states out, one row per sequence. */
interface Cell {
  /** How many sums there are per element of the state. */
  readonly gates: number
  /** How many states it hands on. */
  readonly states: number
  /** `fromInput`, `fromState`: the sums; `at`: where this row's gates begin in both; `states` are changed in place. */
  step(fromInput: Float64Array, fromState: Float64Array, at: number, states: readonly Float64Array[]): void
}

const lstm: Cell = {
  gates: 4,
  states: 2,
  step(x, h, at, [hidden, memory]) {
    const size = hidden.length
    for (let i = 0; i < size; i++) {
      const gate = (k: number): number => x[at + k * size + i] + h[at + k * size + i]
      memory[i] = sigmoid(gate(1)) * memory[i] + sigmoid(gate(0)) * Math.tanh(gate(2))
      hidden[i] = sigmoid(gate(3)) * Math.tanh(memory[i])
    }
  },
}
const gru: Cell = {
  gates: 3,
  states: 1,
  step(x, h, at, [hidden]) {
    const size = hidden.length
    for (let i = 0; i < size; i++) {
      const [reset, kept] = [0, 1].map(k => sigmoid(x[at + k * size + i] + h[at + k * size + i]))
      const fresh = Math.tanh(x[at + 2 * size + i] + reset * h[at + 2 * size + i])
      hidden[i] = (1 - kept) * fresh + kept * hidden[i]
    }
  },
}
const plain = (of: (x: number) => number): Cell => ({
  gates: 1,
  states: 1,
  step(x, h, at, [hidden]) {
    for (let i = 0; i < hidden.length; i++) hidden[i] = of(x[at + i] + h[at + i])
  },
})
const cells = { lstm, gru, rnn_tanh: plain(Math.tanh), rnn_relu: plain(x => Math.max(0, x)) }

/** Weights of one layer in one direction. */
interface Weights {
  readonly fromInput: NdArray
  readonly fromState: NdArray
  readonly inputBias: NdArray | null
  readonly stateBias: NdArray | null
  /** Of an LSTM that hands on less than its memory holds. */
  readonly projection: NdArray | null
}

const sums = (values: NdArray, weight: NdArray, bias: NdArray | null): NdArray => {
  const all = product(values, transposed(weight))
  return bias ? add(all, bias) : all
}

/** One step of all rows; states are [rows, size]. */
function stepped(
  cell: Cell,
  sumsOfInput: NdArray,
  states: readonly NdArray[],
  of: Weights,
): readonly NdArray[] {
  const size = of.fromState.shape[0] / cell.gates
  const fromState = sums(states[0], of.fromState, of.stateBias)
  const [rows] = states[0].shape
  const memory = states.at(-1)
  if (!memory || sumsOfInput.shape[0] !== rows) throw new Unsupported('shapes', 'hx')
  const hidden = new Float64Array(rows * size)
  // What is handed on may be narrower than what the gates make.
  if (!of.projection) hidden.set(states[0].data)
  const kept = cell.states === 2 ? memory.data.slice() : hidden
  for (let row = 0; row < rows; row++) {
    const part = (data: Float64Array): Float64Array => data.subarray(row * size, (row + 1) * size)
    const own = cell.states === 2 ? [part(hidden), part(kept)] : [part(hidden)]
    cell.step(sumsOfInput.data, fromState.data, row * cell.gates * size, own)
  }
  const made = array(hidden, [rows, size])
  const next = of.projection ? product(made, transposed(of.projection)) : made
  return cell.states === 2 ? [next, array(kept, [rows, size])] : [next]
}

const rowsFrom = (a: NdArray, from: number, count: number): NdArray => ({
  ...a,
  shape: [count, ...a.shape.slice(1)],
  data: a.data.subarray(from * (a.shape[1] ?? 1), (from + count) * (a.shape[1] ?? 1)),
})

// ---------------------------------------- whole layers

interface Layers {
  readonly cell: Cell
  /** All steps below each other: [rows of all steps, size]. */
  readonly input: NdArray
  /** How many sequences still run at each step. */
  readonly running: readonly number[]
  /** [layers · directions, sequences, size] */
  readonly states: readonly NdArray[]
  readonly weights: readonly Weights[]
  readonly directions: number
  readonly layers: number
  readonly batchFirst: boolean
  readonly isPacked: boolean
}

type Name = keyof typeof cells

function layersOf(given: Given, name: Name): Layers {
  const rest = given.raw('rest')
  if (!isList(rest)) throw new Unsupported('arguments', name)
  // Packed sequences tell after the data how many run at each step.
  const isPacked = isTensor(rest[0]) && (name === 'lstm' || isTensor(rest[1]))
  const [hx, params, biased, layerCount, dropout, training, both, first] = isPacked ? rest.slice(1) : rest
  const load = (one: Argument): NdArray => given.asArray(one, name)
  const truth = (one: Argument | undefined): boolean => isNumber(one) && one.value !== 0
  if (truth(dropout) && truth(training)) throw new Unsupported('random', 'dropout')
  if (!isList(params) || !isNumber(layerCount)) throw new Unsupported('arguments', name)
  const data = given.tensor('input')
  const batchFirst = !isPacked && truth(first)
  const steps = batchFirst ? swapped(data, 0, 1) : data
  const running = isPacked
    ? [...load(rest[0]).data]
    : Array.from({ length: steps.shape[0] }, () => steps.shape[1])
  const directions = truth(both) ? 2 : 1
  return {
    cell: cells[name],
    input: reshape(steps, [-1, steps.shape.at(-1) ?? 1]),
    running,
    states: (isList(hx) ? hx : [hx ?? null]).map(load),
    weights: weightsOf(params.map(load), layerCount.value * directions, truth(biased)),
    directions,
    layers: layerCount.value,
    batchFirst,
    isPacked,
  }
}

function weightsOf(all: readonly NdArray[], count: number, biased: boolean): readonly Weights[] {
  const each = all.length / count
  const least = biased ? 4 : 2
  if (each !== least && each !== least + 1) throw new Unsupported('arguments', 'weights')
  return Array.from({ length: count }, (_, i) => {
    const own = all.slice(i * each, (i + 1) * each)
    return {
      fromInput: own[0],
      fromState: own[1],
      inputBias: biased ? own[2] : null,
      stateBias: biased ? own[3] : null,
      projection: own[least] ?? null,
    }
  })
}

interface Ran {
  readonly output: NdArray
  readonly states: readonly NdArray[]
}

/** One layer in one direction over all steps. */
function ran(
  { cell, running }: Layers,
  input: NdArray,
  first: readonly NdArray[],
  of: Weights,
  back: boolean,
): Ran {
  const fromInput = sums(input, of.fromInput, of.inputBias)
  const begins: number[] = []
  let rows = 0
  for (const count of running) {
    begins.push(rows)
    rows += count
  }
  if (rows !== input.shape[0]) throw new Unsupported('shapes', 'batch_sizes')
  const states = first.map(state => ({ ...state, data: state.data.slice() }))
  const width = states[0].shape[1]
  const output = array(new Float64Array(rows * width), [rows, width])
  const order = begins.map((_, i) => (back ? begins.length - 1 - i : i))
  for (const at of order) {
    const count = running[at]
    const next = stepped(
      cell,
      rowsFrom(fromInput, begins[at], count),
      states.map(state => rowsFrom(state, 0, count)),
      of,
    )
    for (const [i, state] of next.entries()) states[i].data.set(state.data)
    output.data.set(next[0].data, begins[at] * width)
  }
  return { output, states }
}

function layered(given: Given, name: Name): readonly Outcome[] {
  const all = layersOf(given, name)
  const { directions, states } = all
  let input = all.input
  const last: NdArray[][] = states.map(() => [])
  for (let layer = 0; layer < all.layers; layer++) {
    const outputs: NdArray[] = []
    for (let direction = 0; direction < directions; direction++) {
      const at = layer * directions + direction
      const first = states.map(state => reshape(picked(state, 0, [at]), state.shape.slice(1)))
      const one = ran(all, input, first, all.weights[at], direction === 1)
      outputs.push(one.output)
      for (const [i, state] of one.states.entries()) last[i].push(reshape(state, [1, ...state.shape]))
    }
    input = joined(outputs, 1)
  }
  const { dtype } = given.tensor('input')
  // Errors of each step go on to the next: gates are about one, and so is what they are measured by.
  const length = all.running.length * all.layers * (all.weights[0].fromState.shape[1] + all.input.shape[1])
  return [outputOf(all, input), ...last.map(list => joined(list, 0))].map(values =>
    staged({ ...values, dtype }, length, 1),
  )
}

function outputOf({ running, batchFirst, isPacked }: Layers, rows: NdArray): NdArray {
  if (isPacked) return rows
  const steps = reshape(rows, [running.length, -1, rows.shape[1]])
  return batchFirst ? permute(steps, [1, 0, 2]) : steps
}

/** The last node turns the batch to the front, puts directions side by side, or steps below each other. */
const backOfLayers =
  (name: Name) =>
  (call: BackwardCall): readonly Gradient[] => {
    const grad = incoming(call)
    const { stored } = call
    if (!grad) return []
    const { running, batchFirst, directions, isPacked } = layersOf(call.given, name)
    if (stored.some(shape => shape === null)) return []
    if (batchFirst) return fitting(stored, [[exact(swapped(grad, 0, 1))]])
    const parts = (axis: number, lengths: readonly number[]): readonly NdArray[] => {
      let from = 0
      return lengths.map(length => {
        from += length
        const order = Array.from({ length }, (_, i) => from - length + i)
        return picked(grad, axis, order)
      })
    }
    const width = (grad.shape.at(-1) ?? 1) / directions
    const sides = parts(
      grad.shape.length - 1,
      Array.from({ length: directions }, () => width),
    )
    const steps = parts(0, isPacked ? running : running.map(() => 1)).map(one =>
      isPacked ? one : reshape(one, one.shape.slice(1)),
    )
    return fitting(
      stored,
      [directions > 1 ? sides : steps].map(list => list.map(exact)),
    )
  }

const whole = (name: Name): Operation =>
  operation(name, 'input *rest', given => layered(given, name), { backward: backOfLayers(name) })

// ---------------------------------------- single steps

const cellSignature = 'input hx w_ih w_hh b_ih b_hh'

interface Once {
  readonly after: readonly NdArray[]
  /** The sums for all gates, one row per sequence. */
  readonly gates: NdArray
}

function once(given: Given, cell: Cell): Once {
  const before = given.tensors('hx')
  const of: Weights = {
    fromInput: given.tensor('w_ih'),
    fromState: given.tensor('w_hh'),
    inputBias: given.maybe('b_ih'),
    stateBias: given.maybe('b_hh'),
    projection: null,
  }
  const rows = (a: NdArray): NdArray => (a.shape.length === 1 ? reshape(a, [1, a.data.length]) : a)
  const [states, fromInput] = [
    before.map(rows),
    sums(rows(given.tensor('input')), of.fromInput, of.inputBias),
  ]
  const after = stepped(cell, fromInput, states, of).map((state, i) => reshape(state, before[i].shape))
  return { after, gates: add(fromInput, sums(states[0], of.fromState, of.stateBias)) }
}

const single = (name: string, cell: Cell, back?: Operation['backward']): Operation =>
  operation(
    name,
    cellSignature,
    given => {
      const { dtype, shape } = given.tensor('input')
      const length = (shape.at(-1) ?? 1) + given.tensor('w_hh').shape[1]
      return once(given, cell).after.map(state => staged({ ...state, dtype }, length, 1))
    },
    back && { backward: back },
  )

/** The last node multiplies the open gate by the memory's tanh; of a memory that nothing reads no gradient comes. */
function backOfLstmCell(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad || !call.stored.every(shape => shape && sameShape(shape, grad.shape))) return []
  const { after, gates } = once(call.given, lstm)
  const size = grad.shape.at(-1) ?? 1
  const open = map(
    picked(
      gates,
      1,
      Array.from({ length: size }, (_, i) => 3 * size + i),
    ),
    sigmoid,
  )
  const times = (by: NdArray): Outcome =>
    staged(
      array(
        grad.data.map((g, i) => g * by.data[i]),
        grad.shape,
      ),
      2 * size,
      sizeOfGradient(grad),
    )
  return [times(map(after[1], Math.tanh)), times(open)]
}

/** The last node adds what is kept to what is new. */
function backOfGruCell(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad || call.stored.length !== 2) return []
  return call.stored.map(shape => (shape && sameShape(shape, grad.shape) ? exact(grad) : null))
}

export const recurrentOperations: readonly Operation[] = [
  whole('lstm'),
  whole('gru'),
  whole('rnn_tanh'),
  whole('rnn_relu'),
  single('lstm_cell', lstm, backOfLstmCell),
  single('gru_cell', gru, backOfGruCell),
  single('rnn_tanh_cell', cells.rnn_tanh),
  single('rnn_relu_cell', cells.rnn_relu),
]
