// The config.json that is being written: one text with its history, for one version and mode, whoever edits it.
import { create } from 'zustand'
import {
  collectModes,
  type CollectTarget,
  type ConfigChange,
  type ConfigValue,
  type PresetId,
  type Problem,
  toolVersions,
} from '../../preload/contract/engine.ts'
import { engine, isQuiet, problemOf } from '../engine.ts'
import { host } from './host.ts'
import { changeLayout, keepSoon } from './settings.ts'
import { notify, now, set as setWorkbench, useWorkbench } from './workbench.ts'

interface Collect {
  /** Null before anything was begun. */
  readonly text: string | null
  readonly past: readonly string[]
  readonly future: readonly string[]
  /** Where it was opened from or saved to; '' for a new one. */
  readonly path: string
  /** What the file holds; null for a text that was never saved. */
  readonly saved: string | null
  /** What stood here before the file was opened; null once something is changed. */
  readonly replaced: string | null
  readonly target: CollectTarget
  readonly tab: string
  /** The panel has the window to itself, while nothing else is open. */
  readonly alone: boolean
}

/** What is kept of it with a pair. */
export interface KeptConfig {
  readonly text: string
  readonly path: string
  readonly saved: string | null
  readonly target: CollectTarget
}

const longestHistory = 200

export const useCollect = create<Collect>()(() => ({
  text: null,
  past: [],
  future: [],
  path: '',
  saved: null,
  replaced: null,
  target: { version: '1.2', mode: 'pytorch' },
  tab: 'form',
  alone: false,
}))

export const showAlone = (alone: boolean): void => useCollect.setState({ alone })

export const setTarget = (patch: Partial<CollectTarget>): void =>
  useCollect.setState(({ target }) => ({ target: { ...target, ...patch } }))

export const setTab = (tab: string): void => useCollect.setState({ tab })

/** A new text, one step of the history. */
export function write(next: string): void {
  const { text, past } = useCollect.getState()
  if (text === next) return
  useCollect.setState({
    text: next,
    replaced: null,
    past: text === null ? past : [...past, text].slice(-longestHistory),
    future: [],
  })
  keepSoon()
}

export function step(back: boolean): void {
  const { text, past, future } = useCollect.getState()
  const to = back ? past.at(-1) : future[0]
  if (to === undefined || text === null) return
  useCollect.setState(
    back
      ? { text: to, past: past.slice(0, -1), future: [text, ...future] }
      : { text: to, past: [...past, text], future: future.slice(1) },
  )
}

const addProblem = (problem: Problem): void => setWorkbench({ problems: [...now().problems, problem] })

async function attempt(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!isQuiet(error)) addProblem(problemOf(error))
  }
}

/** Changes from the form; comments and the order of the rest stay. */
export const change = (changes: readonly ConfigChange[]): Promise<void> =>
  attempt(async () => {
    const text = useCollect.getState().text ?? ''
    write(await engine.collectEdit({ text, changes }))
  })

export const fromPreset = (preset: PresetId): Promise<void> =>
  attempt(async () => {
    const text = await engine.collectPreset({ preset, target: useCollect.getState().target })
    if (text !== null) write(text)
  })

/** Fills the editor from elsewhere and shows it. */
export function showText(text: string): void {
  write(text)
  useCollect.setState({ tab: 'form' })
  const { layout } = now()
  changeLayout({ rail: 'collect', shown: { ...layout.shown, side: true } })
}

export const showConfig = (config: Readonly<Record<string, ConfigValue>>): Promise<void> =>
  attempt(async () => showText(await engine.collectText({ config })))

export const openFile = (): Promise<void> =>
  attempt(async () => {
    const read = await host().readText({ what: 'config' })
    if (!read) return
    if (!read.ok) {
      addProblem(read.problem)
      return
    }
    const { path, text } = read.value
    const { text: replaced } = useCollect.getState()
    write(text)
    useCollect.setState({ path, saved: text, replaced })
  })

export const save = (elsewhere: boolean): Promise<void> =>
  attempt(async () => {
    const { text, path } = useCollect.getState()
    if (text === null) return
    const written = await host().save({
      name: path.split(/[\\/]/).at(-1) || 'config.json',
      data: text,
      ...(path !== '' && !elsewhere ? { to: path } : {}),
    })
    if (!written) return
    if (!written.ok) {
      addProblem(written.problem)
      return
    }
    useCollect.setState({ path: written.value.path, saved: text })
    notify('saved', { path: written.value.path })
  })

const longestKept = 1 << 15

/** The session whose framework was taken over last. */
let modeOf = -1

/** A text is for the framework of the run that it is begun beside, once that is known. */
function takeMode(): void {
  const { session } = now()
  const framework = session?.sides[0]?.framework
  if (!session || !framework || session.session === modeOf) return
  modeOf = session.session
  const { text, alone } = useCollect.getState()
  if (text === null && !alone) setTarget({ mode: framework === 'mindspore' ? 'pynative' : 'pytorch' })
}

useWorkbench.subscribe(takeMode)

export function configToKeep(): KeptConfig | null {
  const { text, path, saved, target } = useCollect.getState()
  return text === null || text.length > longestKept ? null : { text, path, saved, target }
}

/**
 * What a pair was left with. A text that was begun before anything was open goes along; one of another pair does not.
 */
export function takeConfig(kept: unknown): void {
  useCollect.setState({ alone: false })
  if (isKept(kept)) useCollect.setState({ ...kept, past: [], future: [] })
  else if (now().session !== null || useCollect.getState().text === null) {
    dropConfig()
    modeOf = -1
  }
}

export const dropConfig = (): void =>
  useCollect.setState({ text: null, path: '', saved: null, replaced: null, past: [], future: [] })

/** Reads what the last start left; anything odd is left out. */
function isKept(given: unknown): given is KeptConfig {
  if (typeof given !== 'object' || given === null) return false
  const { text, path, saved, target } = given as Partial<Record<keyof KeptConfig, unknown>>
  if (typeof text !== 'string' || typeof path !== 'string') return false
  if (saved !== null && typeof saved !== 'string') return false
  if (typeof target !== 'object' || target === null) return false
  const { version, mode } = target as Partial<Record<keyof CollectTarget, unknown>>
  return toolVersions.some(one => one === version) && collectModes.some(one => one === mode)
}
