// Backward halves of modules: what came into a module on the way back, over all its calls.
import type { NameCode, OpRow } from '../model/index.ts'
import { Direction, type SideView } from '../pair/index.ts'

export type Halves = ReadonlyMap<NameCode, readonly OpRow[]>

/** By the name of the module. */
export function backwardOf(view: SideView): Halves {
  const found = new Map<NameCode, OpRow[]>()
  for (let op = 0; op < view.api.length; op++) {
    const forward = view.direction[op] === Direction.backward && view.module[op] === 1 ? view.forward[op] : -1
    if (forward < 0) continue
    const list = found.get(view.api[forward])
    if (list) list.push(op)
    else found.set(view.api[forward], [op])
  }
  return found
}

/** Of the module whose parameters have gradients in this row; none where it is not recorded. */
export function halvesOf(view: SideView, halves: Halves, gradients: OpRow): readonly OpRow[] {
  const forward = view.forward[gradients]
  return forward < 0 ? [] : (halves.get(view.api[forward]) ?? [])
}
