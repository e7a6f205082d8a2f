// Doubts about a run that looked equal to the bit: some operations are, others are summed in another order.
import { partsOf, Precision, type SideView, telling } from '../pair/index.ts'
import { type OpRow, State } from '../model/index.ts'
import type { Case, Links } from './links.ts'
import { floorOf } from '../judge/index.ts'
import { Equal } from '../measure/index.ts'
import { apiKey, endsIn, endsOf } from './noise.ts'
import { plainJump } from './expect.ts'
import type { Event, Scanned } from './scan.ts'

const fewAlike = 8

/**
 * True when what was taken for origins is as small as rounding and nothing shows that such calls give equal
 * bits elsewhere.
 */
export function onlySeemsExact(c: Case, scanned: Scanned): boolean {
  const tiny = scanned.events.filter(
    event =>
      event.kind === 'origin' &&
      event.variant !== 'missing' &&
      levelOf(c, event) < c.limits.gainForward * c.limits.floor32,
  )
  // What lies between modules is not recorded: few calls that are alike say little of it.
  const unseen = scanned.events.some(
    event =>
      event.kind === 'uncovered-entry' &&
      c.noise.alike < fewAlike &&
      levelOf(c, event) < c.limits.gainForward * c.limits.floor32,
  )
  const rounds = scanned.events.some(event => roundedOnOneSide(c, event))
  if (unseen || (rounds && severalRound(c))) return true
  if (tiny.length === 0) return false
  return tiny.length > 2 || tiny.some(event => !proven(c, event))
}

/**
 * A result that ends in zeros on one side alone, and is off by no more than they make: a side that rounds what the
 * other keeps. Products of the same half precision are equal all the same.
 */
function roundedOnOneSide(c: Case, event: Event): boolean {
  const { debug, bench, levels, limits } = c
  return (
    event.kind === 'origin' &&
    event.items.length > 0 &&
    event.items.every(item => {
      const [mine, theirs] = [endsOf(debug, item), endsOf(bench, levels.toBench[item])]
      const coarser = Math.max(mine, theirs)
      return (
        mine !== theirs &&
        debug.precision[item] === Precision.float32 &&
        coarser > Precision.float32 &&
        levels.level[item] <=
          limits.gainForward *
            floorOf(coarser === Precision.brain ? Precision.brain : Precision.float16, limits)
      )
    })
  )
}

/**
 * Calls that round what they read on one side alone: one of them in a run of 32 bits is a fault, several are
 * how that side computes.
 */
function severalRound({ debug, bench, aligned, levels, noise }: Case): boolean {
  const { ops, items } = debug.dump
  if (noise.debug !== Precision.float32 || noise.bench !== Precision.float32) return true
  let found = 0
  for (let op = 0; op < debug.api.length && found < 2; op++) {
    const other = aligned.ops.toBench[op]
    if (other < 0 || debug.leaf[op] === 0) continue
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      if (items.state[i] !== State.output || levels.equal[i] !== Equal.no) continue
      const [mine, theirs] = [endsOf(debug, i), endsOf(bench, levels.toBench[i])]
      if (
        mine === Precision.none ||
        theirs === Precision.none ||
        mine > Precision.float32 === theirs > Precision.float32
      )
        continue
      if (!(mine > theirs ? readsAsCoarse(debug, op, mine) : readsAsCoarse(bench, other, theirs))) {
        found++
        break
      }
    }
  }
  return found > 1
}

function readsAsCoarse(view: SideView, op: OpRow, precision: Precision): boolean {
  const { ops, items } = view.dump
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (items.state[i] === State.input && endsOf(view, i) >= precision) return true
  return false
}

/**
 * Error of the first product where it is off by no more than reduced precision makes it, while what it reads
 * agrees but for rounding: products
 * in TF32 or HF32 leave no trace in the bits. 0 where it does not look so.
 */
