// A result that is one factor larger or smaller as a whole, while what its call read is not: rounding moves each
// element by itself.
import { type DebugItem, type DebugOp, State } from '../../model/index.ts'
import { Direction, type SideView } from '../../pair/index.ts'
import { itemOfOp } from '../evidence.ts'
import { addedUp, gainOf, levelsOf, scaled } from '../expect.ts'
import { isFloat } from '../levels.ts'
import { type Scale, scaleOf, scaleOfParts, scaleOfReads } from '../scales.ts'
import { type Entered, rule, type Tables } from './rule.ts'

const needs = ['debug', 'bench', 'levels', 'noise', 'limits', 'expect', 'links', 'aligned'] as const
type Seen = Pick<Tables, (typeof needs)[number]>

/** Of fewer elements all may be off alike by luck. */
const fewest = 4
/** By so much the factor has to pass what is left without it, what came in, and what rounding makes of one element. */
const [overRest, overRead, overFloor] = [2, 2, 3]

export const scalesRule = rule('scales', needs, tables => {
  const { debug, noise } = tables
  // In a run that is equal to the bit every difference shows by itself.
  if (noise.exact || debug.dump.header.framework === 'cann') return null
  return {
    outputs({ debug: op, nonFinite, settled }) {
      if (nonFinite || settled || debug.leaf[op] === 0 || !worksInPlace(debug, op)) return null
      let [found, strongest]: [Entered | null, number] = [null, 1]
      let read = -1
      for (let i = debug.dump.ops.first[op]; i < debug.dump.ops.first[op + 1]; i++) {
        const scale = debug.dump.items.state[i] === State.output ? scaleOf(tables, i) : null
        if (!scale || scale.elements < fewest || !tables.links.matters(i) || isSummed(debug, op, i)) continue
        if (read < 0) read = scaleOfReads(tables, op)
        const jump =
          (over(tables, i, scale, read) * left(levelsOf(tables.levels, i), scaled(tables, op, i))) /
          cancelled(tables, op)
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
      const read = scale && scale.elements >= fewest ? scaleOfParts(tables, item) : null
      if (!scale || read === null) return 'pass'
      const jump =
        over(tables, item, scale, read) * left(levelsOf(tables.levels, item), addedUp(tables, item))
      return jump > 1 ? entered(tables, item, scale, jump, 'uncovered-entry') : 'pass'
    },
  }
})

/** In these an error of one element goes to many, or nothing is computed. */
const spreading: ReadonlySet<SideView['kind'][number]> = new Set<SideView['kind'][number]>([
  'product',
  'recurrent',
  'reduction',
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

const worksInPlace = ({ kind, module }: SideView, op: DebugOp): boolean =>
  !spreading.has(kind[op]) && !(module[op] === 1 && unknownInside.has(kind[op]))

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

function over({ expect, limits }: Seen, item: DebugItem, { by, rest }: Scale, read: number): number {
  const size = Math.abs(by)
  const floor = Math.max(expect.floor(item), limits.floor16)
  return Math.min(size / (overRest * rest), size / (overRead * read), size / (overFloor * floor))
}

/** What cancels out is held against what it was made of. */
const left = (level: readonly number[], held: readonly number[]): number => {
  const [most, kept] = [Math.max(...level), Math.max(...held)]
  return most > 0 && kept < most ? kept / most : 1
}

const cancelled = (tables: Seen, op: number): number =>
  Math.max(1, gainOf(tables, op) / tables.limits.gainSteep)
