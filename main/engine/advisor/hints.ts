// Likely causes, one row each: what must be seen before it is said. Names alone never suffice.
import { nonDeterministic, Precision, type SideView } from '../pair/index.ts'
import {
  type BenchItem,
  type DebugItem,
  type Hint,
  type HintFacts,
  itemName,
  type ItemRow,
  type OpRow,
  type Side,
  State,
  itemShape,
} from '../model/index.ts'
import { valueOf } from './evidence.ts'
import { Difference, isFloat } from './levels.ts'
import { Equal } from '../measure/index.ts'
import type { KnownNoise } from '../noise/index.ts'
import type { Case } from './links.ts'
import { endsIn } from './noise.ts'
import type { Event } from './scan.ts'

/** Values of one item of a side, null where they cannot be had. */
export type ReadTensor = (side: Side, item: ItemRow) => Promise<Float64Array | null>

interface Seen {
  readonly c: Case
  readonly event: Event
  /** The pair that the hint is about: the worst disagreeing item, -1 when there is none. */
  readonly item: DebugItem
  readonly partner: BenchItem
  readonly level: number
  readonly data: { readonly debug: Float64Array; readonly bench: Float64Array } | null
}

type HintRow = {
  [Key in keyof HintFacts]: {
    readonly key: Key
    /** Said only where nothing surer is known. */
    readonly guess?: true
    readonly test: (seen: Seen) => Readonly<HintFacts[Key]> | null
  }
}[keyof HintFacts]

const classes = {
  [Precision.brain]: 'bfloat16',
  [Precision.float16]: 'float16',
  [Precision.float32]: 'float32',
  [Precision.float64]: 'float64',
} as Record<number, string>
const holds = {
  [Precision.brain]: 2 ** -8,
  [Precision.float16]: 2 ** -11,
  [Precision.float32]: 2 ** -24,
  [Precision.float64]: 2 ** -53,
} as Record<number, number>

