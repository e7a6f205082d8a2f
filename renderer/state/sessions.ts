// Opening, closing and re-opening pairs of dumps, and what is kept of each for the next time.
import type { CompareOptions, EngineEvent, JobInfo, KeptMatches, NodeRef, Problem, SessionInfo, Side } from '../../preload/contract/engine.ts'
import { engine, isQuiet, problemOf, watchEngine } from '../engine.ts'
import { host } from './host.ts'
import { alsoBusyWhile } from './idle.ts'
import { folderName, nodeOfItem } from './names.ts'
import { complete, proofOf, select, walk } from './selection.ts'
import { keepSessionsWith, keepSoon, takeLayout, takeSettings } from './settings.ts'
import { nodeName, nodeOn, notify, now, plainLook, set, type Looking } from './workbench.ts'

/** What is kept of a pair: names only, since rows die with the engine. */
interface Kept {
  readonly key: string
  readonly step: number | null
  readonly rank: number | null
  readonly at: NodeRef | null
  readonly look: Looking
  readonly options: Partial<CompareOptions>
  readonly matches?: readonly KeptMatches[]
}

const keptSessions = 12
/** Beyond this a file is the place for them. */
const mostMatchesKept = 5000
let kept: readonly Kept[] = []
const keyOf = (paths: readonly string[]): string => paths.join('\n')

function keepCurrent(): void {
  const { paths, session, selection, look, matches } = now()
  if (!session) return
  const unit = session.units.find(u => u.unit === session.unit)
  const mine: Kept = { key: keyOf(paths), step: unit?.step ?? null, rank: unit?.rank ?? null, at: selection?.at ?? null, look, options: withoutLongTexts(session.options), matches: matches.filter(m => Object.keys(m.pairs).length <= mostMatchesKept) }
  kept = [mine, ...kept.filter(k => k.key !== mine.key)].slice(0, keptSessions)
}

const longestTextKept = 1 << 15

/** Long mapping texts are kept elsewhere, beside where they are written. */
const withoutLongTexts = (options: CompareOptions): CompareOptions =>
  ({ ...options, mapping: Object.fromEntries(Object.entries(options.mapping).filter(([, text]) => text.length <= longestTextKept)) })

keepSessionsWith(() => { keepCurrent(); return kept })

/** Reads what the last start left; anything odd is left out. */
export function takeKept(given: unknown): void {
  if (!Array.isArray(given)) return
  kept = given.filter((k): k is Kept => typeof k === 'object' && k !== null && typeof k.key === 'string' && typeof k.look === 'object' && k.look !== null)
    .map(k => ({ ...k, look: { ...plainLook, ...k.look } }))
}

/** One side of the pair that is being put together; opens when both are there. */
export async function offer(side: Side, path: string): Promise<void> {
  const waiting = { ...now().waiting, [side]: path }
  set({ waiting, openFailed: null })
  if (waiting.debug !== undefined && waiting.bench !== undefined) await openPaths([waiting.debug, waiting.bench])
}

export const withdraw = (side: Side): void => {
  const { [side]: _, ...waiting } = now().waiting
  set({ waiting })
}

const early: string[] = []
let openMappings: (paths: readonly string[]) => Promise<void> = async paths => { early.push(...paths) }
/** Mapping files that come with a drop go to whoever keeps the mappings. */
export const openMappingsWith = (open: typeof openMappings): void => {
  openMappings = open
  if (early.length > 0) void open(early.splice(0))
}
const isMapping = (path: string): boolean => /\.ya?ml$/i.test(path)
let openMatches: (paths: readonly string[]) => Promise<void> = () => Promise.resolve()
/** Node mapping files of the plugin that come with a drop go to whoever keeps matches by hand. */
export const openMatchesWith = (open: typeof openMatches): void => { openMatches = open }
const isMatches = (path: string): boolean => /\.config$/i.test(path)

export async function openPaths(given: readonly string[], options?: Partial<CompareOptions>): Promise<void> {
  const beside = (path: string): boolean => isMapping(path) || isMatches(path)
  const paths = now().session || given.some(path => !beside(path)) ? given.filter(path => !beside(path)) : given
  await openDumps(paths, options)
  if (now().session && given.some(isMapping)) await openMappings(given.filter(isMapping))
  if (now().session && given.some(isMatches)) await openMatches(given.filter(isMatches))
}

