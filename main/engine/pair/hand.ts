// Matches that a person made or undid, as the rows have them: laid over whatever way of matching found the
// rest.
import type {
  BenchItem,
  BenchOp,
  DebugItem,
  DebugOp,
  Dump,
  Ids,
  OpRow,
  PairRow,
  TextCode,
} from '../model/index.ts'
import { meetByPosition } from './by-position.ts'
import { Rows, type Pairing } from './pairing.ts'
import { PairedBy } from './partners.ts'

/** Debug id → bench id; '' undoes the match of a debug node. */
export type HandMatches = ReadonlyMap<string, string>

export const noHandMatches: HandMatches = new Map()

const parted = -1

/**
 * Rows of paired calls get the items of their new partner, those of parted calls none; calls without rows get
 * rows at their place.
 */
export function withHand(debug: Dump, bench: Dump, pairing: Pairing, hand: HandMatches): Pairing {
  const partner = partnersOf(debug, bench, hand)
  if (partner.size === 0) return pairing
  const given = new Set([...partner.values()].filter(op => op !== parted))
  const absent = new Set(partner.keys())
  for (const item of pairing.debugItem) absent.delete(debug.items.op[item])
  const toAdd = [...absent].filter(op => partner.get(op) !== parted).sort((a, b) => a - b)

  const rows = new Rows(pairing.debugItem.length, PairedBy.hand)
  const items = new Map<DebugOp, Ids<number, BenchItem>>()
  const partnerOf = (item: DebugItem): BenchItem => {
    const op = debug.items.op[item]
    let met = items.get(op)
    if (!met) items.set(op, (met = itemsOf(debug, bench, op, partner.get(op) ?? parted)))
    return met[item - debug.ops.first[op]]
  }
  const addKept = (row: PairRow, item: DebugItem, other: BenchItem): void => {
    // Somebody else got the partner by hand.
    const taken = other >= 0 && given.has(bench.items.op[other])
    rows.add(item, taken ? -1 : other, pairing.stack[row] === 1, taken ? PairedBy.hand : pairing.by[row])
  }
  const seen = new Set<DebugItem>()
  let added = 0
  const addUpTo = (op: DebugOp): void => {
    for (; added < toAdd.length && toAdd[added] < op; added++) {
      const from = debug.ops.first[toAdd[added]]
      for (let item = from; item < debug.ops.first[toAdd[added] + 1]; item++)
        rows.add(item, partnerOf(item), item === from, PairedBy.hand)
    }
  }
  for (let row = 0; row < pairing.debugItem.length; row++) {
    const item = pairing.debugItem[row]
    const other = pairing.benchItem[row]
    addUpTo(debug.items.op[item])
    if (!partner.has(debug.items.op[item])) addKept(row, item, other)
    else if (!seen.has(item)) {
      // An item that met several before meets one now.
      seen.add(item)
      rows.add(item, partnerOf(item), pairing.stack[row] === 1, PairedBy.hand)
    }
  }
  addUpTo(debug.ops.length)
  return rows.finish(pairing.wording, debug, bench)
}

/** Bench op per debug op, as far as both are calls. */
function partnersOf(debug: Dump, bench: Dump, hand: HandMatches): ReadonlyMap<DebugOp, BenchOp> {
  const partner = new Map<DebugOp, BenchOp>()
  if (hand.size === 0) return partner
  const [mine, theirs] = [opsByName(debug), opsByName(bench)]
  for (const [debugId, benchId] of hand) {
    const op = mine(debugId)
    if (op >= 0) partner.set(op, theirs(benchId))
  }
  return partner
}

function opsByName({ texts, ops }: Dump): (name: string) => OpRow {
  const byCode = new Map<TextCode, OpRow>()
  for (let op = ops.length - 1; op >= 0; op--) byCode.set(ops.name[op], op)
  return name => byCode.get(texts.findPlain(name)) ?? -1
}

function itemsOf(debug: Dump, bench: Dump, op: DebugOp, other: BenchOp): Ids<number, BenchItem> {
  const from = debug.ops.first[op]
  const met = new Int32Array(debug.ops.first[op + 1] - from)
  meetByPosition({ dump: debug, op }, { dump: bench, op: other }, (item, there) => (met[item - from] = there))
  return met
}
