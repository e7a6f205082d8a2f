// Which of the noted events are findings, and in which order: exact evidence before thresholds, the earliest
// first.
import { type OpRow, State } from '../model/index.ts'
import { Precision, type SideView } from '../pair/index.ts'
import { isNonFinite, levelOf } from './doubt.ts'
import { Equal } from '../measure/index.ts'
import type { Case } from './links.ts'
import type { Event, Scanned } from './scan.ts'

const most = 12
/** What rounding makes differs from call to call: by so much a finding has to pass what may be expected of it. */
const leastJump = ({ variant }: Event): number => (fromItsOwn.has(variant) ? 1.25 : 1.5)
/** These are held against what the call itself read, whatever came before. */
const fromItsOwn: ReadonlySet<string> = new Set(['law', 'scale'])
/** The same of one that is told beside the headline. */
const leastFurther = 2

/** Headline first; then other independent events by time. */
export function choose(
  c: Case,
  scanned: Scanned,
  weights: { readonly all: number; readonly differing: number },
): Event[] {
  const { limits, noise } = c
  const events = onePerOp(
    scanned.events.filter(
      event =>
        (event.exact || event.jump >= leastJump(event)) &&
        (event.kind !== 'argument' || takesEffect(c, scanned, event)),
    ),
  )
  events.sort((a, b) => a.at - b.at)
  if (events.length === 0) return whenQuiet(c, scanned)
  const whole = weights.differing >= 3 && weights.differing > limits.weightShare * weights.all
  if (whole) {
    const first = events.find(event => event.kind === 'different-weights')
    const input = events.find(event => event.kind === 'different-input')
    if (first) {
      const merged: Event = {
        ...first,
        kind: 'different-weights',
        variant: 'whole',
        facts: { differing: weights.differing, all: weights.all },
      }
      const rest = events.filter(event => event.kind !== 'different-weights' && event !== input)
      return [
        ...(input && input.at <= first.at ? [input, merged] : [merged, ...(input ? [input] : [])]),
        ...rest.slice(0, most),
      ]
    }
  }
  const exact = events.find(event => event.exact)
  const jumps = events.filter(event => !event.exact)
  const jump = jumps.find(event => givesWay(jumps[0], event)) ?? jumps[0]
  let head = exact ?? jump
  const clear = jump !== undefined && isClear(c, jump, exact)
  if (!noise.exact && exact && jump && jump.at < exact.at && clear) head = jump
  if (!head) return []
  const headline = head
  const rest = events.filter(
    event =>
      event !== headline &&
      (event.exact ||
        event.at < headline.at ||
        event.jump >= limits.clearJump ||
        // What cannot follow from what a call reads does not follow from the headline either.
        (event.variant === 'law' && event.jump >= leastFurther)),
  )
  return onePerTensor(c, [headline, ...rest]).slice(0, most + 1)
}

function whenQuiet(c: Case, scanned: Scanned): Event[] {
  const quiet = scanned.whenQuiet()
  const given = quiet.length > 0 ? undefined : scanned.events.find(event => mayExplain(c, event))
  return given ? [given] : [...quiet]
}

/** It speaks louder than exact evidence behind it. A small error may come from the device; it does not make NaN. */
const isClear = (c: Case, jump: Event, exact: Event | undefined): boolean =>
  jump.jump >= c.limits.clearJump &&
  (!exact ||
    !isNonFinite(exact) ||
    levelOf(c, jump) > 4 * c.limits.floorBrain ||
    (fromItsOwn.has(jump.variant) && jump.jump >= leastFurther))

/** One that hardly stands out gives way to one that plainly does, sooner where that cannot follow from it. */
const givesWay = (first: Event, later: Event): boolean =>
  fromItsOwn.has(later.variant)
    ? first.jump < 3 && later.jump >= 4 * first.jump
    : first.jump < 2 && later.jump >= 20 * first.jump

/** A wrong tensor that several ops read, or an op and the module around it, is one finding. */
function onePerTensor(c: Case, events: readonly Event[]): Event[] {
  const told = new Set<string>()
  return events.filter(event => {
    if (event.kind !== 'different-weights' && event.kind !== 'hidden-producer') return true
    const tensors = event.items.map(
      item => `${event.kind} ${c.debug.flow.view[item] < 0 ? `item ${item}` : c.debug.flow.view[item]}`,
    )
    const known = tensors.length > 0 && tensors.every(tensor => told.has(tensor))
    for (const tensor of tensors) told.add(tensor)
    return !known
  })
}

/** A differing argument counts where the op's output differs by more than its inputs explain. */
function takesEffect(c: Case, scanned: Scanned, event: Event): boolean {
  const { debug, levels, noise } = c
  const op = event.debug
  if (saysNothing(c, op)) return scanned.differing > 0
  if (debug.kind[op] === 'view') return !outputsAgree(c, op) || noise.exact
  if (noise.exact) return !outputsAgree(c, op)
  const { ops, items } = debug.dump
  let own = 0
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (items.state[i] === 1 && levels.level[i] > own) own = levels.level[i]
  return scanned.out[op] > scanned.in[op] && own > noise.floor
}

/**
 * Another argument of a call that computes, whose results differ: no rounding changes what a call is given,
 * however little it does.
 */
function mayExplain(c: Case, { kind, debug: op }: Event): boolean {
  return kind === 'argument' && !handing.has(c.debug.kind[op]) && !outputsAgree(c, op)
}
/** What these are given besides says where memory lies, or of which type it is. */
const handing: ReadonlySet<SideView['kind'][number]> = new Set<SideView['kind'][number]>([
  'view',
  'cast',
  'empty',
  'random',
  'communication',
])

/** Masks of true and false, or of the lowest number there is, show nothing in their statistics. */
function saysNothing({ debug }: Case, op: OpRow): boolean {
  const { ops, items } = debug.dump
  let results = 0
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
    if (items.state[i] !== State.output || items.tensor[i] === 0) continue
    results++
    if (debug.precision[i] !== Precision.whole && !(debug.range[i] > hugest)) return false
  }
  return results > 0
}
/** What masks add to scores is beyond anything that a network computes. */
const hugest = 1e30

function outputsAgree(c: Case, op: OpRow): boolean {
  const { ops, items } = c.debug.dump
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (items.state[i] === 1 && c.levels.equal[i] === Equal.no) return false
  return true
}

/** Several reasons at one op are one finding; the strongest names it. */
function onePerOp(events: readonly Event[]): Event[] {
  const rank = (event: Event): number => order.indexOf(event.kind)
  const byOp = new Map<string, Event>()
  for (const event of events) {
    const key = `${event.debug} ${event.bench}`
    const known = byOp.get(key)
    if (!known) byOp.set(key, event)
    else {
      const [first, second] =
        rank(event) < rank(known) && event.exact >= known.exact ? [event, known] : [known, event]
      byOp.set(key, {
        ...first,
        at: Math.min(first.at, second.at),
        items: [...first.items, ...second.items.filter(item => !first.items.includes(item))],
      })
    }
  }
  return [...byOp.values()]
}

const order: readonly Event['kind'][] = [
  'different-input',
  'different-weights',
  'argument',
  'unmatched-call',
  'hidden-producer',
  'nan',
  'communication',
  'precision',
  'origin',
  'uncovered-entry',
  'growth',
]
