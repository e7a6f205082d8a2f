// Matching nodes by hand: two are paired or parted, rows and graphs follow; saved and loaded as the plugin's
// node mapping file.
import type { NodeRef, Problem, Result, Side } from '../../preload/contract/engine.ts'
import { engine, isQuiet, problemOf } from '../engine.ts'
import { host } from './host.ts'
import { selectAgain } from './selection.ts'
import { openMatchesWith } from './sessions.ts'
import { keepSoon } from './settings.ts'
import { notify, now, place, set, type Pairing } from './workbench.ts'

const shownFailures = 20

const tell = (...found: readonly Problem[]): void => set({ problems: [...now().problems, ...found] })

type Act<T> = (here: NonNullable<ReturnType<typeof place>>) => Promise<Result<T>>

/** Does it in the unit on screen; what is wrong with it is said above the panes. */
async function change<T>(act: Act<T>): Promise<T | null> {
  const result = await attempt(act)
  if (!result) return null
  if (result.ok) return result.value
  tell(result.problem)
  return null
}

/** Does it in the unit on screen, and remembers what is matched by hand from then on. */
async function attempt<T>(act: Act<T>): Promise<Result<T> | null> {
  const here = place(now())
  if (!here) return null
  try {
    const result = await act(here)
    if (!result.ok) return result
    const pairs = await engine.matches(here)
    const unit = now().session?.units.find(u => u.unit === here.unit)
    const [step, rank] = [unit?.step ?? null, unit?.rank ?? null]
    set({
      matches: [
        ...now().matches.filter(m => m.step !== step || m.rank !== rank),
        ...(Object.keys(pairs).length > 0 ? [{ step, rank, pairs }] : []),
      ],
    })
    keepSoon()
    return result
  } catch (error) {
    return isQuiet(error) ? null : { ok: false, problem: problemOf(error) }
  }
}

const matched =
  (debug: string, bench: string, below: boolean): Act<true> =>
  async here => {
    const result = await engine.match({ ...here, debug, bench, descendants: below })
    return result.ok ? { ok: true, value: true } : result
  }

export async function matchNodes(debug: string, bench: string, below: boolean): Promise<void> {
  if (await change(matched(debug, bench, below))) selectAgain({ debug, bench })
}

export async function unmatchNode({ debug }: NodeRef, below: boolean): Promise<void> {
  if (debug === undefined) return
  if (await change(matched(debug, '', below))) selectAgain({ debug })
}

/** The next click in the other graph says who belongs to this node. */
export const startPairing = (side: Side, id: string): void => set({ pairing: { side, id } })
export const stopPairing = (): void => set({ pairing: null })

/** A click while a node waits for its partner; tells whether it was taken. */
export function pairWith(side: Side, id: string): boolean {
  const { pairing } = now()
  if (!pairing) return false
  if (pairing.side === side) set({ pairing: { ...pairing, wrong: 'same-side' } })
  else void finishPairing(pairing, id)
  return true
}

/** A node that does not fit is said to be none, and another one may be clicked. */
async function finishPairing(pairing: Pairing, id: string): Promise<void> {
  const [debug, bench] = pairing.side === 'debug' ? [pairing.id, id] : [id, pairing.id]
  const result = await attempt(matched(debug, bench, true))
  if (!result || now().pairing !== pairing) return
  if (!result.ok) return set({ pairing: { ...pairing, wrong: result.problem } })
  stopPairing()
  selectAgain({ debug, bench })
}

export async function saveMatches(): Promise<void> {
  const here = place(now())
  if (!here) return
  const written = await host().save({ name: 'compare.vis.config', data: await engine.matchesText(here) })
  if (written?.ok) notify('saved', { path: written.value.path })
  else if (written) tell(written.problem)
}

export async function loadMatches(given?: readonly string[]): Promise<void> {
  for (const path of given ?? (await host().choose({ what: 'matches' }))) {
    const read = await change(here => engine.applyMatches({ ...here, path }))
    if (!read) continue
    tell(...read.failed.slice(0, shownFailures))
    notify('matches-loaded', { applied: read.applied, total: read.total })
    const { selection } = now()
    if (selection)
      selectAgain(selection.at.debug === undefined ? selection.at : { debug: selection.at.debug })
  }
}

openMatchesWith(loadMatches)
