// Which op of one framework is which of the other: modules by the mapping, the calls inside them by what they compute and by their sizes.
import { State } from '../model.ts'
import { alignModules, result } from './align-modules.ts'
import { bestChain } from './chain.ts'
import { Direction, type SideView } from './side.ts'
import { wordOf } from './words.ts'

/** `halfDebug`, `halfBench`: what `halves` says of each side. */
export function alignAcross(debug: SideView, bench: SideView, given: Int32Array, mate: Int32Array, halfDebug: Int32Array, halfBench: Int32Array): void {
  const back = new Int32Array(bench.api.length).fill(-1)
  const join = (d: number, b: number): void => {
    if (mate[d] >= 0 || back[b] >= 0) return
    mate[d] = b
    back[b] = d
  }
  for (let d = 0; d < given.length; d++) if (given[d] >= 0 && debug.module[d] === 1 && bench.module[given[d]] === 1) join(d, given[d])
  alignModules(debug, bench, mate, back, join)
  const [innerD, innerB] = [markedIn(halfDebug), markedIn(halfBench)]
  // What stands in no pair of modules is one sequence: all calls where there is no hierarchy.
  const [aroundD, aroundB] = [around(debug, mate), around(bench, back)]
  // A call inside a module that the other side lacks meets one elsewhere only where both give the same.
  const direct = (d: number, b: number): boolean => (aroundD[d] < 0 || aroundD[d] === debug.parent[d]) && (aroundB[b] < 0 || aroundB[b] === bench.parent[b])
  const [groupsD, groupsB] = [callsByModule(debug, aroundD, innerD), callsByModule(bench, aroundB, innerB)]
  for (const [module, calls] of groupsD) alignCalls(debug, bench, calls, groupsB.get(module < 0 ? -1 : mate[module]) ?? [], given, direct, join)
  for (let d = 0; d < given.length; d++) {
    const b = given[d]
    if (b < 0 || debug.direction[d] !== Direction.forward || bench.direction[b] !== Direction.forward || innerD[d] !== 0 || innerB[b] !== 0) continue
    if ((aroundD[d] < 0 ? -1 : mate[aroundD[d]]) === aroundB[b] && direct(d, b) && sizeOf(debug, d) === sizeOf(bench, b)) join(d, b)
  }
  // Backward halves follow their calls; what has no forward half keeps the partner of the comparison.
  const backward = new Map<string, number>()
  const key = (view: SideView, op: number): string => `${view.api[op]} ${view.call[op]}`
  for (let b = 0; b < bench.api.length; b++) if (bench.direction[b] === Direction.backward && bench.module[b] === 0) backward.set(key(bench, b), b)
  for (let d = 0; d < given.length; d++) {
    if (debug.direction[d] === Direction.forward) continue
    const forward = debug.forward[d]
    const found = debug.module[d] === 0 && forward >= 0 && mate[forward] >= 0 ? backward.get(key(bench, mate[forward])) : undefined
    if (found !== undefined) join(d, found)
    else if (given[d] >= 0 && (debug.module[d] === 1 || forward < 0)) join(d, given[d])
  }
}

/** The innermost module around each op that has a partner, -1: none. */
function around(view: SideView, mates: Int32Array): Int32Array {
  const found = new Int32Array(view.api.length)
  for (let op = 0; op < found.length; op++) {
    let at = view.parent[op]
    while (at >= 0 && mates[at] < 0) at = view.parent[at]
    found[op] = at
  }
  return found
}

/** Forward calls that are neither modules nor products inside another call, by the module that they count to. */
function callsByModule(view: SideView, modules: Int32Array, inner: Uint8Array): Map<number, number[]> {
  const groups = new Map<number, number[]>()
  for (let op = 0; op < view.api.length; op++) {
    if (view.module[op] === 1 || view.direction[op] !== Direction.forward || inner[op] === 1 || sizeOf(view, op) === 0) continue
    const list = groups.get(modules[op])
    if (list) list.push(op)
    else groups.set(modules[op], [op])
  }
  return groups
}

