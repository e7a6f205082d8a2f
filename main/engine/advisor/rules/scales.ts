// A result that is one factor larger or smaller as a whole, while what its call read is not: rounding moves each
// element by itself.
import { type DebugItem, type DebugOp, State } from '../../model/index.ts'
import { Direction, type SideView } from '../../pair/index.ts'
import { itemOfOp } from '../evidence.ts'
import { gainOf, levelsOf, scaled } from '../expect.ts'
import { Given } from '../given.ts'
import { isFloat } from '../levels.ts'
import { type Scale, scaleOf, scaleOfParts, scaleOfReads } from '../scales.ts'
import { type Entered, rule, type Tables } from './rule.ts'

const needs = ['debug', 'bench', 'levels', 'noise', 'limits', 'expect', 'links', 'aligned', 'flips'] as const
type Seen = Pick<Tables, (typeof needs)[number]>

/** By so much a factor has to pass what is left without it, what came in, and what rounding makes of one element. */
interface Bounds {
  readonly rest: number
  readonly read: number
  readonly floor: number
  /** Of fewer elements all may be off alike by luck; of less than enough they count by how many they are. */
  readonly fewest: number
  readonly enough: number
}

const usual: Bounds = { rest: 1.45, read: 1.45, floor: 2.15, fewest: 4, enough: 10 }
/** In these an error of one element goes to many. */
const spreadOut: Bounds = { rest: 2.5, read: 2.5, floor: 2.9, fewest: 2, enough: 16 }
/** What nothing recorded wrote may have passed more than a sum. */
const unseen: Bounds = { rest: 2, read: 2, floor: 3, fewest: 4, enough: 4 }
/** Gradients of biases are short, and what cancels out in a gradient may leave one factor behind. */
const ofParameters: Bounds = { rest: 7, read: 7, floor: 4, fewest: 2, enough: 2 }

export const scalesRule = rule('scales', needs, tables => {
  const { debug, noise } = tables
  // In a run that is equal to the bit every difference shows by itself.
  if (noise.exact || debug.dump.header.framework === 'cann') return null
  const turned = tables.flips.found.length > 0 ? behindTurned : 1
  let given: Given | null = null
  return {
    outputs({ debug: op, nonFinite, settled }) {
      if (nonFinite || settled || !isCall(debug, op)) return null
      let [found, strongest]: [Entered | null, number] = [null, 1]
      let read = -1
      for (let i = debug.dump.ops.first[op]; i < debug.dump.ops.first[op + 1]; i++) {
        const scale = debug.dump.items.state[i] === State.output ? scaleOf(tables, i) : null
        if (!scale || !tables.links.matters(i)) continue
        const summed = isSummed(debug, op, i)
        if (!tells(debug, op) && !(summed && debug.kind[op] === 'view')) continue
        const bounds = spreading.has(debug.kind[op]) || summed ? spreadOut : usual
        if (scale.elements < bounds.fewest) continue
        if (read < 0) read = scaleOfReads(tables, op)
        const jump =
          (over(tables, i, scale, read, bounds) * left(levelsOf(tables.levels, i), scaled(tables, op, i))) /
          (cancelled(tables, op) * (bounds === spreadOut ? turned : 1))
        if (jump > strongest) [found, strongest] = [entered(tables, i, scale, jump, 'origin'), jump]
      }
      return found ?? 'pass'
    },
    input({ debug: op, item, differs }) {
      const backward = debug.direction[op] === Direction.backward
      // Between modules alone anything may lie.
      if (
        !backward ||
        debug.leaf[op] === 0 ||
        debug.module[op] === 1 ||
        !isFloat(debug, item) ||
        !tables.links.isSource(item)
      )
        return null
      if (!differs) return 'pass'
      const scale = scaleOf(tables, item)
      const read = scale && scale.elements >= unseen.fewest ? scaleOfParts(tables, item) : null
      if (!scale || read === null) return 'pass'
      const jump =
        over(tables, item, scale, read, unseen) *
        left(levelsOf(tables.levels, item), tables.expect.enters(item, true))
      return jump > 1 ? entered(tables, item, scale, jump, 'uncovered-entry') : 'pass'
    },
    gradient({ debug: op, item, differs }) {
      if (!differs) return 'pass'
      const scale = scaleOf(tables, item)
      if (!scale || scale.elements < ofParameters.fewest) return 'pass'
      given ??= new Given(tables)
      const came = given.calls(op)
      if (came.length === 0) return 'pass'
      // What all gradients of a module have in common came in.
      const common = Math.max(...came.map(call => scaleOfReads(tables, call)), scaleOfMates(tables, op, item))
      const jump = (over(tables, item, scale, common, ofParameters) * given.share(op, item)) / turned
      return jump > 1 ? { ...entered(tables, item, scale, jump, 'origin'), spreads: false } : 'pass'
    },
  }
})

