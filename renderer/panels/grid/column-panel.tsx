// Which columns are shown, in which order, and which stay in place when one scrolls sideways.
import { useState, type JSX } from 'react'
import { Dialog, Popover } from 'react-aria-components'
import { useSay } from '../../state/words.ts'
import { Button, Check, Toggle } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { ShownColumn } from './columns.ts'

export interface Arrangement { readonly list: readonly ShownColumn[]; readonly hidden: ReadonlySet<string>; readonly pinned: ReadonlySet<string> }

export function ColumnPanel({ arrangement, title, anchor, onChange, onReset, onClose }: {
  readonly arrangement: Arrangement; readonly title: (column: ShownColumn) => string; readonly anchor: React.RefObject<HTMLElement | null>
  onChange(next: Arrangement): void; onReset(): void; onClose(): void
}): JSX.Element {
  const say = useSay()
  const [search, setSearch] = useState('')
  const { list, hidden, pinned } = arrangement
  const move = (id: string, by: 1 | -1): void => {
    const from = list.findIndex(c => c.id === id)
    const moved = list[from]
    const to = from + by
    if (!moved || to < 0 || to >= list.length) return
    onChange({ ...arrangement, list: list.toSpliced(from, 1).toSpliced(to, 0, moved) })
  }
  const flip = (set: ReadonlySet<string>, id: string, on: boolean): ReadonlySet<string> => { const next = new Set(set); if (on) next.add(id); else next.delete(id); return next }
  return (
    <Popover className="popover column-panel" triggerRef={anchor as React.RefObject<HTMLElement>} isOpen onOpenChange={open => { if (!open) onClose() }} placement="bottom end">
      <Dialog aria-label={say('grid.columns')} className="column" style={{ outline: 'none', minHeight: 0, gap: 6 }}>
        <div className="row">
          <div className="field grow"><Icon name="search" size={12} /><input aria-label={say('grid.find-column')} placeholder={say('grid.find-column')} value={search} onChange={e => setSearch(e.target.value)} /></div>
          <Button small onPress={onReset}>{say('grid.reset-columns')}</Button>
        </div>
        <ul className="column-rows">
          {list.filter(c => `${title(c)} ${c.title}`.toLowerCase().includes(search.toLowerCase())).map(c => (
            <li key={c.id} className="row">
              <Check on={!hidden.has(c.id)} onChange={on => onChange({ ...arrangement, hidden: flip(hidden, c.id, !on) })}>{title(c)}{c.title && c.title !== title(c) ? <span className="faint small">{'  '}{c.title}</span> : null}</Check>
              <span className="grow" />
              <Toggle on={pinned.has(c.id)} icon="pin" label={say('grid.pin')} onChange={on => onChange({ ...arrangement, pinned: flip(pinned, c.id, on) })} />
              <Button look="quiet" small icon="up" label={say('grid.move-up')} onPress={() => move(c.id, -1)} />
              <Button look="quiet" small icon="down" label={say('grid.move-down')} onPress={() => move(c.id, 1)} />
            </li>
          ))}
        </ul>
      </Dialog>
    </Popover>
  )
}
