// The store of the window: choices only. What follows from them is asked of the engine through useQuery.
import { create } from 'zustand'
import { usualGrowth, usualLimit } from '../../preload/contract/engine.ts'
import type {
  ColumnFilter,
  ExplainedBy,
  JobInfo,
  KeptMatches,
  NodeRef,
  OpenAs,
  Problem,
  RecomputedState,
  ReportTried,
  RowFilter,
  SessionInfo,
  Side,
  StepName,
  Together,
  UnitAt,
  VerdictWish,
  ViewInfo,
} from '../../preload/contract/engine.ts'
import type { EngineState, Settings, Start } from '../../preload/contract/host.ts'
import type { Facts, FactsOf, Language } from '../../preload/contract/words/index.ts'

export type View = 'graph' | 'walk' | 'grid' | 'inspector' | 'advisor' | 'nodes' | 'search' | 'keys' | 'start'

/** A run that was made to tell suspects apart, and what it told. */
export type Tried = ReportTried

/**
 * The one selection: a node pair and optionally a row of it. `from` is the view that moved it and need not be
 * moved itself.
 */
export interface Selection {
  readonly at: NodeRef
  readonly row: number | null
  readonly from: View
  /** Where it was selected: the way back may lead to another rank or step. */
  readonly unit: number
}

export type Show = RowFilter['show'][number]

export interface Sort {
  readonly column: string
  readonly down: boolean
}

/** What a person set up to look at; undo and redo walk over it. */
export interface Looking {
  readonly opened: { readonly debug: readonly string[]; readonly bench: readonly string[] }
  readonly show: readonly Show[]
  readonly thisNode: boolean
  /** Only what a finding explains, or what it leaves open. */
  readonly explained: ExplainedBy | null
  readonly quick: string
  readonly columns: readonly ColumnFilter[]
  readonly sort: readonly Sort[]
  /** Only rows of which recomputing says one of these; empty: all. */
  readonly recomputed: readonly RecomputedState[]
  /** Buckets picked in the legend; the others are dimmed. Empty: all. */
  readonly buckets: readonly number[]
  /** Views and hooks are drawn too. */
  readonly plumbing: boolean
}

export const plainLook: Looking = {
  opened: { debug: [], bench: [] },
  show: [],
  thisNode: false,
  explained: null,
  quick: '',
  columns: [],
  sort: [],
  recomputed: [],
  buckets: [],
  plumbing: true,
}

/** `side`, or the id of a panel that has a place of its own. */
export type Pane = string
export type Link = 'expand' | 'pan' | 'zoom' | 'select'
export type DialogName = 'about' | 'export' | 'palette' | 'keys' | 'settings' | 'thresholds'

export interface ColumnChoice {
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  readonly pinned: readonly string[]
  readonly widths: Readonly<Record<string, number>>
}

/** What was chosen for the pre-check on a device; texts as they were typed. */
export interface PrecheckWish {
  readonly isMulti: boolean
  readonly output: string
  readonly devices: string
  readonly white: string
  readonly black: string
  readonly resume: string
  readonly savesErrors: boolean
  readonly jit: boolean
  readonly filters: boolean
}

/** What is remembered of the window between starts, beside the settings that main knows by name. */
export interface Layout {
  /** What was hidden or shown again; the rest is shown. */
  readonly shown: Readonly<Record<Pane, boolean>>
  /** The panel at the side. */
  readonly rail: string
  readonly sizes: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly links: Readonly<Record<Link, boolean>>
  readonly minimap: boolean
  readonly graphView: 'structure' | 'dataflow'
  readonly columns: Readonly<Record<string, ColumnChoice>>
  readonly inspectorTab: string
  /** Parts of panels that were folded away. */
  readonly folded: Readonly<Record<string, boolean>>
  /** Panels at the side that fill the window. */
  readonly wide: Readonly<Record<Pane, boolean>>
  /** Operations of a call beyond which it is not recomputed whole. */
  readonly recomputeLimit: number
  /** How often the norm of a call's output may be that of its inputs before the call is conspicuous. */
  readonly growthLimit: number
  /** How details of the pre-check are judged. */
  readonly precheck: VerdictWish
  readonly precheckOrder: PrecheckWish
}

export const plainLayout: Layout = {
  shown: {},
  rail: 'advisor',
  sizes: {},
  links: { expand: true, pan: true, zoom: true, select: true },
  minimap: true,
  graphView: 'structure',
  columns: {},
  inspectorTab: 'tensors',
  folded: {},
  wide: {},
  recomputeLimit: usualLimit,
  growthLimit: usualGrowth,
  precheck: { generation: null, limits: {} },
  precheckOrder: {
    isMulti: false,
    output: './checked',
    devices: '0',
    white: '',
    black: '',
    resume: '',
    savesErrors: true,
    jit: false,
    filters: false,
  },
}

type EngineLineState = EngineState | 'connecting'

export interface Notice {
  readonly id: number
  readonly is:
    | 'engine-restarted'
    | 'copied'
    | 'saved'
    | 'switched-off'
    | 'switched-on'
    | 'failed'
    | 'nothing-found'
    | 'no-call'
    | 'next-unit'
    | 'reread'
    | 'reread-same'
    | 'reread-moved'
    | 'reread-new'
    | 'matches-loaded'
    | 'no-peer'
    | 'source-not-here'
    | 'no-editor'
  readonly facts: Facts
}

/** A node that waits for the click on its partner, and why the last click was none. */
export interface Pairing {
  readonly side: Side
  readonly id: string
  readonly wrong?: 'same-side' | Problem
}

/** What the user said of a node, kept with the pair. */
export interface NodeNote {
  readonly at: NodeRef
  readonly text: string
  readonly pinned: boolean
}

