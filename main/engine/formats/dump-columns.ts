// The growing columns of a dump while it is read, and the tables made of them.
import type { TextPool } from '../columns.ts'
import type { ItemTable, OpTable } from '../dump.ts'
import { Kind, type State } from '../model.ts'

type Column = Uint8Array | Uint32Array | Int32Array | Float64Array
type Columns = Record<string, Column>

/** Makes room for `needed` rows in every column; untouched room costs no memory. */
function reserve(columns: Columns, needed: number): void {
  for (const [name, column] of Object.entries(columns)) {
    if (column.length >= needed) continue
    const Type = column.constructor as new (length: number) => Column
    const grown = new Type(Math.max(needed, column.length * 2))
    grown.set(column)
    columns[name] = grown
  }
}

export interface OneCell { readonly kind: Kind; readonly value: number }

export const noneCell: OneCell = { kind: Kind.none, value: 0 }

export interface OneItem {
  readonly name: number
  readonly state: State
  readonly type: number
  readonly dtype: number
  readonly shape: number
  /** Max, Min, Mean, Norm. */
  readonly stats: readonly [OneCell, OneCell, OneCell, OneCell]
  readonly md5: number
  readonly dataName: number
  readonly requiresGrad: number
  readonly tensor: number
}

const firstRoom = 256

export const itemColumns = () => ({
  op: new Uint32Array(firstRoom), name: new Uint32Array(firstRoom), state: new Uint8Array(firstRoom),
  type: new Int32Array(firstRoom), dtype: new Int32Array(firstRoom), shape: new Int32Array(firstRoom),
  maxKind: new Uint8Array(firstRoom), minKind: new Uint8Array(firstRoom), meanKind: new Uint8Array(firstRoom), normKind: new Uint8Array(firstRoom),
  max: new Float64Array(firstRoom), min: new Float64Array(firstRoom), mean: new Float64Array(firstRoom), norm: new Float64Array(firstRoom),
  md5: new Int32Array(firstRoom), dataName: new Int32Array(firstRoom), requiresGrad: new Uint8Array(firstRoom), tensor: new Uint8Array(firstRoom),
})
export const opColumns = () => ({
  name: new Uint32Array(firstRoom), from: new Float64Array(firstRoom), to: new Float64Array(firstRoom), first: new Uint32Array(firstRoom),
})

export class DumpColumns {
  readonly texts: TextPool
  readonly item = itemColumns()
  readonly op = opColumns()
  items = 0
  ops = 0

  constructor(texts: TextPool) { this.texts = texts }

  reserveItems(more: number): void { reserve(this.item, this.items + more) }
  reserveOps(more: number): void { reserve(this.op, this.ops + more + 1) }

  /** Adds an op whose items were added since the last one. */
  addOp(name: number, from: number, to: number): void {
    this.reserveOps(1)
    const { op, ops } = this
    op.name[ops] = name
    op.from[ops] = from
    op.to[ops] = to
    op.first[++this.ops] = this.items
  }

  addItem(one: OneItem): void {
    this.reserveItems(1)
    const { item, items: row } = this
    item.op[row] = this.ops
    item.name[row] = one.name
    item.state[row] = one.state
    item.type[row] = one.type
    item.dtype[row] = one.dtype
    item.shape[row] = one.shape
    const [max, min, mean, norm] = one.stats
    item.maxKind[row] = max.kind
    item.max[row] = max.value
    item.minKind[row] = min.kind
    item.min[row] = min.value
    item.meanKind[row] = mean.kind
    item.mean[row] = mean.value
    item.normKind[row] = norm.kind
    item.norm[row] = norm.value
    item.md5[row] = one.md5
    item.dataName[row] = one.dataName
    item.requiresGrad[row] = one.requiresGrad
    item.tensor[row] = one.tensor
    this.items++
  }

  /** Tables over the rows so far; they stay right while reading goes on, because rows are never changed. */
  tables(): { readonly ops: OpTable; readonly items: ItemTable } {
    const { item, op, items, ops } = this
    const cells = (kind: Uint8Array, value: Float64Array) => ({ kind: kind.subarray(0, items), value: value.subarray(0, items) })
    return {
      ops: {
        length: ops, name: op.name.subarray(0, ops), from: op.from.subarray(0, ops), to: op.to.subarray(0, ops), first: op.first.subarray(0, ops + 1),
      },
      items: {
        length: items, op: item.op.subarray(0, items), name: item.name.subarray(0, items), state: item.state.subarray(0, items),
        type: item.type.subarray(0, items), dtype: item.dtype.subarray(0, items), shape: item.shape.subarray(0, items),
        max: cells(item.maxKind, item.max), min: cells(item.minKind, item.min), mean: cells(item.meanKind, item.mean), norm: cells(item.normKind, item.norm),
        md5: item.md5.subarray(0, items), dataName: item.dataName.subarray(0, items),
        requiresGrad: item.requiresGrad.subarray(0, items), tensor: item.tensor.subarray(0, items),
      },
    }
  }
}