export function reducedProducts(c: Case, links: Links, scanned: Scanned): number {
  const { debug, levels, limits, time, aligned, noise } = c
  if (noise.exact) return 0
  const apis = debug.module.includes(0)
  let [alike, off] = [0, 0]
  for (let at = 0; at < time.length; at++) {
    const op = time.debug[at]
    if (op < 0 || aligned.ops.toBench[op] < 0 || !countsAsCall(debug, op)) continue
    const product = aligned.completes.debug[op] >= 0 ? aligned.completes.debug[op] : op
    // What another rank sent may hold the rounding of its products.
    const received = debug.kind[op] === 'communication'
    if (!received && !hasProducts(debug, product)) continue
    if (!received && gaveEqual(c, product) && ++alike < severalAlike) continue
    const first =
      scanned.events.find(
        event =>
          event.debug === product &&
          event.kind === (received ? 'communication' : 'origin') &&
          (event.exact || event.jump >= plainJump),
      ) ?? (apis ? undefined : scanned.events.find(event => event.debug === product && entersBetween(event)))
    if (received && !first) continue
    // That it is off by little is partly luck, as where the bias is far larger.
    if (!first) {
      if (worstResult(c, product) > limits.floor32) off++
      if (++alike < severalAlike) continue
    }
    if (!first || scanned.events.some(event => event.exact && event.at <= at && !isNonFinite(event))) return 0
    const level = levelOf(c, first)
    const close = partsOf(debug, op, aligned.completes.debug).every(
      item =>
        entersBetween(first) ||
        debug.dump.items.state[item] === State.output ||
        links.tolerated(op, item) ||
        levels.toBench[item] < 0 ||
        !(levels.level[item] > limits.gainForward * limits.floor32),
    )
    // A result that ends in zeros was rounded itself, unless products before it were off as well: then it is
    // what was cut for this one.
    const rounded =
      off === 0 &&
      first.items.some(
        item =>
          endsIn(debug, item) > Precision.float32 !==
          endsIn(c.bench, levels.toBench[item]) > Precision.float32,
      )
    // How far the first is off is partly luck: others are off by as much as ten bits make them.
    return level < limits.reducedProduct && close && !rounded ? Math.max(level, limits.floor16) : 0
  }
  return 0
}

/** Largest error of what a call gives. */
function worstResult({ debug, levels }: Case, op: OpRow): number {
  const { ops, items } = debug.dump
  let worst = 0
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (items.state[i] === State.output && levels.level[i] > worst) worst = levels.level[i]
  return worst
}

/** Products of whole numbers and of few are equal in any precision; so many are not. */
const severalAlike = 3
function gaveEqual({ debug, levels }: Case, op: OpRow): boolean {
  const { ops, items } = debug.dump
  let results = 0
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
    if (items.state[i] !== State.output || items.tensor[i] === 0) continue
    if (levels.equal[i] !== Equal.yes) return false
    results++
  }
  return results > 0
}

/** Products that stand between modules are not recorded where modules alone are. */
const entersBetween = (event: Event): boolean =>
  !event.exact && (event.kind === 'different-input' || event.kind === 'uncovered-entry')

/** Inside a recurrent module only what hands tensors on is recorded. */
const countsAsCall = (view: SideView, op: OpRow): boolean =>
  view.leaf[op] === 1 || (view.module[op] === 1 && view.kind[op] === 'recurrent')

const attends = /attention|sdpa|flash/i

/** A product, a call that is made of some, or a module alone of which nobody knows what it is made of. */
export function hasProducts(view: SideView, op: OpRow): boolean {
  const kind = view.kind[op]
  if (kind === 'product' || kind === 'recurrent') return true
  const api = view.names.text(view.api[op])
  if (attends.test(api.slice(api.lastIndexOf('.') + 1))) return true
  return kind === 'plain' && view.module[op] === 1
}

/** NaN or infinity where the other side has none: made here, or passed on by a collective. */
export const isNonFinite = ({ kind, variant }: Event): boolean =>
  kind === 'nan' || (kind === 'communication' && variant === 'nan')

/** Largest error level of the items that an event rests on. */
export function levelOf(c: Case, event: Event): number {
  let level = 0
  for (const item of event.items) if (!(c.levels.level[item] <= level)) level = c.levels.level[item]
  return Number.isNaN(level) ? 1 : level
}

/**
 * Calls of the same api are known to be equal to the bit, and this one stands out. Statistics can be equal by
 * chance; md5s and bytes cannot.
 */
function proven(c: Case, event: Event): boolean {
  const counts = c.noise.apis.get(apiKey(c.debug, event.debug))
  const bits = c.debug.dump.header.hasMd5 || c.debug.dump.header.task === 'tensor'
  return (
    counts !== undefined &&
    counts.alike > 0 &&
    counts.unlike <= 1 &&
    (bits || telling.has(c.debug.kind[event.debug]))
  )
}
