// Nothing stands out, yet the error has become large on its way: which operations added to it.
import type { DebugOp } from '../model/index.ts'
import { Direction } from '../pair/index.ts'
import type { Case } from './links.ts'
import type { Scanned } from './scan.ts'

/** An error that has grown to less is not told. */
export const grownLevel = 0.05
/** In units of the noise floor. */
const leastOverFloor = 64

export interface Growth {
  /** Error of the last result. */
  readonly last: number
  /** The largest first. */
  readonly steps: readonly { readonly op: DebugOp; readonly by: number }[]
}

export function growthOf({ debug, aligned, noise }: Case, scanned: Scanned): Growth | null {
  let [last, worst] = [0, 0]
  const steps: { readonly op: DebugOp; readonly by: number }[] = []
  for (let op = 0; op < debug.api.length; op++) {
    if (
      aligned.ops.toBench[op] < 0 ||
      debug.leaf[op] === 0 ||
      debug.direction[op] !== Direction.forward ||
      debug.kind[op] === 'view'
    )
      continue
    worst = Math.max(worst, scanned.out[op])
    if (scanned.out[op] > scanned.in[op]) steps.push({ op, by: scanned.out[op] - scanned.in[op] })
    last = scanned.out[op]
  }
  if (last < grownLevel || worst < leastOverFloor * noise.floor || steps.length === 0) return null
  return { last, steps: steps.sort((a, b) => b.by - a.by) }
}
