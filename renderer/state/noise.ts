// Noise that was measured: which runs or file tell it, and the profile of it.
import { engine } from '../engine.ts'
import { host } from './host.ts'
import { setOptions } from './sessions.ts'
import { compares } from './study.ts'
import { notify, now, type Workbench } from './workbench.ts'

/** Rows that differ are judged by noise, where there are any. */
export const judgesNoise = ({ session }: Pick<Workbench, 'session'>): boolean =>
  compares(session) && session !== null && session.panes.includes('advisor')

export const isNoiseGiven = ({ session }: Pick<Workbench, 'session'>): boolean =>
  (session?.options.noise.length ?? 0) > 0

/** Two folders at once, or one after the other. */
export async function measureNoise(): Promise<void> {
  const first = await host().choose({ what: 'dumps' })
  if (first.length === 0) return
  const more = first.length === 1 ? await host().choose({ what: 'dumps' }) : []
  const twins = [...first, ...more].slice(0, 2)
  if (twins.length === 2) await setOptions({ noise: twins })
}

export async function loadNoise(): Promise<void> {
  const [file] = await host().choose({ what: 'noise' })
  if (file !== undefined) await setOptions({ noise: [file] })
}

export async function saveNoise(): Promise<void> {
  const { session } = now()
  if (!session) return
  const data = await engine.noiseText({ session: session.session, unit: session.unit })
  if (data === null) return
  const result = await host().save({ name: 'noise.json', data })
  if (result?.ok) notify('saved', { path: result.value.path })
}
