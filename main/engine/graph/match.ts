// msprobe's own matching of nodes, which its files carry: by place, by name without call numbers, or by a layer
// mapping. For exported files alone; the graphs of the window follow the pairing of the rows (paired.ts).
import { ruleSets } from '../rules/index.ts'
import type {
  BenchItem,
  BenchNode,
  BenchOp,
  DebugItem,
  DebugNode,
  DebugOp,
  Dump,
  Ids,
  NodeRow,
  Rules,
  TextCode,
  TextPool,
} from '../model/index.ts'
import { NodeKind, nodeName, type Graph } from './graph.ts'
import { itemSides, rangeOf, type ItemSides } from './items.ts'

/** Codes of one pool as codes of another, looked up once each; -1 where the other pool lacks the text. */
export function codesIn(from: TextPool, to: TextPool): (code: TextCode) => TextCode {
  let known = new Int32Array(from.size).fill(-2)
  return code => {
    if (code < 0) return -1
    if (code >= known.length) {
      const grown = new Int32Array(Math.max(from.size, code + 1)).fill(-2)
      grown.set(known)
      known = grown
    }
    if (known[code] === -2) known[code] = to.findPlainBytes(from.bytes(code))
    return known[code]
  }
}

/** What the two sides of a comparison are. */
export interface Sides {
  readonly rules: Rules
  readonly debug: Graph
  readonly bench: Graph
  readonly debugDump: Dump
  readonly benchDump: Dump
}

export interface Matching {
  /** Bench node of each debug node, and the other way round; -1 for none. */
  readonly toBench: Ids<DebugNode, BenchNode>
  readonly toDebug: Ids<BenchNode, DebugNode>
}

export const unmatched = (sides: Sides): Matching => ({
  toBench: new Int32Array(sides.debug.length).fill(-1),
  toDebug: new Int32Array(sides.bench.length).fill(-1),
})

/** Nodes that hang from the root, in order: what nobody can reach meets nobody. */
const belowRoot = (graph: Graph): Uint32Array => graph.order.subarray(0, graph.end[0])

/** Bench node with the same id of each debug node, or -1. */
export function sameIds(sides: Sides): Ids<DebugNode, BenchNode> {
  const { debug, bench } = sides
  let size = 16
  while (size < bench.length * 2) size *= 2
  const slots = new Int32Array(size).fill(-1)
  const mask = size - 1
  for (let node = 0; node < bench.length; node++) {
    let slot = bench.texts.hash(bench.name[node]) & mask
    while (slots[slot] >= 0) slot = (slot + 1) & mask
    slots[slot] = node
  }
  const same = new Int32Array(debug.length).fill(-1)
  for (let node = 0; node < debug.length; node++) {
    const code = debug.name[node]
    for (let slot = debug.texts.hash(code) & mask; slots[slot] >= 0; slot = (slot + 1) & mask) {
      if (!debug.texts.equals(code, bench.texts, bench.name[slots[slot]])) continue
      same[node] = slots[slot]
      break
    }
  }
  return same
}

/**
 * Same id, same ancestors, and items that agree in number, type and shape (unless the rules judge those
 * later).
 */
export function matchByPlace(sides: Sides): Matching {
  const { debug, bench } = sides
  const how = ruleSets[sides.rules].graph
  const found = unmatched(sides)
  const same = sameIds(sides)
  const test = new StructureTest(sides)
  const samePath = new Uint8Array(debug.length)
  for (const node of debug.order) {
    const there = same[node]
    if (there < 0) continue
    const above = debug.parent[node]
    const aboveThere = bench.parent[there]
    if (above < 0 ? node !== 0 || there !== 0 : !samePath[above] || aboveThere !== same[above]) continue
    samePath[node] = 1
    if (!how.matchByPath && !test.equal(debug.op[node], bench.op[there])) continue
    found.toBench[node] = there
    found.toDebug[there] = node
  }
  return found
}

/** Modules meet by id; APIs below a met pair by name and position, whatever their call numbers are. */
export function matchFuzzy(sides: Sides): Matching {
  const { debug, bench } = sides
  const how = ruleSets[sides.rules].graph
  const found = unmatched(sides)
  const same = sameIds(sides)
  const test = new StructureTest(sides)
  const fits = (node: DebugNode, there: BenchNode): boolean =>
    !how.fuzzyShapes || test.shapesFit(debug.op[node], bench.op[there])
  const meet = (node: DebugNode, there: BenchNode): void => {
    found.toBench[node] = there
    found.toDebug[there] = node
  }
  for (const node of belowRoot(debug)) {
    const there = same[node]
    if (debug.kind[node] === NodeKind.api || there < 0 || !fits(node, there)) continue
    meet(node, there)
    const known = new Map(numbered(bench, there, how.levels).map(({ key, child }) => [key, child]))
    for (const { key, child } of numbered(debug, node, how.levels)) {
      const twin = known.get(key)
      if (twin !== undefined && fits(child, twin)) meet(child, twin)
    }
  }
  return found
}