async function openDumps(paths: readonly string[], options?: Partial<CompareOptions>): Promise<void> {
  if (paths.length === 0) return
  const old = now().session
  keepCurrent()
  const known = kept.find(k => k.key === keyOf(paths))
  set({ opening: paths, openFailed: null })
  try {
    const result = await engine.open({ paths, ...(options ?? known?.options ? { options: options ?? known?.options ?? {} } : {}), ...(known?.matches ? { matches: known.matches } : {}) })
    if (now().opening !== paths) { if (result.ok) void engine.close({ session: result.value.session }); return }
    if (!result.ok) { set({ opening: null, openFailed: result.problem }); return }
    if (old) void engine.close({ session: old.session }).catch(ignoreQuiet)
    await show(result.value, paths, known)
    takeSettings(await host().remember({ paths: [...paths], title: titleOf(result.value) }), now().dark)
  } catch (error) {
    if (isQuiet(error)) set({ opening: null })
    else set({ opening: null, openFailed: problemOf(error) })
  }
}

/** What a page that is loaded anew opens again; gone with the window. */
const openNow = {
  keep(paths: readonly string[]): void { sessionStorage.setItem('open', JSON.stringify(paths)) },
  forget(): void { sessionStorage.removeItem('open') },
  read(): readonly string[] {
    const kept: unknown = JSON.parse(sessionStorage.getItem('open') ?? '[]')
    return Array.isArray(kept) ? kept.filter(path => typeof path === 'string') : []
  },
}

async function show(session: SessionInfo, paths: readonly string[], known: Kept | undefined): Promise<void> {
  openNow.keep(paths)
  set({
    opening: null, waiting: {}, paths, session, versions: {}, job: null, problems: session.problems, selection: null, trail: [], trailAt: -1, view: null,
    look: known?.look ?? plainLook, matches: known?.matches ?? [], pairing: null, past: [], future: [], find: { text: '', at: -1 },
  })
  const unit = known && session.units.find(u => u.step === known.step && u.rank === known.rank)
  if (unit && unit.unit !== session.unit) await chooseUnit(unit.unit)
  if (known?.at && nodeName(known.at) !== '') {
    const selection = { at: known.at, row: null, from: 'keys' as const, unit: now().session?.unit ?? 0 }
    set({ selection, trail: [selection], trailAt: 0 })
    void complete(selection)
  } else await selectFirst()
  keepSoon()
}

/** Nothing was selected by a person yet: where the error enters, once it is known; before that the first failing node. */
async function selectFirst(): Promise<void> {
  firstAgain = true
  firstAsked ??= lookAgain().finally(() => { firstAsked = null })
  return firstAsked
}

/** However many events say that more is known, it is asked for once at a time, and once more for what came meanwhile. */
let firstAsked: Promise<void> | null = null
let firstAgain = false
async function lookAgain(): Promise<void> {
  while (firstAgain) {
    firstAgain = false
    await lookForFirst()
  }
}

async function lookForFirst(): Promise<void> {
  const { selection, session } = now()
  if (!session || (selection && selection.from !== 'start')) return
  if (!selection) await walk('first', 'start')
  if (!session.bench || session.units.find(u => u.unit === session.unit)?.state !== 'done') return
  const { findings: [head], first } = await engine.findings({ session: session.session, unit: session.unit })
  const still = now().selection
  if (now().session?.session !== session.session || (still && still.from !== 'start')) return
  const found = head && head.node !== '' ? { node: head.node, side: head.side, row: proofOf(head) } : first && { node: nodeOfItem(first.node), side: 'debug' as const, row: first.line }
  if (found && (still?.at[found.side] !== found.node || still.row !== found.row)) select(nodeOn(found.side, found.node), 'start', found.row)
}

export const titleOf = (session: SessionInfo): string =>
  session.bench ? `${session.debug.name} ↔ ${session.bench.name}` : session.debug.name || folderName(session.debug.root)

export async function closeSession(): Promise<void> {
  const { session } = now()
  if (!session) return
  keepCurrent()
  keepSoon()
  openNow.forget()
  set({ session: null, paths: [], selection: null, trail: [], trailAt: -1, view: null, problems: [], job: null, look: plainLook, matches: [], pairing: null, past: [], future: [], openFailed: null })
  await engine.close({ session: session.session }).catch(ignoreQuiet)
}

export async function swapSides(): Promise<void> {
  const { paths, waiting, session } = now()
  if (session && paths.length === 2) await openPaths(paths.toReversed(), { ...session.options })
  else if (!session) set({ waiting: { ...(waiting.bench === undefined ? {} : { debug: waiting.bench }), ...(waiting.debug === undefined ? {} : { bench: waiting.debug }) } })
}

/** Opens the same paths anew: a dump that was taken again may have other steps and ranks. The view stays. */
export async function reload(): Promise<void> {
  const { session, paths } = now()
  if (!session) return
  // What was wrong with the old dumps is said again only if it still is.
  set({ problems: [], openFailed: null })
  await openDumps(paths, session.options)
}

