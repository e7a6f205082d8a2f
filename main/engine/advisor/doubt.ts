// Doubts about a run that looked equal to the bit: some operations are, others are summed in another order.
import { telling } from './kinds.ts'
import type { Case } from './links.ts'
import { apiKey } from './noise.ts'
import type { Event, Scanned } from './scan.ts'

/** True when what was taken for origins is as small as rounding and nothing shows that such calls give equal bits elsewhere. */
export function onlySeemsExact(c: Case, scanned: Scanned): boolean {
  const tiny = scanned.events.filter(event => event.kind === 'origin' && event.facts.cast !== 1 && event.facts.missing === undefined && levelOf(c, event) < c.limits.gainForward * c.limits.floor32)
  if (tiny.length === 0) return false
  return tiny.length > 2 || tiny.some(event => !proven(c, event))
}

function levelOf(c: Case, event: Event): number {
  let level = 0
  for (const item of event.items) if (!(c.levels.level[item] <= level)) level = c.levels.level[item]
  return Number.isNaN(level) ? 1 : level
}

/** Calls of the same api are known to be equal to the bit, and this one stands out. Statistics can be equal by chance; md5s and bytes cannot. */
function proven(c: Case, event: Event): boolean {
  const counts = c.noise.apis.get(apiKey(c.debug, event.debug))
  const bits = c.debug.dump.header.hasMd5 || c.debug.dump.header.task === 'tensor'
  return counts !== undefined && counts.alike > 0 && counts.unlike <= 1 && (bits || telling.has(c.debug.kind[event.debug]))
}
