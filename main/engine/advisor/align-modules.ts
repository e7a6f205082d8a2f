// Modules of two frameworks: those of equal paths meet, the others level by level by their names below the parent, class, sizes and content.
import { State } from '../model.ts'
import { bestChain } from './chain.ts'
import { Direction, isFloatItem, type SideView } from './side.ts'
import { wordOf } from './words.ts'

type Join = (d: number, b: number) => void

export function alignModules(debug: SideView, bench: SideView, mate: Int32Array, back: Int32Array, join: Join): void {
  meetByPath(debug, bench, mate, back, join)
  const [childrenD, childrenB] = [childrenOf(debug), childrenOf(bench)]
  const likeness = likenessOf(debug, bench, mate, back)
  const pairs: (readonly [number, number])[] = [[-1, -1]]
  for (const [p, q] of pairs) {
    const [mine, theirs] = [childrenD.get(p) ?? [], childrenB.get(q) ?? []]
    for (const [d, b] of bestChain(mine, theirs, likeness)) {
      join(d, b)
      pairs.push([d, b])
    }
  }
  // Backward calls and gradients of a module go with its forward call.
  const key = (view: SideView, op: number, forward: number): string => `${view.direction[op]} ${forward}`
  const behind = new Map<string, number>()
  for (let b = 0; b < back.length; b++) if (bench.module[b] === 1 && bench.direction[b] !== Direction.forward && bench.forward[b] >= 0 && back[b] < 0) behind.set(key(bench, b, bench.forward[b]), b)
  for (let d = 0; d < mate.length; d++) {
    const forward = debug.module[d] === 1 && debug.direction[d] !== Direction.forward ? debug.forward[d] : -1
    const b = forward >= 0 && mate[forward] >= 0 ? behind.get(key(debug, d, mate[forward])) : undefined
    if (b !== undefined) join(d, b)
  }
}

/** The class may have another name. */
function meetByPath(debug: SideView, bench: SideView, mate: Int32Array, back: Int32Array, join: Join): void {
  const path = (view: SideView, op: number): string => `${pathOf(view, op).join('.')} ${view.direction[op]} ${view.call[op]}`
  const places = new Map<string, number>()
  for (let b = 0; b < back.length; b++) if (bench.module[b] === 1 && back[b] < 0) places.set(path(bench, b), b)
  for (let d = 0; d < mate.length; d++) {
    const b = debug.module[d] === 1 && mate[d] < 0 ? places.get(path(debug, d)) : undefined
    if (b !== undefined) join(d, b)
  }
}

/** `Cell.net.fc1.Dense` is at net, fc1. */
const pathOf = (view: SideView, op: number): readonly string[] => view.names.text(view.api[op]).split('.').slice(1, -1)

/** Forward module calls in order, by the module around them. */
function childrenOf(view: SideView): Map<number, number[]> {
  const children = new Map<number, number[]>()
  for (let op = 0; op < view.api.length; op++) {
    if (view.module[op] === 0 || view.direction[op] !== Direction.forward) continue
    const list = children.get(view.parent[op])
    if (list) list.push(op)
    else children.set(view.parent[op], [op])
  }
  return children
}

/** What a module call is known by. */
interface Features {
  /** Path below the parent. */
  readonly name: string
  readonly words: ReadonlySet<string>
  /** It is one of a list. */
  readonly listed: boolean
  readonly class: string
  /** Of the first float result; -1: none. */
  readonly size: number
  readonly norm: number
}

function featuresOf(view: SideView): (op: number) => Features {
  const known = new Map<number, Features>()
  return op => {
    let features = known.get(op)
    if (features) return features
    const [path, up, item] = [pathOf(view, op), view.parent[op] < 0 ? [] : pathOf(view, view.parent[op]), result(view, op)]
    const below = up.every((part, i) => path[i] === part) ? path.slice(up.length) : path
    features = {
      name: below.join('.'), words: new Set(below.flatMap(part => part.toLowerCase().split('_'))), listed: /^\d+$/.test(below.at(-1) ?? ''),
      class: wordOf(view.names.text(view.api[op])), size: item < 0 ? -1 : view.numel[item], norm: item < 0 ? NaN : view.dump.items.norm.value[item],
    }
    known.set(op, features)
    return features
  }
}

function likenessOf(debug: SideView, bench: SideView, mate: Int32Array, back: Int32Array): (d: number, b: number) => number {
  const [mine, theirs] = [featuresOf(debug), featuresOf(bench)]
  return (d, b) => {
    if (mate[d] >= 0 || back[b] >= 0) return mate[d] === b ? 10 : 0
    const [x, y] = [mine(d), theirs(b)]
    const sized = x.size >= 0 && x.size === y.size
    const near = sized && Math.abs(x.norm - y.norm) <= 1e-3 * Math.abs(y.norm)
    const classes = x.class === y.class
    // Another place in a list is another layer, unless it gives the same.
    if (x.name !== y.name && (!sized || (x.listed && y.listed && !near))) return 0
    const shared = x.name === y.name ? 1 : share(x.words, y.words)
    if (shared < 0.5 && !classes) return 0
    return 2 * shared + (classes ? 1 : 0) + (sized ? 0.5 : 0) + (near ? 0.5 : 0)
  }
}

function share(x: ReadonlySet<string>, y: ReadonlySet<string>): number {
  let both = 0
  for (const word of x) if (y.has(word)) both++
  return both / Math.max(x.size, y.size)
}

/** First float result. */
export function result(view: SideView, op: number): number {
  const { ops, items } = view.dump
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) if (items.state[i] === State.output && isFloatItem(view, i)) return i
  return -1
}
