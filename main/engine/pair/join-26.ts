// Matching as msprobe 26 does it: one join for both frameworks, by name alone, in the order of the
// debug dump.
import {
  type BenchItem,
  type Column,
  type Dump,
  type ItemRow,
  type TextCode,
  type TextId,
  TextIds,
  TextPool,
} from '../model/index.ts'
import { overRows, type Steps } from '../work/index.ts'
import { dtypeFamily, torchDtype } from './dtypes.ts'
import { isAcross } from './frameworks.ts'
import type { Keys } from './join.ts'
import { tableOrder } from './order.ts'
import { Rows, type Pairing } from './pairing.ts'
import { PairedBy } from './partners.ts'

interface How {
  /** Backward calls keep their numbers. */
  readonly fuzzy: boolean
  /** Whoever lists items says that they belong together, whatever they hold. */
  readonly anyDtype: boolean
}

/**
 * `keys` are what debug items are called on the bench side; null: their own names, backward calls renumbered
 * on both sides. With keys those of the bench side are renumbered all the same.
 */
export function* join26(
  debug: Dump,
  bench: Dump,
  keys: Keys | null,
  { fuzzy, anyDtype }: How = { fuzzy: false, anyDtype: false },
): Steps<Pairing> {
  const cross = keys?.cross ?? isAcross(debug, bench)
  const mine = keys ? { pool: keys.pool, code: keys.code } : yield* renumbered(debug)
  const theirs = fuzzy ? { pool: bench.texts, code: bench.items.name } : yield* renumbered(bench)
  const ids = new TextIds()
  const debugId = ids.of(mine.pool)
  const benchId = ids.of(theirs.pool)
  const byId = new Map<TextId, BenchItem[]>()
  const benchOrder = tableOrder(bench)
  yield* overRows(benchOrder.length, (from, to) => {
    for (const item of benchOrder.subarray(from, to)) {
      const id = benchId(theirs.code[item])
      const list = byId.get(id)
      if (list) list.push(item)
      else byId.set(id, [item])
    }
  })
  const debugOrder = tableOrder(debug)
  const rows = new Rows(debug.items.length, keys?.way ?? PairedBy.name)
  yield* overRows(debugOrder.length, (from, to) => {
    for (const item of debugOrder.subarray(from, to)) {
      const partners = (byId.get(debugId(mine.code[item])) ?? []).filter(
        other => anyDtype || comparable(text(debug, item), text(bench, other), cross),
      )
      const first = item === debugOrder[debug.ops.first[debug.items.op[item]]]
      if (partners.length === 0) rows.add(item, -1, first)
      else for (const other of partners) rows.add(item, other, first)
    }
  })
  return rows.finish('mindspore', debug, bench)
}

const text = (dump: Dump, item: ItemRow): string =>
  dump.items.dtype[item] < 0 ? 'None' : dump.texts.get(dump.items.dtype[item])

const floats = new Set(['float16', 'float32', 'bfloat16'])

function comparable(mine: string, theirs: string, cross: boolean): boolean {
  const [a, b] = [torchDtype(mine), torchDtype(theirs)]
  if (a === b || mine === theirs) return true
  if (cross) return dtypeFamily(a) !== '' && dtypeFamily(a) === dtypeFamily(b)
  return floats.has(a.replace('torch.', '')) && floats.has(b.replace('torch.', ''))
}

/**
 * Item names whose backward calls are counted in the order in which they stand, so that recomputed forwards
 * do not shift them.
 */
function* renumbered(
  dump: Dump,
): Steps<{ readonly pool: TextPool; readonly code: Column<Int32Array | Uint32Array, ItemRow, TextCode> }> {
  const counts = new Map<string, number>()
  const pool = new TextPool()
  const code = new Int32Array(dump.items.length)
  yield* overRows(dump.ops.length, (from, to) => {
    for (let op = from; op < to; op++) {
      const name = dump.texts.get(dump.ops.name[op])
      const [head, tail] = dump.names.aroundBackwardCall(name) ?? []
      const count = head === undefined ? 0 : (counts.get(head) ?? 0)
      if (head !== undefined) counts.set(head, count + 1)
      const fresh = head === undefined ? name : `${head}${count}${tail}`
      for (let item = dump.ops.first[op]; item < dump.ops.first[op + 1]; item++) {
        const own = dump.texts.get(dump.items.name[item])
        code[item] = pool.add(fresh !== name && own.startsWith(name) ? fresh + own.slice(name.length) : own)
      }
    }
  })
  return { pool, code }
}
