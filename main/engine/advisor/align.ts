// Which op of one side is which op of the other, by order, place and content: call numbers shift as soon as one side makes one call more.
import { State } from '../model.ts'
import { alignAcross, halves as halvesOf } from './align-across.ts'
import { bestChain, tableLimit } from './chain.ts'
import { Direction, numeric, Precision, type SideView } from './side.ts'

export interface Alignment {
  /** Bench op of each debug op, -1: none. */
  readonly mate: Int32Array
  /** Debug op of each bench op, -1: none. */
  readonly back: Int32Array
  /** Product whose work an addition of a bias completes, where one dialect spreads over two calls what the other does in one; -1: none. */
  readonly halfDebug: Int32Array
  readonly halfBench: Int32Array
  /** Debug ops that met another partner than the comparison gave them. */
  readonly renumbered: number
}

const scriptLimit = 1500

/** `given`: the comparison's partner of each debug op, -1: none. Across frameworks nothing else is known. */
export function align(debug: SideView, bench: SideView, given: Int32Array, across: boolean): Alignment {
  const mate = new Int32Array(debug.api.length).fill(-1)
  const none = (view: SideView): Int32Array => new Int32Array(view.api.length).fill(-1)
  const [halfDebug, halfBench] = across ? [halvesOf(debug), halvesOf(bench)] : [none(debug), none(bench)]
  if (across) alignAcross(debug, bench, given, mate, halfDebug, halfBench)
  else alignSame(debug, bench, given, mate)
  const back = new Int32Array(bench.api.length).fill(-1)
  for (let op = 0; op < mate.length; op++) {
    if (mate[op] < 0) continue
    if (back[mate[op]] >= 0) mate[op] = -1
    else back[mate[op]] = op
  }
  let renumbered = 0
  for (let op = 0; op < mate.length; op++) if (!across && mate[op] >= 0 && given[op] >= 0 && given[op] !== mate[op]) renumbered++
  return { mate, back, renumbered, halfDebug, halfBench }
}

function alignSame(debug: SideView, bench: SideView, given: Int32Array, mate: Int32Array): void {
  const forwardD = opsOf(debug, Direction.forward)
  const forwardB = opsOf(bench, Direction.forward)
  alignRun(debug, bench, forwardD, forwardB, given, mate)

  // An api's backward entry carries the call number of its forward entry, so it follows it.
  const byCall = new Map<string, number>()
  const nameOf = (view: SideView, op: number): string => `${view.api[op]} ${view.call[op]}`
  for (const op of opsOf(bench, Direction.backward)) if (bench.module[op] === 0) byCall.set(nameOf(bench, op), op)
  const modulesD: number[] = []
  const modulesB = opsOf(bench, Direction.backward).filter(op => bench.module[op] === 1)
  for (const op of opsOf(debug, Direction.backward)) {
    if (debug.module[op] === 1) {
      modulesD.push(op)
      continue
    }
    const forward = debug.forward[op]
    if (forward < 0) mate[op] = byCall.get(nameOf(debug, op)) ?? given[op]
    else if (mate[forward] >= 0) mate[op] = byCall.get(`${bench.api[mate[forward]]} ${bench.call[mate[forward]]}`) ?? -1
  }
  alignByPath(debug, bench, modulesD, modulesB, given, mate)
  alignByPath(debug, bench, opsOf(debug, Direction.gradients), opsOf(bench, Direction.gradients), given, mate)
}

function opsOf(view: SideView, direction: Direction): number[] {
  const ops: number[] = []
  for (let op = 0; op < view.api.length; op++) if (view.direction[op] === direction) ops.push(op)
  return ops
}

/** Calls of one module meet in their order; where the counts differ, content decides. */
function alignByPath(debug: SideView, bench: SideView, d: readonly number[], b: readonly number[], given: Int32Array, mate: Int32Array): void {
  const groups = new Map<number, { readonly d: number[]; readonly b: number[] }>()
  const groupOf = (api: number): { readonly d: number[]; readonly b: number[] } => {
    let group = groups.get(api)
    if (!group) groups.set(api, group = { d: [], b: [] })
    return group
  }
  for (const op of d) groupOf(debug.api[op]).d.push(op)
  for (const op of b) groupOf(bench.api[op]).b.push(op)
  for (const group of groups.values()) {
    // A module call whose forward calls are known to belong together follows them.
    if (group.d.length !== group.b.length) alignRun(debug, bench, group.d, group.b, given, mate)
    else for (const [i, op] of group.d.entries()) mate[op] = group.b[i]
  }
}

