// Which columns the table shows now, in which order and how wide; and how a person changes that.
import { useCallback, useLayoutEffect, useMemo, useState, type RefObject } from 'react'
import type { ColumnInfo, SessionInfo } from '../../../preload/contract/engine.ts'
import { changeLayout, chooseColumns } from '../../state/settings.ts'
import { sayIf } from '../../state/words.ts'
import { now, useWorkbench } from '../../state/workbench.ts'
import { arranged, sideNames, type ShownColumn } from './columns.ts'
import { keyColumns } from './source.ts'

export interface Arrangement {
  readonly list: readonly ShownColumn[]
  readonly hidden: ReadonlySet<string>
  readonly pinned: ReadonlySet<string>
}

export interface Arranging {
  readonly arrangement: Arrangement
  readonly shown: readonly ShownColumn[]
  /** What is asked of the engine: the same list for columns in another order. */
  readonly fetched: readonly string[]
  title(column: ShownColumn): string
  arrange(next: Arrangement): void
  /** An order of what is shown, and widths that were dragged or fitted. */
  rearrange(order: readonly string[], widths: Readonly<Record<string, number>>): void
  reset(): void
}

export function useArrangement(
  session: SessionInfo,
  ofView: readonly ColumnInfo[],
  box: RefObject<HTMLElement | null>,
): Arranging {
  const { mode } = session
  const language = useWorkbench(s => s.language)
  const choice = useWorkbench(s => s.layout.columns[mode])
  const narrow = useNarrow(box)
  const digits = String(session.units.find(u => u.unit === session.unit)?.rows ?? 0).length
  const columns = sameColumns(ofView)
  const sides = sideNames(session)
  const arrangement = useMemo(
    () => arranged(mode, sides, columns, choice, { narrow, digits }),
    [mode, sides, columns, choice, narrow, digits],
  )
  const shown = useMemo(() => arrangement.list.filter(c => !arrangement.hidden.has(c.id)), [arrangement])
  const wanted = [...new Set([...keyColumns, 'debugName', ...shown.map(c => c.id)])].sort().join()
  const fetched = useMemo(() => wanted.split(','), [wanted])
  const title = useCallback(
    (c: ShownColumn): string => sayIf(language, `column.${c.id}`) ?? c.title,
    [language],
  )
  const arrange = (next: Arrangement, widths: Readonly<Record<string, number>> = {}): void =>
    chooseColumns(mode, {
      order: next.list.map(c => c.id),
      hidden: [...next.hidden],
      pinned: [...next.pinned],
      widths: { ...choice?.widths, ...widths },
    })
  const rearrange: Arranging['rearrange'] = (order, widths) => {
    const placeOf = (id: string): number => (order.includes(id) ? order.indexOf(id) : order.length)
    const list = arrangement.list.toSorted((a, b) => placeOf(a.id) - placeOf(b.id))
    arrange({ ...arrangement, list }, widths)
  }
  const reset = (): void => {
    const { [mode]: _, ...rest } = now().layout.columns
    changeLayout({ columns: rest })
  }
  return { arrangement, shown, fetched, title, arrange, rearrange, reset }
}

const narrowBelow = 760

/** Whether the table has room for little. */
function useNarrow(box: RefObject<HTMLElement | null>): boolean {
  const [narrow, setNarrow] = useState(false)
  useLayoutEffect(() => {
    const size = new ResizeObserver(([entry]) => {
      if (entry) setNarrow(entry.contentRect.width > 0 && entry.contentRect.width < narrowBelow)
    })
    if (box.current) size.observe(box.current)
    return () => size.disconnect()
  }, [box])
  return narrow
}

/** Views come with columns of their own; equal lists are one list, so that nothing is built anew. */
const knownColumns = new Map<string, readonly ColumnInfo[]>()
function sameColumns(columns: readonly ColumnInfo[]): readonly ColumnInfo[] {
  const key = columns.map(c => c.id).join()
  const known = knownColumns.get(key)
  if (!known) knownColumns.set(key, columns)
  return known ?? columns
}
