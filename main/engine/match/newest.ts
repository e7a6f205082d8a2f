// Matching as the newest msprobe does it: one join for both frameworks, by name alone, in the order of the debug dump.
import { TextPool } from '../columns.ts'
import type { Dump } from '../dump.ts'
import { overRows, type Steps } from '../job.ts'
import { TextIds } from '../metrics/text-ids.ts'
import { dtypeFamily, torchDtype } from './dtypes.ts'
import type { Keys } from './join.ts'
import { tableOrder } from './order.ts'
import { Rows, type Pairing } from './pairing.ts'

/** `keys` are what debug items are called on the bench side; null: their own names, backward calls renumbered on both sides. */
export function* joinNewest(debug: Dump, bench: Dump, keys: Keys | null): Steps<Pairing> {
  const cross = keys?.cross ?? false
  const [mine, theirs] = keys ? [{ pool: keys.pool, code: keys.code }, { pool: bench.texts, code: bench.items.name }] : [yield* renumbered(debug), yield* renumbered(bench)]
  const ids = new TextIds()
  const debugId = ids.of(mine.pool)
  const benchId = ids.of(theirs.pool)
  const byId = new Map<number, number[]>()
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
  const rows = new Rows(debug.items.length)
  yield* overRows(debugOrder.length, (from, to) => {
    for (const item of debugOrder.subarray(from, to)) {
      const partners = (byId.get(debugId(mine.code[item])) ?? []).filter(other => comparable(text(debug, item), text(bench, other), cross))
      const first = item === debugOrder[debug.ops.first[debug.items.op[item]]]
      if (partners.length === 0) rows.add(item, -1, first)
      else for (const other of partners) rows.add(item, other, first)
    }
  })
  return rows.finish('join', bench)
}

const text = (dump: Dump, item: number): string => (dump.items.dtype[item] < 0 ? 'None' : dump.texts.get(dump.items.dtype[item]))

const floats = new Set(['float16', 'float32', 'bfloat16'])

function comparable(mine: string, theirs: string, cross: boolean): boolean {
  const [a, b] = [torchDtype(mine), torchDtype(theirs)]
  if (a === b || mine === theirs) return true
  if (cross) return dtypeFamily(a) !== '' && dtypeFamily(a) === dtypeFamily(b)
  return floats.has(a.replace('torch.', '')) && floats.has(b.replace('torch.', ''))
}

/** Item names whose backward calls are counted in the order in which they stand, so that recomputed forwards do not shift them. */
function* renumbered(dump: Dump): Steps<{ readonly pool: TextPool; readonly code: Int32Array | Uint32Array }> {
  const counts = new Map<string, number>()
  const pool = new TextPool()
  const code = new Int32Array(dump.items.length)
  yield* overRows(dump.ops.length, (from, to) => {
    for (let op = from; op < to; op++) {
      const name = dump.texts.get(dump.ops.name[op])
      const [, head, tail] = /^(.*\.)\d+(\.backward)$/.exec(name) ?? /^(.*\.backward\.)\d+()$/.exec(name) ?? []
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
