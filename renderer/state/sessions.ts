// Opening, closing and re-opening pairs of dumps, and what is kept of each for the next time.
import type {
  CompareOptions,
  EngineEvent,
  JobInfo,
  KeptMatches,
  NodeRef,
  OpenAs,
  Problem,
  SessionInfo,
  Together,
  UnitInfo,
} from '../../preload/contract/engine.ts'
import { engine, isQuiet, isRefused, problemOf, watchEngine } from '../engine.ts'
import { host } from './host.ts'
import { coalesced } from './coalesced.ts'
import { alsoBusyWhile } from './idle.ts'
import { folderName } from './names.ts'
import { readNotes } from './notes.ts'
import { configToKeep, dropConfig, type KeptConfig, takeConfig } from './collect.ts'
import { readTried } from './tried.ts'
import { complete, select, walk } from './selection.ts'
import { compares, panesOf } from './study.ts'
import { keepSessionsWith, keepSoon, takeLayout, takeSettings } from './settings.ts'
import {
  nodeName,
  notify,
  now,
  plainLook,
  sameNode,
  set,
  type Looking,
  type Selection,
  type Tried,
  type Workbench,
  type NodeNote,
} from './workbench.ts'

/** What is kept of a pair: names only, since rows die with the engine. */
interface Kept {
  readonly key: string
  readonly as?: OpenAs
  readonly together?: Together | null
  readonly step: number | null
  readonly rank: number | null
  /** Of its run; left out of what was kept before runs were. */
  readonly run?: string
  readonly at: NodeRef | null
  readonly look: Looking
  readonly options: Partial<CompareOptions>
  readonly matches?: readonly KeptMatches[]
  readonly notes?: readonly NodeNote[]
  readonly tried?: readonly Tried[]
  readonly config?: KeptConfig | null
  /** A person chose what was looked at; otherwise the next opening begins where the error enters. */
  readonly chosen?: boolean
}

const keptSessions = 12
/** Beyond this a file is the place for them. */
const mostMatchesKept = 5000
let kept: readonly Kept[] = []
const keyOf = (paths: readonly string[]): string => paths.join('\n')

function keepCurrent(): void {
  const { paths, as, together, session, selection, look, matches, notes, tried, unitChosen } = now()
  if (!session) return
  const unit = session.units.find(u => u.unit === session.unit)
  const mine: Kept = {
    key: keyOf(paths),
    ...(as && { as }),
    ...(together && { together }),
    step: unit?.step ?? null,
    rank: unit?.rank ?? null,
    run: unit?.name ?? '',
    at: selection?.at ?? null,
    look,
    options: withoutLongTexts(session.options),
    notes,
    tried,
    config: configToKeep(),
    matches: matches.filter(m => Object.keys(m.pairs).length <= mostMatchesKept),
    chosen: unitChosen || (selection !== null && selection.from !== 'start'),
  }
  kept = [mine, ...kept.filter(k => k.key !== mine.key)].slice(0, keptSessions)
}

const longestTextKept = 1 << 15

/** Long mapping texts are kept elsewhere, beside where they are written. */
const withoutLongTexts = (options: CompareOptions): CompareOptions => ({
  ...options,
  mapping: Object.fromEntries(
    Object.entries(options.mapping).filter(([, text]) => text.length <= longestTextKept),
  ),
})

keepSessionsWith(() => {
  keepCurrent()
  return kept
})

/** Reads what the last start left; anything odd is left out. */
export function takeKept(given: unknown): void {
  if (!Array.isArray(given)) return
  kept = given
    .filter(
      (k): k is Kept =>
        typeof k === 'object' &&
        k !== null &&
        typeof k.key === 'string' &&
        typeof k.look === 'object' &&
        k.look !== null,
    )
    .map(k => ({ ...k, look: { ...plainLook, ...k.look } }))
}