export interface Coloured {
  readonly bucket: number
  /** Counted from 0. */
  readonly at: number
}

/** What of which the values over time are shown. */
export interface OverTimeAsked {
  readonly target: string
  readonly stat: string
}

export interface Workbench {
  readonly overTime: OverTimeAsked | null
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
  /** How far the opening is, where it takes long. */
  readonly openingJob: JobInfo | null
  readonly openFailed: { readonly problem: Problem; readonly paths: readonly string[] } | null
  readonly paths: readonly string[]
  /** How the paths were meant; null: by their names. */
  readonly as: OpenAs | null
  /** How ranks were put together and paired; null: as they are. */
  readonly together: Together | null
  readonly session: SessionInfo | null
  /** The unit on screen was chosen by a person: it stays there. */
  readonly unitChosen: boolean
  readonly job: JobInfo | null
  /** Every unit at work. */
  readonly jobs: Readonly<Record<number, JobInfo>>
  /** Calls that are being recomputed. */
  readonly recomputing: JobInfo | null
  /** All elements of the tensors on screen, while that lasts. */
  readonly reading: JobInfo | null
  /** Rises when more was recomputed: part of the key of what shows it. */
  readonly recomputed: number
  /** Rises when a run that is being dumped has got further. */
  readonly lives: number
  readonly problems: readonly Problem[]
  readonly notice: Notice | null

  readonly selection: Selection | null
  readonly trail: readonly Selection[]
  readonly trailAt: number
  readonly look: Looking
  readonly past: readonly Looking[]
  readonly future: readonly Looking[]
  /** What lies above the selected node on each side, root first. */
  readonly above: {
    readonly of: NodeRef
    readonly debug: readonly string[]
    readonly bench: readonly string[]
  } | null
  /** What was matched by hand, per step and rank: opened again with the pair. */
  readonly matches: readonly KeptMatches[]
  readonly notes: readonly NodeNote[]
  /** Runs that were made to tell suspects apart. */
  readonly tried: readonly Tried[]
  /** A node that waits for the click on its partner. */
  readonly pairing: Pairing | null
  /** Which node of the colour that is picked in the legend was gone to. */
  readonly coloured: Coloured | null
  /** Which table of verdicts is looked at, and which of its rows; null before somebody chose. */
  readonly verdict: { readonly table: number; readonly row: number | null } | null
  /** The engine's view behind the grid: for counts and for dimming in the graphs. */
  readonly view: ViewInfo | null

  /** Names of sides that the toolbar has no room for. */
  readonly namesCut: Readonly<Record<Side, boolean>>
  readonly dialog: DialogName | null
  readonly find: { readonly text: string; readonly at: number }
  readonly focus: Pane
}

export const useWorkbench = create<Workbench>()(() => ({
  start: null,
  settings: null,
  dark: false,
  language: 'en',
  layout: plainLayout,
  engineState: 'connecting',
  lineage: 0,
  waiting: {},
  opening: null,
  openingJob: null,
  openFailed: null,
  paths: [],
  as: null,
  together: null,
  session: null,
  unitChosen: false,
  job: null,
  jobs: {},
  recomputing: null,
  reading: null,
  recomputed: 0,
  lives: 0,
  problems: [],
  notice: null,
  selection: null,
  above: null,
  overTime: null,
  trail: [],
  trailAt: -1,
  look: plainLook,
  past: [],
  future: [],
  matches: [],
  notes: [],
  tried: [],
  pairing: null,
  coloured: null,
  verdict: null,
  view: null,
  namesCut: { debug: false, bench: false },
  dialog: null,
  find: { text: '', at: -1 },
  focus: 'graph',
}))

export const now = useWorkbench.getState
export const set = useWorkbench.setState

export const sameNode = (a: NodeRef | null | undefined, b: NodeRef | null | undefined): boolean =>
  !!a &&
  !!b &&
  ((a.debug !== undefined && a.debug === b.debug) || (a.bench !== undefined && a.bench === b.bench))

export const isShown = (layout: Layout, pane: Pane): boolean => layout.shown[pane] !== false

/** Pictures of many steps fill the window unless they are told not to. */
const usuallyWide: ReadonlySet<string> = new Set(['overtime', 'units'])

/** The panel at the side that fills the window, if one does. */
export const wideSide = ({ shown, rail, wide }: Layout): Pane | null =>
  shown['side'] !== false && (wide[rail] ?? usuallyWide.has(rail)) ? rail : null

export const nodeName = (at: NodeRef): string => at.debug ?? at.bench ?? ''

export const nodeOn = (side: Side, node: string): NodeRef =>
  side === 'debug' ? { debug: node } : { bench: node }

/** The unit on screen of the open session, or null. */
export const otherSide = (side: Side): Side => (side === 'debug' ? 'bench' : 'debug')

/** The unit on screen, as questions name it. */
export const place = (s: Workbench): UnitAt | null =>
  s.session ? { session: s.session.session, unit: s.session.unit } : null

/**
 * What an answer about the unit on screen rests on: the line, and the versions of these steps. A unit carries
 * its own versions, so that what was asked before another one was shown is found again only if it still holds.
 */
export function stamp(s: Workbench, ...steps: readonly StepName[]): string {
  const { session } = s
  const versions = session?.units[session.unit]?.versions
  const known = steps.map(step => versions?.[step] ?? 0).join('.')
  return `${s.lineage}/${session?.session ?? -1}/${session?.unit ?? -1}/${known}`
}

let notices = 0
export const notify = <Is extends Notice['is']>(is: Is, ...[facts = {}]: FactsOf<`notice.${Is}`>): void =>
  set({ notice: { id: ++notices, is, facts } })
