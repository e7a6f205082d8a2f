// What can be done with a box of the structure view: opening, closing, and its menu.
import type { Box, NodeRef, Side } from '../../../preload/contract/engine.ts'
import { run, shortcut } from '../../state/commands.ts'
import { expand, look, toggleNode } from '../../state/looking.ts'
import { select } from '../../state/selection.ts'
import type { Say } from '../../state/words.ts'
import { now, otherSide } from '../../state/workbench.ts'
import type { MenuEntry } from '../../ui/controls.tsx'
import { nodeEntries } from './menu.ts'
import type { Stage } from './stage.ts'

const boxOf = (stage: Stage, side: Side, id: string): Box | undefined => stage.canvas(side)?.box(id)

/** A box and the partner that it is known to have. */
export function refOf(stage: Stage, side: Side, id: string): NodeRef {
  const partner = boxOf(stage, side, id)?.partner ?? ''
  const other = otherSide(side)
  return { [side]: id, ...(partner === '' ? {} : { [other]: partner }) }
}

/** Opens or closes a box; the root stays open. */
export function toggleBox(stage: Stage, side: Side, id: string): void {
  const box = boxOf(stage, side, id)
  if (!box || box.children === 0 || box.depth === 0) return
  stage.keep(side, id)
  toggleNode(side, id, box.partner, !box.open)
}

function closeBelow(stage: Stage, side: Side, id: string): void {
  const canvas = stage.canvas(side)
  const top = canvas?.box(id)
  if (!canvas || !top) return
  stage.keep(side, id)
  const inner = new Set(
    canvas.boxes.filter(b => b.open && b.from >= top.from && b.to <= top.to).flatMap(b => [b.id, b.partner]),
  )
  const { opened } = now().look
  const outside = (list: readonly string[]): readonly string[] => list.filter(n => !inner.has(n))
  look({ opened: { debug: outside(opened.debug), bench: outside(opened.bench) } })
}

/** The menu of a box, or of the ground between them. */
export async function menuAt(
  say: Say,
  stage: Stage,
  side: Side,
  id: string | null,
): Promise<readonly MenuEntry[]> {
  if (id === null) return groundMenu(say)
  if (now().selection?.at[side] !== id) select(refOf(stage, side, id), 'graph')
  const own = openingMenu(say, stage, side, id)
  return [...own, ...(await nodeEntries(say, side, id))]
}

function openingMenu(say: Say, stage: Stage, side: Side, id: string): readonly MenuEntry[] {
  const box = boxOf(stage, side, id)
  if (!box || box.children === 0) return []
  const expandTo = (to: 'all' | 'differing') => (): void => {
    stage.keep(side, id)
    void expand(refOf(stage, side, id), to)
  }
  const toggle: MenuEntry = {
    id: 'toggle',
    text: say(box.open ? 'graph.close' : 'graph.open'),
    keys: shortcut('graph-toggle'),
    icon: box.open ? 'collapse' : 'open',
    run: () => toggleBox(stage, side, id),
  }
  const below: MenuEntry = {
    id: 'below',
    text: say('command.expand-below'),
    keys: shortcut('expand-below'),
    run: expandTo('all'),
  }
  const close: MenuEntry = {
    id: 'close-below',
    text: say('graph.close-below'),
    run: () => closeBelow(stage, side, id),
  }
  return [
    ...(box.depth > 0 ? [toggle] : []),
    below,
    { id: 'differing', text: say('graph.expand-differing-here'), run: expandTo('differing') },
    ...(box.open ? [close] : []),
    'line',
  ]
}

const groundCommands = [
  'graph-fit',
  'graph-actual',
  'expand-1',
  'expand-2',
  'expand-3',
  'expand-failing',
  'close-all',
  'plumbing',
  'minimap',
] as const

const groundMenu = (say: Say): readonly MenuEntry[] =>
  groundCommands.map(id => ({ id, text: say(`command.${id}`), keys: shortcut(id), run: () => run(id) }))
