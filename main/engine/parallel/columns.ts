// The columns of a dump that is put together: as long as its parts at most, filled row by row.
import {
  type Cells,
  type Dump,
  type ItemRow,
  type ItemTable,
  sharedColumn,
  type ShardWay,
  shardWays,
  type TextCode,
} from '../model/index.ts'

export const cellNames = ['max', 'min', 'mean', 'norm'] as const
export type CellName = (typeof cellNames)[number]

/** What every merged item was made of: rows of a stage's ranks, and how they became one. */
export class Origins {
  /** Place among the stages, and row of the first rank; rows of the others side by side, -1 for none. */
  readonly stage: Uint16Array
  readonly row: Int32Array
  readonly twins: Int32Array
  readonly way: Uint8Array
  readonly axis: Int8Array
  readonly blocks: Uint8Array
  readonly guessed: Uint8Array
  /** What the product behind a gate takes of a rank: twice as much is a gate and what it lets pass, side by side. */
  readonly gate: Int32Array
  readonly others: number

  constructor(items: number, others: number) {
    this.others = others
    this.stage = new Uint16Array(items)
    this.row = new Int32Array(items)
    this.twins = new Int32Array(items * others).fill(-1)
    this.way = new Uint8Array(items)
    this.axis = new Int8Array(items).fill(-1)
    this.blocks = new Uint8Array(items).fill(1)
    this.guessed = new Uint8Array(items)
    this.gate = new Int32Array(items)
  }

  wayOf(item: ItemRow): ShardWay {
    return shardWays[this.way[item]]
  }

  setWay(item: ItemRow, way: ShardWay, axis = -1, blocks = 1): void {
    this.way[item] = shardWays.indexOf(way)
    this.axis[item] = axis
    this.blocks[item] = blocks
  }

  twinsOf(item: ItemRow): Int32Array {
    return this.twins.subarray(item * this.others, (item + 1) * this.others)
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type Columns = Writable<Omit<ItemTable, 'length'>>

export function itemColumns(length: number): Columns {
  const cells = (): Cells<ItemRow> => ({
    kind: sharedColumn(Uint8Array, length),
    value: sharedColumn(Float64Array, length),
  })
  return {
    op: sharedColumn(Uint32Array, length),
    name: sharedColumn(Uint32Array, length),
    state: sharedColumn(Uint8Array, length),
    type: sharedColumn(Int32Array, length),
    dtype: sharedColumn(Int32Array, length),
    shape: sharedColumn(Int32Array, length),
    max: cells(),
    min: cells(),
    mean: cells(),
    norm: cells(),
    md5: sharedColumn(Int32Array, length),
    dataName: sharedColumn(Int32Array, length),
    requiresGrad: sharedColumn(Uint8Array, length),
    tensor: sharedColumn(Uint8Array, length),
  }
}

/** The tables over the rows that were filled. */
export function itemsUpTo(columns: Columns, length: number): ItemTable {
  const cells = ({ kind, value }: Cells<ItemRow>): Cells<ItemRow> => ({
    kind: kind.subarray(0, length),
    value: value.subarray(0, length),
  })
  const { op, name, state, type, dtype, shape, md5, dataName, requiresGrad, tensor } = columns
  return {
    length,
    op: op.subarray(0, length),
    name: name.subarray(0, length),
    state: state.subarray(0, length),
    type: type.subarray(0, length),
    dtype: dtype.subarray(0, length),
    shape: shape.subarray(0, length),
    max: cells(columns.max),
    min: cells(columns.min),
    mean: cells(columns.mean),
    norm: cells(columns.norm),
    md5: md5.subarray(0, length),
    dataName: dataName.subarray(0, length),
    requiresGrad: requiresGrad.subarray(0, length),
    tensor: tensor.subarray(0, length),
  }
}

/** Sizes in a shape text; null where there is none. */
export function shapeOf(
  { items, texts }: Pick<Dump, 'items' | 'texts'>,
  item: ItemRow,
): readonly number[] | null {
  const code: TextCode = items.shape[item]
  return code < 0 ? null : sizesIn(texts.get(code))
}

export const sizesIn = (text: string): readonly number[] => (text.match(/\d+/g) ?? []).map(Number)

/** As the text that it comes from writes shapes. */
export const shapeText = (like: string, sizes: readonly number[]): string =>
  like.startsWith('(') ? `(${sizes.join(', ')}${sizes.length === 1 ? ',' : ''})` : `[${sizes.join(', ')}]`

export const elementsOf = (sizes: readonly number[] | null): number =>
  sizes ? sizes.reduce((product, size) => product * size, 1) : 1
