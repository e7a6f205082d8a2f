// What panes of tables share: a head with the files and ways to save them, levels as chips beside a search, and a list
// of what else there is to see.
import type { JSX, ReactNode } from 'react'
import { count } from '../state/format.ts'
import { useSay } from '../state/words.ts'
import { useWorkbench } from '../state/workbench.ts'
import { Name } from './bits.tsx'
import { Button, Toggle } from './controls.tsx'
import { Icon } from './icons.tsx'
import './tables.css'

/** Which side a file is, in words. */
interface SideMark {
  readonly side: 'debug' | 'bench'
  readonly text: string
}

export interface TableFile {
  readonly path: string
  /** Null where there is one file only. */
  readonly mark: SideMark | null
}

export function TableFiles({
  files,
  children,
}: {
  readonly files: readonly TableFile[]
  readonly children?: ReactNode
}): JSX.Element {
  return (
    <div className="tables-files small dim">
      {files.map(({ path, mark }) => (
        <span key={path} className="row" title={path}>
          {mark ? <span className={`zone-mark ${mark.side}`}>{mark.text}</span> : null}
          <Name text={path} className="mono" />
        </span>
      ))}
      {children}
    </div>
  )
}

export const tableFormats = ['csv', 'xlsx'] as const
export type TableFormat = (typeof tableFormats)[number]

/** What a table is called, and ways to save it. */
export function TableTitle({
  title,
  testId,
  children,
  onSave,
}: {
  readonly title: string
  /** Begins the names of the buttons. */
  readonly testId: string
  readonly children?: ReactNode
  /** Null where there is nothing to save. */
  readonly onSave: ((format: TableFormat) => void) | null
}): JSX.Element {
  const say = useSay()
  return (
    <div className="row">
      <h2 className="section-title grow">{title}</h2>
      {onSave
        ? tableFormats.map(format => (
            <Button
              key={format}
              small
              look="quiet"
              icon="download"
              testId={`${testId}-${format}`}
              label={say(`tables.save.${format}`)}
              onPress={() => onSave(format)}
            >
              {format}
            </Button>
          ))
        : null}
      {children}
    </div>
  )
}

export interface TableChip {
  readonly id: string
  readonly on: boolean
  readonly rows: number
  readonly pill: JSX.Element
  onChange(): void
}

/** Rows by how much they matter, and by a part of what stands in them. */
export function TableTools({
  label,
  testId,
  chips,
  text,
  find,
  onText,
}: {
  readonly label: string
  readonly testId: string
  readonly chips: readonly TableChip[]
  readonly text: string
  /** What the search looks for. */
  readonly find: string
  onText(text: string): void
}): JSX.Element {
  const language = useWorkbench(s => s.language)
  return (
    <div className="tables-tools row wrap" role="group" aria-label={label}>
      {chips.map(({ id, on, rows, pill, onChange }) => (
        <Toggle key={id} className="chip" testId={`${testId}-${id}`} on={on} onChange={onChange}>
          {pill}
          <span className="badge">{count(language, rows)}</span>
        </Toggle>
      ))}
      <span className="grow" />
      <label className="field tables-find">
        <Icon name="search" size={13} />
        <input
          type="search"
          value={text}
          aria-label={find}
          placeholder={find}
          data-testid={`${testId}-find`}
          onChange={e => onText(e.target.value)}
        />
      </label>
    </div>
  )
}

/** Chosen is what was not, and the other way round. */
export const toggled = <T,>(chosen: readonly T[], one: T): readonly T[] =>
  chosen.includes(one) ? chosen.filter(other => other !== one) : [...chosen, one]

export function TableEntry({
  on,
  testId,
  title,
  children,
  onChoose,
}: {
  readonly on: boolean
  readonly testId?: string
  readonly title?: string
  readonly children: ReactNode
  onChoose(): void
}): JSX.Element {
  return (
    <li>
      <button
        type="button"
        className="tables-entry"
        aria-pressed={on}
        title={title}
        data-testid={testId}
        onClick={onChoose}
      >
        {children}
      </button>
    </li>
  )
}
