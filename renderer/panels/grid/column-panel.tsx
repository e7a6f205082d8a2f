// Which columns are shown, in which order, and which stay in place when one scrolls sideways.
import { useState, type JSX } from 'react'
import { Dialog, Popover } from 'react-aria-components'
import { useSay } from '../../state/words.ts'
import { Button, Check, Toggle } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { Arrangement } from './arrangement.ts'
import type { ShownColumn } from './columns.ts'

export function ColumnPanel({
  arrangement,
  title,
  anchor,
  onChange,
  onReset,
  onClose,
}: {
  readonly arrangement: Arrangement
  readonly title: (column: ShownColumn) => string
  readonly anchor: React.RefObject<HTMLElement | null>
  onChange(next: Arrangement): void
  onReset(): void
  onClose(): void
}): JSX.Element {
  const say = useSay()
  const [search, setSearch] = useState('')
  const { list } = arrangement
  const found = list.filter(c => `${title(c)} ${c.title}`.toLowerCase().includes(search.toLowerCase()))
  return (
    <Popover
      className="popover column-panel"
      triggerRef={anchor as React.RefObject<HTMLElement>}
      isOpen
      onOpenChange={open => {
        if (!open) onClose()
      }}
      placement="bottom end"
    >
      <Dialog
        aria-label={say('grid.columns')}
        className="column"
        style={{ outline: 'none', minHeight: 0, gap: 6 }}
      >
        <div className="row">
          <div className="field grow">
            <Icon name="search" size={12} />
            <input
              aria-label={say('grid.find-column')}
              placeholder={say('grid.find-column')}
              value={search}
              onChange={e => setSearch(e.target.value)}
            />
          </div>
          <Button small onPress={onReset}>
            {say('grid.reset-columns')}
          </Button>
        </div>
        <ul className="column-rows">
          {found.map(c => (
            <ColumnRow key={c.id} column={c} name={title(c)} arrangement={arrangement} onChange={onChange} />
          ))}
        </ul>
      </Dialog>
    </Popover>
  )
}

function ColumnRow({
  column: { id, title },
  name,
  arrangement,
  onChange,
}: {
  readonly column: ShownColumn
  readonly name: string
  readonly arrangement: Arrangement
  onChange(next: Arrangement): void
}): JSX.Element {
  const say = useSay()
  const { hidden, pinned } = arrangement
  const move = (by: 1 | -1): void => onChange({ ...arrangement, list: moved(arrangement.list, id, by) })
  return (
    <li className="row">
      <Check
        on={!hidden.has(id)}
        onChange={on => onChange({ ...arrangement, hidden: withId(hidden, id, !on) })}
      >
        {name}
        {title && title !== name ? (
          <span className="faint small">
            {'  '}
            {title}
          </span>
        ) : null}
      </Check>
      <span className="grow" />
      <Toggle
        on={pinned.has(id)}
        icon="pin"
        label={say('grid.pin')}
        onChange={on => onChange({ ...arrangement, pinned: withId(pinned, id, on) })}
      />
      <Button look="quiet" small icon="up" label={say('grid.move-up')} onPress={() => move(-1)} />
      <Button look="quiet" small icon="down" label={say('grid.move-down')} onPress={() => move(1)} />
    </li>
  )
}

function moved(list: readonly ShownColumn[], id: string, by: 1 | -1): readonly ShownColumn[] {
  const from = list.findIndex(c => c.id === id)
  const column = list[from]
  const to = from + by
  if (!column || to < 0 || to >= list.length) return list
  return list.toSpliced(from, 1).toSpliced(to, 0, column)
}

function withId(ids: ReadonlySet<string>, id: string, there: boolean): ReadonlySet<string> {
  const next = new Set(ids)
  if (there) next.add(id)
  else next.delete(id)
  return next
}
