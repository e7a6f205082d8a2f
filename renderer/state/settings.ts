// What is remembered between starts: settings that main keeps for the window.
import { precheckGenerations } from '../../preload/contract/engine.ts'
import type { Choices, Settings } from '../../preload/contract/host.ts'
import { host } from './host.ts'
import { debounce } from './debounce.ts'
import {
  isShown,
  now,
  plainLayout,
  set,
  type ColumnChoice,
  type Layout,
  type Link,
  type Pane,
} from './workbench.ts'

const debounceMs = 250

/** Takes settings as main has them, and what follows for this document. */
export function takeSettings(settings: Settings, dark: boolean): void {
  const language = settings.language === 'system' ? (now().start?.systemLanguage ?? 'en') : settings.language
  set({ settings, dark, language })
  const { dataset } = document.documentElement
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  dataset['theme'] = dark ? 'dark' : 'light'
  dataset['palette'] = settings.safeColours ? 'safe' : 'plain'
  dataset['density'] = settings.density
}

export async function changeSettings(patch: Choices): Promise<void> {
  const { settings } = now()
  if (settings) takeSettings({ ...settings, ...patch } as Settings, darkFor(patch.theme ?? settings.theme))
  await host().change(patch)
}

/** Tells which editor opens lines of source from now on. */
export async function changeEditor(command: readonly string[]): Promise<readonly string[]> {
  const settings = await host().changeEditor({ command: [...command] })
  takeSettings(settings, now().dark)
  return settings.editor
}

const darkFor = (theme: Settings['theme']): boolean =>
  theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'

/** Reads the layout leniently: what it does not know keeps its default. */
export function takeLayout(kept: Readonly<Record<string, unknown>>): void {
  const part = <K extends keyof Layout>(key: K): Layout[K] => {
    const plain = plainLayout[key]
    const given = kept[key]
    if (typeof given !== typeof plain || given === null || given === undefined) return plain
    return (typeof plain === 'object' ? { ...plain, ...given } : given) as Layout[K]
  }
  set({
    layout: {
      shown: part('shown'),
      rail: part('rail'),
      sizes: part('sizes'),
      links: part('links'),
      minimap: part('minimap'),
      graphView: kept['graphView'] === 'dataflow' ? 'dataflow' : 'structure',
      columns: part('columns'),
      inspectorTab: part('inspectorTab'),
      folded: part('folded'),
      wide: part('wide'),
      recomputeLimit: part('recomputeLimit'),
      growthLimit: part('growthLimit'),
      precheck: wishOf(kept['precheck']),
      precheckOrder: orderOf(kept['precheckOrder']),
    },
  })
}

/** Limits are numbers, whatever was kept. */
function wishOf(kept: unknown): Layout['precheck'] {
  const { generation, limits } = { ...plainLayout.precheck, ...(kept as Partial<Layout['precheck']> | null) }
  const numbers = Object.entries(limits).filter(([, limit]) => Number.isFinite(limit))
  return {
    generation: precheckGenerations.find(one => one === generation) ?? null,
    limits: Object.fromEntries(numbers),
  }
}

/** What is of another kind than it has to be keeps its default. */
function orderOf(kept: unknown): Layout['precheckOrder'] {
  const plain = plainLayout.precheckOrder
  const fits = ([name, value]: readonly [string, unknown]): boolean =>
    name in plain && typeof value === typeof plain[name as keyof typeof plain]
  return { ...plain, ...Object.fromEntries(Object.entries(kept ?? {}).filter(fits)) }
}

/** Changes what was chosen for the pre-check on a device. */
export const setPrecheck = (patch: Partial<Layout['precheckOrder']>): void =>
  changeLayout({ precheckOrder: { ...now().layout.precheckOrder, ...patch } })

export function changeLayout(patch: Partial<Layout>): void {
  set({ layout: { ...now().layout, ...patch } })
  keepSoon()
}

/** Writes layout and sessions once dragging has come to rest, or when the window goes. */
export const keepSoon = debounce(() => host().change({ layout: toKeep() }), debounceMs)
window.addEventListener('pagehide', keepSoon.flush)

let sessionsToKeep: () => unknown = () => ({})
/** Sessions are kept beside the layout; who knows them says what to keep. */
export const keepSessionsWith = (give: () => unknown): void => {
  sessionsToKeep = give
}

const toKeep = (): NonNullable<Choices['layout']> =>
  JSON.parse(JSON.stringify({ ...now().layout, sessions: sessionsToKeep() })) as NonNullable<
    Choices['layout']
  >

export const showPane = (pane: Pane, on = true): void =>
  changeLayout({ shown: { ...now().layout.shown, [pane]: on } })

export const togglePane = (pane: Pane): void => showPane(pane, !isShown(now().layout, pane))

export const foldPart = (part: string, on: boolean): void =>
  changeLayout({ folded: { ...now().layout.folded, [part]: on } })

export const widenPanel = (panel: Pane, on: boolean): void =>
  changeLayout({ wide: { ...now().layout.wide, [panel]: on } })

export const toggleLink = (link: Link): void => {
  const { links } = now().layout
  changeLayout({ links: { ...links, [link]: !links[link] } })
}

export const resizeGroup = (group: string, sizes: Readonly<Record<string, number>>): void => {
  changeLayout({ sizes: { ...now().layout.sizes, [group]: sizes } })
}

export const chooseColumns = (mode: string, choice: ColumnChoice): void => {
  changeLayout({ columns: { ...now().layout.columns, [mode]: choice } })
}

export const resetLayout = (): void => changeLayout({ ...plainLayout, columns: now().layout.columns })
