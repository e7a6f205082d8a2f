// The growing columns of a dump while it is read, and the tables made of them.
import { type ItemTable, Kind, type OpTable, sharedColumn, type State } from '../model/index.ts'

type Column = Uint8Array | Uint32Array | Int32Array | Float64Array
type Columns = Record<string, Column>

/** Makes room for `needed` rows in every column; untouched room costs no memory. */
export function reserve(columns: Columns, needed: number): void {
  for (const [name, column] of Object.entries(columns)) {
    if (column.length >= needed) continue
    const Type = column.constructor as Uint8ArrayConstructor
    const grown = sharedColumn<Column>(Type, Math.max(needed, column.length * 2))
    grown.set(column)
    columns[name] = grown
  }
}

export interface OneCell {
  readonly kind: Kind
  readonly value: number
}

export const noneCell: OneCell = { kind: Kind.none, value: 0 }

interface OneItem {
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
/** Rows reserved ahead at most; room that is not used costs no memory. */
const farthest = 1 << 24

const itemColumns = () => ({
  op: sharedColumn(Uint32Array, firstRoom),
  name: sharedColumn(Uint32Array, firstRoom),
  state: sharedColumn(Uint8Array, firstRoom),
  type: sharedColumn(Int32Array, firstRoom),
  dtype: sharedColumn(Int32Array, firstRoom),
  shape: sharedColumn(Int32Array, firstRoom),
  maxKind: sharedColumn(Uint8Array, firstRoom),
  minKind: sharedColumn(Uint8Array, firstRoom),
  meanKind: sharedColumn(Uint8Array, firstRoom),
  normKind: sharedColumn(Uint8Array, firstRoom),
  max: sharedColumn(Float64Array, firstRoom),
  min: sharedColumn(Float64Array, firstRoom),
  mean: sharedColumn(Float64Array, firstRoom),
  norm: sharedColumn(Float64Array, firstRoom),
  md5: sharedColumn(Int32Array, firstRoom),
  dataName: sharedColumn(Int32Array, firstRoom),
  requiresGrad: sharedColumn(Uint8Array, firstRoom),
  tensor: sharedColumn(Uint8Array, firstRoom),
})
const opColumns = () => ({
  name: sharedColumn(Uint32Array, firstRoom),
  from: sharedColumn(Float64Array, firstRoom),
  to: sharedColumn(Float64Array, firstRoom),
  first: sharedColumn(Uint32Array, firstRoom),
})

/** Small whole numbers by text code; -1 where there is none. */
export class CodeMap {
  #values = new Int32Array(0)

  /** By code; rooms behind the last one set hold -1. */
  get values(): Int32Array {
    return this.#values
  }

  get(code: number): number {
    return this.#values[code] ?? -1
  }

  set(code: number, value: number): void {
    if (code >= this.#values.length) {
      const grown = sharedColumn(Int32Array, Math.max(code + 1, this.#values.length * 2, 256)).fill(
        -1,
        this.#values.length,
      )
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[code] = value
  }
}

export class DumpColumns {
  item = itemColumns()
  op = opColumns()
  items = 0
  ops = 0

  /** Columns of a table are of one length. */
  reserveItems(more: number): void {
    if (this.item.op.length < this.items + more) reserve(this.item, this.items + more)
  }
  reserveOps(more: number): void {
    if (this.op.name.length < this.ops + more + 1) reserve(this.op, this.ops + more + 1)
  }

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

  /**
   * Makes room for as many rows as the rest of the file will bring if it goes on like this; `part` is what
   * was read of it.
   */
  expect(part: number): void {
    const share = Math.max(part, 1e-3)
    this.reserveItems(Math.min((this.items / share) * 1.02 - this.items, farthest))
    this.reserveOps(Math.min((this.ops / share) * 1.02 - this.ops, farthest))
  }

  /** Leaves only these ops, in this order. */
  pick(order: readonly number[]): void {
    const old = { item: this.item, op: this.op }
    Object.assign(this, { item: itemColumns(), op: opColumns(), items: 0, ops: 0 })
    for (let i = 0; i < order.length;) {
      let run = 1
      while (order[i + run] === order[i] + run) run++
      this.#copy(old, order[i], order[i] + run)
      i += run
    }
  }

  #copy(old: Pick<DumpColumns, 'item' | 'op'>, opFrom: number, opTo: number): void {
    const from = old.op.first[opFrom]
    const to = old.op.first[opTo]
    this.reserveItems(to - from)
    this.reserveOps(opTo - opFrom)
    for (const [name, column] of Object.entries(old.item))
      (this.item as Columns)[name].set(column.subarray(from, to), this.items)
    for (const name of ['name', 'from', 'to'] as const)
      this.op[name].set(old.op[name].subarray(opFrom, opTo), this.ops)
    for (let op = opFrom; op < opTo; op++) {
      this.item.op.fill(
        this.ops,
        this.items + old.op.first[op] - from,
        this.items + old.op.first[op + 1] - from,
      )
      this.op.first[++this.ops] = this.items + old.op.first[op + 1] - from
    }
    this.items += to - from
  }

  /** Tables over the rows so far; they stay right while reading goes on, because rows are never changed. */
  tables(): { readonly ops: OpTable; readonly items: ItemTable } {
    const { item, op, items, ops } = this
    const cells = (kind: Uint8Array, value: Float64Array) => ({
      kind: kind.subarray(0, items),
      value: value.subarray(0, items),
    })
    return {
      ops: {
        length: ops,
        name: op.name.subarray(0, ops),
        from: op.from.subarray(0, ops),
        to: op.to.subarray(0, ops),
        first: op.first.subarray(0, ops + 1),
      },
      items: {
        length: items,
        op: item.op.subarray(0, items),
        name: item.name.subarray(0, items),
        state: item.state.subarray(0, items),
        type: item.type.subarray(0, items),
        dtype: item.dtype.subarray(0, items),
        shape: item.shape.subarray(0, items),
        max: cells(item.maxKind, item.max),
        min: cells(item.minKind, item.min),
        mean: cells(item.meanKind, item.mean),
        norm: cells(item.normKind, item.norm),
        md5: item.md5.subarray(0, items),
        dataName: item.dataName.subarray(0, items),
        requiresGrad: item.requiresGrad.subarray(0, items),
        tensor: item.tensor.subarray(0, items),
      },
    }
  }
}

/** How `requiresGrad` is put down: 0 false, 1 true, 2 not said. */
export const gradCode = (known: boolean | undefined): number => (known === undefined ? 2 : Number(known))

/** The number that Python prints as inf, -inf, nan or -nan. */
export function notFinite(word: string): number {
  if (/nan/i.test(word)) return NaN
  return word.startsWith('-') ? -Infinity : Infinity
}
