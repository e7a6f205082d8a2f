// Search over both dumps: hits of the box in the toolbar, walked with F3.
import type { SearchHit } from '../../preload/contract/engine.ts'
import { engine, isQuiet } from '../engine.ts'
import { select } from './selection.ts'
import { nodeOn, now, place, set } from './workbench.ts'

export const hitLimit = 200

let last: { readonly key: string; readonly hits: readonly SearchHit[] } = { key: '', hits: [] }

/** Hits of a text in the unit on screen; the last answer is kept for walking. */
export async function findHits(text: string, signal?: AbortSignal): Promise<readonly SearchHit[]> {
  const here = place(now())
  if (!here || text.trim() === '') return []
  const key = `${here.session}/${here.unit}/${text}`
  if (last.key === key) return last.hits
  const hits = await engine.search({ ...here, text, limit: hitLimit }, signal)
  last = { key, hits }
  return hits
}

export const goToHit = (hit: SearchHit, at: number): void => {
  set({ find: { ...now().find, at } })
  select(nodeOn(hit.side, hit.node), 'search')
}

export async function findStep(by: 1 | -1): Promise<void> {
  const { find } = now()
  try {
    const hits = await findHits(find.text)
    if (hits.length === 0) return
    const at = (find.at + by + hits.length) % hits.length
    const hit = hits[at]
    if (hit) goToHit(hit, at)
  } catch (error) {
    if (!isQuiet(error)) throw error
  }
}
