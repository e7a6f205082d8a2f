// Takes over what the fast readers have put into WebAssembly memory: rows of items and ops, pairs of
// stack.json and construct.json.
import type { JsonWindow } from './window.ts'
import type { DumpColumns } from '../dump-columns.ts'

/** Widths of an item's columns in the order in which msprobe-leaf.as.ts lays them out. */
const fields = {
  name: 4,
  type: 4,
  dtype: 4,
  shape: 4,
  md5: 4,
  dataName: 4,
  op: 4,
  max: 8,
  min: 8,
  mean: 8,
  norm: 8,
  maxKind: 1,
  minKind: 1,
  meanKind: 1,
  normKind: 1,
  state: 1,
  requiresGrad: 1,
  tensor: 1,
} as const
const copied = ['type', 'dtype', 'shape', 'md5', 'name', 'dataName', 'op'] as const
const bytes = ['maxKind', 'minKind', 'meanKind', 'normKind', 'state', 'requiresGrad', 'tensor'] as const
const numbers = ['max', 'min', 'mean', 'norm'] as const

/** Texts that msprobe-leaf.as.ts uses by number (`setCommon`). */
export const commonTexts = [
  '00000000',
  'dfa2aff1',
  'True',
  'False',
  '[]',
  "<class 'int'>",
  "<class 'float'>",
  "<class 'bool'>",
  "<class 'str'>",
  "<class 'NoneType'>",
] as const

const offsets = (): Readonly<Record<keyof typeof fields, number>> => {
  let at = 0
  return Object.fromEntries(
    Object.entries(fields).map(([name, width]) => [name, (at += width) - width]),
  ) as Record<keyof typeof fields, number>
}
const offset = offsets()

/** Adds the rows of one call of `entries`. */
export function takeEntries(window: JsonWindow, columns: DumpColumns): void {
  const items = window.count('items')
  const ops = window.count('ops')
  columns.reserveItems(items)
  columns.reserveOps(ops)
  const { item, op } = columns
  const row = columns.items
  const room = window.fast.roomOfItems()
  const start = window.fast.itemsAt()
  const at = (field: keyof typeof fields): number => start + offset[field] * room
  const joins = window.ints(window.fast.joinsAt(), window.count('joins') * 2)
  window.fast.settle(
    window.texts.appendJoined(new Uint32Array(joins.buffer, joins.byteOffset, joins.length)),
    columns.ops,
    row,
  )
  for (const field of copied) item[field].set(window.ints(at(field), items), row)
  for (const field of numbers) item[field].set(window.doubles(at(field), items), row)
  for (const field of bytes) item[field].set(window.bytes.subarray(at(field), at(field) + items), row)

  const opRoom = window.fast.roomOfOps()
  const opStart = window.fast.opsAt()
  op.name.set(window.ints(opStart, ops), columns.ops)
  op.first.set(window.ints(opStart + 4 * opRoom, ops), columns.ops + 1)
  op.from.set(window.doubles(opStart + 8 * opRoom, ops), columns.ops)
  op.to.set(window.doubles(opStart + 16 * opRoom, ops), columns.ops)
  columns.items += items
  columns.ops += ops
}