const early: string[] = []
let openMappings: (paths: readonly string[]) => Promise<void> = async paths => {
  early.push(...paths)
}
/** Mapping files that come with a drop go to whoever keeps the mappings. */
export const openMappingsWith = (open: typeof openMappings): void => {
  openMappings = open
  if (early.length > 0) void open(early.splice(0))
}
const isMapping = (path: string): boolean => /\.ya?ml$/i.test(path)
let openMatches: (paths: readonly string[]) => Promise<void> = () => Promise.resolve()
/** Node mapping files of the plugin that come with a drop go to whoever keeps matches by hand. */
export const openMatchesWith = (open: typeof openMatches): void => {
  openMatches = open
}
const isMatches = (path: string): boolean => /\.config$/i.test(path)

/** A profile of noise, as it is named when it is saved. */
const isNoiseProfile = (path: string): boolean => /(?:^|[\\/])noise[^\\/]*\.json$/i.test(path)

/** What comes with dumps and is none itself. */
export const isBeside = (path: string): boolean => isMapping(path) || isMatches(path) || isNoiseProfile(path)

/** How something is opened; what is left out is as it was the last time. */
export interface OpenHow {
  readonly options?: Partial<CompareOptions>
  readonly as?: OpenAs
  /** Null: every rank as it is. */
  readonly together?: Together | null
  readonly look?: Looking
  /** The same again: what is looked at stays. */
  readonly anew?: boolean
}

export async function openPaths(given: readonly string[], how: OpenHow = {}): Promise<void> {
  const paths =
    now().session || given.some(path => !isBeside(path)) ? given.filter(path => !isBeside(path)) : given
  await openDumps(paths, how)
  if (now().session && given.some(isMapping)) await openMappings(given.filter(isMapping))
  const noise = given.filter(isNoiseProfile).slice(0, 1)
  if (now().session && noise.length > 0) await setOptions({ noise })
  if (now().session && given.some(isMatches)) await openMatches(given.filter(isMatches))
}

async function openDumps(paths: readonly string[], how: OpenHow): Promise<void> {
  if (paths.length === 0) return
  const old = now().session
  keepCurrent()
  const known = kept.find(k => k.key === keyOf(paths))
  const { options = known?.options, as = known?.as ?? null, look = known?.look ?? plainLook } = how
  const { together = known?.together ?? null } = how
  if (now().opening) void engine.stopOpening({}).catch(ignoreQuiet)
  set({ opening: paths, openingJob: null, openFailed: null })
  try {
    const result = await engine.open({
      paths,
      ...(as && { as }),
      ...(together && { together }),
      ...(options && { options }),
      ...(known?.matches ? { matches: known.matches } : {}),
    })
    if (now().opening !== paths) {
      if (result.ok) void engine.close({ session: result.value.session })
      return
    }
    if (!result.ok) {
      set({ opening: null, openFailed: { problem: result.problem, paths } })
      return
    }
    if (old) void engine.close({ session: old.session }).catch(ignoreQuiet)
    await (how.anew
      ? showAgain(result.value, together)
      : show(result.value, { paths, as, together, look }, known))
    takeSettings(await host().remember({ paths: [...paths], title: titleOf(result.value) }), now().dark)
  } catch (error) {
    if (now().opening !== paths) return
    if (isQuiet(error)) set({ opening: null, openFailed: stoppedAt === paths ? stoppedFailure(paths) : null })
    else set({ opening: null, openFailed: { problem: problemOf(error), paths } })
  }
}

/** What was being opened or read when the user stopped the engine: it would hold the next one as well. */
let stoppedAt: readonly string[] | null = null

/** Ends an engine that does not answer. What was at rest comes back by itself, what held it does not. */
export function stopEngine(): void {
  const { opening, paths } = now()
  stoppedAt = opening ?? (isWorking() ? paths : null)
  void host().restartEngine()
}

const stoppedFailure = (paths: readonly string[]): NonNullable<Workbench['openFailed']> => ({
  problem: { code: 'engine-stopped', severity: 'error', path: paths[0] ?? '', facts: {} },
  paths,
})

