// How far the two sides are apart, item by item: which item met which, equal to the bit or not, and the error level in [0,1].
import type { AdvisorThresholds } from '../../../preload/contract/engine.ts'
import type { Measured } from '../metrics/measured.ts'
import { Note, Outcome } from '../metrics/measured.ts'
import { Kind, State } from '../model.ts'
import type { Matched } from './index.ts'
import type { Alignment } from './align.ts'
import { Direction, numeric, type SideView } from './side.ts'

/** What is plainly different between two items, apart from their numbers. */
export const Difference = { shape: 1, dtype: 2, wild: 4, value: 8, kind: 16 } as const

/** Columns by debug item; -1 and NaN where there is no partner. */
export interface Levels {
  readonly mate: Int32Array
  readonly back: Int32Array
  /** 1: equal to the bit as far as the dumps can tell. 0: different. 2: cannot be told. */
  readonly equal: Uint8Array
  readonly level: Float64Array
  /** The level in parts: of the extremes and the mean, of the norm, and (tensor mode) of all elements. They notice different things. */
  readonly parts: readonly [Float64Array, Float64Array, Float64Array]
  /** Bits of `Difference`. */
  readonly differs: Uint8Array
  /** Row of the comparison that shows the debug item, or the bench item; -1: none. */
  readonly rowOfDebug: Int32Array
  readonly rowOfBench: Int32Array
}

export const Part = { extremes: 0, norm: 1, elements: 2 } as const

export const Equal = { no: 0, yes: 1, unknown: 2 } as const

export function measureLevels(
  debug: SideView, bench: SideView, aligned: Alignment, comparison: Matched, limits: AdvisorThresholds, across: boolean,
): Levels {
  const n = debug.dump.items.length
  const m = bench.dump.items.length
  const levels: Levels = {
    mate: new Int32Array(n).fill(-1), back: new Int32Array(m).fill(-1), equal: new Uint8Array(n).fill(Equal.unknown),
    level: new Float64Array(n).fill(Number.NaN), parts: [new Float64Array(n), new Float64Array(n), new Float64Array(n)], differs: new Uint8Array(n),
    rowOfDebug: new Int32Array(n).fill(-1), rowOfBench: new Int32Array(m).fill(-1),
  }
  for (let row = 0; row < comparison.length; row++) {
    if (comparison.debugItem[row] >= 0) levels.rowOfDebug[comparison.debugItem[row]] = row
    if (comparison.benchItem[row] >= 0) levels.rowOfBench[comparison.benchItem[row]] = row
  }
  for (let op = 0; op < aligned.mate.length; op++) {
    if (aligned.mate[op] < 0) continue
    if (across) pairBySize(debug, bench, partsOf(debug, op, aligned.halfDebug), partsOf(bench, aligned.mate[op], aligned.halfBench), levels, [op, aligned.mate[op]])
    else pairByName(debug, bench, op, aligned.mate[op], levels)
  }
  const md5 = debug.dump.header.hasMd5 && bench.dump.header.hasMd5
  for (let i = 0; i < n; i++) {
    const j = levels.mate[i]
    if (j < 0) continue
    levels.back[j] = i
    const row = levels.rowOfDebug[i]
    const pair = row >= 0 && comparison.benchItem[row] === j ? comparison.pairOf?.[row] ?? -1 : -1
    if (debug.dump.items.tensor[i] === 1 && bench.dump.items.tensor[j] === 1) tensorPair(debug, bench, i, j, levels, md5, pair < 0 ? null : comparison.measured, pair, across)
    else if (!across) scalarPair(debug, bench, i, j, levels, limits)
  }
  return levels
}

function pairByName(debug: SideView, bench: SideView, d: number, b: number, levels: Levels): void {
  const [x, y] = [debug.dump, bench.dump]
  const [fromD, fromB] = [x.ops.first[d], y.ops.first[b]]
  const count = x.ops.first[d + 1] - fromD
  let same = count === y.ops.first[b + 1] - fromB
  for (let k = 0; same && k < count; k++) same = x.items.state[fromD + k] === y.items.state[fromB + k]
  if (same) {
    for (let k = 0; k < count; k++) levels.mate[fromD + k] = fromB + k
    return
  }
  const rest = new Map<string, number>()
  const nameLength = y.texts.get(y.ops.name[b]).length
  for (let j = fromB; j < y.ops.first[b + 1]; j++) rest.set(y.texts.get(y.items.name[j]).slice(nameLength), j)
  const ownLength = x.texts.get(x.ops.name[d]).length
  for (let i = fromD; i < x.ops.first[d + 1]; i++) levels.mate[i] = rest.get(x.texts.get(x.items.name[i]).slice(ownLength)) ?? -1
}

