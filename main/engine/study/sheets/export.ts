// Tables of what surrounds runs as files: every row with how much it matters, those that matter most first.
import { cellTable, type PlainCell, titled } from '../../formats/index.ts'
import type { SheetColumn, SheetLevel, SheetsHold, Table } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { type SaveAsked, saveTables } from '../save-tables.ts'
import type { SheetsData } from './data.ts'
import type { Sheet } from './sheet.ts'

/** As the window's English says them; others, such as those of ranks, are called by their id. */
const titles: Readonly<Record<string, string>> = {
  name: 'Name',
  bench: 'Bench',
  debug: 'Debug',
  matched: 'Taken for the same',
  rank: 'Rank',
  step: 'Step',
  stack: 'Where in the code',
  only: 'Only on',
  spread: 'Spread',
  'share.max': 'Max off by',
  'share.min': 'Min off by',
  'share.mean': 'Mean off by',
  'share.norm': 'Norm off by',
}
const levels: Readonly<Record<'runs' | 'ranks', Readonly<Record<SheetLevel, string>>>> = {
  runs: { error: 'decides', warning: 'may matter', note: 'note', pass: 'same' },
  ranks: { error: 'decides', warning: 'odd rank', note: 'note', pass: 'usual' },
}

function tableOf(sheet: Sheet, holds: SheetsHold): Table {
  const told = levels[holds === 'ranks' ? 'ranks' : 'runs']
  const titleOf = ({ id }: SheetColumn): string => titles[id] ?? id
  return cellTable(
    titled(['Matters', ...sheet.columns.map(titleOf)]),
    sheet.length,
    (place, column): PlainCell =>
      column === 0 ? told[sheet.levelAt(place)] : (sheet.cellAt(place, column - 1) ?? ''),
  )
}

const stems: Readonly<Record<SheetsHold, string>> = {
  package: 'configuration',
  ranks: 'ranks',
  settings: 'settings',
}

/** Null where there is no such table. */
export async function writeSheets(
  { sheets, holds }: SheetsData,
  at: number,
  { inputs, ...asked }: SaveAsked & { readonly inputs: readonly string[] },
  job: Job,
): Promise<readonly string[] | null> {
  if (!sheets[at]) return null
  const tables = sheets.map(sheet => ({ name: sheet.id, table: tableOf(sheet, holds) }))
  return saveTables({ stem: stems[holds], inputs, tables, at }, asked, job)
}
