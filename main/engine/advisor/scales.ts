// By which one factor all statistics of a tensor are off: rounding moves each element by itself, a factor moves them all.
import { type DebugItem, type DebugOp, State } from '../model/index.ts'
import { Direction } from '../pair/index.ts'
import type { Case } from './links.ts'
import { callOf } from './expect.ts'
import { isFloat } from './levels.ts'

export interface Scale {
  /** By how much it is larger, as a share of itself. */
  readonly by: number
  /** What is left of the difference of the extremes without it, as a share of the largest. */
  readonly rest: number
  /** On how many elements of the largest size the norm rests. */
  readonly elements: number
}

type Sides = Pick<Case, 'debug' | 'bench' | 'levels'>

/** Null where the statistics tell nothing of it. */
export function scaleOf({ debug, bench, levels }: Sides, item: DebugItem): Scale | null {
  const partner = levels.toBench[item]
  if (partner < 0 || !isFloat(debug, item) || !isFloat(bench, partner)) return null
  if (debug.counted[item] === 0 || bench.counted[partner] === 0) return null
  if (debug.nonFinite[item] === 1 || bench.nonFinite[partner] === 1) return null
  const [x, y] = [debug.dump.items, bench.dump.items]
  const [range, norm] = [bench.range[partner], Math.abs(y.norm.value[partner])]
  if (!(range > 0) || !(norm > 0)) return null
  const factor = Math.abs(x.norm.value[item]) / norm
  const rest =
    Math.max(
      Math.abs(x.max.value[item] - factor * y.max.value[partner]),
      Math.abs(x.min.value[item] - factor * y.min.value[partner]),
    ) / range
  return Number.isFinite(factor + rest) ? { by: factor - 1, rest, elements: (norm / range) ** 2 } : null
}

/** By how much at most the norms are off of what a call works with, and of what its forward half had. */
export function scaleOfReads(sides: Sides, op: DebugOp): number {
  const forward = sides.debug.direction[op] === Direction.backward ? sides.debug.forward[op] : -1
  return Math.max(worst(sides, op, false), forward < 0 ? 0 : worst(sides, forward, true))
}

function worst(sides: Sides, op: DebugOp, results: boolean): number {
  const { ops, items } = sides.debug.dump
  let most = 0
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
    if (items.state[i] === State.output && !results) continue
    const scale = scaleOf(sides, i)
    if (scale) most = Math.max(most, Math.abs(scale.by))
  }
  return most * powerOf(sides, op)
}

const powers = /^(?:square|_{0,2}i?pow_{0,2})$/

/** A power is as many times further off as it says, a square twice. */
function powerOf({ debug }: Sides, op: DebugOp): number {
  const { ops, items } = debug.dump
  if (!powers.test(callOf({ debug }, op))) return 1
  let power = 2
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (items.state[i] === State.input && items.tensor[i] === 0 && Number.isFinite(items.max.value[i]))
      power = Math.max(power, Math.abs(items.max.value[i]))
  return power
}

/** So many calls back the parts of a gradient are looked for that was added up unseen. */
const partsWithin = 32

/** Of so little no part moves the sum by much. */
const small = 0.05

/**
 * The same of the gradients that a gradient which nothing recorded wrote may be the sum of, small ones by their share of it; null: of
 * fewer than two.
 */
export function scaleOfParts(sides: Sides, item: DebugItem): number | null {
  const { debug, bench, levels } = sides
  const { ops, items } = debug.dump
  const normOf = (k: DebugItem): number => Math.abs(bench.dump.items.norm.value[levels.toBench[k]])
  let [parts, most] = [0, 0]
  for (let op = items.op[item] - 1, seen = 0; op >= 0 && seen < partsWithin; op--) {
    if (debug.direction[op] !== Direction.backward || debug.leaf[op] === 0) continue
    seen++
    for (let k = ops.first[op]; k < ops.first[op + 1]; k++) {
      const unread = debug.flow.first[k + 1] === debug.flow.first[k]
      if (items.state[k] !== State.output || !unread || debug.numel[k] !== debug.numel[item]) continue
      const scale = scaleOf(sides, k)
      if (!scale) continue
      parts++
      const share = normOf(k) / normOf(item)
      most = Math.max(most, Math.abs(scale.by) * (share < small ? share / small : Math.max(1, share)))
    }
  }
  return parts < 2 ? null : most
}