/** Aligns two sequences: equal ends first, then the middle by content, or by name and place when it is long. */
function alignRun(debug: SideView, bench: SideView, d: readonly number[], b: readonly number[], given: Int32Array, mate: Int32Array): void {
  const keys = keysOf(debug, bench, d, b, given)
  let from = 0
  let [endD, endB] = [d.length, b.length]
  while (from < endD && from < endB && alike(debug, bench, keys, d[from], b[from])) {
    mate[d[from]] = b[from]
    from++
  }
  while (endD > from && endB > from && alike(debug, bench, keys, d[endD - 1], b[endB - 1])) {
    endD--
    endB--
    mate[d[endD]] = b[endB]
  }
  const [midD, midB] = [d.slice(from, endD), b.slice(from, endB)]
  if (midD.length === 0 || midB.length === 0) return
  // The same calls on the same shapes all along: only values differ, and they are what is asked about.
  if (midD.length === midB.length && midD.every((op, i) => keys.debug.get(op) === keys.bench.get(midB[i]) && sameShapes(debug, bench, op, midB[i]))) {
    for (const [i, op] of midD.entries()) mate[op] = midB[i]
    return
  }
  // Beyond the limit name and place alone align.
  if (midD.length * midB.length <= tableLimit) alignTable(debug, bench, keys, midD, midB, mate)
  else alignScript(keys, midD, midB, given, mate)
}

interface Keys {
  readonly debug: Map<number, number>
  readonly bench: Map<number, number>
}

/** Api and place as one number per op. Pairs with different names that the comparison gives (a mapping) share the key. */
function keysOf(debug: SideView, bench: SideView, d: readonly number[], b: readonly number[], given: Int32Array): Keys {
  const keys: Keys = { debug: new Map(), bench: new Map() }
  // Where only one side says in which modules its calls stand, places tell nothing.
  const placed = isPlaced(debug) === isPlaced(bench)
  const key = (view: SideView, op: number): number => view.api[op] * 67108864 + (placed ? view.place[op] + 1 : 0)
  for (const op of d) keys.debug.set(op, key(debug, op))
  for (const op of b) keys.bench.set(op, key(bench, op))
  for (const op of d) if (given[op] >= 0 && debug.api[op] !== bench.api[given[op]]) keys.bench.set(given[op], key(debug, op))
  return keys
}

const isPlaced = (view: SideView): boolean => view.place.some(place => place >= 0)

/** Same name, place, shapes and weights. */
function alike(debug: SideView, bench: SideView, keys: Keys, d: number, b: number): boolean {
  return keys.debug.get(d) === keys.bench.get(b) && sameShapes(debug, bench, d, b) && weights(debug, d) === weights(bench, b)
}

function alignTable(debug: SideView, bench: SideView, keys: Keys, d: readonly number[], b: readonly number[], mate: Int32Array): void {
  const [mine, theirs] = [new Float64Array(debug.api.length), new Float64Array(bench.api.length)]
  for (const op of d) mine[op] = keys.debug.get(op) ?? 0
  for (const op of b) theirs[op] = keys.bench.get(op) ?? 0
  for (const [x, y] of bestChain(d, b, (x, y) => (mine[x] === theirs[y] ? likeness(debug, bench, x, y) : 0))) mate[x] = y
}

/** How much two calls of one name look like the same call; place in the model is settled before. */
function likeness(debug: SideView, bench: SideView, d: number, b: number): number {
  let score = 1
  if (debug.call[d] === bench.call[b]) score += 0.05
  if (!sameShapes(debug, bench, d, b)) return score
  score += 0.5
  const weight = weights(debug, d)
  if (weight !== 0 && weight === weights(bench, b)) score += 0.5
  return score + 0.75 * nearness(debug, bench, d, b)
}

