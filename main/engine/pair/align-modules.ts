// Modules of two frameworks: those of equal paths meet, the others level by level by their names below the
// parent, class, sizes and content.
import type { BenchOp, DebugOp, OpRow } from '../model/index.ts'
import { bestChain } from './chain.ts'
import type { Joined } from './joined.ts'
import { type AlignedSides, Direction, firstResult, type SideView } from './side.ts'
import { wordOf } from './synonyms.ts'

export function alignModules(sides: AlignedSides, joined: Joined): void {
  const { debug, bench } = sides
  joinByPath(sides, joined)
  const [children, benchChildren] = [childrenOf(debug), childrenOf(bench)]
  const likeness = likenessOf(sides, joined)
  const pairs: (readonly [DebugOp, BenchOp])[] = [[-1, -1]]
  for (const [above, aboveThere] of pairs) {
    const [mine, theirs] = [children.get(above) ?? [], benchChildren.get(aboveThere) ?? []]
    for (const [op, other] of bestChain(mine, theirs, likeness)) {
      joined.join(op, other)
      pairs.push([op, other])
    }
  }
  joinBehind(sides, joined)
}

/** Backward calls and gradients of a module go with its forward call. */
function joinBehind({ debug, bench }: AlignedSides, joined: Joined): void {
  const { toBench, toDebug } = joined
  const key = (view: SideView, op: OpRow, forward: BenchOp): string => `${view.direction[op]} ${forward}`
  const behind = new Map<string, BenchOp>()
  for (let op = 0; op < toDebug.length; op++)
    if (
      bench.module[op] === 1 &&
      bench.direction[op] !== Direction.forward &&
      bench.forward[op] >= 0 &&
      toDebug[op] < 0
    )
      behind.set(key(bench, op, bench.forward[op]), op)
  for (let op = 0; op < toBench.length; op++) {
    const forward =
      debug.module[op] === 1 && debug.direction[op] !== Direction.forward ? debug.forward[op] : -1
    const other =
      forward >= 0 && toBench[forward] >= 0 ? behind.get(key(debug, op, toBench[forward])) : undefined
    if (other !== undefined) joined.join(op, other)
  }
}

/** The class may have another name. */
function joinByPath({ debug, bench }: AlignedSides, joined: Joined): void {
  const { toBench, toDebug } = joined
  const path = (view: SideView, op: OpRow): string =>
    `${pathOf(view, op).join('.')} ${view.direction[op]} ${view.call[op]}`
  const places = new Map<string, BenchOp>()
  for (let op = 0; op < toDebug.length; op++)
    if (bench.module[op] === 1 && toDebug[op] < 0) places.set(path(bench, op), op)
  for (let op = 0; op < toBench.length; op++) {
    const other = debug.module[op] === 1 && toBench[op] < 0 ? places.get(path(debug, op)) : undefined
    if (other !== undefined) joined.join(op, other)
  }
}

/** `Cell.net.fc1.Dense` is at net, fc1. */
const pathOf = (view: SideView, op: OpRow): readonly string[] =>
  view.names.text(view.api[op]).split('.').slice(1, -1)

/** Forward module calls in order, by the module around them. */
function childrenOf(view: SideView): Map<OpRow, OpRow[]> {
  const children = new Map<OpRow, OpRow[]>()
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

function featuresOf(view: SideView): (op: OpRow) => Features {
  const known = new Map<OpRow, Features>()
  return op => {
    let features = known.get(op)
    if (features) return features
    const [path, up, item] = [
      pathOf(view, op),
      view.parent[op] < 0 ? [] : pathOf(view, view.parent[op]),
      firstResult(view, op),
    ]
    const below = up.every((part, i) => path[i] === part) ? path.slice(up.length) : path
    features = {
      name: below.join('.'),
      words: new Set(below.flatMap(part => part.toLowerCase().split('_'))),
      listed: /^\d+$/.test(below.at(-1) ?? ''),
      class: wordOf(view.names.text(view.api[op])),
      size: item < 0 ? -1 : view.numel[item],
      norm: item < 0 ? NaN : view.dump.items.norm.value[item],
    }
    known.set(op, features)
    return features
  }
}

function likenessOf(
  { debug, bench }: AlignedSides,
  { toBench, toDebug }: Joined,
): (op: DebugOp, other: BenchOp) => number {
  const [mine, theirs] = [featuresOf(debug), featuresOf(bench)]
  return (op, other) => {
    if (toBench[op] >= 0 || toDebug[other] >= 0) return toBench[op] === other ? 10 : 0
    const [x, y] = [mine(op), theirs(other)]
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
