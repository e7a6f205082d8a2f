// Changes of what is looked at: open nodes, filters, sort. Each can be undone.
import type { ColumnFilter, NodeRef, Side } from '../../preload/contract/engine.ts'
import { engine, isQuiet } from '../engine.ts'
import {
  now,
  otherSide,
  place,
  plainLook,
  sameNode,
  set,
  type Looking,
  type Show,
  type Sort,
} from './workbench.ts'

const remembered = 100

export function look(patch: Partial<Looking>): void {
  const { look: before, past } = now()
  set({ look: { ...before, ...patch }, past: [...past, before].slice(-remembered), future: [] })
}

/** For what follows from a selection: moves without a step to undo. */
export const lookQuietly = (patch: Partial<Looking>): void => set({ look: { ...now().look, ...patch } })

export function undo(): void {
  const { look: here, past, future } = now()
  const before = past.at(-1)
  if (before) set({ look: before, past: past.slice(0, -1), future: [...future, here] })
}

export function redo(): void {
  const { look: here, past, future } = now()
  const next = future.at(-1)
  if (next) set({ look: next, past: [...past, here], future: future.slice(0, -1) })
}

export const toggleShow = (show: Show): void => {
  const { show: old } = now().look
  look({ show: old.includes(show) ? old.filter(s => s !== show) : [...old, show] })
}

export function filterColumn(column: string, filter: ColumnFilter | null): void {
  const rest = now().look.columns.filter(f => f.column !== column)
  look({ columns: filter ? [...rest, filter] : rest })
}

export const sortBy = (sort: readonly Sort[]): void => look({ sort })

export const clearFilters = (): void =>
  look({ show: [], thisNode: false, explained: null, quick: '', columns: [], recomputed: [], buckets: [] })

export const isFiltered = (l: Looking): boolean =>
  l.show.length > 0 ||
  l.thisNode ||
  l.explained !== null ||
  l.quick !== '' ||
  l.columns.length > 0 ||
  l.recomputed.length > 0 ||
  l.buckets.length > 0

/** Opens or closes a node, and its partner when expansion is linked. */
export function toggleNode(side: Side, id: string, partner: string, open: boolean): void {
  const { opened } = now().look
  const both = now().layout.links.expand && partner !== ''
  const other = otherSide(side)
  const change = (list: readonly string[], node: string): readonly string[] =>
    open ? [...new Set([...list, node])] : list.filter(n => n !== node)
  look({
    opened: {
      ...opened,
      [side]: change(opened[side], id),
      ...(both ? { [other]: change(opened[other], partner) } : {}),
    } as Looking['opened'],
  })
}

export const closeAll = (): void => look({ opened: plainLook.opened })

/**
 * Opens down to a depth, everything below a node, or the way to each node that differs. `before` runs where that
 * changes something.
 */
export async function expand(
  at: NodeRef | null,
  to: number | 'all' | 'differing',
  before: () => void = () => {},
): Promise<void> {
  const here = place(now())
  if (!here) return
  try {
    const more = await engine.expand({ ...here, at, to })
    const { look: was, above, selection } = now()
    // Levels replace what was open, but for the way to what is selected.
    const way = selection && above && sameNode(selection.at, above.of) ? above : plainLook.opened
    const stays = typeof to === 'number' && !at ? way : was.opened
    const join = (side: Side): readonly string[] => [...new Set([...stays[side], ...more[side]])]
    const opened = { debug: join('debug'), bench: join('bench') }
    if (JSON.stringify(opened) === JSON.stringify(was.opened)) return
    before()
    look({ opened })
  } catch (error) {
    if (!isQuiet(error)) throw error
  }
}