const table: readonly HintRow[] = [
  {
    key: 'hint.dtype',
    test: ({ c, event, item }) => {
      // A compiler chooses types, where it likes: that is no cause.
      if (c.debug.dump.header.framework === 'cann') return null
      const at = event.items.find(i => (c.levels.differs[i] & Difference.dtype) !== 0) ?? item
      const other = at < 0 ? -1 : c.levels.toBench[at]
      if (at < 0 || other < 0 || (c.levels.differs[at] & Difference.dtype) === 0) return null
      const [p, q] = [c.debug.precision[at], c.bench.precision[other]]
      const step = Math.max(holds[p] ?? 0, holds[q] ?? 0)
      return { debug: classes[p] ?? '', bench: classes[q] ?? '', step }
    },
  },
  {
    key: 'hint.rounded',
    test: ({ c, event, item }) => {
      if (
        item < 0 ||
        event.debug < 0 ||
        event.items.some(i => (c.levels.differs[i] & Difference.dtype) !== 0)
      )
        return null
      const [p, q] = [endsIn(c.debug, item), endsIn(c.bench, c.levels.toBench[item])]
      if (p === q || p === Precision.none || q === Precision.none || c.noise.debug !== c.noise.bench)
        return null
      return { side: p > q ? 'debug' : 'bench', class: classes[Math.max(p, q)] ?? '' }
    },
  },
  {
    key: 'hint.argument',
    test: ({ c, event }) => {
      const at = event.items.find(i => (c.levels.differs[i] & (Difference.value | Difference.kind)) !== 0)
      return at === undefined
        ? null
        : {
            name: itemName(c.debug.dump, at),
            debug: valueOf(c.debug, at),
            bench: valueOf(c.bench, c.levels.toBench[at]),
          }
    },
  },
  {
    key: 'hint.zero',
    test: ({ c, item, partner }) => {
      if (
        item < 0 ||
        partner < 0 ||
        c.debug.counted[item] === 0 ||
        c.bench.counted[partner] === 0 ||
        c.debug.nonFinite[item] === 1 ||
        c.bench.nonFinite[partner] === 1
      )
        return null
      const [x, y] = [c.debug.range[item], c.bench.range[partner]]
      if ((x === 0) === (y === 0) || c.debug.numel[item] < 2) return null
      return { side: x === 0 ? 'debug' : 'bench' }
    },
  },
  {
    key: 'hint.sign',
    test: ({ c, item, partner, data }) => {
      if (
        item < 0 ||
        partner < 0 ||
        !plain(c, item, partner) ||
        !near(fieldOf(c.debug, item, 'max'), -fieldOf(c.bench, partner, 'min')) ||
        !near(fieldOf(c.debug, item, 'min'), -fieldOf(c.bench, partner, 'max'))
      )
        return null
      if (near(fieldOf(c.debug, item, 'max'), fieldOf(c.bench, partner, 'max'))) return null
      return data && !everyPair(data, (a, b) => near(a, -b)) ? null : {}
    },
  },
  {
    key: 'hint.proportional',
    test: ({ c, item, partner, data }) => {
      if (item < 0 || partner < 0 || !plain(c, item, partner)) return null
      const factor = fieldOf(c.debug, item, 'norm') / fieldOf(c.bench, partner, 'norm')
      if (!Number.isFinite(factor) || factor === 0 || Math.abs(factor - 1) < 1e-4) return null
      for (const field of ['max', 'min'] as const)
        if (!near(fieldOf(c.debug, item, field), factor * fieldOf(c.bench, partner, field))) return null
      return data && !everyPair(data, (a, b) => near(a, factor * b))
        ? null
        : { factor: Number(factor.toPrecision(6)) }
    },
  },
  {
    key: 'hint.permuted',
    test: ({ c, item, partner, data }) => {
      if (item < 0 || partner < 0 || c.levels.equal[item] !== Equal.no) return null
      if (data)
        return data.debug.length > 2 &&
          !everyPair(data, near) &&
          alikeSpread(data) &&
          sameSorted(data.debug, data.bench)
          ? {}
          : null
      if (!plain(c, item, partner)) return null
      for (const field of ['max', 'min', 'norm'] as const)
        if (!near(fieldOf(c.debug, item, field), fieldOf(c.bench, partner, field))) return null
      return c.levels.level[item] < 1e-6 && c.noise.exact && c.debug.dump.header.hasMd5 ? {} : null
    },
  },
  {
    key: 'hint.overflow',
    test: ({ c, event, item }) => {
      if (event.kind !== 'nan' || item < 0) return null
      const top = Math.max(...[...inputsOf(c.debug, event.debug)].map(i => c.debug.range[i]), 0)
      const half = c.debug.precision[item] === Precision.float16
      return half || top > 1e18 ? { class: classes[c.debug.precision[item]] ?? '', largest: top } : null
    },
  },
  {
    key: 'hint.training',
    test: ({ c, event }) => {
      if (
        event.debug < 0 ||
        event.kind === 'different-weights' ||
        !/batch_?norm|bn_|BatchNorm/i.test(c.debug.names.text(c.debug.api[event.debug]))
      )
        return null
      const statistics = [...inputsOf(c.debug, event.debug)].some(
        i => c.levels.toBench[i] >= 0 && isFloat(c.debug, i) && c.levels.equal[i] === Equal.no,
      )
      const mode = event.items.some(i => c.debug.dump.items.tensor[i] === 0)
      return statistics || mode ? {} : null
    },
  },
  {
    key: 'hint.random',
    test: ({ c, event, level }) =>
      event.debug >= 0 && c.debug.kind[event.debug] === 'random' && level > 0.01 ? {} : null,
  },
  {
    key: 'hint.epsilon',
    test: ({ data, level }) => {
      if (!data || level > 1e-4) return null
      let [worst, size] = [0, 0]
      for (let k = 0; k < data.debug.length; k++) {
        const error = Math.abs(data.debug[k] - data.bench[k])
        if (data.bench[k] !== 0 && error / Math.abs(data.bench[k]) > worst)
          [worst, size] = [error / Math.abs(data.bench[k]), error]
      }
      return worst > 0.01 ? { relative: worst, absolute: size } : null
    },
  },
  {
    key: 'hint.accumulation',
    guess: true,
    test: ({ c, event, level }) => {
      if (
        event.debug < 0 ||
        event.kind !== 'origin' ||
        !['product', 'reduction', 'norm'].includes(c.debug.kind[event.debug]) ||
        level > 2 ** -9
      )
        return null
      const length = Math.max(1, ...[...inputsOf(c.debug, event.debug)].map(i => lastDimension(c.debug, i)))
      return level <= 2 ** -22 * Math.sqrt(length) * 16 ? { length } : null
    },
  },
  {
    key: 'hint.reduced-product',
    guess: true,
    test: ({ c, event, level }) =>
      event.debug >= 0 &&
      event.kind === 'origin' &&
      c.debug.kind[event.debug] === 'product' &&
      level > 2 ** -16 &&
      level < c.limits.reducedProduct
        ? {}
        : null,
  },
  {
    key: 'hint.nondeterministic',
    guess: true,
    test: ({ c, event, level }) =>
      event.debug >= 0 &&
      event.kind === 'origin' &&
      nonDeterministic.has(c.debug.kind[event.debug]) &&
      level < 1e-3 &&
      event.variant !== 'gradient'
        ? {}
        : null,
  },
  { key: 'hint.communication', test: ({ event }) => (event.kind === 'communication' ? {} : null) },
]

