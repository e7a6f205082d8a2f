// What nothing recorded wrote: whether it may have been made of other things all the same.
import { type DebugItem, type DebugOp, State } from '../model/index.ts'
import { Direction, type SideView } from '../pair/index.ts'
import type { Expectation } from './expect.ts'
import { Difference } from './levels.ts'
import type { Case, Links } from './links.ts'

/** A float output has been recorded before this op. */
export function madeBefore(debug: SideView, op: DebugOp): boolean {
  for (let before = 0; before < op; before++)
    if (
      debug.direction[before] === Direction.forward &&
      debug.leaf[before] === 1 &&
      firstTensorOutput(debug, before) >= 0
    )
      return true
  return false
}

export function firstTensorOutput(view: SideView, op: number): number {
  const { ops, items } = view.dump
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (items.state[i] === State.output && items.tensor[i] === 1) return i
  return -1
}

/** Among noise, what nothing recorded wrote is no exact evidence: by how much it stands out. */
export function mayBeMade(
  {
    noise,
    levels,
    links,
    expect,
    limits,
  }: Pick<Case, 'noise' | 'levels' | 'limits'> & { readonly links: Links; readonly expect: Expectation },
  item: DebugItem,
): { readonly jump?: number } {
  if (noise.exact || (levels.differs[item] & (Difference.nonFinite | Difference.shape)) !== 0) return {}
  return links.isGiven(item)
    ? {}
    : { jump: expect.over(item, expect.enters(item, true), null, limits.gainSteep) }
}
