// From one conspicuous call of the rank on screen to the next.
import type { OverflowWalk } from '../../preload/contract/engine.ts'
import { engine, isQuiet } from '../engine.ts'
import { selectTogether } from './selection.ts'
import { now, place } from './workbench.ts'

/** From the selected call, or from the ends; tells whether there was one. */
export async function walkOverflow(to: OverflowWalk): Promise<boolean> {
  const here = place(now())
  if (!here) return false
  try {
    const { selection, layout } = now()
    const from = selection?.at.debug ?? ''
    const op = await engine.overflowWalk({ ...here, growth: layout.growthLimit, from, to })
    if (op !== null) await selectTogether({ debug: op }, 'keys')
    return op !== null
  } catch (error) {
    if (isQuiet(error)) return false
    throw error
  }
}
