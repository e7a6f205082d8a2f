// The menus of a row and of a column's title.
import { copyForms, type CopyForm } from '../../state/handles.ts'
import { clearFilters, isFiltered, look, sortBy } from '../../state/looking.ts'
import { showOverTime, statOf } from '../../state/over-time.ts'
import { panesOf, recomputes } from '../../state/study.ts'
import type { Say } from '../../state/words.ts'
import { now } from '../../state/workbench.ts'
import type { MenuEntry } from '../../ui/controls.tsx'
import type { Arranging } from './arrangement.ts'

/** A longer value is shown by its end. */
const shownLetters = 40

interface RowDeeds {
  copy(form: CopyForm): Promise<void>
  /** Selects what the row is about. */
  pick(): void
  /** Recomputes the calls of the chosen rows. */
  recompute(): void
}

export function rowMenu(
  say: Say,
  { column, value, item }: { readonly column: string; readonly value: string; readonly item: string },
  { copy, pick, recompute }: RowDeeds,
): readonly MenuEntry[] {
  const short = value.length > shownLetters ? `…${value.slice(-shownLetters)}` : value
  const onlyValue: MenuEntry = {
    id: 'same',
    text: say('grid.only-value', { value: short }),
    run: () => {
      const others = now().look.columns.filter(f => f.column !== column)
      look({ columns: [...others, { column, is: 'set', values: [value] }] })
    },
  }
  const onlyNode = (): void => {
    pick()
    look({ thisNode: true })
  }
  return [
    ...copyForms.map(form => ({
      id: `copy-${form}`,
      text: say(`grid.copy.${form}`),
      ...(form === 'cell' ? { icon: 'copy' as const, keys: say('grid.copy-key') } : {}),
      run: () => void copy(form),
    })),
    'line',
    { id: 'reveal', text: say('grid.reveal'), icon: 'eye', run: pick },
    { id: 'node', text: say('grid.only-node'), icon: 'filter', run: onlyNode },
    ...(recomputes(now().session)
      ? [{ id: 'recompute', text: say('command.recompute'), run: recompute }]
      : []),
    ...(panesOf(now().session).includes('overtime') && item !== ''
      ? [
          {
            id: 'over-time',
            text: say('series.of-item'),
            icon: 'clock' as const,
            run: () => showOverTime(item, statOf(column)),
          },
        ]
      : []),
    ...(value === '' ? [] : [onlyValue]),
    ...(isFiltered(now().look)
      ? [{ id: 'clear', text: say('command.clear-filters'), run: clearFilters }]
      : []),
  ]
}

export function headMenu(
  say: Say,
  id: string,
  { arrangement, arrange, reset }: Arranging,
  { fit, choose }: { fit(columns?: readonly string[]): void; choose(): void },
): readonly MenuEntry[] {
  const { hidden, pinned } = arrangement
  const pin = (): void => {
    const others = [...pinned].filter(c => c !== id)
    arrange({ ...arrangement, pinned: new Set(pinned.has(id) ? others : [...pinned, id]) })
  }
  const hide = (): void => arrange({ ...arrangement, hidden: new Set([...hidden, id]) })
  return [
    { id: 'up', text: say('grid.sort-up'), run: () => sortBy([{ column: id, down: false }]) },
    { id: 'down', text: say('grid.sort-down'), run: () => sortBy([{ column: id, down: true }]) },
    ...(now().look.sort.length > 0
      ? [{ id: 'unsort', text: say('grid.unsort'), run: () => sortBy([]) }]
      : []),
    'line',
    { id: 'pin', text: say('grid.pin'), on: pinned.has(id), run: pin },
    { id: 'hide', text: say('grid.hide'), icon: 'eyeOff', run: hide },
    { id: 'fit', text: say('grid.fit-column'), run: () => fit([id]) },
    { id: 'fit-all', text: say('command.autosize'), run: () => fit() },
    'line',
    { id: 'columns', text: say('command.columns'), icon: 'columns', run: choose },
    { id: 'reset', text: say('grid.reset-columns'), run: reset },
  ]
}
