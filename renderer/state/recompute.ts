// Recomputing calls: what was asked for goes on until it is done or stopped; the engine keeps the answers.
import type { NodeRef, Side } from '../../preload/contract/engine.ts'
import { engine, isQuiet, problemOf } from '../engine.ts'
import { host } from './host.ts'
import { begin } from './idle.ts'
import { problemText } from './words.ts'
import { notify, now, place, set } from './workbench.ts'

let running: AbortController | null = null

/** Calls of nodes and of what lies in them; all where null is given. What runs already is stopped. */
export async function recompute(nodes: readonly NodeRef[] | null): Promise<void> {
  const here = place(now())
  if (!here) return
  running?.abort()
  const mine = new AbortController()
  running = mine
  const done = begin('recompute')
  try {
    await engine.recompute({ ...here, nodes, limit: now().layout.recomputeLimit }, mine.signal)
  } catch (error) {
    if (!isQuiet(error)) notify('failed', { what: problemText(now().language, problemOf(error)) })
  } finally {
    if (running === mine) {
      running = null
      set({ recomputing: null })
    }
    done()
  }
}

/** What is known by then stays. */
export function stopRecomputing(): void {
  running?.abort()
}

/** Asks for a folder and writes a call as data and script into it. */
export async function saveRepro(side: Side, node: string): Promise<void> {
  const here = place(now())
  const [folder] = await host().choose({ what: 'folder' })
  if (!here || folder === undefined) return
  try {
    const written = await engine.repro({ ...here, side, node, folder })
    if (written.ok) notify('saved', { path: written.value.paths.at(-1) ?? folder })
    else notify('failed', { what: problemText(now().language, written.problem) })
  } catch (error) {
    if (!isQuiet(error)) notify('failed', { what: problemText(now().language, problemOf(error)) })
  }
}