/** By how much the norms of other gradients in the same row are off. */
function scaleOfMates(tables: Seen, op: DebugOp, item: DebugItem): number {
  const { ops } = tables.debug.dump
  let most = 0
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (i !== item) most = Math.max(most, Math.abs(scaleOf(tables, i)?.by ?? 0))
  return most
}

/** Gradients behind choices that rounding turned are those of other rows. */
const behindTurned = 4

/** Of a product on the way back often its module alone shows what it hands on. */
const isCall = (view: SideView, op: DebugOp): boolean =>
  view.leaf[op] === 1 ||
  (view.kind[op] === 'product' && view.direction[op] === Direction.backward && isOneCall(view, op))

/** No other call than the one that the module is for lies inside it. */
function isOneCall({ start, leaf }: SideView, module: DebugOp): boolean {
  let calls = 0
  for (let op = start[module]; op < module; op++) calls += leaf[op]
  return calls <= 1
}

const spreading: ReadonlySet<SideView['kind'][number]> = new Set<SideView['kind'][number]>([
  'product',
  'recurrent',
  'reduction',
])

/** In these nothing is computed. */
const handing: ReadonlySet<SideView['kind'][number]> = new Set<SideView['kind'][number]>([
  'view',
  'cast',
  'empty',
  'random',
  'communication',
])

/** Of a module alone nobody knows what goes on inside: a norm may have one factor for a whole row. */
const unknownInside: ReadonlySet<SideView['kind'][number]> = new Set<SideView['kind'][number]>([
  'norm',
  'plain',
])

const tells = ({ kind, module }: SideView, op: DebugOp): boolean =>
  !handing.has(kind[op]) && !(module[op] === 1 && unknownInside.has(kind[op]))

/** A gradient of fewer elements than came in: what one of those is off by is in all that it was added to. */
function isSummed({ direction, dump, numel }: SideView, op: DebugOp, item: DebugItem): boolean {
  if (direction[op] !== Direction.backward) return false
  for (let i = dump.ops.first[op]; i < dump.ops.first[op + 1]; i++)
    if (dump.items.state[i] === State.input && numel[i] > numel[item]) return true
  return false
}

const entered = (
  { debug }: Seen,
  item: DebugItem,
  { by }: Scale,
  jump: number,
  kind: 'origin' | 'uncovered-entry',
): Entered => {
  const facts = { item: itemOfOp(debug.dump, item), factor: Number((1 + by).toPrecision(4)) }
  return { entry: { kind, variant: 'scale', facts }, items: [item], jump }
}

function over(
  { expect, limits }: Seen,
  item: DebugItem,
  { by, rest, elements }: Scale,
  read: number,
  bounds: Bounds,
): number {
  const floor = Math.max(expect.rounding(item), limits.floor16)
  const least = Math.max(bounds.rest * rest, bounds.read * read, bounds.floor * floor)
  const known = Math.min(1, elements / bounds.enough)
  return (Math.abs(by) / least) * (bounds === usual ? Math.sqrt(known) : known)
}

/** What cancels out is held against what it was made of. */
const left = (level: readonly number[], held: readonly number[]): number => {
  const [most, kept] = [Math.max(...level), Math.max(...held)]
  return most > 0 && kept < most ? kept / most : 1
}

const cancelled = (tables: Seen, op: number): number =>
  Math.max(1, gainOf(tables, op) / tables.limits.gainSteep)
