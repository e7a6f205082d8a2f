// Matches that a person makes or undoes: kept beside the result, applied on top of it, saved as the plugin's
// mapping file.
import type { HandMatches } from '../pair/index.ts'
import {
  type BenchNode,
  type DebugNode,
  Direction,
  type NameGrammar,
  type NodeRow,
  problem,
  type Problem,
  Refusal,
} from '../model/index.ts'
import { childCount, findNode, nodeName, type Graph } from './graph.ts'
import type { Matching } from './match.ts'

/** The matching with the hand-made changes on top. */
export function applyHand(matching: Matching, hand: HandMatches, debug: Graph, bench: Graph): Matching {
  if (hand.size === 0) return matching
  const toBench = matching.toBench.slice()
  const toDebug = matching.toDebug.slice()
  const part = (node: NodeRow): void => {
    const there = toBench[node]
    if (there >= 0 && toDebug[there] === node) toDebug[there] = -1
    toBench[node] = -1
  }
  for (const [debugId, benchId] of hand) {
    const node = findNode(debug, debugId)
    if (node < 0) continue
    part(node)
    const there = benchId === '' ? -1 : findNode(bench, benchId)
    if (there < 0) continue
    if (toDebug[there] >= 0) part(toDebug[there])
    toBench[node] = there
    toDebug[there] = node
  }
  return { toBench, toDebug }
}

interface HandSides {
  readonly debug: Graph
  readonly bench: Graph
  readonly matching: Matching
}

/**
 * Matches two nodes and their twins of the other direction; with descendants also what is alike below them
 * and still alone.
 */
export function matchByHand(
  { debug, bench, matching }: HandSides,
  hand: HandMatches,
  debugId: string,
  benchId: string,
  descendants: boolean,
): HandMatches {
  const made = new Map(hand)
  const add = (node: DebugNode, there: BenchNode, name: string): void => {
    if (debug.kind[node] !== bench.kind[there])
      throw new Refusal(problem('match-kinds-differ', '', { debug: name, bench: nodeName(bench, there) }))
    made.set(nodeName(debug, node), nodeName(bench, there))
    if (descendants) pairBelow(node, there)
  }
  /** Children of the same name first, then those of the same class. */
  const pairBelow = (node: DebugNode, there: BenchNode): void => {
    const taken = new Set<BenchNode>()
    for (const by of ['attribute', 'class'] as const) {
      const word = (graph: Graph, child: NodeRow): string =>
        `${graph.names.called(nodeName(graph, child), by)} ${graph.kind[child]}`
      const waiting = new Map<string, BenchNode[]>()
      for (let i = bench.firstChild[there]; i < bench.firstChild[there + 1]; i++) {
        const child = bench.children[i]
        if (matching.toDebug[child] < 0 && !taken.has(child)) push(waiting, word(bench, child), child)
      }
      for (let i = debug.firstChild[node]; i < debug.firstChild[node + 1]; i++) {
        const child = debug.children[i]
        if (matching.toBench[child] >= 0 || made.has(nodeName(debug, child))) continue
        const twin = waiting.get(word(debug, child))?.shift()
        if (twin === undefined) continue
        taken.add(twin)
        made.set(nodeName(debug, child), nodeName(bench, twin))
        if (childCount(debug, child) > 0) pairBelow(child, twin)
      }
    }
  }
  const node = known(debug, debugId)
  const there = known(bench, benchId)
  add(node, there, debugId)
  const otherDebug = findNode(debug, swapped(debug.names, debugId))
  const otherBench = findNode(bench, swapped(bench.names, benchId))
  if (
    otherDebug >= 0 &&
    otherBench >= 0 &&
    swapped(debug.names, debugId) !== debugId &&
    debug.kind[otherDebug] === bench.kind[otherBench]
  )
    add(otherDebug, otherBench, swapped(debug.names, debugId))
  return made
}

/**
 * Undoes the match of a debug node and of its twin; with descendants also of everything below them. One made
 * by hand is taken back, and
 * what was found without it counts again; one that was found is parted.
 */
export function unmatchByHand(
  { debug, matching }: HandSides,
  hand: HandMatches,
  debugId: string,
  descendants: boolean,
): HandMatches {
  const made = new Map(hand)
  const byHand = Boolean(hand.get(debugId))
  const undo = (node: NodeRow): void => {
    const last = descendants ? debug.end[node] : debug.place[node] + 1
    for (let place = debug.place[node]; place < last; place++) {
      const at = debug.order[place]
      const id = nodeName(debug, at)
      if (byHand) made.delete(id)
      else if (matching.toBench[at] >= 0 || made.has(id)) made.set(id, '')
    }
  }
  undo(known(debug, debugId))
  const twin = findNode(debug, swapped(debug.names, debugId))
  if (twin >= 0 && swapped(debug.names, debugId) !== debugId) undo(twin)
  return made
}

/** The same call in the other direction; the id itself when it has none. */
const swapped = (names: NameGrammar, id: string): string =>
  names.turned(id, names.direction(id) === Direction.forward ? Direction.backward : Direction.forward)

/** The mapping file of the plugin: matches made by hand, debug id → bench id. It knows no undone ones. */
export function handConfig(hand: HandMatches): string {
  return JSON.stringify(Object.fromEntries([...hand].filter(([, benchId]) => benchId !== '')), null, 4)
}

export interface ReadConfig {
  readonly hand: HandMatches
  readonly total: number
  readonly applied: number
  /** Pairs that name nodes which are not there, or of different kinds. */
  readonly failed: readonly Problem[]
}

/** Reads a mapping file. A pair that stands the wrong way round is turned. */
export function readConfig(sides: HandSides, hand: HandMatches, text: string, file: string): ReadConfig {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new Refusal(
      problem('node-mapping-invalid', file, { reason: error instanceof Error ? error.message : '' }),
    )
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Refusal(problem('node-mapping-invalid', file, { reason: 'no object' }))
  const made = new Map(hand)
  const failed: Problem[] = []
  const entries = Object.entries(json)
  const pairOf = (a: string, b: string): readonly [DebugNode, BenchNode] => [
    findNode(sides.debug, a),
    findNode(sides.bench, b),
  ]
  for (const [key, value] of entries) {
    const other = typeof value === 'string' ? value : ''
    const straight = pairOf(key, other)
    const turned = straight[0] >= 0 && straight[1] >= 0 ? straight : pairOf(other, key)
    const [node, there] = turned
    if (node < 0 || there < 0)
      failed.push(problem('match-unknown-node', file, { debug: key, bench: other }, 'warning'))
    else if (sides.debug.kind[node] !== sides.bench.kind[there])
      failed.push(problem('match-kinds-differ', file, { debug: key, bench: other }, 'warning'))
    else made.set(nodeName(sides.debug, node), nodeName(sides.bench, there))
  }
  return { hand: made, total: entries.length, applied: entries.length - failed.length, failed }
}

function known(graph: Graph, id: string): number {
  const node = findNode(graph, id)
  if (node < 0) throw new Refusal(problem('match-unknown-name', '', { name: id }))
  return node
}

function push(map: Map<string, BenchNode[]>, key: string, value: BenchNode): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
