// Why a node has no partner, and who might be it.
import {
  type Dump,
  type Ids,
  itemName,
  type ItemRow,
  type NodeRow,
  type OpRow,
  problem,
  type Problem,
  type Side,
  type TextCode,
} from '../model/index.ts'
import { dtypeTest, type HandMatches, meetByPosition, PairedBy, type Partners } from '../pair/index.ts'
import { findNode, nodeName, type Graph } from './graph.ts'
import { StructureTest, bareName } from './match.ts'
import type { GraphPair } from './pair.ts'

const mostCandidates = 3

/** What was done to the pairs besides finding them. */
interface Asked {
  readonly ops: Partners<OpRow>
  readonly hand: HandMatches
  /** A mapping is in force. */
  readonly mapped: boolean
}

/** What is asked about nodes without partner. */
export interface WhyUnmatched {
  /** The first reason that applies. */
  reason(side: Side, node: NodeRow): Problem
  /** Who might be the partner, best first. */
  candidates(side: Side, node: NodeRow): readonly Problem[]
}

export function whyUnmatched(pair: GraphPair, asked: Asked): WhyUnmatched {
  const reasons = new NodeReasons(pair, asked)
  const { toBench, toDebug } = pair.matching
  return {
    reason(side, node) {
      const [mine, other] = side === 'debug' ? [pair.debug, pair.bench] : [pair.bench, pair.debug]
      const id = nodeName(mine, node)
      const twin = findNode(other, id)
      return side === 'debug' ? reasons.of(id, node, twin) : reasons.of(id, twin, node)
    },
    candidates(side, node) {
      const found =
        side === 'debug'
          ? candidatesOf(pair.debug, node, pair.bench, toBench, toDebug)
          : candidatesOf(pair.bench, node, pair.debug, toDebug, toBench)
      const [mine, other] = side === 'debug' ? [pair.debug, pair.bench] : [pair.bench, pair.debug]
      const twin = findNode(other, nodeName(mine, node))
      return found.map(candidate =>
        problem(
          candidate === twin ? 'unmatched-namesake' : 'unmatched-candidate',
          '',
          { candidate: nodeName(other, candidate) },
          'note',
        ),
      )
    },
  }
}

class NodeReasons {
  readonly #pair: GraphPair
  readonly #asked: Asked
  #structure: StructureTest | null = null
  #agree: ((debugCode: TextCode, benchCode: TextCode) => boolean) | null = null

  constructor(pair: GraphPair, asked: Asked) {
    this.#pair = pair
    this.#asked = asked
  }

  /** Why two nodes of one name are not partners; -1: that side has none of the name. */
  of(name: string, node: NodeRow, there: NodeRow): Problem {
    const { ops, hand, mapped } = this.#asked
    const { debug, bench } = this.#pair
    const op = node < 0 ? -1 : debug.op[node]
    if (node >= 0 && (hand.has(name) || (op >= 0 && ops.by[op] === PairedBy.hand)))
      return problem('unmatched-by-hand', '', {}, 'note')
    if (mapped) return problem('unmatched-mapping', '', {}, 'note')
    if (node < 0 || there < 0) return problem('unmatched-no-such-id', '', {}, 'note')
    return this.#difference(op, bench.op[there]) ?? problem('unmatched-call', '', {}, 'note')
  }

  #difference(op: OpRow, other: OpRow): Problem | null {
    const { debugDump, benchDump } = this.#pair
    this.#structure ??= new StructureTest(this.#pair)
    const found = this.#structure.difference(op, other)
    if (found?.what === 'count') {
      const part = found.output ? 'output' : 'input'
      return problem('unmatched-count', '', { part, debug: found.debug, bench: found.bench }, 'note')
    }
    const differs = (column: 'type' | 'shape' | 'dtype', item: ItemRow, there: ItemRow): Problem =>
      problem(
        column === 'shape' ? 'unmatched-shape' : 'unmatched-type',
        '',
        {
          item: itemName(debugDump, item),
          debug: textOf(debugDump, column, item),
          bench: textOf(benchDump, column, there),
        },
        'note',
      )
    if (found) return differs(found.what, found.debugItem, found.benchItem)
    this.#agree ??= dtypeTest(debugDump.texts, benchDump.texts, true)
    const agree = this.#agree
    let dtype: Problem | null = null
    meetByPosition({ dump: debugDump, op }, { dump: benchDump, op: other }, (item, there) => {
      if (!dtype && there >= 0 && !agree(debugDump.items.dtype[item], benchDump.items.dtype[there]))
        dtype = differs('dtype', item, there)
    })
    return dtype
  }
}

const textOf = (dump: Dump, column: 'type' | 'shape' | 'dtype', item: ItemRow): string =>
  dump.items[column][item] < 0 ? 'None' : dump.texts.get(dump.items[column][item])

/** Lone nodes of the same kind below the partner of the nearest matched ancestor, best names first. */
function candidatesOf(
  mine: Graph,
  node: NodeRow,
  other: Graph,
  partner: Ids<NodeRow, NodeRow>,
  otherPartner: Ids<NodeRow, NodeRow>,
): NodeRow[] {
  let above = mine.parent[node]
  while (above >= 0 && partner[above] < 0) above = mine.parent[above]
  if (above < 0) return []
  const top = partner[above]
  const own = bareName(mine, node, true)
  const word = mine.names.called(nodeName(mine, node), 'attribute')
  const share = (mine.place[node] - mine.place[above]) / Math.max(1, mine.end[above] - mine.place[above])
  const scored: { readonly there: NodeRow; readonly score: number }[] = []
  const last = Math.min(other.end[top], other.place[top] + 20_000)
  for (let place = other.place[top] + 1; place < last; place++) {
    const there = other.order[place]
    if (otherPartner[there] >= 0 || other.kind[there] !== mine.kind[node]) continue
    const id = nodeName(other, there)
    const near =
      1 - Math.abs((place - other.place[top]) / Math.max(1, other.end[top] - other.place[top]) - share)
    const score =
      (bareName(other, there, true) === own ? 2 : 0) +
      (other.names.called(id, 'attribute') === word ? 1 : 0) +
      near * 0.5
    if (score >= 1) scored.push({ there, score })
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, mostCandidates)
    .map(({ there }) => there)
}