/** 1: first outputs have equal norms; 0.5: nearly equal. */
function nearness(debug: SideView, bench: SideView, d: number, b: number): number {
  const [x, y] = [firstOutput(debug, d), firstOutput(bench, b)]
  if (x < 0 || y < 0) return 0
  const [n, m] = [debug.dump.items.norm.value[x], bench.dump.items.norm.value[y]]
  if (n === m) return 1
  return Math.abs(n - m) <= 0.02 * Math.abs(m) ? 0.5 : 0
}

function firstOutput(view: SideView, op: number): number {
  const { ops, items } = view.dump
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) if (items.state[i] === State.output && view.counted[i] === 1) return i
  return -1
}

export function sameShapes(debug: SideView, bench: SideView, d: number, b: number): boolean {
  const [x, y] = [debug.dump, bench.dump]
  const count = x.ops.first[d + 1] - x.ops.first[d]
  if (count !== y.ops.first[b + 1] - y.ops.first[b]) return false
  for (let k = 0; k < count; k++) {
    const [i, j] = [x.ops.first[d] + k, y.ops.first[b] + k]
    if (x.items.tensor[i] !== y.items.tensor[j]) return false
    if (x.items.tensor[i] === 1 && debug.numel[i] !== bench.numel[j]) return false
    if (x.items.tensor[i] === 1 && x.texts.get(x.items.shape[i]) !== y.texts.get(y.items.shape[j])) return false
  }
  return true
}

const bits = new Float64Array(1)
const halves = new Uint32Array(bits.buffer)

/** A hash over what an op reads that nothing recorded wrote (weights, tables); 0 when there is none. */
function weights(view: SideView, op: number): number {
  const { ops, items } = view.dump
  let hash = 0
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
    const held = items.state[i] === State.parameters || (items.state[i] === State.input && view.flow.producer[i] < 0 && i > ops.first[op])
    if (!held || view.counted[i] === 0 || view.precision[i] <= Precision.whole || view.numel[i] < 2 || !numeric(items.norm.kind[i])) continue
    bits[0] = items.norm.value[i]
    hash = Math.imul(hash ^ halves[0], 0x9e3779b1) ^ halves[1]
  }
  return hash
}

/** Shortest edit script (Myers) over the keys, for long sequences; gives up on very different ones and takes the comparison's pairs. */
function alignScript(keys: Keys, d: readonly number[], b: readonly number[], given: Int32Array, mate: Int32Array): void {
  const x = Float64Array.from(d, op => keys.debug.get(op) ?? -1)
  const y = Float64Array.from(b, op => keys.bench.get(op) ?? -2)
  const offset = scriptLimit + 1
  let reach = new Int32Array(2 * offset + 1)
  const trail: Int32Array[] = []
  for (let edits = 0; edits <= scriptLimit; edits++) {
    trail.push(reach.slice(offset - edits - 1, offset + edits + 2))
    const next = reach.slice()
    for (let k = -edits; k <= edits; k += 2) {
      let i = k === -edits || (k !== edits && reach[offset + k - 1] < reach[offset + k + 1]) ? reach[offset + k + 1] : reach[offset + k - 1] + 1
      while (i < x.length && i - k < y.length && x[i] === y[i - k]) i++
      next[offset + k] = i
      if (i >= x.length && i - k >= y.length) return walkBack(trail, edits, d, b, mate)
    }
    reach = next
  }
  for (const op of d) if (given[op] >= 0) mate[op] = given[op]
}

function walkBack(trail: readonly Int32Array[], edits: number, d: readonly number[], b: readonly number[], mate: Int32Array): void {
  let [i, j] = [d.length, b.length]
  for (let e = edits; e >= 0; e--) {
    const reach = trail[e]
    const at = (k: number): number => reach[k + e + 1]
    const k = i - j
    const up = k === -e || (k !== e && at(k - 1) < at(k + 1))
    const fromK = up ? k + 1 : k - 1
    const fromI = e === 0 ? 0 : at(fromK)
    const fromJ = e === 0 ? 0 : fromI - fromK
    const stop = e === 0 ? 0 : up ? fromI : fromI + 1
    while (i > stop && j > 0) mate[d[--i]] = b[--j]
    i = fromI
    j = fromJ
  }
}
