// msprobe's highlight: which rows are red or yellow, and the texts that say why.
import type { Steps } from '../work/index.ts'
import { type Column, Fill, type PairRow, State } from '../model/index.ts'

export const highlightTexts = [
  'maximum or minimum is nan, -inf, or inf',
  'maximum absolute error exceeds 1e+10',
  "The input/parameters's one thousandth err ratio exceeds 0.9, while the output's is below 0.6",
  'maximum relative error exceeds 0.5',
  'maximum absolute error of both input/parameters and output exceed 1, with the output larger by an order of magnitude',
  "The output's one thousandth err ratio decreases by more than 0.1 compared to the input/parameters's",
  "The output's cosine decreases by more than 0.1 compared to the input/parameters's",
  "The output's maximum relative error exceeds 0.1, while the input/parameters's is below 0.01",
] as const
const Text = {
  overflow: 0,
  huge: 1,
  thousandthRed: 2,
  relativeRed: 3,
  order: 4,
  thousandthYellow: 5,
  cosineYellow: 6,
  relativeYellow: 7,
} as const

/** What the rules look at, per row. Numbers are NaN where the cell is no number. */
export interface HighlightInput {
  readonly length: number
  /** Some number per call; rows of a batch are neighbours of one call, or gradients of its module. */
  readonly call: Int32Array
  readonly state: Column<Uint8Array, PairRow>
  /** Item name up to its state, with the dot; asked for gradients only. */
  part(row: PairRow): string
  /** 1 where the text of NPU max or min is nan or inf. */
  readonly overflow: Column<Uint8Array, PairRow>
  /** Maximum absolute error, or difference of the maxima; NaN when no number. */
  readonly error: Column<Float64Array, PairRow>
  /** 1 where NPU max, Bench max and the error are numbers. */
  readonly numeric: Column<Uint8Array, PairRow>
  /** Statistics: Bench max, NaN when no number. */
  readonly benchMax: Column<Float64Array, PairRow> | null
  /** Tensors: rounded ratio and cosine, NaN when no number. */
  readonly thousandth: Column<Float64Array, PairRow> | null
  readonly cosine: Column<Float64Array, PairRow> | null
}

interface HighlightRules {
  /** Smallest denominator of the maximum relative error. */
  readonly smallestMax: number
  /** The order rule wants both errors above 1. */
  readonly bothAboveOne: boolean
}

interface Highlight {
  readonly fill: Column<Uint8Array, PairRow>
  /** Codes of texts of a row, in their order; shared empty list where there are none. */
  notes(row: PairRow): readonly number[]
}

const hugeError = 1e10
const mostPairs = 1_000_000
const rowsPerStep = 4096
const none: readonly number[] = []

export function* highlight(input: HighlightInput, rules: HighlightRules): Steps<Highlight> {
  const { call, state, overflow, error, numeric } = input
  const fill = new Uint8Array(input.length)
  const red = new Map<PairRow, number[]>()
  const yellow = new Map<PairRow, number[]>()
  const pair = pairRules(
    input,
    rules,
    (row, text) => note(red, row, text),
    (row, text) => note(yellow, row, text),
  )

  /** Colours the rows of the call that begins here; returns where the next begins. */
  const callFrom = (start: number): number => {
    const first = call[start]
    let part = ''
    let ins = 1
    let outs = 0
    let end = start + 1
    for (; end < input.length; end++) {
      if (call[end] !== first) {
        if (state[end] !== State.parametersGrad) break
        part ||= input.part(start)
        if (!part.includes(input.part(end))) break
      }
      if (state[end] === State.input || state[end] === State.parameters) ins++
      else if (state[end] === State.output) outs++
    }
    for (let row = start; row < end; row++) {
      if (overflow[row]) note(red, row, Text.overflow)
      else if (Math.abs(error[row]) > hugeError) note(red, row, Text.huge)
    }
    // A call with thousands of inputs and outputs is no call; its rows keep their own colours.
    const pairedTo = ins * outs <= mostPairs ? start + ins + outs : start
    for (let out = start + ins; out < pairedTo; out++) {
      if (numeric[out]) for (let into = start; into < start + ins; into++) if (numeric[into]) pair(into, out)
    }
    return end
  }

  for (let start = 0; start < input.length; yield) {
    for (const stop = Math.min(input.length, start + rowsPerStep); start < stop;) start = callFrom(start)
  }
  for (const row of yellow.keys()) fill[row] = Fill.yellow
  for (const row of red.keys()) fill[row] = Fill.red
  return { fill, notes: row => red.get(row) ?? yellow.get(row) ?? none }
}

function note(list: Map<PairRow, number[]>, row: PairRow, text: number): void {
  const known = list.get(row)
  if (known) known.push(text)
  else list.set(row, [text])
}

type Say = (row: PairRow, text: number) => void

/** Order of magnitude, 0 below 1. */
const order = (x: number): number => (Math.abs(x) < 1 ? 0 : Math.log10(Math.abs(x)))

function pairRules(
  input: HighlightInput,
  rules: HighlightRules,
  red: Say,
  yellow: Say,
): (into: number, out: number) => void {
  const { error, benchMax, thousandth, cosine } = input
  const relative = (row: PairRow, max: Column<Float64Array, PairRow>): number =>
    Math.abs(error[row] / Math.max(rules.smallestMax, max[row]))

  return (into, out) => {
    if (
      Math.abs(error[into]) <= Math.abs(error[out]) &&
      order(error[out]) - order(error[into]) >= 1 &&
      !(rules.bothAboveOne && Math.abs(error[into]) <= 1)
    )
      yellow(out, Text.order)
    if (thousandth && cosine) {
      if (thousandth[into] > 0.9 && thousandth[out] < 0.6) red(out, Text.thousandthRed)
      else if (thousandth[into] - thousandth[out] > 0.1) yellow(out, Text.thousandthYellow)
      if (cosine[into] - cosine[out] > 0.1) yellow(out, Text.cosineYellow)
    } else if (benchMax) {
      const rel = relative(out, benchMax)
      if (rel > 0.5) red(out, Text.relativeRed)
      else if (rel > 0.1 && relative(into, benchMax) < 0.01) yellow(out, Text.relativeYellow)
    }
  }
}
