// What came out of a pair each time it was read: kept for the next time, and held against the time before.
import type { Overall, SessionId, SessionInfo } from '../../preload/contract/engine.ts'
import type { RecentPair, Run } from '../../preload/contract/host.ts'
import { say } from '../../preload/contract/words/index.ts'
import { engine, isQuiet } from '../engine.ts'
import { host } from './host.ts'
import { nameParts } from './names.ts'
import { reload, titleOf } from './sessions.ts'
import { takeSettings } from './settings.ts'
import { compares, isEnded } from './study.ts'
import { notify, now, set, useWorkbench, type Notice } from './workbench.ts'

/** The run of the session that is open, once it has been read to its end. */
let known: { readonly session: SessionId; readonly run: Run } | null = null
/** What the run under way is held against. */
let before: Run | null = null

/** Reads the same paths again, and says afterwards what has changed. */
export async function readAgain(): Promise<void> {
  before = known && known.session === now().session?.session ? known.run : null
  await reload()
}

export function startHistory(): void {
  useWorkbench.subscribe(({ session, notice }, old) => {
    if (session?.session !== old.session?.session && notice && leadsToOrigin(notice)) set({ notice: null })
    if (!session || session.units === old.session?.units || known?.session === session.session) return
    if (!compares(session) || !session.units.every(isEnded)) return
    if (!session.units.some(({ state }) => state === 'done')) return
    ended(session).catch(error => {
      if (!isQuiet(error)) throw error
    })
  })
}

async function ended(session: SessionInfo): Promise<void> {
  const run = runOf(session, await engine.overall({ session: session.session }))
  if (now().session?.session !== session.session || known?.session === session.session) return
  known = { session: session.session, run }
  if (before) tell(before, run)
  before = null
  await checkRow()
  const { paths, dark } = now()
  takeSettings(await host().remember({ paths: [...paths], title: titleOf(session), run }), dark)
}

function runOf({ units }: SessionInfo, { finding }: Overall): Run {
  const sum = (of: 'rows' | 'differs'): number => units.reduce((all, unit) => all + unit[of], 0)
  const { node = '', step = null, rank = null } = finding ?? {}
  return { rows: sum('rows'), differs: sum('differs'), node, step, rank }
}

function tell(old: Run, run: Run): void {
  const { language } = now()
  const counts = { before: old.differs, after: run.differs }
  const node = nameParts(run.node).long
  const moved = run.node !== old.node || run.rank !== old.rank || run.step !== old.step
  if (run.node !== '' && moved)
    return notify(old.node === '' ? 'reread-new' : 'reread-moved', { ...counts, node })
  const still = run.node !== '' ? say(language, 'reread.still', { node }) : ''
  const origin = run.node === '' && moved ? say(language, 'reread.gone') : still
  notify(run.differs === old.differs ? 'reread-same' : 'reread', { ...counts, origin })
}

/** A row that the node does not have any more is not pointed at. */
async function checkRow(): Promise<void> {
  const { selection, session } = now()
  if (!session || !selection || selection.row === null) return
  const { items } = await engine.node({ session: session.session, unit: session.unit, at: selection.at })
  if (now().selection === selection && !items.some(({ row }) => row === selection.row))
    set({ selection: { ...selection, row: null } })
}

/** Says where the error enters now. */
export const leadsToOrigin = ({ is }: Notice): boolean => is === 'reread-moved' || is === 'reread-new'

export type KeptRun = RecentPair['runs'][number]

/** The runs of the pair that is open, the newest first. */
export function useRuns(): readonly KeptRun[] {
  const paths = useWorkbench(s => s.paths)
  const recent = useWorkbench(s => s.settings?.recent)
  return recent?.find(pair => pair.paths.join('\n') === paths.join('\n'))?.runs ?? noRuns
}

const noRuns: readonly KeptRun[] = []