/** Items of an op, and what goes into (backward: comes out of) the product that it completes. */
export function partsOf(view: SideView, op: number, halves: Int32Array): readonly number[] {
  const { ops, items } = view.dump
  const own = Array.from({ length: ops.first[op + 1] - ops.first[op] }, (_, k) => ops.first[op] + k)
  const half = halves[op]
  if (half < 0) return own
  const state = view.direction[op] === Direction.backward ? State.output : State.input
  const passed = own.filter(i => items.state[i] === state && items.tensor[i] === 1).sort((x, y) => view.numel[y] - view.numel[x])[0]
  const other = Array.from({ length: ops.first[half + 1] - ops.first[half] }, (_, k) => ops.first[half] + k).filter(i => items.state[i] === state)
  return [...other, ...own.filter(i => i !== passed)]
}

/** Across frameworks arguments are ordered otherwise: tensors of one part and size meet by how near they are, then in order. */
function pairBySize(debug: SideView, bench: SideView, mine: readonly number[], theirs: readonly number[], levels: Levels, [d, b]: readonly [number, number]): void {
  const [x, y] = [debug.dump, bench.dump]
  const shape = (view: SideView, item: number): string => view.dump.texts.get(view.dump.items.shape[item])
  const group = (state: number): number => (state === State.parameters ? State.input : state)
  const [hiddenD, hiddenB] = [inside(debug, d, bench, b), inside(bench, b, debug, d)]
  const pairs: { readonly i: number; readonly j: number; readonly cost: number }[] = []
  for (const [m, i] of mine.entries()) {
    for (const [n, j] of theirs.entries()) {
      if (x.items.tensor[i] === 0 || y.items.tensor[j] === 0 || i === hiddenD || j === hiddenB || group(x.items.state[i]) !== group(y.items.state[j]) || debug.numel[i] !== bench.numel[j]) continue
      pairs.push({ i, j, cost: apart(debug, bench, i, j) + 0.05 * Math.abs(m - n) + (shape(debug, i) === shape(bench, j) ? 0 : 1e-2) })
    }
  }
  pairs.sort((p, q) => p.cost - q.cost)
  const taken = new Set<number>()
  for (const { i, j } of pairs) {
    if (levels.mate[i] >= 0 || taken.has(j)) continue
    levels.mate[i] = j
    taken.add(j)
  }
  if (debug.module[d] === 0 || bench.module[b] === 0) return
  // A parameter of one name but another size is still the same parameter.
  const own = (view: SideView, item: number): string => view.dump.texts.get(view.dump.items.name[item]).replace(/^.*\./, '')
  for (const i of mine) {
    if (levels.mate[i] >= 0 || x.items.tensor[i] === 0 || x.items.state[i] !== State.parameters) continue
    const j = theirs.find(other => !taken.has(other) && y.items.tensor[other] === 1 && y.items.state[other] === State.parameters && own(bench, other) === own(debug, i))
    if (j === undefined) continue
    levels.mate[i] = j
    taken.add(j)
  }
}

const bias = /bias_?add/i

/** A bias that is added in a call of its own meets a call that does it along the way: what passes between the two is nothing there. */
function inside(view: SideView, op: number, other: SideView, partner: number): number {
  if (!bias.test(view.names.text(view.api[op])) || bias.test(other.names.text(other.api[partner]))) return -1
  const { ops, items } = view.dump
  const state = view.direction[op] === Direction.backward ? State.output : State.input
  let found = -1
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) if (items.state[i] === state && items.tensor[i] === 1 && (found < 0 || view.numel[i] > view.numel[found])) found = i
  return found
}

/** Rough distance in [0,1] of two tensors by norm and extremes. */
function apart(debug: SideView, bench: SideView, i: number, j: number): number {
  if (debug.counted[i] === 0 || bench.counted[j] === 0) return 0.5
  let far = 0
  for (const column of ['max', 'min', 'norm'] as const) {
    const [a, b] = [debug.dump.items[column].value[i], bench.dump.items[column].value[j]]
    const scale = Math.max(debug.range[i], bench.range[j], column === 'norm' ? Math.max(Math.abs(a), Math.abs(b)) : 0)
    far = Math.max(far, Number.isFinite(a - b) && scale > 0 ? Math.min(1, Math.abs(a - b) / scale) : 0)
  }
  return far
}

function tensorPair(
  debug: SideView, bench: SideView, i: number, j: number, levels: Levels, md5: boolean, measured: Measured | null, pair: number, across: boolean,
): void {
  const [x, y] = [debug.dump.items, bench.dump.items]
  // One framework flattens what the other leaves as it is: across frameworks only the size counts.
  if (across ? debug.numel[i] !== bench.numel[j] : debug.dump.texts.get(x.shape[i]) !== bench.dump.texts.get(y.shape[j])) levels.differs[i] |= Difference.shape
  if (debug.precision[i] !== bench.precision[j]) levels.differs[i] |= Difference.dtype
  if (debug.numel[i] !== bench.numel[j]) {
    levels.equal[i] = Equal.no
    return
  }
  if (debug.wild[i] !== bench.wild[j] && debug.counted[i] === 1 && bench.counted[j] === 1) levels.differs[i] |= Difference.wild
  levels.equal[i] = equality(debug, bench, i, j, md5, measured, pair)
  levels.level[i] = levels.equal[i] === Equal.yes ? 0 : distance(debug, bench, i, j, levels)
  if (!measured || measured.outcome[pair] === Outcome.pending) return
  if (measured.outcome[pair] === Outcome.nanPositions) {
    levels.level[i] = 1
    levels.differs[i] |= Difference.wild
  }
  const norm = y.norm.value[j]
  if ((measured.outcome[pair] === Outcome.measured || measured.outcome[pair] === Outcome.scalar) && norm > 0 && measured.euclid[pair] >= 0) {
    const relative = Math.min(1, measured.euclid[pair] / norm)
    levels.level[i] = Number.isNaN(levels.level[i]) ? relative : Math.max(levels.level[i], relative)
    levels.parts[Part.elements][i] = relative
  }
}

