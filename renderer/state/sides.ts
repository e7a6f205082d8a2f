// Which dump stands on which side: put together before anything is open, replaced and swapped afterwards.
import type { Side } from '../../preload/contract/engine.ts'
import { engine } from '../engine.ts'
import { host } from './host.ts'
import { isBeside, openPaths } from './sessions.ts'
import { changeLayout, showPane } from './settings.ts'
import { compares, dumpOf, holdsDumps, isOneFile, joins, panesOf } from './study.ts'
import { now, otherSide, set, type Workbench } from './workbench.ts'

/** Where something that is dropped goes: to a side, or into the place of all. */
export type DropPlace = Side | 'new'

/** The places that one dump can be dropped on, as what is open allows. */
export function dropPlaces({ session }: Workbench): readonly DropPlace[] {
  if (!joins(session)) return ['new']
  return compares(session) ? ['debug', 'bench', 'new'] : ['bench', 'new']
}

/** One side of the pair that is being put together; opens when both are there. */
export async function offer(side: Side, path: string): Promise<void> {
  const waiting = { ...now().waiting, [side]: path }
  set({ waiting })
  if (waiting.debug !== undefined && waiting.bench !== undefined)
    await openPaths([waiting.debug, waiting.bench], { as: 'sides' })
}

export const withdraw = (side: Side): void => {
  const { [side]: _, ...waiting } = now().waiting
  set({ waiting })
}

export const openAlone = (path: string): Promise<void> => openPaths([path], { as: 'alone' })

/** Another dump on one side of what is open; what is looked at, and how it is compared, stays. */
export async function replaceSide(side: Side, path: string): Promise<void> {
  const { session, look } = now()
  if (!session) return offer(side, path)
  const how = { options: session.options, look }
  if (isOneFile(session)) return openPaths([path])
  const other = dumpOf(session, otherSide(side))
  if (other)
    return openPaths([...(side === 'debug' ? [path, other.root] : [other.root, path]), ...session.beside], {
      ...how,
      as: 'sides',
    })
  if (side === 'debug') return openPaths([path, ...session.beside], { ...how, as: 'alone' })
  const [only] = session.sides
  // Names decide: the bench may have been opened first.
  return openPaths(only ? [only.root, path, ...session.beside] : [path])
}

/** A dump that somebody asks for by the system's dialog. */
export async function chooseSide(side: Side): Promise<void> {
  const [chosen] = await host().choose({ what: 'dumps', side })
  if (chosen !== undefined) await replaceSide(side, chosen)
}

/** Several dumps at once are a pair wherever they land; the only one goes to where it was dropped. */
export async function openDropped(paths: readonly string[], on: DropPlace): Promise<void> {
  const { session, opening, waiting } = now()
  const dropped = paths.filter(path => !isBeside(path))
  const [only, more] = dropped
  if (
    only !== undefined &&
    on !== 'new' &&
    session &&
    !opening &&
    holdsDumps(session) &&
    (await holdValues(dropped))
  )
    return openBeside(dropped, 'overtime')
  if (only === undefined || more !== undefined) return openPaths(paths)
  if (session && !opening && holdsDumps(session)) {
    if (await isVerdicts(only)) return openBeside([only], 'precheck')
    if (isTable(only)) return openPaths([only])
  }
  // Only details are judged by details: another table stands for itself wherever it lands.
  if (session && !opening && panesOf(session).includes('verdicts') && !(await isVerdicts(only, 'details')))
    return openPaths([only])
  // The second of two that come one after the other completes the first.
  if (opening?.length === 1) return openPaths([...opening, only])
  if (session && on !== 'new' && (await completes(only))) return openBeside([only])
  if (session) return on === 'new' ? openPaths(paths) : replaceSide(on, only)
  if (waiting.debug === undefined && waiting.bench === undefined) return openPaths(paths)
  return offer(waiting.debug === undefined ? 'debug' : 'bench', only)
}

/** A table is no side of dumps: it stands beside them, or for itself. */
const isTable = (path: string): boolean => /\.(?:csv|xlsx)$/i.test(path)

/** Whether a file, or a folder of such, speaks of calls of the dumps that are open. */
async function isVerdicts(path: string, part?: 'details'): Promise<boolean> {
  const found = await engine.isVerdicts({ path, ...(part && { part }) })
  return found.ok && found.value
}

/** Whether all of them say of a run what it did over its steps. */
async function holdValues(paths: readonly string[]): Promise<boolean> {
  const found = await Promise.all(paths.map(path => engine.holdsValues({ path })))
  return found.every(one => one.ok && one.value)
}

/** Whether it is a further part of the run that is open, rather than another side. */
async function completes(path: string): Promise<boolean> {
  const found = await engine.completes({ paths: now().paths, path })
  return found.ok && found.value
}

/** What is shown beside dumps: they are opened again with it. */
async function openBeside(more: readonly string[], rail?: 'precheck' | 'overtime'): Promise<void> {
  const { session, paths, as, look } = now()
  if (!session) return
  const others = paths.filter(one => !more.includes(one))
  await openPaths([...others, ...more], { options: session.options, look, ...(as && { as }) })
  if (rail && panesOf(now().session).includes(rail)) {
    changeLayout({ rail })
    showPane('side')
  }
}

export async function swapSides(): Promise<void> {
  const { waiting, session } = now()
  const [debug, bench] = session?.sides ?? []
  if (debug && bench)
    await openPaths([bench.root, debug.root, ...(session?.beside ?? [])], {
      options: session?.options ?? {},
      as: 'sides',
    })
  else if (!session)
    set({
      waiting: {
        ...(waiting.bench === undefined ? {} : { debug: waiting.bench }),
        ...(waiting.debug === undefined ? {} : { bench: waiting.debug }),
      },
    })
}

export const canSwap = (s: Workbench): boolean =>
  s.session
    ? joins(s.session) && s.session.sides.length > 1
    : s.waiting.debug !== undefined || s.waiting.bench !== undefined