/** For every addition of a bias the product before it, and for their backward halves likewise. */
export function halves(view: SideView): Int32Array {
  const { dump, flow } = view
  const half = new Int32Array(view.api.length).fill(-1)
  const backward = new Map<number, number>()
  for (let op = 0; op < view.api.length; op++) if (view.direction[op] === Direction.backward && view.module[op] === 0 && view.forward[op] >= 0) backward.set(view.forward[op], op)
  for (let op = 0; op < view.api.length; op++) {
    if (view.direction[op] !== Direction.forward || view.module[op] === 1 || !addsBias(view, op)) continue
    const maker = flow.producer[dump.ops.first[op]]
    const product = maker >= 0 ? dump.items.op[maker] : beforeCast(view, op)
    if (product < 0 || view.kind[product] !== 'product') continue
    half[op] = product
    const [own, other] = [backward.get(op), backward.get(half[op])]
    if (own !== undefined && other !== undefined) half[own] = other
  }
  return half
}

/** By its name, or because a vector of the width of the result is added. */
function addsBias(view: SideView, op: number): boolean {
  const api = view.names.text(view.api[op])
  if (/bias_?add/i.test(api)) return true
  if (wordOf(api) !== 'add') return false
  const { ops, items, texts } = view.dump
  const [whole, bias] = [ops.first[op], ops.first[op] + 1]
  if (bias >= ops.first[op + 1] || items.state[bias] !== State.input || items.tensor[whole] === 0 || items.tensor[bias] === 0 || view.flow.producer[bias] >= 0) return false
  const dims = (item: number): number[] => (texts.get(items.shape[item]).match(/\d+/g) ?? []).map(Number)
  const [of, by] = [dims(whole), dims(bias)]
  return of.length > 1 && by.length === 1 && by[0] === of.at(-1)
}

/** The call right before an op, when it gave the op's input in another precision: casts are not dumped. */
function beforeCast(view: SideView, op: number): number {
  let before = op - 1
  while (before >= 0 && (view.module[before] === 1 || view.direction[before] !== Direction.forward)) before--
  if (before < 0 || view.parent[before] !== view.parent[op]) return -1
  const [given, read] = [result(view, before), view.dump.ops.first[op]]
  if (given < 0 || view.numel[given] !== view.numel[read] || view.precision[given] === view.precision[read]) return -1
  const { value } = view.dump.items.norm
  return Math.abs(value[given] - value[read]) <= 1e-2 * Math.abs(value[read]) ? before : -1
}

function markedIn(half: Int32Array): Uint8Array {
  const marked = new Uint8Array(half.length)
  for (const op of half) if (op >= 0) marked[op] = 1
  return marked
}

/** Elements of the first float result. */
function sizeOf(view: SideView, op: number): number {
  const item = result(view, op)
  return item < 0 ? 0 : view.numel[item]
}

function alignCalls(
  debug: SideView, bench: SideView, mine: readonly number[], theirs: readonly number[], given: Int32Array, direct: (d: number, b: number) => boolean, join: (d: number, b: number) => void,
): void {
  const words = new Map<number, string>()
  const word = (view: SideView, op: number): string => {
    const known = words.get(view.api[op])
    if (known !== undefined) return known
    const made = wordOf(view.names.text(view.api[op]))
    words.set(view.api[op], made)
    return made
  }
  const score = (x: number, y: number): number => {
    if (sizeOf(debug, x) !== sizeOf(bench, y)) return 0
    const [p, q] = [word(debug, x), word(bench, y)]
    const same = p === q || given[x] === y ? 1 : composite(p, q) ? 0.5 : 0
    if (same === 0) return 0
    const [n, m] = [debug.dump.items.norm.value[result(debug, x)], bench.dump.items.norm.value[result(bench, y)]]
    const near = Math.abs(n - m) <= 1e-3 * Math.abs(m)
    return near || direct(x, y) ? same + (given[x] === y ? 0.2 : 0) + (near ? 1 : 0) : 0
  }
  for (const [x, y] of bestChain(mine, theirs, score)) join(x, y)
}

/** One dialect does in one call what the other spreads over two; the result is that of the last. */
const composite = (p: string, q: string): boolean => {
  const pair = [p, q].sort().join(' ')
  return pair === 'linear matmul' || pair === 'conv2d linear' || pair === 'conv1d linear' || pair === 'conv3d linear' || pair === 'add linear'
}