export async function chooseUnit(unit: number): Promise<void> {
  const { session } = now()
  if (!session || session.unit === unit) return
  try {
    const next = await engine.choose({ session: session.session, unit })
    if (now().session?.session !== session.session) return
    set({ session: next, versions: {}, view: null })
    keepSoon()
  } catch (error) {
    ignoreQuiet(error)
  }
}

/** Looks through all steps and ranks, and goes to the finding that comes first. */
export async function goToOrigin(): Promise<void> {
  const { session } = now()
  if (!session) return
  try {
    const found = await engine.across({ session: session.session })
    if (now().session?.session !== session.session) return
    if (!found) return notify('nothing-found')
    await chooseUnit(found.unit)
    if (now().session?.unit === found.unit) select(nodeOn(found.finding.side, found.finding.node), 'advisor', proofOf(found.finding))
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

export async function cancelWork(): Promise<void> {
  const { session, opening } = now()
  if (opening) set({ opening: null })
  if (session) await engine.cancel({ session: session.session }).catch(ignoreQuiet)
  set({ job: null })
}

async function settle(ask: () => Promise<{ readonly ok: true; readonly value: SessionInfo } | { readonly ok: false; readonly problem: Problem }>): Promise<void> {
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
const merge = (old: readonly Problem[], more: readonly Problem[]): readonly Problem[] =>
  [...new Map([...old, ...more].map(p => [problemKey(p), p])).values()]

export const dismissProblem = (p: Problem): void => set({ problems: now().problems.filter(q => problemKey(q) !== problemKey(p)) })

// ---------------------------------------------------------------------------------------------- news of the engine

let refreshing = false
let refreshAgain = false

/** Counts and states of the units, asked for once however many events came; what came meanwhile asks once more. */
async function refresh(): Promise<void> {
  refreshAgain = refreshing
  if (refreshing) return
  refreshing = true
  try {
    do {
      refreshAgain = false
      await askSession()
    } while (refreshAgain)
  } finally {
    refreshing = false
  }
}

async function askSession(): Promise<void> {
  const { session } = now()
  if (!session) return
  try {
    const next = await engine.session({ session: session.session })
    if (now().session?.session !== next.session) return
    set({ session: next, problems: merge(now().problems, next.problems) })
    await selectFirst()
  } catch (error) {
    ignoreQuiet(error)
  }
}

/** Steps after which a first failing node may be known. */
const telling: ReadonlySet<string> = new Set(['verdicts', 'graph', 'findings'])

function take(event: EngineEvent): void {
  const { session } = now()
  if (event.is === 'job') { if (event.job.session === session?.session) takeJob(event.job, session.unit); return }
  if (event.session !== session?.session) return
  if (event.is === 'problem') { set({ problems: merge(now().problems, [event.problem]) }); return }
  if (event.unit === session.unit) {
    set({ versions: { ...now().versions, [event.of]: event.version } })
    if (telling.has(event.of)) void selectFirst().catch(ignoreQuiet)
  }
  if (event.of === 'units' || event.of === 'verdicts') void refresh()
}

/** The job of the unit on screen is shown before those of others. */
function takeJob(job: JobInfo, onScreen: number): void {
  const shown = now().job
  if (job.finished) {
    if (shown?.unit === job.unit) set({ job: null })
    void refresh()
  } else if (!shown || shown.unit !== onScreen || job.unit === onScreen) set({ job })
}

/** The engine came back after a crash: the same paths, mapping, thresholds and selection. */
async function again(): Promise<void> {
  const { paths, session, selection, look, matches } = now()
  if (!session) return
  notify('engine-restarted')
  try {
    const result = await engine.open({ paths, options: session.options, matches })
    if (!result.ok) { set({ openFailed: result.problem, session: null }); return }
    const unit = session.units.find(u => u.unit === session.unit)
    const same = result.value.units.find(u => u.step === unit?.step && u.rank === unit?.rank)
    set({ session: result.value, versions: {}, job: null, view: null, look, selection })
    if (same && same.unit !== result.value.unit) await chooseUnit(same.unit)
  } catch (error) {
    ignoreQuiet(error)
  }
}

/** Rows may be there before the hierarchy: a dump that is read or compared is not at rest, though nothing is reported at the moment. What was cancelled waits. */
const isWorking = (): boolean => now().engineState !== 'gone' && (now().session?.units.some(u => u.state === 'reading' || u.state === 'comparing') ?? false)

export function startSessions(): void {
  watchEngine({
    event: take,
    up: lost => {
      set({ engineState: 'ready', lineage: now().lineage + 1 })
      if (lost) void again()
    },
    down: () => set({ engineState: 'restarting', job: null }),
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
