// Error level over execution order, thinned to what a plot can show without losing a peak.
import type { LevelCurve } from '../../../preload/contract/engine.ts'
import { opName } from '../dump.ts'
import type { Case } from './links.ts'
import type { Event, Scanned } from './scan.ts'
import { Direction } from './side.ts'

const mostPoints = 2000

export function curveOf(c: Case, scanned: Scanned, headline: Event | null): LevelCurve {
  const { debug, time, aligned } = c
  const ops: number[] = []
  for (let at = 0; at < time.length; at++) {
    const op = time.debug[at]
    if (op >= 0 && aligned.mate[op] >= 0 && debug.leaf[op] === 1 && debug.direction[op] !== Direction.gradients) ops.push(op)
  }
  const stride = Math.max(1, Math.ceil(ops.length / mostPoints))
  const kept: number[] = []
  const at = headline ? (headline.debug >= 0 ? headline.debug : ops.find(op => time.ofDebug[op] >= headline.at) ?? -1) : -1
  let origin = -1
  for (let from = 0; from < ops.length; from += stride) {
    const group = ops.slice(from, from + stride)
    const own = group.includes(at)
    let peak = own ? at : group[0]
    if (!own) for (const op of group) if (scanned.out[op] > scanned.out[peak]) peak = op
    if (own) origin = kept.length
    kept.push(peak)
  }
  if (at >= 0 && origin < 0) origin = kept.findIndex(op => time.ofDebug[op] >= time.ofDebug[at])
  return {
    position: Float64Array.from(kept, op => time.ofDebug[op]), level: Float64Array.from(kept, op => scanned.out[op]),
    nodes: kept.map(op => opName(debug.dump, op)), floor: Float64Array.from(kept, op => scanned.expected[op]), origin,
  }
}
