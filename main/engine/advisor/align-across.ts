// Which op of one framework is which of the other: modules by the mapping, the calls inside them by what they compute and by their sizes.
import { State } from '../model.ts'
import { Direction, isFloatItem, type SideView } from './side.ts'

const tableLimit = 1 << 21

/** Words of both dialects for one thing. */
const synonyms: Readonly<Record<string, string>> = {
  gather: 'embedding', matmul: 'matmul', mm: 'matmul', bmm: 'matmul', batchmatmul: 'matmul', biasadd: 'linear', dense: 'linear', addmm: 'linear',
  bntrain: 'batchnorm', bninfer: 'batchnorm', view: 'reshape', flatten: 'reshape', viewas: 'reshape', swapaxes: 'permute', transpose: 'permute', t: 'permute',
  concat: 'cat', concatenate: 'cat', reducemean: 'mean', reducesum: 'sum', truediv: 'div', realdiv: 'div', rmul: 'mul', radd: 'add', iadd: 'add', imul: 'mul',
  swish: 'silu', softmaxcrossentropywithlogits: 'crossentropy', maxpool2d: 'maxpool', avgpool2d: 'avgpool', adaptiveavgpool2d: 'avgpool', tensoradd: 'add',
}

export function wordOf(api: string): string {
  const word = api.slice(api.lastIndexOf('.') + 1).toLowerCase().replaceAll('_', '')
  return synonyms[word] ?? word
}

export function alignAcross(debug: SideView, bench: SideView, given: Int32Array, mate: Int32Array): void {
  const back = new Int32Array(bench.api.length).fill(-1)
  const join = (d: number, b: number): void => {
    if (mate[d] >= 0 || back[b] >= 0) return
    mate[d] = b
    back[b] = d
  }
  for (let d = 0; d < given.length; d++) if (given[d] >= 0 && debug.module[d] === 1 && bench.module[given[d]] === 1) join(d, given[d])
  alignModules(debug, bench, mate, back, join)
  const [innerD, innerB] = [innerProducts(debug), innerProducts(bench)]
  const [groupsD, groupsB] = [callsByParent(debug), callsByParent(bench)]
  for (const [parent, calls] of groupsD) {
    if (parent < 0 || mate[parent] < 0) continue
    alignCalls(debug, bench, calls, groupsB.get(mate[parent]) ?? [], innerD, innerB, given, join)
  }
  // What stands in no pair of modules is one sequence: all calls where there is no hierarchy or no mapping of modules.
  const loose = (groups: Map<number, number[]>, mates: Int32Array): number[] => [...groups].flatMap(([parent, calls]) => (parent >= 0 && mates[parent] >= 0 ? [] : calls)).sort((x, y) => x - y)
  alignCalls(debug, bench, loose(groupsD, mate), loose(groupsB, back), innerD, innerB, given, join)
  for (let d = 0; d < given.length; d++) {
    const b = given[d]
    if (b >= 0 && debug.direction[d] === Direction.forward && bench.direction[b] === Direction.forward && innerD[d] === 0 && innerB[b] === 0 && sizeOf(debug, d) === sizeOf(bench, b)) join(d, b)
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

/** Modules that no mapping speaks of meet where their paths are equal; the class may have another name. */
function alignModules(debug: SideView, bench: SideView, mate: Int32Array, back: Int32Array, join: (d: number, b: number) => void): void {
  const path = (view: SideView, op: number): string => {
    const api = view.names.text(view.api[op])
    return `${api.slice(api.indexOf('.') + 1, api.lastIndexOf('.'))} ${view.direction[op]} ${view.call[op]}`
  }
  const places = new Map<string, number>()
  for (let b = 0; b < back.length; b++) if (bench.module[b] === 1 && back[b] < 0) places.set(path(bench, b), b)
  for (let d = 0; d < mate.length; d++) {
    const b = debug.module[d] === 1 && mate[d] < 0 ? places.get(path(debug, d)) : undefined
    if (b !== undefined) join(d, b)
  }
}

/** Forward calls that are no modules, by the module around them; -1: none. */
function callsByParent(view: SideView): Map<number, number[]> {
  const groups = new Map<number, number[]>()
  for (let op = 0; op < view.api.length; op++) {
    if (view.module[op] === 1 || view.direction[op] !== Direction.forward || sizeOf(view, op) === 0) continue
    const list = groups.get(view.parent[op])
    if (list) list.push(op)
    else groups.set(view.parent[op], [op])
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
    if (!/bias_?add/i.test(view.names.text(view.api[op])) || view.direction[op] !== Direction.forward) continue
    const maker = flow.producer[dump.ops.first[op]]
    if (maker < 0 || view.kind[dump.items.op[maker]] !== 'product') continue
    half[op] = dump.items.op[maker]
    const [own, other] = [backward.get(op), backward.get(half[op])]
    if (own !== undefined && other !== undefined) half[own] = other
  }
  return half
}

function innerProducts(view: SideView): Uint8Array {
  const inner = new Uint8Array(view.api.length)
  for (const op of halves(view)) if (op >= 0) inner[op] = 1
  return inner
}

/** Elements of the first float result. */
function sizeOf(view: SideView, op: number): number {
  const item = result(view, op)
  return item < 0 ? 0 : view.numel[item]
}

function result(view: SideView, op: number): number {
  const { ops, items } = view.dump
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) if (items.state[i] === State.output && isFloatItem(view, i)) return i
  return -1
}

function alignCalls(
  debug: SideView, bench: SideView, d: readonly number[], b: readonly number[], innerD: Uint8Array, innerB: Uint8Array, given: Int32Array,
  join: (d: number, b: number) => void,
): void {
  const mine = d.filter(op => innerD[op] === 0)
  const theirs = b.filter(op => innerB[op] === 0)
  if (mine.length === 0 || theirs.length === 0 || mine.length * theirs.length > tableLimit) return
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
    return same + (given[x] === y ? 0.2 : 0) + (Math.abs(n - m) <= 1e-3 * Math.abs(m) ? 1 : 0)
  }
  const width = theirs.length + 1
  const best = new Float32Array((mine.length + 1) * width)
  for (let i = mine.length - 1; i >= 0; i--) for (let j = theirs.length - 1; j >= 0; j--) {
    const here = score(mine[i], theirs[j])
    best[i * width + j] = Math.max(best[(i + 1) * width + j], best[i * width + j + 1], here > 0 ? here + best[(i + 1) * width + j + 1] : 0)
  }
  for (let i = 0, j = 0; i < mine.length && j < theirs.length;) {
    const here = score(mine[i], theirs[j])
    if (here > 0 && best[i * width + j] <= here + best[(i + 1) * width + j + 1] + 1e-4) join(mine[i++], theirs[j++])
    else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) i++
    else j++
  }
}

/** One dialect does in one call what the other spreads over two; the result is that of the last. */
const composite = (p: string, q: string): boolean => {
  const pair = [p, q].sort().join(' ')
  return pair === 'linear matmul' || pair === 'conv2d linear' || pair === 'conv1d linear' || pair === 'conv3d linear' || pair === 'add linear'
}
