// What noise explains of each item: all that comes before the first finding, then as much as was usual there.
import { bitwise, evident } from '../judge/index.ts'
import { Direction } from '../pair/index.ts'
import { type Column, type DebugItem, State, type TimeStep } from '../model/index.ts'
import { grownLevel, type Growth } from './growth.ts'
import type { MadeColumns } from '../noise/index.ts'
import { floorAt } from './noise.ts'
import type { Case } from './links.ts'
import type { Event, Scanned } from './scan.ts'

/** Of the errors before the first finding, the share that counts as usual. */
const usualShare = 0.9

/** What the scan of a pair has come to. */
export interface Found {
  readonly c: Case
  readonly scanned: Scanned
  readonly made: MadeColumns
  /** Headline first. */
  readonly events: readonly Event[]
  /** Where nothing stands out: how far the error has grown all the same. */
  readonly growth: Growth | null
}

/** By debug item: the largest error that noise explains; below 0 where there is none. */
export function explainedByNoise(
  { c, scanned, events, growth }: Found,
  ofWeights: number,
): Column<Float64Array, DebugItem> {
  const { debug, levels, noise, limits, time } = c
  const { items } = debug.dump
  const explained = new Float64Array(items.length).fill(noise.exact ? bitwise : 0)
  if (!noise.exact) {
    const start = events.reduce((first, event) => Math.min(first, event.at), Number.POSITIVE_INFINITY)
    const usual = usualBefore(c, scanned, start)
    for (let item = 0; item < items.length; item++) {
      const op = items.op[item]
      const measured = c.known?.twin(item) ? c.known.allowed(item, 0) : null
      const allowed = measured
        ? Math.max(...measured)
        : Math.max(
            gainIn(debug.direction[op], limits) * Math.max(usual, floorAt(c, item)),
            items.state[item] === State.parameters ? ofWeights : 0,
          )
      explained[item] = allowed
      if (growth) explained[item] = Math.max(allowed, grownLevel)
      else if (time.ofDebug[op] < start && levels.level[item] > allowed) explained[item] = levels.level[item]
      // Behind a finding a choice may be turned by the fault.
      if (c.flips.explains[item] === 1 && time.ofDebug[op] < start) explained[item] = 1
    }
  }
  // What a finding rests on is never noise.
  if (!noise.exact) for (const event of events) for (const item of event.items) explained[item] = evident
  return explained
}

function gainIn(direction: number, { gainForward, gainBackward, gainSteep }: Case['limits']): number {
  if (direction === Direction.gradients) return gainSteep
  return direction === Direction.backward ? gainBackward : gainForward
}

/** A high but usual error of results before a place on the line of time. */
function usualBefore({ time, debug }: Case, scanned: Scanned, end: TimeStep): number {
  const seen: number[] = []
  for (let at = 0; at < Math.min(end, time.length); at++) {
    const op = time.debug[at]
    if (op >= 0 && time.bench[at] >= 0 && debug.leaf[op] === 1 && debug.kind[op] !== 'view')
      seen.push(scanned.out[op])
  }
  seen.sort((a, b) => a - b)
  return seen.length === 0 ? 0 : seen[Math.min(seen.length - 1, Math.floor(usualShare * seen.length))]
}
