// Which items of an op belong to its node, and on which side of it they stand.
import { ruleSets } from '../rules/index.ts'
import { type Column, type Dump, type ItemRow, type OpRow, type Rules, State } from '../model/index.ts'

/** Side of each item by the rules: 0 input, 1 output, 2 not shown. */
export interface ItemSides {
  readonly dump: Dump
  readonly side: Column<Uint8Array, ItemRow>
  /**
   * Inputs that msprobe compares and then looks for among the outputs: without tensors they get no answer.
   */
  readonly unjudged: ReadonlySet<ItemRow>
  /** First item of this side from `at` on, or `end`. */
  next(at: ItemRow, end: ItemRow, output: 0 | 1): ItemRow
  /** Items of an op on one side. */
  count(op: OpRow, output: 0 | 1): number
}

/** Items of an op as a range of rows; empty for -1. */
export function rangeOf(dump: Dump, op: OpRow): [ItemRow, ItemRow] {
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

/**
 * msprobe decides by the words in the name, so that a module called `output` moves its parameters; our rules
 * go by the part of the entry.
 */
function makeSides(dump: Dump, rules: Rules): ItemSides {
  const { items, texts } = dump
  const { parameters, partsByName, oddOutputsUnjudged } = ruleSets[rules].graph
  const side = new Uint8Array(items.length)
  for (let item = 0; item < items.length; item++) {
    const state = items.state[item]
    if (!parameters && state === State.parameters) side[item] = 2
    else if (state === State.output) side[item] = 1
  }
  const unjudged = new Set<ItemRow>()
  if (!partsByName) return sidesOver(dump, side, unjudged)
  for (let op = 0; op < dump.ops.length; op++) {
    const odd = /\.(?:in|out)put(?:\.|$)/.test(texts.get(dump.ops.name[op]))
    const short = texts.bytesOf(dump.ops.name[op]) + shortEnd
    for (let [item, end] = rangeOf(dump, op); item < end; item++) {
      const bytes = texts.bytesOf(items.name[item])
      if (side[item] === 2 || (!odd && bytes <= short && bytes !== short - shortEnd + bareOutput)) continue
      const name = texts.get(items.name[item])
      const output = name.includes('.output.')
      side[item] = output && !name.includes('.input.') ? 1 : 0
      if (output && side[item] === 0 && oddOutputsUnjudged && dump.header.task !== 'tensor')
        unjudged.add(item)
    }
  }
  return sidesOver(dump, side, unjudged)
}

/** Bytes behind the name of an op in which no second word such as `.input.` fits. */
const shortEnd = '.output.input'.length
/** An output that is null has no index behind the word. */
const bareOutput = '.output'.length

function sidesOver(dump: Dump, side: Column<Uint8Array, ItemRow>, unjudged: ReadonlySet<ItemRow>): ItemSides {
  return {
    dump,
    side,
    unjudged,
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
