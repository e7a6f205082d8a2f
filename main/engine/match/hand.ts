// Matches that a person made or undid, as the rows have them: laid over whatever way of matching found the rest.
import type { Dump } from '../dump.ts'
import { State } from '../model.ts'
import { Rows, type Pairing } from './pairing.ts'

/** Debug id → bench id; '' undoes the match of a debug node. */
export type HandMatches = ReadonlyMap<string, string>

export const noHandMatches: HandMatches = new Map()

const groups = [State.input, State.parameters, State.output, State.parametersGrad] as const
const parted = -1

/** Rows of paired calls get the items of their new partner, those of parted calls none; calls without rows get rows at their place. */
export function withHand(debug: Dump, bench: Dump, pairing: Pairing, hand: HandMatches): Pairing {
  const partner = partnersOf(debug, bench, hand)
  if (partner.size === 0) return pairing
  const given = new Set([...partner.values()].filter(op => op !== parted))
  const absent = new Set(partner.keys())
  for (const item of pairing.debugItem) absent.delete(debug.items.op[item])
  const toAdd = [...absent].filter(op => partner.get(op) !== parted).sort((a, b) => a - b)

  const rows = new Rows(pairing.debugItem.length)
  const items = new Map<number, Int32Array>()
  const partnerOf = (item: number): number => {
    const op = debug.items.op[item]
    let met = items.get(op)
    if (!met) items.set(op, (met = itemsOf(debug, bench, op, partner.get(op) ?? parted)))
    return met[item - debug.ops.first[op]]
  }
  const seen = new Set<number>()
  let added = 0
  const addUpTo = (op: number): void => {
    for (; added < toAdd.length && toAdd[added] < op; added++) {
      const from = debug.ops.first[toAdd[added]]
      for (let item = from; item < debug.ops.first[toAdd[added] + 1]; item++) rows.add(item, partnerOf(item), item === from)
    }
  }
  for (let row = 0; row < pairing.debugItem.length; row++) {
    const item = pairing.debugItem[row]
    const other = pairing.benchItem[row]
    addUpTo(debug.items.op[item])
    if (!partner.has(debug.items.op[item])) rows.add(item, other >= 0 && given.has(bench.items.op[other]) ? -1 : other, pairing.stack[row] === 1)
    else if (!seen.has(item)) {
      // An item that met several before meets one now.
      seen.add(item)
      rows.add(item, partnerOf(item), pairing.stack[row] === 1)
    }
  }
  addUpTo(debug.ops.length)
  return rows.finish(pairing.dialect, bench)
}

/** Bench op per debug op, as far as both are calls. */
function partnersOf(debug: Dump, bench: Dump, hand: HandMatches): ReadonlyMap<number, number> {
  const partner = new Map<number, number>()
  if (hand.size === 0) return partner
  const [mine, theirs] = [opsByName(debug), opsByName(bench)]
  for (const [debugId, benchId] of hand) {
    const op = mine(debugId)
    if (op >= 0) partner.set(op, theirs(benchId))
  }
  return partner
}

function opsByName({ texts, ops }: Dump): (name: string) => number {
  const byCode = new Map<number, number>()
  for (let op = ops.length - 1; op >= 0; op--) byCode.set(ops.name[op], op)
  return name => byCode.get(texts.find(name)) ?? -1
}

/** Items meet by position within inputs, parameters, outputs and gradients, as those of graph nodes do. */
function itemsOf(debug: Dump, bench: Dump, op: number, other: number): Int32Array {
  const [from, to] = [debug.ops.first[op], debug.ops.first[op + 1]]
  const met = new Int32Array(to - from).fill(-1)
  if (other === parted) return met
  const end = bench.ops.first[other + 1]
  for (const state of groups) {
    let there = bench.ops.first[other]
    for (let item = from; item < to; item++) {
      if (debug.items.state[item] !== state) continue
      while (there < end && bench.items.state[there] !== state) there++
      if (there < end) met[item - from] = there++
    }
  }
  return met
}
