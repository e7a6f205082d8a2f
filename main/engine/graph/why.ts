// Why a node has no partner, and who might be it.
import type { Side } from '../model.ts'
import { problem, type Problem } from '../problem.ts'
import { NodeKind, findNode, nodeName, pathOf, type Graph } from './graph.ts'
import { StructureTest, bareName } from './match.ts'
import type { GraphPair } from './pair.ts'

/** How a pair was matched, as far as it explains what was not. */
export type MatchedBy = 'place' | 'fuzzy' | 'map'

const mostCandidates = 3

/** Reasons in the order in which they apply, then candidates, best first. */
export function whyUnmatched(pair: GraphPair, by: MatchedBy): (side: Side, node: number) => readonly Problem[] {
  let test: StructureTest | null = null
  return (side, node) => {
    const [mine, other] = side === 'debug' ? [pair.debug, pair.bench] : [pair.bench, pair.debug]
    const [partner, otherPartner] = side === 'debug' ? [pair.matching.toBench, pair.matching.toDebug] : [pair.matching.toDebug, pair.matching.toBench]
    if (partner[node] >= 0) return []
    const id = nodeName(mine, node)
    const reason = (code: Problem['code'], facts: Problem['facts'] = {}): Problem => problem(code, '', { name: id, ...facts }, 'note')
    const found: Problem[] = []
    const twin = findNode(other, id)
    if (by === 'map') found.push(reason('unmatched-mapping'))
    else if (by === 'fuzzy' && mine.kind[node] === NodeKind.api && mine.parent[node] >= 0 && partner[mine.parent[node]] < 0) {
      found.push(reason('unmatched-parent', { parent: nodeName(mine, mine.parent[node]) }))
    } else if (twin < 0) found.push(reason('unmatched-no-such-id'))
    else {
      const differs = by === 'place' ? firstOtherAncestor(mine, node, other, twin) : null
      if (differs) found.push(reason('unmatched-ancestors', { mine: differs[0], theirs: differs[1] }))
      test ??= new StructureTest(pair)
      const [debugOp, benchOp] = side === 'debug' ? [mine.op[node], other.op[twin]] : [other.op[twin], mine.op[node]]
      const structure = test.difference(debugOp, benchOp)
      if (structure?.what === 'count') found.push(reason('unmatched-count', { part: structure.output ? 'output' : 'input', debug: structure.debug, bench: structure.bench }))
      else if (structure) {
        const column = structure.what
        const text = (dump: GraphPair['debugDump'], item: number): string => (dump.items[column][item] < 0 ? 'None' : dump.texts.get(dump.items[column][item]))
        found.push(reason(column === 'type' ? 'unmatched-type' : 'unmatched-shape', {
          item: pair.debugDump.texts.get(pair.debugDump.items.name[structure.debugItem]),
          debug: text(pair.debugDump, structure.debugItem), bench: text(pair.benchDump, structure.benchItem),
        }))
      }
      if (found.length === 0) found.push(reason('unmatched-by-hand'))
    }
    for (const candidate of candidatesOf(mine, node, other, partner, otherPartner)) found.push(reason('unmatched-candidate', { candidate: nodeName(other, candidate) }))
    return found
  }
}

/** The first ancestors, from the root down, that are not the same. */
function firstOtherAncestor(a: Graph, node: number, b: Graph, twin: number): readonly [string, string] | null {
  const mine = pathOf(a, node).slice(0, -1)
  const theirs = pathOf(b, twin).slice(0, -1)
  for (let i = 0; i < Math.max(mine.length, theirs.length); i++) if (mine[i] !== theirs[i]) return [mine[i] ?? '-', theirs[i] ?? '-']
  return null
}

/** Lone nodes of the same kind below the partner of the nearest matched ancestor, best names first. */
function candidatesOf(mine: Graph, node: number, other: Graph, partner: Int32Array, otherPartner: Int32Array): number[] {
  let above = mine.parent[node]
  while (above >= 0 && partner[above] < 0) above = mine.parent[above]
  if (above < 0) return []
  const top = partner[above]
  const own = bareName(nodeName(mine, node), true)
  const word = wordOf(nodeName(mine, node))
  const share = (mine.place[node] - mine.place[above]) / Math.max(1, mine.end[above] - mine.place[above])
  const scored: { readonly there: number; readonly score: number }[] = []
  const last = Math.min(other.end[top], other.place[top] + 20_000)
  for (let place = other.place[top] + 1; place < last; place++) {
    const there = other.order[place]
    if (otherPartner[there] >= 0 || other.kind[there] !== mine.kind[node]) continue
    const id = nodeName(other, there)
    const near = 1 - Math.abs((place - other.place[top]) / Math.max(1, other.end[top] - other.place[top]) - share)
    const score = (bareName(id, true) === own ? 2 : 0) + (wordOf(id) === word ? 1 : 0) + near * 0.5
    if (score >= 1) scored.push({ there, score })
  }
  return scored.sort((a, b) => b.score - a.score).slice(0, mostCandidates).map(({ there }) => there)
}

/** What a node is called: the last name of a module with its direction, the name of an API. */
export function wordOf(id: string): string {
  const parts = id.split('.')
  const module = /^(?:Module|Cell)$/.test(parts[0]) && parts.length > 4
  return module ? `${parts.at(-4)} ${parts.at(-2)}` : `${parts[1] ?? ''} ${parts.at(-1)}`
}

/** What a node is: the class of a module with its direction, the name of an API. */
export function classOf(id: string): string {
  const parts = id.split('.')
  return /^(?:Module|Cell)$/.test(parts[0]) ? `${parts.at(-3) ?? ''} ${parts.at(-2)}` : wordOf(id)
}