/** Direct API children with their names without call numbers, counted. */
function numbered(graph: Graph, node: NodeRow, dropRank: boolean): { key: string; child: NodeRow }[] {
  const seen = new Map<string, number>()
  const list: { key: string; child: NodeRow }[] = []
  for (let i = graph.firstChild[node]; i < graph.firstChild[node + 1]; i++) {
    const child = graph.children[i]
    if (graph.kind[child] !== NodeKind.api) continue
    const name = bareName(graph, child, dropRank)
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    list.push({ key: `${name} ${count}`, child })
  }
  return list
}

export function bareName(graph: Graph, node: NodeRow, dropRank: boolean): string {
  const name = graph.names.withoutNumbers(nodeName(graph, node))
  return dropRank ? name.replace(/_rank\d+/g, '') : name
}

/** By a map of ops: an op that the map leaves alone stays alone; nodes that are no ops meet by their ids. */
export function matchByMap(sides: Sides, partners: Ids<DebugOp, BenchOp>): Matching {
  const { debug, bench, benchDump } = sides
  const found = unmatched(sides)
  const same = sameIds(sides)
  for (const node of belowRoot(debug)) {
    const op = debug.op[node]
    const partner = op < 0 ? -1 : partners[op]
    const named = partner < 0 ? -1 : bench.nodeOf(benchDump.ops.name[partner])
    const there = op < 0 ? same[node] : named
    if (there < 0) continue
    found.toBench[node] = there
    found.toDebug[there] = node
  }
  return found
}

/** Whether two ops have items of the same types and shapes. */
export class StructureTest {
  readonly #debug: ItemSides
  readonly #bench: ItemSides
  readonly #code: (code: TextCode) => TextCode

  constructor(sides: Sides) {
    this.#debug = itemSides(sides.debugDump, sides.rules)
    this.#bench = itemSides(sides.benchDump, sides.rules)
    this.#code = codesIn(sides.debugDump.texts, sides.benchDump.texts)
  }

  equal(op: DebugOp, there: BenchOp): boolean {
    return this.difference(op, there) === null
  }

  /** The first thing in which two ops differ, or null. */
  difference(op: DebugOp, there: BenchOp): StructureDifference | null {
    const mine = this.#debug
    const theirs = this.#bench
    for (const output of [0, 1] as const) {
      let [a, aEnd] = rangeOf(mine.dump, op)
      let [b, bEnd] = rangeOf(theirs.dump, there)
      for (let position = 0; ; position++, a++, b++) {
        a = mine.next(a, aEnd, output)
        b = theirs.next(b, bEnd, output)
        if (a >= aEnd && b >= bEnd) break
        if (a >= aEnd || b >= bEnd)
          return {
            what: 'count',
            output,
            position,
            debug: mine.count(op, output),
            bench: theirs.count(there, output),
            debugItem: -1,
            benchItem: -1,
          }
        const x = mine.dump.items
        const y = theirs.dump.items
        if (!this.#same(x.type[a], y.type[b]))
          return { what: 'type', output, position, debug: 0, bench: 0, debugItem: a, benchItem: b }
        if (!this.#same(x.shape[a], y.shape[b]))
          return { what: 'shape', output, position, debug: 0, bench: 0, debugItem: a, benchItem: b }
      }
    }
    return null
  }

  /** Equal shapes as far as both sides have items. */
  shapesFit(op: DebugOp, there: BenchOp): boolean {
    const mine = this.#debug
    const theirs = this.#bench
    for (const output of [0, 1] as const) {
      let [a, aEnd] = rangeOf(mine.dump, op)
      let [b, bEnd] = rangeOf(theirs.dump, there)
      for (; ; a++, b++) {
        a = mine.next(a, aEnd, output)
        b = theirs.next(b, bEnd, output)
        if (a >= aEnd || b >= bEnd) break
        if (!this.#same(mine.dump.items.shape[a], theirs.dump.items.shape[b])) return false
      }
    }
    return true
  }

  #same(a: TextCode, b: TextCode): boolean {
    return a < 0 ? b < 0 : b >= 0 && this.#code(a) === b
  }
}

interface StructureDifference {
  readonly what: 'count' | 'type' | 'shape'
  readonly output: 0 | 1
  readonly position: number
  readonly debug: number
  readonly bench: number
  readonly debugItem: DebugItem
  readonly benchItem: BenchItem
}
