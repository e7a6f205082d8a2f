// Tabs with their panels: arrows walk, Home and End jump, the panel takes the focus so that it can be
// scrolled by key.
import { useId, useRef, type JSX, type KeyboardEvent, type ReactNode } from 'react'

export interface TabRow {
  readonly id: string
  readonly title: ReactNode
  readonly className?: string
  /** Stays in the document while another one is shown. */
  readonly keep?: boolean
  readonly show: ReactNode
}

const classes = (...names: readonly (string | undefined)[]): string => names.filter(Boolean).join(' ')

interface TabsProps {
  readonly label: string
  readonly rows: readonly TabRow[]
  readonly at: string
  readonly className?: string
  onChange(id: string): void
}

export function Tabs({ label, rows, at, className, onChange }: TabsProps): JSX.Element {
  const base = useId()
  const chosen = rows.find(row => row.id === at) ?? rows[0]
  return (
    <div className={classes('tabs', className)}>
      <TabList base={base} label={label} rows={rows} chosen={chosen} onChange={onChange} />
      {rows.map(row =>
        row === chosen || row.keep ? (
          <div
            key={row.id}
            id={`${base}${row.id}-panel`}
            className={classes('tab-panel', row.className)}
            role="tabpanel"
            aria-labelledby={`${base}${row.id}`}
            tabIndex={0}
            hidden={row !== chosen}
          >
            {row.show}
          </div>
        ) : null,
      )}
    </div>
  )
}

function TabList({
  base,
  label,
  rows,
  chosen,
  onChange,
}: Pick<TabsProps, 'label' | 'rows' | 'onChange'> & {
  /** What the ids of these tabs and panels begin with. */
  readonly base: string
  readonly chosen: TabRow | undefined
}): JSX.Element {
  const list = useRef<HTMLDivElement>(null)
  const press = (e: KeyboardEvent): void => {
    const place = rows.findIndex(row => row === chosen)
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: place + 1,
      ArrowLeft: place - 1,
      Home: 0,
      End: rows.length - 1,
    }
    const to = steps[e.key]
    const next = to === undefined ? undefined : rows.at(to % rows.length)
    if (!next) return
    e.preventDefault()
    onChange(next.id)
    list.current?.querySelector<HTMLElement>(`[data-key="${next.id}"]`)?.focus()
  }
  return (
    <div ref={list} className="tab-list" role="tablist" aria-label={label} onKeyDown={press}>
      {rows.map(row => (
        <button
          key={row.id}
          type="button"
          id={`${base}${row.id}`}
          data-key={row.id}
          className="tab"
          role="tab"
          aria-selected={row === chosen}
          tabIndex={row === chosen ? 0 : -1}
          {...(row === chosen || row.keep ? { 'aria-controls': `${base}${row.id}-panel` } : {})}
          onClick={() => onChange(row.id)}
        >
          {row.title}
        </button>
      ))}
    </div>
  )
}
