// One column's cells, made when they are asked for.
import {
  type Column,
  type DebugItem,
  type Dump,
  type Ids,
  Kind,
  type PairRow,
  type Spelling,
} from '../model/index.ts'
import { pyStr } from '../python/index.ts'

export interface Cell {
  kind(row: PairRow): Kind
  number(row: PairRow): number
  text(row: PairRow): string
  /** The number that the cell stands for when sorting and filtering; NaN for none. */
  sortable(row: PairRow): number
  readonly spelling?: Spelling
}

export const textCell = (text: (row: PairRow) => string): Cell => ({
  kind: () => Kind.text,
  number: () => NaN,
  text,
  sortable: () => NaN,
})

/** A number, printed somehow, or a text in its place. */
export function mixedCell(value: (row: PairRow) => number | string, print: (x: number) => string): Cell {
  const number = (row: PairRow): number => {
    const found = value(row)
    return typeof found === 'number' ? found : NaN
  }
  return {
    kind: row => (typeof value(row) === 'number' ? Kind.float : Kind.text),
    number,
    text: row => {
      const found = value(row)
      return typeof found === 'number' ? print(found) : found
    },
    sortable: number,
  }
}

const rememberedStacks = 512

/** Many rows have the same stack: the last texts are kept. */
function stackTexts(dump: Dump): (stack: number) => string {
  const known = new Map<number, string>()
  return stack => {
    let text = known.get(stack)
    if (text === undefined) {
      if (known.size >= rememberedStacks) known.clear()
      known.set(stack, (text = pyStr([...dump.stacks.frames(stack)])))
    }
    return text
  }
}

/** The stacks of the rows that show one. */
export function stackCell(
  debug: Dump,
  debugItem: Ids<PairRow, DebugItem>,
  shown: Column<Uint8Array, PairRow>,
  instead: string,
): Cell {
  const texts = stackTexts(debug)
  return textCell(row => {
    const stack = shown[row] ? debug.stacks.of(debug.ops.name[debug.items.op[debugItem[row]]]) : -1
    return stack < 0 ? instead : texts(stack)
  })
}
