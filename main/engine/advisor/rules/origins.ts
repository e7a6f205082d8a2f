// A single call whose result stands out although all it reads agrees.
import { type BenchOp, type DebugItem, type DebugOp, Kind, State } from '../../model/index.ts'
import { Precision, type SideView } from '../../pair/index.ts'
import { Laws, leavesNoRoom } from '../laws.ts'
import { missedBy } from './laws.ts'
import { rule, type Tables } from './rule.ts'

const needs = ['debug', 'bench', 'levels', 'noise', 'limits', 'links'] as const
type Seen = Pick<Tables, (typeof needs)[number]>

export const originsRule = rule('origins', needs, tables => {
  const { debug } = tables
  const laws = new Laws()
  return {
    outputs({ debug: op, bench: other, hit, enters, exact, nonFinite, jump }) {
      if (debug.leaf[op] === 0 || debug.kind[op] === 'communication' || nonFinite) return null
      if (!enters) return 'pass'
      if (
        !exact &&
        (readsBlindly(debug, op) || tables.links.readsHidden(op) || cameIn(tables, laws, op, other, hit))
      )
        return 'pass'
      return { entry: { kind: 'origin', variant: '', facts: {} }, items: hit, ...(exact ? {} : { jump }) }
    },
  }
})

/** All that it reads is true or false: of such tensors statistics say hardly more than that there are both. */
function readsBlindly({ dump, precision }: SideView, op: DebugOp): boolean {
  const { ops, items, header } = dump
  if (header.hasMd5 || header.task === 'tensor') return false
  let tensors = 0
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
    if (items.state[i] === State.output || items.tensor[i] === 0) continue
    if (precision[i] > Precision.whole || items.max.kind[i] !== Kind.bool) return false
    tensors++
  }
  return tensors > 0
}

/** Both sides give what must follow from what they read, so that the difference was there before. */
function cameIn(tables: Seen, laws: Laws, op: DebugOp, other: BenchOp, hit: readonly DebugItem[]): boolean {
  const { debug, bench, levels } = tables
  const mine = laws.of(debug, op)
  if (mine.length === 0) return false
  const theirs = laws.of(bench, other)
  return hit.every(item => {
    const own = mine.filter(demand => demand.item === item)
    const partners = theirs.filter(demand => demand.item === levels.toBench[item])
    return (
      leavesNoRoom(own, debug.numel[item]) &&
      own.every(demand => missedBy(tables, debug, demand, item) <= 1) &&
      partners.every(demand => missedBy(tables, bench, demand, item) <= 1)
    )
  })
}
