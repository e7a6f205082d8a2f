// Error level over execution order, thinned to what a plot can show without losing a peak.
import { Direction } from '../pair/index.ts'
import { type DebugOp, type LevelCurve, opName } from '../model/index.ts'
import { anyCompared } from './levels.ts'
import type { Case } from './links.ts'
import type { Found } from './explained.ts'
import type { Event } from './scan.ts'

const mostPoints = 2000

export const noCurve: LevelCurve = {
  position: new Float64Array(),
  level: new Float64Array(),
  nodes: [],
  floor: new Float64Array(),
  made: new Float64Array(),
  origin: -1,
}

export function curveOf({ c, scanned, made: { made }, events: [headline] }: Found): LevelCurve {
  const { debug, time, aligned } = c
  const ops: DebugOp[] = []
  const length = hasSizes(c) && anyCompared(c) ? time.length : 0
  for (let at = 0; at < length; at++) {
    const op = time.debug[at]
    if (
      op >= 0 &&
      aligned.ops.toBench[op] >= 0 &&
      debug.leaf[op] === 1 &&
      debug.direction[op] !== Direction.gradients
    )
      ops.push(op)
  }
  const stride = Math.max(1, Math.ceil(ops.length / mostPoints))
  const kept: DebugOp[] = []
  const at = headline ? opAt(headline, ops, time) : -1
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
    position: Float64Array.from(kept, op => time.ofDebug[op]),
    level: Float64Array.from(kept, op => scanned.out[op]),
    nodes: kept.map(op => opName(debug.dump, op)),
    floor: Float64Array.from(kept, op => scanned.expected[op]),
    made: Float64Array.from(kept, op => (made[op] >= 0 ? Math.min(made[op], scanned.out[op]) : 0)),
    origin,
  }
}

/** Checksums alone say that something differs, not by how much. */
const hasSizes = ({ levels: { level, unsized } }: Case): boolean =>
  !unsized.includes(1) || level.some((error, item) => error > 0 && unsized[item] === 0)

/** The op of the headline, else the first one behind it. */
function opAt(headline: Event, ops: readonly DebugOp[], { ofDebug }: Case['time']): DebugOp {
  if (headline.debug >= 0) return headline.debug
  return ops.find(op => ofDebug[op] >= headline.at) ?? -1
}
