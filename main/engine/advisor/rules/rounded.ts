// A result with fewer digits than what was read, on one side alone: that side computes there in a lower precision.
import { type DebugItem, type ItemRow, type OpRow, type Side, State } from '../../model/index.ts'
import { Precision, type SideView } from '../../pair/index.ts'
import { floorOf } from '../../judge/index.ts'
import { Equal } from '../../measure/index.ts'
import { hasProducts } from '../doubt.ts'
import { endsOf } from '../noise.ts'
import { type Entered, rule, type Tables } from './rule.ts'

const needs = ['debug', 'bench', 'levels', 'noise', 'across', 'castRun', 'limits'] as const
type Seen = Pick<Tables, (typeof needs)[number]>

/** These give what they get, or a type of their own; what is rounded before products is left where one factor is one. */
const own: ReadonlySet<SideView['kind'][number]> = new Set<SideView['kind'][number]>([
  'view',
  'cast',
  'empty',
  'random',
  'communication',
  'product',
  'recurrent',
])

export const roundedRule = rule('rounded', needs, tables => {
  const { debug, noise, across, castRun, levels } = tables
  // Where a side rounds everything so, or the bits tell it anyway, nothing is silent about it.
  const full = noise.debug === Precision.float32 && noise.bench === Precision.float32
  if (noise.exact || !full || across || castRun) return null
  return {
    outputs({ debug: op, bench: other, nonFinite }) {
      if (nonFinite || debug.leaf[op] === 0 || own.has(debug.kind[op]) || hasProducts(debug, op)) return null
      for (let i = debug.dump.ops.first[op]; i < debug.dump.ops.first[op + 1]; i++) {
        if (debug.dump.items.state[i] !== State.output || levels.toBench[i] < 0) continue
        const found = lowered(tables, i)
        if (found && readsFiner(tables[found.side], found.side === 'debug' ? op : other, found.precision))
          return entered(i, found)
      }
      return 'pass'
    },
  }
})

interface Lowered {
  readonly side: Side
  readonly precision: Precision
}

const nameOf = (precision: Precision): string => (precision === Precision.brain ? 'bfloat16' : 'float16')

const entered = (item: DebugItem, { side, precision }: Lowered): Entered => ({
  entry: { kind: 'origin', variant: 'rounded', facts: { side, precision: nameOf(precision) } },
  items: [item],
})

/** The side whose extremes alone end in zeros, both of them in numbers that are not short by nature. */
function lowered({ debug, bench, levels, limits }: Seen, item: DebugItem): Lowered | null {
  const partner = levels.toBench[item]
  if (levels.equal[item] !== Equal.no || debug.precision[item] !== Precision.float32) return null
  if (bench.precision[partner] !== Precision.float32) return null
  const [mine, theirs] = [endsOf(debug, item), endsOf(bench, partner)]
  if (mine === Precision.none || theirs === Precision.none) return null
  if (mine > Precision.float32 === theirs > Precision.float32) return null
  const side = mine > theirs ? 'debug' : 'bench'
  const precision = mine > theirs ? mine : theirs
  // By more than a rounding it may be anything, such as what is left of a sum of coarse numbers.
  if (!(levels.level[item] <= roundings * floorOf(precision, limits))) return null
  const long = isLong(side === 'debug' ? debug : bench, side === 'debug' ? item : partner)
  return long && moved({ debug, bench }, item, partner) ? { side, precision } : null
}

const roundings = 4

const word = new Uint32Array(1)
const single = new Float32Array(word.buffer)

/** Both ends use at least so many of their digits that they end where they do by no luck, and are two numbers. */
function isLong({ dump: { items } }: SideView, item: ItemRow): boolean {
  const [max, min] = [items.max.value[item], items.min.value[item]]
  return max !== min && [max, min].every(usesDigits)
}

function usesDigits(value: number): boolean {
  single[0] = value
  return (word[0] & 0x7ffff) !== 0
}

/** One of the ends lies so far from where the other side has it that it was rounded, and not only computed otherwise. */
function moved({ debug, bench }: Pick<Seen, 'debug' | 'bench'>, item: DebugItem, partner: ItemRow): boolean {
  const [x, y] = [debug.dump.items, bench.dump.items]
  return (['max', 'min'] as const).some(
    end =>
      Math.abs(x[end].value[item] - y[end].value[partner]) > leastMoved * Math.abs(y[end].value[partner]),
  )
}
const leastMoved = 2 ** -18

/** What a call reads has more digits, all that can tell: these are not handed on. */
function readsFiner(view: SideView, op: OpRow, precision: Precision): boolean {
  const { ops, items } = view.dump
  let finer = false
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
    if (items.state[i] === State.output || view.precision[i] !== Precision.float32) continue
    const ends = endsOf(view, i)
    if (ends >= precision) return false
    finer ||= ends !== Precision.none
  }
  return finer
}
