// Which items of an op belong to its node, and on which side of it they stand.
import type { Dump } from '../dump.ts'
import { State, type Rules } from '../model.ts'
import { graphRules } from './rules.ts'

/** Side of each item by the rules: 0 input, 1 output, 2 not shown. */
export interface ItemSides {
  readonly dump: Dump
  readonly side: Uint8Array
  /** First item of this side from `at` on, or `end`. */
  next(at: number, end: number, output: 0 | 1): number
  /** Items of an op on one side. */
  count(op: number, output: 0 | 1): number
}

/** Items of an op as a range of rows; empty for -1. */
export function rangeOf(dump: Dump, op: number): [number, number] {
  return op < 0 ? [0, 0] : [dump.ops.first[op], dump.ops.first[op + 1]]
}

const known = new WeakMap<Dump, Map<Rules, ItemSides>>()

export function itemSides(dump: Dump, rules: Rules): ItemSides {
  let byRules = known.get(dump)
  if (!byRules) known.set(dump, (byRules = new Map()))
  let sides = byRules.get(rules)
  if (!sides) byRules.set(rules, (sides = makeSides(dump, rules)))
  return sides
}

/** msprobe decides by the words in the name, so that a module called `output` moves its parameters; our rules go by the part of the entry. */
function makeSides(dump: Dump, rules: Rules): ItemSides {
  const { items, texts } = dump
  const { parameters } = graphRules[rules]
  const side = new Uint8Array(items.length)
  for (let item = 0; item < items.length; item++) {
    const state = items.state[item]
    side[item] = !parameters && state === State.parameters ? 2 : state === State.output ? 1 : 0
  }
  if (rules === 'plumbline') return sidesOver(dump, side)
  for (let op = 0; op < dump.ops.length; op++) {
    if (!/\.(?:in|out)put(?:\.|$)/.test(texts.get(dump.ops.name[op]))) continue
    for (let [item, end] = rangeOf(dump, op); item < end; item++) {
      const name = texts.get(items.name[item])
      if (side[item] < 2) side[item] = name.includes('.output.') && !name.includes('.input.') ? 1 : 0
    }
  }
  return sidesOver(dump, side)
}

function sidesOver(dump: Dump, side: Uint8Array): ItemSides {
  return {
    dump, side,
    next(at, end, output) {
      let i = at
      while (i < end && side[i] !== output) i++
      return i
    },
    count(op, output) {
      let n = 0
      for (let [i, end] = rangeOf(dump, op); i < end; i++) if (side[i] === output) n++
      return n
    },
  }
}
