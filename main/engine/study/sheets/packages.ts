// Two packages of configuration as tables: what was found of each part, both sides beside each other.
import type { Compared } from '../../config/index.ts'
import { plainCell } from '../../formats/index.ts'
import type { SetupFinding, SheetColumn, SheetLevel, Table } from '../../model/index.ts'
import type { SheetsData } from './data.ts'
import { column, numberIn, Sheet, type SheetCell } from './sheet.ts'

export const packageSheets = ({ parts, findings }: Compared): SheetsData => ({
  holds: 'package',
  findings,
  sheets: parts
    .toSorted((a, b) => weightiest.indexOf(a.part) - weightiest.indexOf(b.part))
    .map(({ part, sheet, findings: found }) =>
      part === 'weights' || part === 'dataset' ? statSheet(part, sheet) : foundSheet(part, found),
    ),
})

/** As people look: with other weights or data nothing else has to be looked at. */
const weightiest: readonly string[] = ['weights', 'dataset', 'hyperparameters', 'random', 'env', 'pip']

const named = [column('name'), column('bench'), column('debug')]
const columnsOf: Readonly<Record<string, readonly SheetColumn[]>> = {
  hyperparameters: [...named, column('matched')],
  random: [
    column('rank', true),
    column('name'),
    column('bench', true),
    column('debug', true),
    column('stack'),
  ],
}

function foundSheet(part: string, found: readonly SetupFinding[]): Sheet {
  const columns = columnsOf[part] ?? named
  const rows = found.map(one => cellsOf(one))
  return new Sheet({
    id: part,
    columns,
    length: rows.length,
    cell: (row, at) => rows[row][columns[at].id] ?? null,
    level: row => found[row].level,
  })
}

/** What a finding says of each side; a name of the debug side that is another one stands behind it. */
function cellsOf({ facts }: SetupFinding): Readonly<Record<string, SheetCell>> {
  const name = 'name' in facts ? facts.name : ''
  const other = 'other' in facts && facts.other !== name ? ` ↔ ${facts.other}` : ''
  const alone = 'value' in facts ? facts.value : 'count' in facts ? facts.count : null
  const sides =
    'side' in facts
      ? { bench: facts.side === 'bench' ? alone : null, debug: facts.side === 'debug' ? alone : null }
      : { bench: 'bench' in facts ? facts.bench : null, debug: 'debug' in facts ? facts.debug : null }
  return {
    ...sides,
    name: `${name}${other}`,
    matched: 'how' in facts && other !== '' ? facts.how : '',
    rank: 'rank' in facts ? Number(facts.rank) : null,
    stack: 'stack' in facts ? facts.stack : '',
  }
}

const statColumns = [
  column('step', true),
  column('rank', true),
  column('name'),
  column('only'),
  ...['max', 'min', 'mean', 'norm'].map(stat => column(`share.${stat}`, true)),
]
const [equalAt, firstShare] = [3, 4]
const onlyOn: Readonly<Record<string, string>> = { 'only bench have': 'bench', 'only cmp have': 'debug' }

/** Columns as the workbook has them, but for whose a lone row is. */
function statSheet(part: string, table: Table): Sheet {
  const equal = (row: number): SheetCell => plainCell(table, row, equalAt)
  return new Sheet({
    id: part,
    columns: statColumns,
    length: table.length,
    cell(row, at) {
      if (at !== equalAt) return plainCell(table, row, at)
      return onlyOn[String(equal(row))] ?? ''
    },
    level: row => levelOf(equal(row)),
    // The first step of all says most; there, who is furthest off.
    weight: row => -Number(plainCell(table, row, 0)) * far + shareOf(table, row),
  })
}

const far = 1e9

const levelOf = (equal: SheetCell): SheetLevel => {
  if (typeof equal === 'string') return 'warning'
  return equal === true ? 'pass' : 'error'
}

function shareOf(table: Table, row: number): number {
  const shares = statColumns.slice(firstShare).map((_, i) => {
    const share = Math.abs(numberIn(plainCell(table, row, firstShare + i)))
    return Number.isNaN(share) ? 0 : share
  })
  return Math.min(far / 2, Math.max(...shares))
}
