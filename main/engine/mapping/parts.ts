// Calls that do a part of what another call does: a product to which the next call adds the bias, beside one
// call for both.
import { State } from '../model/index.ts'
import { callsOf } from './calls.ts'
import type { SideNames } from './names-of.ts'
import { shapeOf } from './wire.ts'

/** How far the calls of one part may stand from each other. */
const nearest = 2

/** Whether one of two calls takes in what, on the other side, only a call beside the other takes in. */
export const isPart = (mine: SideNames, op: number, theirs: SideNames, other: number): boolean =>
  lacks(mine, op, theirs, other) || lacks(theirs, other, mine, op)

function lacks(side: SideNames, op: number, whole: SideNames, other: number): boolean {
  const [own, all] = [inputsOf(side, op), inputsOf(whole, other)]
  if (all.length <= own.length) return false
  const missing = new Set(all.filter(shape => !own.includes(shape)))
  return besides(side, op).some(one => inputsOf(side, one).some(shape => missing.has(shape)))
}

function inputsOf(side: SideNames, op: number): readonly string[] {
  const { ops, items } = side.dump
  const found: string[] = []
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++)
    if (items.state[item] === State.input && items.tensor[item] === 1) found.push(shapeOf(side, item))
  return found
}

/** Calls right before and behind an op in the same module, in the same direction. */
function besides(side: SideNames, op: number): readonly number[] {
  const { parents, forward, module } = callsOf(side.dump)
  const found: number[] = []
  for (let one = Math.max(0, op - nearest); one <= Math.min(parents.length - 1, op + nearest); one++)
    if (
      one !== op &&
      parents[one] === parents[op] &&
      module[one] === 0 &&
      forward[one] < 0 === forward[op] < 0
    )
      found.push(one)
  return found
}
