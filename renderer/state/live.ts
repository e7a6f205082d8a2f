// Runs that are being dumped while they are open, and their switch: a line in the config.json that they read.
import type { LiveView } from '../../preload/contract/engine.ts'
import { engine, isQuiet, problemOf } from '../engine.ts'
import { host } from './host.ts'
import { useQuery, valueOf } from './query.ts'
import { problemText } from './words.ts'
import { notify, now, useWorkbench } from './workbench.ts'

/** Undefined until it is known. */
export function useLive(): LiveView | undefined {
  const session = useWorkbench(s => s.session?.session)
  const version = useWorkbench(s => s.lives)
  const answer = useQuery({
    key: session === undefined ? null : ['live', session, version],
    load: signal =>
      session === undefined ? Promise.reject(new Error('nothing is open')) : engine.live({ session }, signal),
    keep: true,
  })
  return valueOf(answer)
}

/** Asks for the config.json that the run reads, and sets dump_enable in it. */
export async function switchDumping(on: boolean): Promise<void> {
  try {
    const read = await host().readText({ what: 'config' })
    if (!read) return
    if (!read.ok) return fail(problemText(now().language, read.problem))
    const { path, text } = read.value
    const data = await engine.collectSwitch({ text, on })
    if (data === null)
      return fail(
        problemText(now().language, { code: 'config-not-switched', severity: 'error', path, facts: {} }),
      )
    const written = await host().save({ name: 'config.json', data, to: path })
    if (!written) return
    if (!written.ok) return fail(problemText(now().language, written.problem))
    notify(on ? 'switched-on' : 'switched-off', { path: written.value.path })
  } catch (error) {
    if (!isQuiet(error)) fail(problemText(now().language, problemOf(error)))
  }
}

const fail = (what: string): void => notify('failed', { what })
