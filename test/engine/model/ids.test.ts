// Ids of different kinds do not mix. The compiler is what is tested: each line that it must refuse says so.
import { expect, test } from 'vitest'
import type { Dump } from '../../../main/engine/model/dump.ts'
import { emptyDump } from '../../../main/engine/model/empty.ts'
import type {
  Ids,
  ItemRow,
  NodeRow,
  OnBench,
  OnDebug,
  OpRow,
  PairRow,
  TextCode,
} from '../../../main/engine/model/ids.ts'
import { msprobeNames } from '../../../main/engine/names/msprobe.ts'

const header = { task: '', level: '', framework: '', hasMd5: false } as const
const dump: Dump = emptyDump({ header, names: msprobeNames })
const takesItem = (item: ItemRow): ItemRow => item

test('an id is refused where one of another kind belongs', () => {
  const pair: PairRow = 0
  const op: OpRow = 0
  const node: NodeRow = 0
  const text: TextCode = 0
  expect([
    // @ts-expect-error a row of a comparison is no item
    takesItem(pair),
    // @ts-expect-error an op is no item
    takesItem(op),
    // @ts-expect-error a node is no item
    takesItem(node),
    // @ts-expect-error a code is no item
    takesItem(text),
  ]).toEqual([0, 0, 0, 0])
})

test('a column is indexed by its own rows, and gives ids of its own kind', () => {
  const pair: PairRow = 0
  const op: OpRow = 0
  const item: ItemRow = 0
  expect([
    // @ts-expect-error a column of items, indexed by a row of a comparison
    dump.items.shape[pair],
    // @ts-expect-error the items of an op are ops no more
    takesItem(dump.items.op[item]),
    takesItem(dump.ops.first[op]),
  ]).toEqual([undefined, undefined, 0])
})

test('what was found on the bench side is not looked up as debug', () => {
  const toBench: Ids<OnDebug<OpRow>, OnBench<OpRow>> = Int32Array.of(1, -1)
  const found = toBench[0]
  expect([
    // @ts-expect-error the partner is of the other side
    toBench[found],
    dump.ops.name[found],
  ]).toEqual([-1, undefined])
})

test('loops over columns need no more than numbers', () => {
  const items: Ids<PairRow, ItemRow> = Int32Array.of(3, 4)
  let sum = 0
  for (let row: PairRow = 0; row < items.length; row++) sum += takesItem(items[row])
  for (const item of items) sum += takesItem(item)
  expect(sum).toBe(14)
})
