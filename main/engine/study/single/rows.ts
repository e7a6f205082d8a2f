// The rows of a dump that stands alone.
import { aloneTable } from '../../judge/index.ts'
import { type CompareOptions, type Dump, type ItemRows } from '../../model/index.ts'
import { modeOf, tableOrder } from '../../pair/index.ts'
import { ruleSets } from '../../rules/index.ts'
import { engineOf } from '../pair/settings.ts'

export function rowsOf(debug: Dump, { rules }: Pick<CompareOptions, 'rules'>): ItemRows {
  const { generation, deviates } = ruleSets[rules]
  const items = Int32Array.from(tableOrder(debug))
  const engine = engineOf(debug)
  const { newLayout, file } = debug.stacks
  // msprobe shows a stack beside the first item of a call, or beside all.
  const onFirst = engine === 'pytorch' || generation === 'msprobe-26'
  const isUnread = newLayout === true && !deviates['new-stacks']
  const stackShown = Uint8Array.from(items, (item, row) => {
    const isFirst = row === 0 || debug.items.op[items[row - 1]] !== debug.items.op[item]
    return !isUnread && (isFirst || !onFirst) ? 1 : 0
  })
  return aloneTable({
    debug,
    mode: modeOf(debug, debug),
    rules,
    wording: generation === 'msprobe-26' ? 'mindspore' : engine,
    items,
    hasStack: file !== '',
    stackShown,
  })
}