const guesses: ReadonlySet<string> = new Set(table.filter(row => row.guess).map(row => row.key))

export async function hintsOf(c: Case, event: Event, readTensor: ReadTensor | null): Promise<Hint[]> {
  let item = -1
  const own =
    event.debug >= 0
      ? Array.from(
          { length: c.debug.dump.ops.first[event.debug + 1] - c.debug.dump.ops.first[event.debug] },
          (_, k) => c.debug.dump.ops.first[event.debug] + k,
        )
      : []
  for (const at of [...event.items, ...own]) {
    if (
      c.debug.dump.items.tensor[at] === 1 &&
      c.levels.toBench[at] >= 0 &&
      (item < 0 || c.levels.level[at] > c.levels.level[item])
    )
      item = at
  }
  const partner = item < 0 ? -1 : c.levels.toBench[item]
  let data: Seen['data'] = null
  if (readTensor && item >= 0) {
    const [x, y] = [await readTensor('debug', item), await readTensor('bench', partner)]
    if (x && y && x.length === y.length && x.length > 0) data = { debug: x, bench: y }
  }
  const seen: Seen = { c, event, item, partner, level: item < 0 ? Number.NaN : c.levels.level[item], data }
  const hints: Hint[] = []
  for (const row of table) {
    if (row.guess && hints.some(hint => !guesses.has(hint.key))) continue
    const facts = row.test(seen)
    if (facts) hints.push({ key: row.key, facts } as Hint)
  }
  return hints
}

/** What the numbers say about the two sides as a whole. */
export function noiseHints(c: Case): Hint[] {
  const { noise, limits, known } = c
  if (known) return [...measured(known), ...turned(c), ...renumbered(c)]
  const hints: Hint[] = [
    noise.exact
      ? { key: 'hint.noise-exact', facts: { alike: noise.alike } }
      : {
          key: 'hint.noise-floor',
          facts: { debug: classes[noise.debug] ?? '', bench: classes[noise.bench] ?? '', floor: noise.floor },
        },
  ]
  if (noise.reduced > 0)
    hints.push({ key: 'hint.noise-reduced', facts: { level: Number(noise.reduced.toPrecision(3)) } })
  else if (!noise.exact && noise.floor > limits.floor32) hints.push({ key: 'hint.noise-coarse', facts: {} })
  return [...hints, ...turned(c), ...renumbered(c)]
}

