// The filter row: one line per column that says its condition, and a list of values where there are few.
import type { IFloatingFilterComp, IFloatingFilterParams } from 'ag-grid-community'
import { useState, type JSX } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import type { ColumnFilter } from '../../../preload/contract/engine.ts'
import { toolText } from '../../../preload/contract/words/tool.ts'
import { engine } from '../../engine.ts'
import { useDebounced } from '../../state/debounce.ts'
import { count, shortNumber } from '../../state/format.ts'
import { filterColumn } from '../../state/looking.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Check } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { isPercent, readCondition, writeCondition } from './condition.ts'

const debounceMs = 250

export interface FilterCellParams {
  readonly numeric: boolean
  readonly title: string
}

/** The grid's side of a filter: it holds nothing, the store does. */
export class FilterRowCell implements IFloatingFilterComp {
  readonly #box = document.createElement('div')
  #root: Root | null = null

  init(params: IFloatingFilterParams & FilterCellParams): void {
    this.#box.className = 'filter-holder'
    this.#root = createRoot(this.#box)
    this.refresh(params)
  }

  refresh({ column, numeric, title }: IFloatingFilterParams & FilterCellParams): void {
    this.#root?.render(<FilterCell id={column.getColId()} numeric={numeric} title={title} />)
  }

  getGui(): HTMLElement {
    return this.#box
  }
  onParentModelChanged(): void {}
  destroy(): void {
    const root = this.#root
    queueMicrotask(() => root?.unmount())
  }
}

function FilterCell({ id, numeric, title }: FilterCellParams & { readonly id: string }): JSX.Element {
  const say = useSay()
  const filter = useWorkbench(s => s.look.columns.find(f => f.column === id))
  const written = writeCondition(filter)
  /** What is being typed; what is in force shows again on leaving. */
  const [draft, setDraft] = useState<string | null>(null)
  const text = draft ?? written
  const condition = draft === null ? null : readCondition(id, numeric, draft)
  const invalid = condition === 'invalid'
  useDebounced(
    draft,
    typing => {
      const typed = typing === null ? 'invalid' : readCondition(id, numeric, typing)
      if (typed !== 'invalid' && writeCondition(typed ?? undefined) !== written) filterColumn(id, typed)
    },
    debounceMs,
  )
  const wrong = numeric ? 'grid.filter-number-wrong' : 'grid.filter-text-wrong'
  const example = isPercent(id) ? 'grid.filter-percent' : 'grid.filter-number'
  return (
    <div className="filter-cell" data-on={filter ? '' : undefined}>
      <input
        value={text}
        spellCheck={false}
        aria-invalid={invalid}
        aria-label={say('grid.filter-column', { column: title })}
        placeholder={say(numeric ? example : 'grid.filter-text')}
        title={say(invalid ? wrong : numeric ? 'grid.filter-number-help' : 'grid.filter-text-help')}
        onChange={e => setDraft(e.target.value)}
        onBlur={() => setDraft(null)}
        onKeyDown={e => {
          if (e.key === 'Escape' && text !== '') {
            e.stopPropagation()
            setDraft('')
          }
        }}
      />
      <ValueList id={id} title={title} filter={filter} />
    </div>
  )
}

function ValueList({
  id,
  title,
  filter,
}: {
  readonly id: string
  readonly title: string
  readonly filter: ColumnFilter | undefined
}): JSX.Element {
  const say = useSay()
  const [open, setOpen] = useState(false)
  return (
    <DialogTrigger isOpen={open} onOpenChange={setOpen}>
      <Button className="filter-open" aria-label={say('grid.filter-values', { column: title })}>
        <Icon name={filter ? 'filter' : 'down'} size={11} />
      </Button>
      <Popover className="popover value-list" placement="bottom end">
        <Dialog
          aria-label={say('grid.filter-values', { column: title })}
          className="column"
          style={{ outline: 'none', minHeight: 0 }}
        >
          <Values id={id} filter={filter} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

function Values({
  id,
  filter,
}: {
  readonly id: string
  readonly filter: ColumnFilter | undefined
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const view = useWorkbench(s => s.view?.view ?? null)
  const answer = useQuery({
    key: view === null ? null : ['summary', view, id],
    load: signal => engine.summary({ view: view as NonNullable<typeof view>, column: id }, signal),
  })
  const summary = valueOf(answer)
  const [search, setSearch] = useState('')
  const chosen = filter?.is === 'set' ? filter.values : []
  const choose = (value: string, on: boolean): void => {
    const values = on ? [...chosen, value] : chosen.filter(v => v !== value)
    filterColumn(id, values.length === 0 ? null : { column: id, is: 'set', values })
  }
  if (!summary) return <p className="dim">{say('frame.loading')}</p>
  const bound = (value: number): string =>
    isPercent(id) ? `${shortNumber(value * 100)}%` : shortNumber(value)
  const values = summary.values.filter(v => v.text.toLowerCase().includes(search.toLowerCase())).slice(0, 200)
  return (
    <>
      {Number.isFinite(summary.min) && Number.isFinite(summary.max) && summary.min <= summary.max ? (
        <p className="value-range dim num">
          {say('grid.range', { min: bound(summary.min), max: bound(summary.max) })}
        </p>
      ) : null}
      {summary.values.length > 8 ? (
        <div className="field">
          <Icon name="search" size={12} />
          <input
            aria-label={say('grid.find-value')}
            placeholder={say('grid.find-value')}
            value={search}
            onChange={e => setSearch(e.target.value)}
          />
        </div>
      ) : null}
      <div className="value-rows">
        {values.map(v => (
          <Check key={v.text} on={chosen.includes(v.text)} onChange={on => choose(v.text, on)}>
            <span className="row">
              <span className="cut grow" title={v.text}>
                {v.text === '' ? say('grid.empty-value') : toolText(language, v.text)}
              </span>
              <span className="faint num">{count(language, v.count)}</span>
            </span>
          </Check>
        ))}
        {values.length === 0 ? <p className="dim">{say('grid.no-values')}</p> : null}
      </div>
      {summary.more > 0 ? (
        <p className="faint small">{say('grid.more-values', { count: summary.more })}</p>
      ) : null}
      {filter ? (
        <Button className="button small" onPress={() => filterColumn(id, null)}>
          {say('grid.clear-filter')}
        </Button>
      ) : null}
    </>
  )
}