/** What a page that is loaded anew opens again; gone with the window. How it was opened is kept of the pair. */
const openNow = {
  keep(paths: readonly string[]): void {
    sessionStorage.setItem('open', JSON.stringify(paths))
  },
  forget(): void {
    sessionStorage.removeItem('open')
  },
  read(): readonly string[] {
    const kept: unknown = JSON.parse(sessionStorage.getItem('open') ?? '[]')
    return Array.isArray(kept) ? kept.filter(path => typeof path === 'string') : []
  },
}

async function show(
  session: SessionInfo,
  opened: Pick<Workbench, 'paths' | 'as' | 'together' | 'look'>,
  known: Kept | undefined,
): Promise<void> {
  openNow.keep(opened.paths)
  takeConfig(known?.config)
  set({
    ...opened,
    opening: null,
    waiting: {},
    session,
    job: null,
    jobs: {},
    problems: session.problems,
    selection: null,
    verdict: null,
    overTime: null,
    trail: [],
    trailAt: -1,
    view: null,
    matches: known?.matches ?? [],
    notes: readNotes(known?.notes),
    tried: readTried(known?.tried),
    pairing: null,
    past: [],
    future: [],
    find: { text: '', at: -1 },
    unitChosen: false,
  })
  const left = known?.chosen === false ? undefined : known
  const unit = left && unitLike(session.units, left, left.run)
  if (unit && unit.unit !== session.unit) await chooseUnit(unit.unit)
  if (left?.at && nodeName(left.at) !== '') {
    const selection = { at: left.at, row: null, from: 'keys' as const, unit: now().session?.unit ?? 0 }
    set({ selection, trail: [selection], trailAt: 0 })
    void complete(selection)
  } else await selectFirst()
  keepSoon()
}

/** The unit of a step and rank, of the same run where that is there still. */
function unitLike(
  units: readonly UnitInfo[],
  { step, rank }: Pick<UnitInfo, 'step' | 'rank'>,
  run: string | undefined,
): UnitInfo | undefined {
  const alike = units.filter(u => u.step === step && u.rank === rank)
  return alike.find(u => u.name === run) ?? alike[0]
}

/** The same paths, opened anew: selection, filters, step and rank stay, and the table where it is. */
async function showAgain(next: SessionInfo, together = now().together): Promise<void> {
  const { session, selection } = now()
  const here = session?.units[session.unit]
  const same = here && unitLike(next.units, here, here.name)
  const shown =
    same && same.unit !== next.unit ? await engine.choose({ session: next.session, unit: same.unit }) : next
  // Who moves a selection need not be moved by it.
  const kept: Selection | null = selection && { ...selection, unit: shown.unit, from: 'grid' }
  set({
    opening: null,
    together,
    session: shown,
    unitChosen: true,
    job: null,
    jobs: {},
    view: null,
    selection: kept,
    problems: next.problems,
  })
  if (kept) void complete(kept)
  else await selectFirst()
}

/**
 * Nothing was selected by a person yet: where the error enters, once it is known; before that the first
 * node that differs.
 */
const selectFirst = coalesced(() =>
  lookForFirst().catch(error => {
    if (!isQuiet(error) && !isRefused(error)) throw error
  }),
)

async function lookForFirst(): Promise<void> {
  const { selection, session } = now()
  if (!session || !panesOf(session).includes('inspector') || (selection && selection.from !== 'start')) return
  if (!selection) await walk('first', 'start')
  if (!compares(session) || session.units.find(u => u.unit === session.unit)?.state !== 'done') return
  const found = await engine.walk({
    session: session.session,
    unit: session.unit,
    from: null,
    to: 'first',
    row: null,
  })
  const still = now().selection
  if (now().session?.session !== session.session || (still && still.from !== 'start')) return
  if (found && !(sameNode(still?.at, found.at) && still?.row === found.row))
    select(found.at, 'start', found.row)
}

export const titleOf = (session: SessionInfo): string =>
  session.sides.map(({ name, root }) => name || folderName(root)).join(' ↔ ')