function equality(debug: SideView, bench: SideView, i: number, j: number, md5: boolean, measured: Measured | null, pair: number): number {
  const [x, y] = [debug.dump.items, bench.dump.items]
  if (measured) {
    const [a, b, c, d] = [measured.debugHash[2 * pair], measured.debugHash[2 * pair + 1], measured.benchHash[2 * pair], measured.benchHash[2 * pair + 1]]
    if ((a | b) !== 0 && (c | d) !== 0) return a === c && b === d ? Equal.yes : Equal.no
    if ((measured.notes[pair] & Note.equalBytes) !== 0) return Equal.yes
  }
  if (md5 && x.md5[i] >= 0 && y.md5[j] >= 0) {
    const [a, b] = [debug.dump.texts.get(x.md5[i]), bench.dump.texts.get(y.md5[j])]
    if (a !== '00000000' && b !== '00000000') return a === b ? Equal.yes : Equal.no
  }
  let known = 0
  for (const column of ['max', 'min', 'mean', 'norm'] as const) {
    if (!numeric(x[column].kind[i]) || !numeric(y[column].kind[j])) continue
    known++
    if (!Object.is(x[column].value[i], y[column].value[j]) && x[column].value[i] !== y[column].value[j]) return Equal.no
  }
  return known > 0 ? Equal.yes : Equal.unknown
}

/** Error against the reference's range, not against the statistic itself: a mean near zero would make harmless noise look like 100 %. */
function distance(debug: SideView, bench: SideView, i: number, j: number, levels: Levels): number {
  const [x, y] = [debug.dump.items, bench.dump.items]
  if (debug.counted[i] === 0 || bench.counted[j] === 0) return levels.equal[i] === Equal.no ? levels.parts[Part.extremes][i] = 1 : Number.NaN
  const range = bench.range[j]
  for (const column of ['max', 'min', 'mean', 'norm'] as const) {
    if (!numeric(x[column].kind[i]) || !numeric(y[column].kind[j])) continue
    const [a, b] = [x[column].value[i], y[column].value[j]]
    if (Object.is(a, b)) continue
    if (!Number.isFinite(a) || !Number.isFinite(b)) {
      if (column === 'max' || column === 'min' || Number.isNaN(a) !== Number.isNaN(b)) return levels.parts[Part.extremes][i] = 1
      continue
    }
    const scale = column === 'norm' ? Math.abs(b) : range
    const part = levels.parts[column === 'norm' ? Part.norm : Part.extremes]
    if (a !== b) part[i] = Math.min(1, Math.max(part[i], scale > 0 && Number.isFinite(scale) ? Math.abs(a - b) / scale : 1))
  }
  return Math.max(levels.parts[Part.extremes][i], levels.parts[Part.norm][i])
}

function scalarPair(debug: SideView, bench: SideView, i: number, j: number, levels: Levels, limits: AdvisorThresholds): void {
  const [x, y] = [debug.dump.items, bench.dump.items]
  if (x.tensor[i] !== y.tensor[j] || (x.type[i] < 0) !== (y.type[j] < 0)) {
    levels.differs[i] |= Difference.kind
    levels.equal[i] = Equal.no
    return
  }
  const [p, q] = [x.max.kind[i], y.max.kind[j]]
  if (numeric(p) && numeric(q)) {
    const [a, b] = [x.max.value[i], y.max.value[j]]
    const same = Object.is(a, b) || Math.abs(a - b) <= limits.argument * Math.max(Math.abs(a), Math.abs(b))
    levels.equal[i] = same ? Equal.yes : Equal.no
    if (!same) levels.differs[i] |= Difference.value
    return
  }
  const text = (view: SideView, kind: number, value: number): string => (kind === Kind.text || kind === Kind.bigint ? view.dump.texts.get(value) : '')
  const same = p === q && text(debug, p, x.max.value[i]) === text(bench, q, y.max.value[j])
  const [s, t] = [x.shape[i] < 0 ? '' : debug.dump.texts.get(x.shape[i]), y.shape[j] < 0 ? '' : bench.dump.texts.get(y.shape[j])]
  levels.equal[i] = same && s === t ? Equal.yes : Equal.no
  if (levels.equal[i] === Equal.no && p === q) levels.differs[i] |= Difference.value
}

export { isFloatItem as isFloat } from './side.ts'
