// One table: rows of chosen levels, sorted by a column; only what is in view is asked for and drawn.
import { useState, type CSSProperties, type JSX } from 'react'
import {
  sheetLevels,
  type SheetAsked,
  type SheetColumn,
  type SheetInfo,
  type SheetLevel,
  type SheetPage,
  type SheetRow,
  type SheetsHold,
} from '../../../preload/contract/engine.ts'
import type { Language } from '../../../preload/contract/words/index.ts'
import { howText } from '../../../preload/contract/words/setup.ts'
import { engine } from '../../engine.ts'
import { share, shortNumber } from '../../state/format.ts'
import { valueOf, type Answer } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { sayIf, useSay, type Say } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Name } from '../bits.tsx'
import { useLongBox } from '../long-list.tsx'
import { Answered, Empty } from '../states.tsx'
import { TableTools, toggled } from '../tables.tsx'
import { LevelPill } from './level.tsx'

const page = 100
const rowHeight = 26

type Choice = Pick<SheetAsked, 'levels' | 'text' | 'sort'>
const everything: Choice = { levels: [], text: '', sort: null }

export function SheetTable({
  sheet,
  index,
  holds,
}: {
  readonly sheet: SheetInfo
  readonly index: number
  readonly holds: SheetsHold
}): JSX.Element {
  const say = useSay()
  const [choice, setChoice] = useState(everything)
  const answer = usePage(index, choice, 0)
  return (
    <div className="sheets-main">
      <TableTools
        label={say('sheets.levels')}
        testId="sheets"
        chips={sheetLevels
          .filter(level => sheet.counts[level] > 0)
          .map(level => ({
            id: level,
            on: choice.levels.includes(level),
            rows: sheet.counts[level],
            pill: <LevelPill is={level} holds={holds} />,
            onChange: () => setChoice({ ...choice, levels: toggled(choice.levels, level) }),
          }))}
        text={choice.text}
        find={say('sheets.find')}
        onText={text => setChoice({ ...choice, text })}
      />
      <Answered
        answer={answer}
        skeleton={{ rows: 12, height: 18 }}
        renderValue={found =>
          found.total === 0 ? (
            <Nothing isEmpty={sheetLevels.every(level => sheet.counts[level] === 0)} />
          ) : (
            <Rows
              key={JSON.stringify(choice)}
              {...{ sheet, index, holds, choice, found }}
              onSort={sort => setChoice({ ...choice, sort })}
            />
          )
        }
      />
    </div>
  )
}

const usePage = (sheet: number, choice: Choice, first: number): Answer<SheetPage> =>
  useUnitQuery({
    steps: ['dumps'],
    key: ['sheet-page', sheet, JSON.stringify(choice), first],
    load: (here, signal) => engine.sheetPage({ ...here, sheet, ...choice, first, count: page * 3 }, signal),
    keep: true,
  })

function Nothing({ isEmpty }: { readonly isEmpty: boolean }): JSX.Element {
  const say = useSay()
  return isEmpty ? (
    <Empty icon="check" title={say('sheets.none')}>
      {say('sheets.none.what')}
    </Empty>
  ) : (
    <Empty icon="filter" title={say('sheets.filtered')}>
      {say('sheets.filtered.what')}
    </Empty>
  )
}

interface RowsProps {
  readonly sheet: SheetInfo
  readonly index: number
  readonly holds: SheetsHold
  readonly choice: Choice
  readonly found: SheetPage
  onSort(sort: Choice['sort']): void
}

function Rows({ sheet, index, holds, choice, found, onSort }: RowsProps): JSX.Element {
  const say = useSay()
  const { box, range, measure } = useLongBox(found.total, rowHeight, -1)
  const from = Math.max(0, Math.floor(range.first / page) * page)
  const shown = valueOf(usePage(index, choice, from)) ?? found
  const style: CSSProperties = {
    gridTemplateColumns: ['108px', ...sheet.columns.map(widthOf)].join(' '),
    minWidth: sheet.columns.reduce((sum, column) => sum + leastOf(column), 108),
  }
  return (
    <div
      ref={box}
      className="sheets-box"
      role="table"
      aria-label={say('sheets.rows')}
      aria-rowcount={found.total + 1}
      tabIndex={0}
      data-testid="sheets-rows"
      data-rows={found.total}
      onScroll={measure}
    >
      <Head columns={sheet.columns} sort={choice.sort} style={style} onSort={onSort} />
      <div
        role="rowgroup"
        style={{ height: found.total * rowHeight, minWidth: style.minWidth }}
        className="sheets-rows"
      >
        {Array.from({ length: Math.max(0, range.last - range.first) }, (_, k) => range.first + k).map(i => (
          <Row
            key={i}
            row={shown.rows[i - shown.first]}
            columns={sheet.columns}
            holds={holds}
            style={{ ...style, top: i * rowHeight, height: rowHeight }}
            at={i + 2}
          />
        ))}
      </div>
    </div>
  )
}

