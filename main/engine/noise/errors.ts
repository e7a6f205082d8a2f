// How far two runs are apart, by item and by call: what came in, and what went out.
import { Equal, ErrorMeter, Part } from '../measure/index.ts'
import {
  type BenchItem,
  type Column,
  type Comparison,
  type DebugItem,
  type DebugOp,
  type Ids,
  State,
} from '../model/index.ts'
import { Direction, type DumpView } from '../pair/index.ts'
import { atOnce, overRows, type Steps } from '../work/index.ts'

/** What is known of two runs once they were measured. */
export type Compared = Pick<
  Comparison,
  'debug' | 'bench' | 'length' | 'debugItem' | 'benchItem' | 'measured' | 'pairOf'
>

/** Columns by debug item, as the advisor has them. */
export interface ItemErrors {
  readonly toBench: Ids<DebugItem, BenchItem>
  /** `Equal` of measure. */
  readonly equal: Column<Uint8Array, DebugItem>
  readonly level: Column<Float64Array, DebugItem>
  /** By `Part` of measure. */
  readonly parts: readonly Column<Float64Array, DebugItem>[]
}

const parts = Object.values(Part)

/** Of the items that the rows show; scalars and what has no partner are left out. */
export const itemErrors = (compared: Compared): ItemErrors => atOnce(itemErrorsInSteps(compared))

export function* itemErrorsInSteps(compared: Compared): Steps<ItemErrors> {
  const { debug, bench, debugItem, benchItem, measured, pairOf } = compared
  const count = debug.items.length
  const errors = {
    toBench: new Int32Array(count).fill(-1),
    equal: new Uint8Array(count).fill(Equal.unknown),
    level: new Float64Array(count).fill(Number.NaN),
    parts: parts.map(() => new Float64Array(count)),
  }
  const meter = new ErrorMeter(debug, bench, measured)
  yield* overRows(compared.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const [item, other] = [debugItem[row], benchItem[row]]
      if (item < 0 || other < 0 || debug.items.tensor[item] !== 1 || bench.items.tensor[other] !== 1) continue
      errors.toBench[item] = other
      errors.level[item] = meter.measure(item, other, pairOf?.[row] ?? -1)
      errors.equal[item] = meter.equal
      for (const part of parts) errors.parts[part][item] = meter.parts[part]
    }
  })
  return errors
}

/** By debug op; NaN where nothing is known. */
export interface CallErrors {
  /** The largest error of what a call got; a backward call works with what its forward call got and gave, too. */
  readonly came: Column<Float64Array, DebugOp>
  readonly out: Column<Float64Array, DebugOp>
}

export function callErrors(view: DumpView, errors: ItemErrors): CallErrors {
  const { ops, items } = view.dump
  const came = new Float64Array(ops.length).fill(Number.NaN)
  const out = new Float64Array(ops.length).fill(Number.NaN)
  for (let op = 0; op < ops.length; op++) {
    for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
      if (errors.toBench[item] < 0 || items.tensor[item] !== 1) continue
      const level = errorOf(errors, item)
      const column = items.state[item] === State.output ? out : came
      if (!(column[op] >= level)) column[op] = level
    }
    const forward = view.direction[op] === Direction.backward ? view.forward[op] : -1
    if (forward >= 0) came[op] = Math.max(known(came[op]), known(came[forward]), known(out[forward]))
  }
  return { came, out }
}

/** Equal to the bit is no error, whatever rounding its statistics have. */
const errorOf = ({ equal, level }: ItemErrors, item: DebugItem): number =>
  equal[item] === Equal.yes ? 0 : level[item]

const known = (level: number): number => (Number.isNaN(level) ? 0 : level)
