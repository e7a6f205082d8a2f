// The numbers that a finding rests on, as texts: what it says first, then what else of its op speaks for it.
import { Direction, type SideView } from '../pair/index.ts'
import {
  type BenchItem,
  type DebugItem,
  type Dump,
  type Evidence,
  type FindingKind,
  itemName,
  type ItemRow,
  Kind,
  type Measured,
  type MeasuredRow,
  opName,
  type OpRow,
  type PairRow,
  RowState,
  type RowStateName,
  rowStates,
  type Stat,
  State,
} from '../model/index.ts'
import { pyFloat } from '../python/index.ts'
import { Difference } from './levels.ts'
import { Equal, Part, relativeError } from '../measure/index.ts'
import type { Case } from './links.ts'
import type { Event } from './scan.ts'

const most = 8

/** The name of an item behind that of its op. */
export const itemOfOp = (dump: Dump, item: ItemRow): string =>
  itemName(dump, item).slice(opName(dump, dump.items.op[item]).length + 1)

/** What the states of rows rest on, for the pairs that no row shows as well. */
export interface Stated {
  readonly benchItem: Int32Array
  readonly state: Uint8Array
  /** How far they are apart; values that are no tensors are measured in rows only. */
  readonly level: Float64Array
  readonly measured: Measured | null
  /** Index into `measured` per row, -1 where nothing was measured. */
  readonly pairOf: ArrayLike<MeasuredRow> | null
  /** What noise explains, by debug item. */
  readonly explained: Float64Array
}

const all = (): boolean => true
const none = (): boolean => false
const differing = (state: RowStateName): boolean => state === 'differs'

/** Which other items of its op speak for a finding: where inputs agree, that they do is evidence as well. */
const besides: Readonly<Record<FindingKind, (state: RowStateName) => boolean>> = {
  'different-input': differing,
  'different-weights': all,
  origin: all,
  precision: differing,
  shape: differing,
  argument: all,
  'hidden-producer': none,
  'uncovered-entry': all,
  'unmatched-call': all,
  growth: all,
  nan: all,
  communication: all,
  'not-decidable': none,
}

export function evidenceOf(c: Case, event: Event, stated: Stated): Evidence[] {
  const { debug, bench } = c
  const found: Evidence[] = []
  const named = new Set([...event.items, ...(event.proof ?? [])])
  const own = event.debug >= 0 ? itemsOf(debug, event.debug) : []
  for (const item of new Set([...named, ...own])) {
    if (found.length >= most) break
    const ofAnother =
      debug.dump.items.state[item] > State.output &&
      debug.direction[debug.dump.items.op[item]] !== Direction.gradients
    if (!named.has(item) && (ofAnother || !besides[event.kind](stateOf(c, item, stated)))) continue
    const one = oneOf(c, item, stated)
    if (one) found.push(one)
  }
  if (event.debug < 0) {
    for (const item of itemsOf(bench, event.bench).slice(0, most - found.length)) {
      found.push({
        row: c.levels.rowOfBench[item],
        label: itemName(bench.dump, item),
        metric: measureOf(bench, item),
        debug: '',
        bench: valueOf(bench, item),
        state: 'unpaired',
        level: Number.NaN,
      })
    }
  }
  return found
}

/** Rows of the node itself that show what is said of it: those that differ, then those without partner. */
export function proofOf(node: string, evidence: readonly Evidence[]): PairRow[] {
  const rows = (shows: (state: RowStateName) => boolean): PairRow[] =>
    evidence
      .filter(({ row, label, state }) => row >= 0 && label.startsWith(`${node}.`) && shows(state))
      .map(({ row }) => row)
  return [...rows(differing), ...rows(state => state === 'unpaired' || state === 'incomparable')]
}

const itemsOf = (view: SideView, op: OpRow): ItemRow[] => {
  const from = view.dump.ops.first[op]
  return Array.from({ length: view.dump.ops.first[op + 1] - from }, (_, k) => from + k)
}

/** Who the item meets: by the advisor's pairing, else in its row. */
function partnerOf({ levels }: Case, item: DebugItem, { benchItem }: Stated): BenchItem {
  const row = levels.rowOfDebug[item]
  return levels.toBench[item] >= 0 || row < 0 ? levels.toBench[item] : benchItem[row]
}

/** The state of the row that shows this pair; else what it would be. */
export function stateOf(c: Case, item: DebugItem, stated: Stated): RowStateName {
  const { levels } = c
  const [row, partner] = [levels.rowOfDebug[item], partnerOf(c, item, stated)]
  if (partner < 0) return 'unpaired'
  if (row >= 0 && stated.benchItem[row] === partner) return rowStates[stated.state[row]] ?? 'incomparable'
  if ((levels.differs[item] & ~Difference.dtype) !== 0) return 'differs'
  if (levels.equal[item] === Equal.yes) return 'equal'
  if (Number.isNaN(levels.level[item])) return 'incomparable'
  return levels.level[item] <= stated.explained[item] ? 'noise' : 'differs'
}