export async function closeSession(): Promise<void> {
  const { session } = now()
  if (!session) return
  keepCurrent()
  keepSoon()
  openNow.forget()
  set({
    session: null,
    paths: [],
    selection: null,
    trail: [],
    trailAt: -1,
    view: null,
    problems: [],
    job: null,
    look: plainLook,
    matches: [],
    notes: [],
    tried: [],
    pairing: null,
    past: [],
    future: [],
    openFailed: null,
  })
  dropConfig()
  await engine.close({ session: session.session }).catch(ignoreQuiet)
}

/** Opens the same paths anew: a dump that was taken again may have other steps and ranks. */
export async function reload(): Promise<void> {
  const { session, paths, as, together } = now()
  if (!session) return
  // What was wrong with the old dumps is said again only if it still is.
  set({ problems: [], openFailed: null })
  await openDumps(paths, { options: session.options, anew: true, together, ...(as && { as }) })
}

/** Opens the same paths with their ranks put together, or paired, otherwise. */
export async function putTogether(together: Together | null): Promise<void> {
  const { session, paths, as } = now()
  if (!session) return
  set({ problems: [], openFailed: null })
  await openDumps(paths, { options: session.options, together, ...(as && { as }) })
}

/** Shows another step or rank; `by` the start one begins anew there, a person keeps what is selected. */
export async function chooseUnit(unit: number, by: 'person' | 'start' = 'person'): Promise<void> {
  const { session } = now()
  if (by === 'person') set({ unitChosen: true })
  if (!session || session.unit === unit) return
  try {
    const next = await engine.choose({ session: session.session, unit })
    if (now().session?.session !== session.session) return
    const anew = by === 'start' ? { selection: null, trail: [], trailAt: -1 } : {}
    set({ session: next, view: null, ...anew })
    if (by === 'start') await selectFirst()
    keepSoon()
  } catch (error) {
    ignoreQuiet(error)
  }
}

export async function setOptions(options: Partial<CompareOptions>): Promise<void> {
  const { session } = now()
  if (!session) return
  set({ session: { ...session, options: { ...session.options, ...options } } })
  // A window that is closed while the engine judges again keeps the choice too.
  keepSoon()
  await settle(() => engine.setOptions({ session: session.session, options }))
}

/** Stops what goes on until the user lets it go on; an opening that is stopped is given up. */
export async function pauseWork(): Promise<void> {
  const { session, opening } = now()
  if (opening) {
    set({ opening: null })
    await engine.stopOpening({}).catch(ignoreQuiet)
  }
  if (session) await engine.pause({ session: session.session }).catch(ignoreQuiet)
  set({ job: null })
}

export async function resumeWork(): Promise<void> {
  const { session } = now()
  if (session) await engine.resume({ session: session.session }).catch(ignoreQuiet)
}

async function settle(
  ask: () => Promise<
    { readonly ok: true; readonly value: SessionInfo } | { readonly ok: false; readonly problem: Problem }
  >,
): Promise<void> {
  try {
    const result = await ask()
    if (result.ok) set({ session: result.value, problems: merge(now().problems, result.value.problems) })
    else set({ problems: merge(now().problems, [result.problem]) })
  } catch (error) {
    if (!isQuiet(error)) set({ problems: merge(now().problems, [problemOf(error)]) })
  }
}

function ignoreQuiet(error: unknown): void {
  if (!isQuiet(error)) throw error
}

export const problemKey = (p: Problem): string => `${p.code}|${p.path}|${JSON.stringify(p.facts)}`
const merge = (old: readonly Problem[], more: readonly Problem[]): readonly Problem[] => [
  ...new Map([...old, ...more].map(p => [problemKey(p), p])).values(),
]

export const dismissProblem = (p: Problem): void =>
  set({ problems: now().problems.filter(q => problemKey(q) !== problemKey(p)) })

// ---------------------------------------- news of the engine

/** Sides, options and whether it is paused, asked for once however many events came. */
const refresh = coalesced(async () => {
  const { session } = now()
  if (!session) return
  const next = await engine.session({ session: session.session })
  if (now().session?.session !== next.session) return
  set({ session: next, problems: merge(now().problems, next.problems) })
  await selectFirst()
})