/** Choices that rounding turned. */
function turned({ flips: { found } }: Case): readonly Hint[] {
  const [first] = found
  if (!first) return []
  const { node, by, flipped, of, margin, noise } = first
  const calls = found.length
  if (by === 'values') return [{ key: 'hint.noise-flips.values', facts: { node, calls } }]
  if (by === 'unknown') return [{ key: 'hint.noise-flips.unknown', facts: { node, calls } }]
  const [apart, moved] = [margin, noise].map(size => Number(size.toPrecision(2)))
  return [
    { key: 'hint.noise-flips.margin', facts: { node, calls, flipped, of, margin: apart, noise: moved } },
  ]
}

const renumbered = ({ aligned }: Case): readonly Hint[] =>
  aligned.renumbered > 0 ? [{ key: 'hint.noise-renumbered', facts: { ops: aligned.renumbered } }] : []

/** Thresholds come from what was measured, and that is said. */
function measured({ profile, exact }: KnownNoise): readonly Hint[] {
  const { debug, bench, calls, alike, margin, classes, items } = profile
  if (exact) return [{ key: 'hint.noise-twins-exact', facts: { debug, bench, calls } }]
  return items
    ? [
        {
          key: 'hint.noise-twins',
          facts: { debug, bench, calls, alike, margin: Number(margin.toPrecision(2)) },
        },
      ]
    : [
        {
          key: 'hint.noise-profile',
          facts: { debug, bench, classes: classes.length, margin: Number(margin.toPrecision(2)) },
        },
      ]
}

function* inputsOf(view: SideView, op: OpRow): Generator<ItemRow> {
  if (op < 0) return
  for (let i = view.dump.ops.first[op]; i < view.dump.ops.first[op + 1]; i++)
    if (view.dump.items.state[i] !== State.output && view.dump.items.tensor[i] === 1) yield i
}

const fieldOf = (view: SideView, item: ItemRow, field: 'max' | 'min' | 'mean' | 'norm'): number =>
  view.dump.items[field].value[item]
const plain = (c: Case, item: DebugItem, partner: BenchItem): boolean =>
  c.debug.counted[item] === 1 &&
  c.bench.counted[partner] === 1 &&
  c.debug.nonFinite[item] === 0 &&
  c.bench.nonFinite[partner] === 0 &&
  isFloat(c.debug, item) &&
  c.debug.range[item] > 0 &&
  c.bench.range[partner] > 0
const near = (a: number, b: number): boolean => Math.abs(a - b) <= 2e-4 * Math.max(Math.abs(a), Math.abs(b))

function everyPair(
  data: { readonly debug: Float64Array; readonly bench: Float64Array },
  holds: (a: number, b: number) => boolean,
): boolean {
  const most = 0.01 * data.debug.length
  let wrong = 0
  for (let k = 0; k < data.debug.length && wrong <= most; k++)
    if (!holds(data.debug[k], data.bench[k])) wrong++
  return wrong <= most
}

function sameSorted(a: Float64Array, b: Float64Array): boolean {
  const [x, y] = [a.slice().sort(), b.slice().sort()]
  return everyPair({ debug: x, bench: y }, near)
}

const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

/**
 * Whether both sides have about as many values of each size: what sorting would show, without sorting. A
 * value near an edge of its class is not so when scaled.
 */
function alikeSpread({
  debug,
  bench,
}: {
  readonly debug: Float64Array
  readonly bench: Float64Array
}): boolean {
  return [1, 1.06].some(scale => {
    const counts = new Int32Array(1 << 12)
    // Sign, exponent and three bits of the mantissa.
    const classOf = (x: number): number => {
      float[0] = x * scale
      return bits[0] >>> 20
    }
    for (let k = 0; k < debug.length; k++) {
      counts[classOf(debug[k])]++
      counts[classOf(bench[k])]--
    }
    return counts.reduce((sum, count) => sum + Math.abs(count), 0) <= 0.04 * debug.length
  })
}

function lastDimension(view: SideView, item: ItemRow): number {
  const numbers = itemShape(view.dump, item).match(/\d+/g)
  return Number(numbers?.at(-1) ?? 1)
}