function oneOf(c: Case, item: DebugItem, stated: Stated): Evidence | null {
  const { debug, bench, levels } = c
  const partner = partnerOf(c, item, stated)
  const state = stateOf(c, item, stated)
  const base = {
    row: levels.rowOfDebug[item],
    label: itemName(debug.dump, item),
    state,
    level: levels.unsized[item] === 1 ? Number.NaN : levels.level[item],
  }
  if (partner < 0) return { ...base, metric: measureOf(debug, item), debug: valueOf(debug, item), bench: '' }
  if (debug.dump.items.tensor[item] === 0) {
    return state === 'differs'
      ? {
          ...base,
          metric: 'value',
          debug: valueOf(debug, item),
          bench: valueOf(bench, partner),
          level:
            base.row >= 0 && stated.benchItem[base.row] === partner ? stated.level[base.row] : Number.NaN,
        }
      : null
  }
  // Where a compiler chooses types, they say less than the numbers.
  const plain = debug.dump.header.framework === 'cann' ? (['shape'] as const) : (['shape', 'dtype'] as const)
  for (const of of plain)
    if ((levels.differs[item] & Difference[of]) !== 0)
      return { ...base, metric: of, debug: textOf(debug, item, of), bench: textOf(bench, partner, of) }
  if (Number.isNaN(levels.level[item]) && levels.equal[item] === Equal.unknown) return null
  const told = tellingValues(c, item, partner)
  if (told.debug !== '' || told.bench !== '') return { ...base, ...told }
  // A finished table holds nothing of either side: what is known is how alike both are.
  const met = base.row >= 0 && stated.benchItem[base.row] === partner ? (stated.pairOf?.[base.row] ?? -1) : -1
  const cosine = met < 0 ? NaN : (stated.measured?.cosine[met] ?? NaN)
  return Number.isNaN(cosine)
    ? { ...base, ...told }
    : { ...base, metric: 'cosine', debug: String(cosine), bench: '' }
}

export const textOf = ({ dump: { items, texts } }: SideView, item: ItemRow, of: 'shape' | 'dtype'): string =>
  items[of][item] < 0 ? '' : texts.get(items[of][item]).replace(/^torch\./, '')

/** Extremes are off in units of the range, the norm in its own. */
const statistics: readonly Stat[] = ['norm', 'max', 'min', 'mean']
/** The norm is what people know; another statistic has to say this much more. */
const plainly = 2

/** The statistic that is furthest off; where all are the same on both sides, what is not. */
function tellingValues(
  { debug, bench, levels }: Case,
  item: ItemRow,
  partner: BenchItem,
): Pick<Evidence, 'metric' | 'debug' | 'bench'> {
  const both = (metric: Stat): Pick<Evidence, 'metric' | 'debug' | 'bench'> => ({
    metric,
    debug: cellText(debug, metric, item) ?? '',
    bench: cellText(bench, metric, partner) ?? '',
  })
  const md5s = { metric: 'md5', debug: md5Of(debug, item), bench: md5Of(bench, partner) } as const
  const counted = debug.counted[item] === 1 && bench.counted[partner] === 1
  const usual = hasNorm(debug, item) ? 'norm' : 'max'
  // A log may tell nothing of a tensor but one number.
  if (!counted) return md5s.debug + md5s.bench === '' && hasNorm(debug, item) ? both('norm') : md5s
  if (levels.equal[item] !== Equal.no) return both(usual)
  let [telling, most] = [usual as Stat, 0]
  for (const metric of statistics) {
    const { debug: mine, bench: theirs } = both(metric)
    if (mine === theirs || mine === '' || theirs === '') continue
    const [a, b] = [debug.dump.items[metric].value[item], bench.dump.items[metric].value[partner]]
    const error = relativeError(a, b, metric === 'norm' ? Math.abs(b) : bench.range[partner])
    if (most === 0 || error > plainly * most) [telling, most] = [metric, Math.max(error, Number.MIN_VALUE)]
  }
  if (most > 0) return both(telling)
  if (levels.parts[Part.elements][item] > 0) return { ...both(usual), metric: 'elements' }
  return md5s.debug === md5s.bench ? both(usual) : md5s
}

/** Of an op whose error has grown: what came in and what went out. */
export function growthEvidence(
  { debug, levels }: Case,
  { op, into, out }: { readonly op: OpRow; readonly into: number; readonly out: number },
  { state }: Stated,
): Evidence {
  const row = itemsOf(debug, op)
    .filter(item => debug.dump.items.state[item] === State.output)
    .reduce((found, item) => (found < 0 ? levels.rowOfDebug[item] : found), -1)
  return {
    row,
    label: opName(debug.dump, op),
    metric: 'growth',
    debug: into.toPrecision(3),
    bench: out.toPrecision(3),
    state: rowStates[row < 0 ? RowState.differs : state[row]] ?? 'differs',
    level: out,
  }
}

const hasNorm = (view: SideView, item: ItemRow): boolean => cellText(view, 'norm', item) !== null
const md5Of = ({ dump: { items, texts } }: SideView, item: ItemRow): string =>
  items.md5[item] < 0 ? '' : texts.get(items.md5[item])

function cellText({ dump: { items, texts } }: SideView, of: Stat, item: ItemRow): string | null {
  const [kind, value] = [items[of].kind[item], items[of].value[item]]
  if (kind === Kind.absent || kind === Kind.none) return null
  if (kind === Kind.text || kind === Kind.bigint) return texts.get(value)
  if (kind === Kind.bool) return value === 1 ? 'True' : 'False'
  return Number.isFinite(value) ? String(value) : pyFloat(value)
}

/** What `valueOf` is of this item. */
const measureOf = (view: SideView, item: ItemRow): 'norm' | 'value' =>
  view.dump.items.tensor[item] === 1 && view.counted[item] === 1 && hasNorm(view, item) ? 'norm' : 'value'

/** The value of a scalar, the norm of a tensor, else its md5. */
export function valueOf(view: SideView, item: ItemRow): string {
  const { items, texts } = view.dump
  if (items.tensor[item] === 1 && view.counted[item] === 0) return md5Of(view, item)
  return (
    cellText(view, items.tensor[item] === 1 ? 'norm' : 'max', item) ??
    (items.shape[item] >= 0 ? texts.get(items.shape[item]) : 'None')
  )
}
