// The store of the window: choices only. What follows from them is asked of the engine through useQuery.
import { create } from 'zustand'
import type {
  ColumnFilter, JobInfo, KeptMatches, NodeRef, Problem, RowFilter, SessionInfo, Side, StepName, ViewInfo,
} from '../../preload/contract/engine.ts'
import type { EngineState, Settings, Start } from '../../preload/contract/host.ts'
import type { Language } from '../../preload/contract/words/index.ts'

export type View = 'graph' | 'walk' | 'grid' | 'inspector' | 'advisor' | 'nodes' | 'search' | 'keys' | 'start'

/** The one selection: a node pair and optionally a row of it. `from` is the view that moved it and need not be moved itself. */
export interface Selection {
  readonly at: NodeRef
  readonly row: number | null
  readonly from: View
  /** Where it was selected: the way back may lead to another rank or step. */
  readonly unit: number
}

export type Show = RowFilter['show'][number]

export interface Sort { readonly column: string; readonly down: boolean }

/** What a person set up to look at; undo and redo walk over it. */
export interface Looking {
  readonly opened: { readonly debug: readonly string[]; readonly bench: readonly string[] }
  readonly show: readonly Show[]
  readonly thisNode: boolean
  readonly quick: string
  readonly columns: readonly ColumnFilter[]
  readonly sort: readonly Sort[]
  /** Buckets picked in the legend; the others are dimmed. Empty: all. */
  readonly buckets: readonly number[]
}

export const plainLook: Looking = {
  opened: { debug: [], bench: [] }, show: [], thisNode: false, quick: '', columns: [], sort: [], buckets: [],
}

export type RailPanel = string
export type Pane = 'side' | 'graph' | 'grid' | 'inspector'
export type Link = 'expand' | 'pan' | 'zoom' | 'select'
export type DialogName = 'export' | 'palette' | 'keys' | 'settings' | 'thresholds'

export interface ColumnChoice {
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  readonly pinned: readonly string[]
  readonly widths: Readonly<Record<string, number>>
}

/** What is remembered of the window between starts, beside the settings that main knows by name. */
export interface Layout {
  readonly shown: Readonly<Record<Pane, boolean>>
  readonly rail: RailPanel
  readonly sizes: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly links: Readonly<Record<Link, boolean>>
  readonly minimap: boolean
  readonly graphView: 'structure' | 'dataflow'
  readonly columns: Readonly<Record<string, ColumnChoice>>
  readonly inspectorTab: string
}

export const plainLayout: Layout = {
  shown: { side: true, graph: true, grid: true, inspector: true },
  rail: 'advisor', sizes: {}, links: { expand: true, pan: true, zoom: true, select: true }, minimap: true, graphView: 'structure', columns: {}, inspectorTab: 'tensors',
}

export type EngineLineState = EngineState | 'connecting'

export interface Notice { readonly id: number; readonly is: 'engine-restarted' | 'copied' | 'saved' | 'failed' | 'nothing-found' | 'matches-loaded' | 'wrong-side' | 'no-peer'; readonly facts: Readonly<Record<string, string | number>>; readonly path?: string }

export interface Workbench {
  readonly start: Start | null
  readonly settings: Settings | null
  readonly dark: boolean
  readonly language: Language
  readonly layout: Layout

  readonly engineState: EngineLineState
  /** Rises with each new line; part of every question's key. */
  readonly lineage: number
  /** A folder that waits for its other side. */
  readonly waiting: Readonly<Partial<Record<Side, string>>>
  readonly opening: readonly string[] | null
  readonly openFailed: Problem | null
  readonly paths: readonly string[]
  readonly session: SessionInfo | null
  readonly versions: Readonly<Partial<Record<StepName, number>>>
  readonly job: JobInfo | null
  readonly problems: readonly Problem[]
  readonly notice: Notice | null

  readonly selection: Selection | null
  readonly trail: readonly Selection[]
  readonly trailAt: number
  readonly look: Looking
  readonly past: readonly Looking[]
  readonly future: readonly Looking[]
  /** What lies above the selected node on each side, root first. */
  readonly above: { readonly of: NodeRef; readonly debug: readonly string[]; readonly bench: readonly string[] } | null
  /** What was matched by hand, per step and rank: opened again with the pair. */
  readonly matches: readonly KeptMatches[]
  /** A node that waits for the click on its partner. */
  readonly pairing: { readonly side: Side; readonly id: string } | null
  /** The engine's view behind the grid: for counts and for dimming in the graphs. */
  readonly view: ViewInfo | null

  readonly dialog: DialogName | null
  readonly find: { readonly text: string; readonly at: number }
  readonly focus: Pane
}

export const useWorkbench = create<Workbench>()(() => ({
  start: null, settings: null, dark: false, language: 'en', layout: plainLayout,
  engineState: 'connecting', lineage: 0, waiting: {}, opening: null, openFailed: null, paths: [], session: null, versions: {}, job: null, problems: [], notice: null,
  selection: null, above: null, trail: [], trailAt: -1, look: plainLook, past: [], future: [], matches: [], pairing: null, view: null,
  dialog: null, find: { text: '', at: -1 }, focus: 'graph',
}))

export const now = useWorkbench.getState
export const set = useWorkbench.setState

export const sameNode = (a: NodeRef | null | undefined, b: NodeRef | null | undefined): boolean =>
  !!a && !!b && ((a.debug !== undefined && a.debug === b.debug) || (a.bench !== undefined && a.bench === b.bench))

export const nodeName = (at: NodeRef): string => at.debug ?? at.bench ?? ''

export const nodeOn = (side: Side, node: string): NodeRef => (side === 'debug' ? { debug: node } : { bench: node })

/** The unit on screen of the open session, or null. */
export const place = (s: Workbench): { readonly session: SessionInfo['session']; readonly unit: number } | null =>
  (s.session ? { session: s.session.session, unit: s.session.unit } : null)

/** Tells why an answer may be out of date: the line and the versions of the steps it rests on. */
export const stamp = (s: Workbench, ...steps: readonly StepName[]): string =>
  `${s.lineage}/${s.session?.session ?? -1}/${s.session?.unit ?? -1}/${steps.map(step => s.versions[step] ?? 0).join('.')}`

let notices = 0
export const notify = (is: Notice['is'], facts: Notice['facts'] = {}, path?: string): void =>
  set({ notice: { id: ++notices, is, facts, ...(path === undefined ? {} : { path }) } })
