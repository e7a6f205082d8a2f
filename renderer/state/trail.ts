// Back and forward over what was selected, also across ranks and steps.
import { complete } from './selection.ts'
import { chooseUnit } from './sessions.ts'
import { now, set } from './workbench.ts'

async function goTo(trailAt: number): Promise<void> {
  const selection = now().trail[trailAt]
  if (!selection) return
  const next = { ...selection, from: 'keys' as const }
  if (now().session?.units.some(u => u.unit === selection.unit)) await chooseUnit(selection.unit)
  set({ selection: next, trail: now().trail.with(trailAt, next), trailAt })
  await complete(next)
}

export const back = (): Promise<void> => goTo(now().trailAt - 1)
export const forward = (): Promise<void> => goTo(now().trailAt + 1)