function take(event: EngineEvent): void {
  const { session } = now()
  if (event.is === 'job') {
    if (event.job.session === session?.session) takeJob(event.job, session.unit)
    else if (now().opening) set({ openingJob: event.job })
    return
  }
  if (!session || event.session !== session.session) return
  if (event.is === 'recomputed') takeRecomputed(event.job)
  else if (event.is === 'read') set({ reading: event.job.finished ? null : event.job })
  else if (event.is === 'live') set({ lives: now().lives + 1 })
  else if (event.is === 'problem') set({ problems: merge(now().problems, [event.problem]) })
  else if (event.is === 'session') refresh().catch(ignoreQuiet)
  else takeUnits(session, event.units)
}

function takeUnits(session: SessionInfo, changed: readonly UnitInfo[]): void {
  const units = session.units.slice()
  for (const info of changed) units[info.unit] = info
  set({ session: { ...session, units } })
  if (changed.some(info => info.unit === session.unit)) selectFirst().catch(ignoreQuiet)
}

/** What was recomputed so far is asked for anew. */
const takeRecomputed = (job: JobInfo): void =>
  set({ recomputing: job.finished ? null : job, recomputed: now().recomputed + 1 })

/** The job of the unit on screen is shown before those of others. */
function takeJob(job: JobInfo, onScreen: number): void {
  const shown = now().job
  if (!job.finished) set({ jobs: { ...now().jobs, [job.unit]: job } })
  if (job.finished) {
    if (shown?.unit === job.unit) set({ job: null })
    const { [job.unit]: _, ...jobs } = now().jobs
    set({ jobs })
  } else if (!shown || shown.unit !== onScreen || job.unit === onScreen) set({ job })
}

/** The engine came back after a crash: the same paths, mapping, thresholds and selection. */
async function again(): Promise<void> {
  const { paths, as, together, session, matches } = now()
  const stopped = stoppedAt
  stoppedAt = null
  if (!session) return
  if (stopped === paths) {
    set({ openFailed: stoppedFailure(paths), session: null })
    openNow.forget()
    return
  }
  notify('engine-restarted')
  try {
    const asked = { ...(as && { as }), ...(together && { together }) }
    const result = await engine.open({ paths, ...asked, options: session.options, matches })
    if (!result.ok) {
      set({ openFailed: { problem: result.problem, paths }, session: null })
      return
    }
    await showAgain(result.value)
  } catch (error) {
    ignoreQuiet(error)
  }
}

/**
 * Rows may be there before the hierarchy: a dump that is read or compared is not at rest, though nothing is
 * reported at the moment. What was cancelled waits.
 */
const isWorking = (): boolean =>
  now().engineState !== 'gone' &&
  (now().session?.units.some(u => u.state === 'reading' || u.state === 'comparing') ?? false)

export function startSessions(): void {
  watchEngine({
    event: take,
    up: lost => {
      set({ engineState: 'ready', lineage: now().lineage + 1 })
      if (lost) void again()
    },
    // That it will not come back may be heard of before its line is cut.
    down: () => set({ engineState: now().engineState === 'gone' ? 'gone' : 'restarting', job: null }),
  })
  alsoBusyWhile(() => now().job !== null || now().opening !== null || isWorking())
}

/** First thing in the window: settings, layout, sessions, and what the command line asked for. */
export async function startWindow(): Promise<void> {
  const start = await host().start()
  set({ start })
  takeSettings(start.settings, start.dark)
  takeLayout(start.settings.layout)
  takeKept(start.settings.layout['sessions'])
  startSessions()
  host().onEvent(event => {
    if (event.is === 'settings') takeSettings(event.settings, event.dark)
    else if (event.is === 'paths') void openPaths(event.paths)
    else if (event.is === 'engine') set({ engineState: event.state })
  })
  const wasOpen = openNow.read()
  const first = wasOpen.length > 0 ? wasOpen : start.paths
  if (first.length > 0) void openPaths(first)
}
