// Walking through the nodes of one colour: picked in the legend, one after the other, until it is left.
import { engine, isQuiet } from '../engine.ts'
import { look } from './looking.ts'
import { select } from './selection.ts'
import { now, place, set } from './workbench.ts'

/** Goes to the first node of a colour and lets the others step back; the same colour again leaves it. */
export async function pickBucket(bucket: number): Promise<void> {
  if (now().look.buckets.includes(bucket)) return leaveBucket()
  look({ buckets: [bucket] })
  await goTo(bucket, 0)
}

export async function stepBucket(bucket: number, by: 1 | -1): Promise<void> {
  const { coloured } = now()
  const before = by === 1 ? -1 : 0
  await goTo(bucket, (coloured?.bucket === bucket ? coloured.at : before) + by)
}

export function leaveBucket(): void {
  set({ coloured: null })
  look({ buckets: [] })
}

async function goTo(bucket: number, at: number): Promise<void> {
  const here = place(now())
  if (!here) return
  try {
    const found = await engine.ofBucket({ ...here, bucket, at })
    if (!now().look.buckets.includes(bucket)) return
    set({ coloured: { bucket, at: found.at } })
    if (found.node) select(found.node, 'nodes')
  } catch (error) {
    if (!isQuiet(error)) throw error
  }
}
