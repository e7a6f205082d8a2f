// The rows of one side of a graph file while they come, and the tree that is made of them: files name parents and
// children, and need not agree with themselves.
import { TextPool } from '../../model/index.ts'
import type { FileSide } from './graph-file.ts'

export class SideRows {
  readonly texts = new TextPool()
  /** Codes of texts: names, and those that rows name as parent and partner, -1 for none. */
  readonly name: number[] = []
  readonly up: number[] = []
  readonly partner: number[] = []
  readonly kind: number[] = []
  readonly micro: number[] = []
  readonly index: number[] = []
  readonly overflow: number[] = []
  readonly stack: number[] = []
  /** Codes of children, row after row; one entry more than rows. */
  readonly childNames: number[] = []
  readonly childFirst: number[] = [0]
  tensors = ''

  /** Ends a row: the children that it names. */
  children(codes: Iterable<number>): void {
    for (const code of codes) this.childNames.push(code)
    this.childFirst.push(this.childNames.length)
  }

  /** The side with its rows in this order, with how often the file contradicts itself. */
  settle(order: Uint32Array, lazy: Pick<FileSide, 'items' | 'stacks'>): SettledSide {
    const { texts, name, up, childNames, childFirst, tensors } = this
    const { length } = order
    const rowOf = rowsByName(name, order)
    const lists = childLists(
      length,
      row => childNames.slice(childFirst[order[row]], childFirst[order[row] + 1]),
      rowOf,
    )
    const { parent, attached, strays } = settleTree(lists, row => rowOf(up[order[row]]))
    const side = {
      texts,
      length,
      name: inOrder(name, order, new Uint32Array(length)),
      kind: inOrder(this.kind, order, new Uint8Array(length)),
      parent,
      attached,
      micro: inOrder(this.micro, order, new Int32Array(length)),
      partner: inOrder(this.partner, order, new Int32Array(length)),
      index: inOrder(this.index, order, new Float64Array(length)),
      overflow: inOrder(this.overflow, order, new Uint8Array(length)),
      stack: inOrder(this.stack, order, new Int32Array(length)),
      tensors,
      ...lazy,
    }
    return { side, missing: lists.missing, strays }
  }
}

interface SettledSide {
  readonly side: FileSide
  /** Children that the file lacks. */
  readonly missing: number
  /** Rows that are no row's children. */
  readonly strays: number
}

type Column = Uint8Array | Int32Array | Uint32Array | Float64Array

function inOrder<T extends Column>(values: readonly number[], order: Uint32Array, into: T): T {
  for (let row = 0; row < order.length; row++) into[row] = values[order[row]]
  return into
}

/** Row by name, -1 for none; of two rows of the file with one name the first. */
function rowsByName(names: readonly number[], order: Uint32Array): (code: number) => number {
  const byName = new Map<number, number>()
  names.forEach((code, row) => {
    if (!byName.has(code)) byName.set(code, row)
  })
  const place = new Int32Array(order.length)
  order.forEach((row, i) => {
    place[row] = i
  })
  return code => {
    const row = byName.get(code)
    return row === undefined ? -1 : place[row]
  }
}

/** Stacks that are read when they are first asked for. */
export function lazyStacks(length: number, read: (stack: number) => readonly string[]): FileSide['stacks'] {
  const known = new Map<number, readonly string[]>()
  return {
    length,
    frames(stack) {
      const lines = known.get(stack) ?? read(stack)
      known.set(stack, lines)
      return lines
    },
  }
}

/** Children of rows, list after list. */
interface ChildLists {
  readonly first: Uint32Array
  readonly rows: Uint32Array
}

/** Lists of ids → lists of rows; ids that the file lacks are counted. */
function childLists(
  length: number,
  namesOf: (row: number) => ArrayLike<number>,
  rowOf: (code: number) => number,
): ChildLists & { readonly missing: number } {
  const first = new Uint32Array(length + 1)
  const rows: number[] = []
  let missing = 0
  for (let row = 0; row < length; row++) {
    const names = namesOf(row)
    for (let i = 0; i < names.length; i++) {
      const child = rowOf(names[i])
      if (child < 0) missing++
      else rows.push(child)
    }
    first[row + 1] = rows.length
  }
  return { first, rows: Uint32Array.from(rows), missing }
}

/**
 * Parents without cycles; what is reached from nowhere hangs below the parent that it names itself, else
 * below the first row.
 */
function settleTree(
  lists: ChildLists,
  upOf: (row: number) => number,
): { readonly parent: Int32Array; readonly attached: Uint32Array; readonly strays: number } {
  const { first, rows } = lists
  const length = first.length - 1
  const parent = new Int32Array(length).fill(-1)
  const attached = new Uint32Array(Math.max(0, length - 1))
  const seen = new Uint8Array(length)
  const isChild = new Uint8Array(length)
  for (const child of rows) isChild[child] = 1
  let count = 0
  let strays = 0
  const stack: number[] = []
  const attach = (row: number, to: number): void => {
    seen[row] = 1
    parent[row] = to
    attached[count++] = row
    stack.push(row)
  }
  const walk = (): void => {
    for (let row = stack.pop(); row !== undefined; row = stack.pop()) {
      for (let i = first[row]; i < first[row + 1]; i++) if (!seen[rows[i]]) attach(rows[i], row)
    }
  }
  if (length > 0) {
    seen[0] = 1
    stack.push(0)
    walk()
  }
  for (const ringsToo of [false, true]) {
    for (let row = 1; row < length; row++) {
      if (seen[row] || (!ringsToo && isChild[row])) continue
      strays++
      const up = upOf(row)
      attach(row, up >= 0 && seen[up] ? up : 0)
      walk()
    }
  }
  return { parent, attached, strays }
}
