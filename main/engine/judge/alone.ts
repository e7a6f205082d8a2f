// The table of a dump that stands alone: its own columns, spelled as each generation of msprobe spells them.
import type { Wording } from '../pair/index.ts'
import {
  type Dump,
  Fill,
  type Generation,
  type ItemRows,
  type Mode,
  type Rules,
  RowState,
  stats,
} from '../model/index.ts'
import { ruleSets } from '../rules/index.ts'
import { type Cell, stackCell, textCell } from './cell.ts'
import { columnsOf } from './columns.ts'
import { statCell as statCell122 } from './cells-1.2.2.ts'
import { overflows } from './table-1.2.2.ts'
import { statCell as statCell26 } from './table-26.ts'
import { codeText, gradText, noOne, SideStats } from './values-26.ts'
import { wordings } from './wording.ts'

/** Rows that are to become a table. */
export interface AloneInput {
  readonly debug: Dump
  readonly mode: Mode
  readonly rules: Rules
  readonly wording: Wording
  /** Items in the order of the table. */
  readonly items: Int32Array
  /** There is a column of stacks; 1 for rows that show one. */
  readonly hasStack: boolean
  readonly stackShown: Uint8Array
}

const ofOneSide = /^debug[A-Z]|^(?:stack|dataName)$/

export function aloneTable(input: AloneInput): ItemRows {
  const { debug, mode, rules, items, hasStack } = input
  const { length } = items
  const { generation } = ruleSets[rules]
  const columns = columnsOf(generation, mode, { stack: hasStack }).filter(({ id }) => ofOneSide.test(id))
  const made = cellsOf(input, generation)
  const cells = columns.map(({ id }) => made[id])
  return {
    mode,
    rules,
    debug,
    bench: null,
    columns,
    length,
    debugItem: items as ItemRows['debugItem'],
    benchItem: new Int32Array(length).fill(-1) as ItemRows['benchItem'],
    benchOnly: new Int32Array(0) as ItemRows['benchOnly'],
    state: new Uint8Array(length).fill(RowState.unpaired) as ItemRows['state'],
    noise: new Float64Array(length).fill(NaN) as ItemRows['noise'],
    level: new Float64Array(length).fill(NaN) as ItemRows['level'],
    fill: fillOf(input, generation) as ItemRows['fill'],
    problems: [],
    failing: () => false,
    kind: (row, column) => cells[column].kind(row),
    number: (row, column) => cells[column].number(row),
    text: (row, column) => cells[column].text(row),
    sortable: (row, column) => cells[column].sortable(row),
  }
}

function cellsOf(
  { debug, items, stackShown, wording }: AloneInput,
  generation: Generation,
): Readonly<Record<string, Cell>> {
  const { none, nanAlone } = wordings[wording]
  const text = (column: Int32Array | Uint32Array): Cell =>
    textCell(row => codeText(debug, column[items[row]]))
  const instead = (column: Int32Array, without: string): Cell =>
    textCell(row => {
      const code = column[items[row]]
      return code < 0 ? without : debug.texts.get(code)
    })
  const is26 = generation === 'msprobe-26'
  const absent = is26 ? noOne : none
  const side = new SideStats(debug, items)
  const cells: Record<string, Cell> = {
    debugName: text(debug.items.name),
    debugDtype: text(debug.items.dtype),
    debugShape: text(debug.items.shape),
    debugMd5: instead(debug.items.md5, absent),
    debugGrad: textCell(row =>
      is26 || debug.items.requiresGrad[items[row]] < 2 ? gradText(debug, items[row]) : '',
    ),
    dataName: instead(debug.items.dataName, '-1'),
    stack: stackCell(debug, items, stackShown, absent),
  }
  for (const stat of stats) {
    const id = `debug${stat.charAt(0).toUpperCase()}${stat.slice(1)}`
    cells[id] = is26
      ? statCell26(side, stat)
      : statCell122(debug, debug.items[stat], items, none, () => nanAlone)
  }
  return cells
}

/** NaN and infinity among the numbers are red, as in a comparison. */
function fillOf({ debug, mode, items, wording }: AloneInput, generation: Generation): Uint8Array {
  const fill = new Uint8Array(items.length)
  if (mode === 'md5' || generation === 'msprobe-26') return fill
  const isOverflow = overflows(debug, wordings[wording])
  for (let row = 0; row < fill.length; row++) if (isOverflow(items[row], -1)) fill[row] = Fill.red
  return fill
}
