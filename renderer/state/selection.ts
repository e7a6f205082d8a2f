// Moving the one selection, and the trail back and forward over it.
import type { Finding, NodeRef, UnitAt } from '../../preload/contract/engine.ts'
import { engine, isQuiet } from '../engine.ts'
import { detailOf } from './detail.ts'
import { handles } from './handles.ts'
import { begin } from './idle.ts'
import { look, lookQuietly } from './looking.ts'
import { askAhead } from './query.ts'
import { keepSoon } from './settings.ts'
import { nodeName, nodeOn, now, place, sameNode, set, type Selection, type View } from './workbench.ts'

const trailLength = 200

/** Selects at once; the partner and what must be open to see both follow from the engine. */
export function select(at: NodeRef, from: View, row: number | null = null): void {
  steps++
  const old = now().selection
  // What stands in no row (-1) is found by its node alone.
  const next: Selection = {
    at: old && sameNode(old.at, at) ? { ...old.at, ...at } : at,
    row: row !== null && row >= 0 ? row : null,
    from,
    unit: now().session?.unit ?? 0,
  }
  const { trail, trailAt } = now()
  const same = old && old.unit === next.unit && sameNode(old.at, at)
  const path = same ? trail.slice(0, trailAt) : trail.slice(0, trailAt + 1)
  set({
    selection: next,
    trail: [...path, next].slice(-trailLength),
    trailAt: Math.min(path.length, trailLength - 1),
  })
  keepSoon()
  askAhead(detailOf(now(), next.at))
  void complete(next)
}

/** Milliseconds that the table may take to find its rows: the engine answers in one, unless it is at work. */
const tableTimeoutMs = 10
let steps = 0

/** Selects as soon as the table knows its rows, so that all views show it in one frame. */
export async function selectTogether(at: NodeRef, from: View, row: number | null = null): Promise<void> {
  const step = ++steps
  const done = begin('selection')
  try {
    await Promise.race([
      handles.grid?.prepare(at, row),
      new Promise(resolve => setTimeout(resolve, tableTimeoutMs)),
    ])
    if (step === steps) select(at, from, row)
  } finally {
    done()
  }
}

export const selectFinding = (finding: Finding, from: View, row = finding.proof[0] ?? null): void =>
  select(nodeOn(finding.side, finding.node), from, row)

/** The same node with another partner, or without one: nothing of the old pair is kept. */
export function selectAgain(at: NodeRef): void {
  const old = now().selection
  const next: Selection = { at, row: null, from: old?.from ?? 'inspector', unit: now().session?.unit ?? 0 }
  const { trail, trailAt } = now()
  set({
    selection: next,
    ...(trailAt >= 0 ? { trail: trail.with(trailAt, next) } : { trail: [next], trailAt: 0 }),
  })
  keepSoon()
  void complete(next)
}

/** After other pairs: the same node, beside whoever is its partner now. */
export function selectPartners(): void {
  const { selection } = now()
  if (!selection) return
  const { debug, bench } = selection.at
  void complete(selection, debug === undefined ? nodeOn('bench', bench ?? '') : { debug })
}

/** Asks for the partner and the ancestors; opens what hides the node. */
export async function complete(selection: Selection, of = selection.at): Promise<void> {
  const here = place(now())
  if (!here) return
  try {
    const { at, debug, bench } = await engine.reveal({ ...here, at: of })
    if (now().selection !== selection) return
    const { opened } = now().look
    const missing = (open: readonly string[], needed: readonly string[]): readonly string[] =>
      needed.filter(id => !open.includes(id))
    const more = { debug: missing(opened.debug, debug), bench: missing(opened.bench, bench) }
    const { trail, trailAt } = now()
    // What is complete already stays the same object: nobody need look at it again.
    const full: Selection =
      at.debug === selection.at.debug && at.bench === selection.at.bench ? selection : { ...selection, at }
    set({
      above: { of: at, debug, bench },
      ...(full === selection ? {} : { selection: full, trail: trail.with(trailAt, full) }),
    })
    if (more.debug.length + more.bench.length > 0)
      lookQuietly({
        opened: { debug: [...opened.debug, ...more.debug], bench: [...opened.bench, ...more.bench] },
      })
  } catch (error) {
    if (!isQuiet(error)) throw error
  }
}

export const clearSelection = (): void => {
  set({ selection: null })
  if (now().look.thisNode) look({ thisNode: false })
}

export type Step = 'first' | 'next' | 'previous'
export type Stroll = 'parent' | 'child' | 'above' | 'below'

/** Walks to the origin, or from the selected node to the next one that differs; tells whether there was one. */
export const walk = (to: Step, by: View = 'keys'): Promise<boolean> =>
  moved(async here => {
    const { selection } = now()
    const from = selection?.at ?? null
    const found = await engine.walk({ ...here, from, to, row: selection?.row ?? null })
    return found && { at: found.at, row: found.row < 0 ? null : found.row }
  }, by)

/** Goes a step in the hierarchy. */
export const stroll = (to: Stroll, by: View): Promise<boolean> =>
  moved(async here => {
    const at = await engine.stroll({ ...here, from: now().selection?.at ?? null, to })
    return at && { at, row: null }
  }, by)

async function moved(
  find: (here: UnitAt) => Promise<{ readonly at: NodeRef; readonly row: number | null } | null>,
  by: View,
): Promise<boolean> {
  const here = place(now())
  if (!here) return false
  try {
    const found = await find(here)
    if (!found || nodeName(found.at) === '') return false
    await selectTogether(found.at, by, found.row)
    return true
  } catch (error) {
    if (isQuiet(error)) return false
    throw error
  }
}