const wide = new Set(['name', 'stack'])
const middling = new Set(['bench', 'debug', 'matched'])

function leastOf({ id, numeric }: SheetColumn): number {
  if (wide.has(id)) return 260
  if (numeric) return id === 'step' || id === 'rank' ? 64 : 100
  return middling.has(id) ? 160 : 90
}

function widthOf(column: SheetColumn): string {
  const least = leastOf(column)
  if (wide.has(column.id)) return `minmax(${least}px, 2fr)`
  return middling.has(column.id) && !column.numeric ? `minmax(${least}px, 1fr)` : `${least}px`
}

const titleOf = (language: Language, { id }: SheetColumn): string =>
  sayIf(language, `sheets.column.${id}`) ?? id

function Head({
  columns,
  sort,
  style,
  onSort,
}: Pick<RowsProps, 'onSort'> & {
  readonly columns: readonly SheetColumn[]
  readonly sort: Choice['sort']
  readonly style: CSSProperties
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  return (
    <div className="sheets-row sheets-titles" role="row" style={style}>
      <span role="columnheader">
        <button type="button" className="sheets-title" onClick={() => onSort(null)}>
          {say('sheets.column.level')}
          {sort === null ? <span aria-hidden="true"> ▾</span> : null}
        </button>
      </span>
      {columns.map((column, i) => {
        const title = titleOf(language, column)
        const on = sort?.column === i ? sort : null
        return (
          <span
            key={column.id}
            role="columnheader"
            aria-sort={on ? (on.down ? 'descending' : 'ascending') : 'none'}
            className={column.numeric ? 'sheets-number' : ''}
          >
            <button
              type="button"
              className="sheets-title"
              title={say('sheets.sort', { column: title })}
              data-testid={`sheets-sort-${column.id}`}
              onClick={() => onSort({ column: i, down: on ? !on.down : column.numeric })}
            >
              <span className="cut">{title}</span>
              {on ? <span aria-hidden="true">{on.down ? '▾' : '▴'}</span> : null}
            </button>
          </span>
        )
      })}
    </div>
  )
}

const tints: Readonly<Record<SheetLevel, string>> = {
  error: 'is-error',
  warning: 'is-warning',
  note: '',
  pass: '',
}

function Row({
  row,
  columns,
  holds,
  style,
  at,
}: {
  readonly row: SheetRow | undefined
  readonly columns: readonly SheetColumn[]
  readonly holds: SheetsHold
  readonly style: CSSProperties
  readonly at: number
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  if (!row)
    return (
      <div className="sheets-row" style={style}>
        <span className="skeleton" style={{ height: 12 }} />
      </div>
    )
  return (
    <div className={`sheets-row ${tints[row.level]}`} role="row" aria-rowindex={at} style={style}>
      <span role="cell">
        <LevelPill is={row.level} holds={holds} />
      </span>
      {columns.map((column, i) => {
        const cell = row.cells[i] ?? null
        return cell === null ? (
          <span
            key={column.id}
            role="cell"
            className={`sheets-missing ${column.numeric ? 'sheets-number' : ''}`}
            title={column.id === 'bench' || column.id === 'debug' ? say('sheets.missing') : ''}
          >
            –
          </span>
        ) : (
          <span
            key={column.id}
            role="cell"
            className={`copyable cut ${column.numeric ? 'num sheets-number' : mono.has(column.id) ? 'mono' : ''}`}
            title={String(cell)}
          >
            {column.id === 'name' ? <Name text={String(cell)} /> : cellText(say, language, column, cell)}
          </span>
        )
      })}
    </div>
  )
}

const mono = new Set(['name', 'bench', 'debug', 'stack', 'benchShape', 'debugShape'])
const shares = /^(?:share\..*|relativeL2|signs)$/

function cellText(say: Say, language: Language, { id, numeric }: SheetColumn, cell: string | number): string {
  if (typeof cell === 'number') return shares.test(id) ? share(language, cell) : shortNumber(cell)
  if (id === 'matched' && cell !== '') return howText(language, cell)
  if (id === 'only' && (cell === 'bench' || cell === 'debug')) return say(`sheets.column.${cell}`)
  return numeric && cell === '' ? '–' : cell
}
