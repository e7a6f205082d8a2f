// The table follows the one selection: its row is looked for before anything is drawn.
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import type { SessionInfo } from '../../../preload/contract/engine.ts'
import { isQuiet } from '../../engine.ts'
import { now, useWorkbench, type Selection, type Workbench } from '../../state/workbench.ts'
import type { RowSource } from './source.ts'
import type { TableControl } from './control.ts'

const filterOf = ({ look: { show, quick, columns, thisNode, explained, buckets } }: Workbench): string =>
  JSON.stringify([show, quick, columns, thisNode, explained, buckets])

/** Brings the selected row into view when another panel moved the selection, and when there are other rows. */
export function useFollow(
  table: RefObject<TableControl | null>,
  source: RowSource,
  { session, unit }: SessionInfo,
): void {
  const sorted = useRef(now().look.sort)
  const filtered = useRef(filterOf(now()))

  const follow = async (selection: Selection | null, stop: AbortSignal): Promise<void> => {
    // Rows that change while they are looked at stay where they are; after another filter they begin where the
    // selection is, or at the top.
    const filter = filterOf(now())
    const refiltered = filter !== filtered.current
    filtered.current = filter
    const stays = selection?.from === 'grid' && !refiltered
    if (stays && table.current?.hasChosen !== false) return
    // Who sorts wants to see what is first now, not where the selection has gone.
    const { sort } = now().look
    const resorted = sort.length > 0 && sort !== sorted.current
    sorted.current = sort
    const here = selection && { session, unit, row: selection.row, at: selection.at }
    const row = here ? (source.prepared(here) ?? (await source.find(here, stop))) : -1
    const control = table.current
    if (!control || stop.aborted) return
    if (resorted || (row < 0 && refiltered)) control.body.reveal(0, 'top')
    if (row < 0) control.choose(null)
    else if (resorted || stays) control.choose(row)
    else control.goTo(row)
  }
  const followNow = useEffectEvent((selection: Selection | null, stop: AbortSignal): void => {
    follow(selection, stop).catch(error => {
      if (!isQuiet(error)) throw error
    })
  })

  useEffect(() => {
    let stop = new AbortController()
    const next = ({ selection }: Workbench): void => {
      stop.abort()
      stop = new AbortController()
      followNow(selection, stop.signal)
    }
    next(now())
    const leave = useWorkbench.subscribe((s, before) => {
      if (s.selection !== before.selection) next(s)
    })
    return () => {
      leave()
      stop.abort()
    }
  }, [source.view])
}
