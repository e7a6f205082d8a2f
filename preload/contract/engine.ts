// What the window may ask of the engine, and what the engine tells the window. Questions and answers are small: a megabyte at most.
import type { Framework, Level, Mode, Rules, SessionId, Side, Stat, ViewId } from '../../main/engine/model.ts'
import type { Problem, Result } from '../../main/engine/problem.ts'
import type { MappingChange, MappingCheck, MappingCompletion, MappingEntry, MappingMeeting, MappingName, MappingPreview, MappingProposal, MappingQuestion } from './mapping.ts'

export type * from './mapping.ts'
export type { Framework, Level, Mode, Rules, SessionId, Side, Stat, ViewId, Problem, Result }

/** An Arrow IPC stream with one record batch. */
export type ArrowBytes = Uint8Array

// ---------------------------------------------------------------------------------------------- sessions

/** `compare`: two dumps. `single`: one dump without a bench. `file`: a finished result (.vis, .vis.db, xlsx, csv). */
export type SessionKind = 'compare' | 'single' | 'file'

export interface SideInfo {
  readonly root: string
  readonly name: string
  readonly framework: Framework | ''
  readonly level: Level | ''
  readonly task: string
}

export type UnitState = 'waiting' | 'reading' | 'comparing' | 'done' | 'failed'

/** One (step, rank) of a session. */
export interface UnitInfo {
  readonly unit: number
  readonly step: number | null
  readonly rank: number | null
  readonly debugDir: string
  readonly benchDir: string
  readonly state: UnitState
  readonly rows: number
  readonly disagree: number
  readonly agree: number
  readonly unknown: number
  readonly unmatchedDebug: number
  readonly unmatchedBench: number
  /** Largest error level of the rows, NaN before it is known. */
  readonly worst: number
  /** Name of the headline node once findings are known. */
  readonly headline: string
  readonly partial: boolean
}

export interface CompareOptions {
  readonly rules: Rules
  readonly fuzzy: boolean
  readonly mapping: MappingTexts
  readonly thresholds: Thresholds
  readonly advisor: AdvisorThresholds
  readonly colours: Colours
}

/** What the graphs' colours show: how far the sides differ, or where NaN and Inf are. */
export type Colours = 'precision' | 'overflow'

/** Texts of mapping yaml by kind; '' is the built-in mapping alone, absent is no such mapping. */
export interface MappingTexts {
  readonly api?: string
  readonly cell?: string
  readonly data?: string
  readonly layer?: string
}
export type MappingKind = keyof MappingTexts

export interface Thresholds {
  /** Statistics: relative error above which a row disagrees. */
  readonly relative: number
  /** Statistics: values below this are small and judged by `smallAbsolute`, per precision class. */
  readonly small32: number
  readonly smallAbsolute32: number
  readonly small16: number
  readonly smallAbsolute16: number
}

/** What the advisor judges by. */
export interface AdvisorThresholds {
  /** Error, relative to the tensor's range, that one operation may make: per precision class of the coarser side. */
  readonly floor32: number
  readonly floor16: number
  readonly floorBrain: number
  /** How much an operation may amplify the error of its inputs before the rest counts as its own: forward, backward, and through norms and softmax. */
  readonly gainForward: number
  readonly gainBackward: number
  readonly gainSteep: number
  /** By how much more an error must stand out for every tenfold of operations beyond a hundred. */
  readonly margin: number
  /** Outputs whose running median says what errors are usual at this depth. */
  readonly window: number
  /** Share of a side's distinct extremes that must end in zero bits before the side counts as computed in that class. */
  readonly classShare: number
  /** Below this share of differing parameters a differing parameter is a fault of its own; above, the weights as a whole differ. */
  readonly weightShare: number
  /** A first product that is off by less, with exact inputs, is reduced precision (TF32, HF32) and no origin. */
  readonly reducedProduct: number
  /** Relative difference of a scalar argument that counts. */
  readonly argument: number
  /** Jump over what is usual from which a threshold finding outranks exact evidence that comes later. */
  readonly clearJump: number
}

export interface SessionInfo {
  readonly session: SessionId
  readonly kind: SessionKind
  readonly debug: SideInfo
  readonly bench: SideInfo | null
  readonly mode: Mode
  readonly options: CompareOptions
  readonly units: readonly UnitInfo[]
  readonly unit: number
  readonly problems: readonly Problem[]
}

/** What was matched by hand in one step and rank: debug id → bench id, '' where a match was undone. */
export interface KeptMatches {
  readonly step: number | null
  readonly rank: number | null
  readonly pairs: Readonly<Record<string, string>>
}

// ---------------------------------------------------------------------------------------------- grid

export interface ColumnInfo {
  readonly id: string
  readonly title: string
  readonly numeric: boolean
  readonly extra: boolean
}

export type ColumnFilter =
  | { readonly column: string; readonly is: 'text'; readonly op: 'contains' | 'notContains' | 'equals' | 'startsWith' | 'endsWith' | 'regex'; readonly text: string }
  | { readonly column: string; readonly is: 'number'; readonly op: '=' | '!=' | '<' | '<=' | '>' | '>=' | 'between'; readonly value: number; readonly to?: number }
  | { readonly column: string; readonly is: 'set'; readonly values: readonly string[] }

export interface RowFilter {
  /** Any of these states; empty means all. */
  readonly show: readonly ('disagree' | 'agree' | 'unknown' | 'unmatched' | 'highlighted')[]
  /** Rows of this node only (op name on either side), and of what lies below it. */
  readonly node?: NodeRef
  /** Found anywhere in the names, dtype or shape. */
  readonly quick: string
  readonly columns: readonly ColumnFilter[]
}

export interface ViewQuery {
  readonly session: SessionId
  readonly unit: number
  readonly filter: RowFilter
  readonly sort: readonly { readonly column: string; readonly down: boolean }[]
}

export interface ViewInfo {
  readonly view: ViewId
  readonly rows: number
  readonly columns: readonly ColumnInfo[]
  readonly counts: { readonly all: number; readonly disagree: number; readonly agree: number; readonly unknown: number; readonly unmatched: number; readonly highlighted: number }
}

export interface PositionQuery {
  readonly session: SessionId
  readonly unit: number
  readonly view: ViewId
  readonly row: number | null
  readonly at: NodeRef
  /** How long a block is, what it holds, and the first rows of those that the asker has. */
  readonly blocks: { readonly size: number; readonly columns: readonly string[]; readonly there: readonly number[] }
}

export interface RowsQuery {
  readonly view: ViewId
  readonly first: number
  readonly count: number
  /** Column ids; besides the columns of the view: `row`, `verdict`, `fill`, `debugOp`, `benchOp`, `unmatched`. */
  readonly columns: readonly string[]
}

/** What a column holds: for the set filter and the header tooltip. */
export interface ColumnSummary {
  readonly values: readonly { readonly text: string; readonly count: number }[]
  readonly more: number
  readonly min: number
  readonly max: number
}

// ---------------------------------------------------------------------------------------------- nodes

/** Names outlive row numbers: a node is named by its key on each side. At least one is given. */
export interface NodeRef {
  readonly debug?: string
  readonly bench?: string
}

/** One item (tensor or scalar) of a node, both sides. Texts as the files have them; '' where a side has nothing. */
export interface ItemDetail {
  readonly row: number
  readonly part: 'input' | 'output' | 'parameters' | 'parameters_grad'
  readonly debug: ItemSide | null
  readonly bench: ItemSide | null
  readonly verdict: number
  readonly fill: number
  /** Metric cells by column id. */
  readonly cells: readonly { readonly id: string; readonly title: string; readonly text: string }[]
  /** What wrote this input, or reads this output, by inferred dataflow. */
  readonly links: readonly { readonly node: string; readonly item: string; readonly by: string; readonly sure: boolean; readonly side: Side }[]
}

export interface ItemSide {
  readonly name: string
  readonly dtype: string
  readonly shape: string
  readonly max: string
  readonly min: string
  readonly mean: string
  readonly norm: string
  readonly md5: string
  /** Path of the tensor file, '' when there is none. */
  readonly file: string
}

/** A rank that a communication call talks to; `unit` is -1 where that rank is not among what was opened. */
export interface Peer {
  readonly type: 'send' | 'receive' | 'send_receive'
  readonly rank: number
  readonly unit: number
}

export interface NodeDetail {
  readonly at: NodeRef
  readonly title: string
  /** Ancestors from the root down, per side. */
  readonly path: { readonly debug: readonly string[]; readonly bench: readonly string[] }
  readonly items: readonly ItemDetail[]
  readonly stack: { readonly debug: readonly StackFrame[]; readonly bench: readonly StackFrame[] }
  readonly whyUnmatched: readonly Problem[]
  readonly matchedBy: string
}

export interface StackFrame {
  readonly file: string
  readonly line: number
  readonly func: string
  readonly code: string
  readonly framework: boolean
}

// ---------------------------------------------------------------------------------------------- findings

export type FindingKind =
  | 'first-row' | 'different-input' | 'different-weights' | 'origin' | 'argument' | 'hidden-producer' | 'uncovered-entry' | 'unmatched-call'
  | 'growth' | 'nan' | 'communication' | 'not-decidable'

export interface Hint {
  readonly key: string
  readonly facts: Readonly<Record<string, string | number>>
}

/** One number or pair of numbers that a finding rests on. */
export interface Evidence {
  readonly row: number
  readonly label: string
  readonly metric: string
  readonly debug: string
  readonly bench: string
  /** Error level of the row in [0,1], NaN when unknown. */
  readonly level: number
}

export interface Finding {
  readonly kind: FindingKind
  /** Op key as in dump.json of `side`. */
  readonly node: string
  readonly side: Side
  readonly step: number | null
  readonly rank: number | null
  /** Rows of the comparison that it rests on. */
  readonly rows: readonly number[]
  readonly explains: { readonly rows: number; readonly of: number; readonly by: 'edges' | 'scope' | 'none' }
  readonly evidence: readonly Evidence[]
  readonly hints: readonly Hint[]
  /** Facts for the sentence of this kind. */
  readonly facts: Readonly<Record<string, string | number>>
}

/** Error level over execution order, thinned to what a plot can show. */
export interface LevelCurve {
  readonly position: Float64Array
  readonly level: Float64Array
  readonly nodes: readonly string[]
  readonly floor: Float64Array
  /** Index of the headline in the arrays, -1 when there is none. */
  readonly origin: number
}

export interface Advice {
  readonly first: { readonly line: number; readonly node: string; readonly advice: string } | null
  readonly findings: readonly Finding[]
  readonly curve: LevelCurve
  readonly noise: readonly Hint[]
  readonly dumpNext: Readonly<Record<string, unknown>> | null
}

// ---------------------------------------------------------------------------------------------- graph

export interface SceneSide {
  /** What is open on this side, by node id. The root is always open. */
  readonly open: readonly string[]
  /** The part of the drawing that is needed, in layout units. */
  readonly top: number
  readonly bottom: number
}

export interface SceneQuery {
  readonly session: SessionId
  readonly unit: number
  readonly debug: SceneSide
  readonly bench: SceneSide | null
  /** Dim what the grid filters out. */
  readonly dimExcept?: ViewId
}

export type NodeShape = 'module' | 'api' | 'group' | 'fused'

export interface Box {
  readonly id: string
  readonly label: string
  readonly shape: NodeShape
  /** Left upper corner and size in layout units: one unit is one pixel at zoom 1. */
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  /** Part of the execution order that the node and what lies below it cover, as fractions in [0,1]. */
  readonly from: number
  readonly to: number
  readonly depth: number
  readonly open: boolean
  readonly children: number
  readonly backward: boolean
  /** Bucket of suspicion 0…5, -1 no measure, -2 no partner. */
  readonly bucket: number
  /** Failing rows in this node and below. */
  readonly failing: number
  readonly dim: boolean
  /** Counterpart on the other side, '' when none. */
  readonly partner: string
}

export interface SceneDrawing {
  readonly boxes: readonly Box[]
  readonly width: number
  readonly height: number
}

export interface Scene {
  readonly debug: SceneDrawing
  readonly bench: SceneDrawing | null
}

export interface FlowEdge {
  readonly from: string
  readonly to: string
  /** The output that is read, and the input that reads it. */
  readonly item: string
  readonly input: string
  readonly shape: string
  /** How the edge was inferred, and whether there was no other candidate. */
  readonly by: string
  readonly sure: boolean
}

/** A piece of the inferred dataflow of one side; positions are made by whoever draws it. */
export interface FlowDrawing {
  readonly nodes: readonly { readonly id: string; readonly label: string; readonly bucket: number; readonly backward: boolean; readonly inside: boolean }[]
  readonly edges: readonly FlowEdge[]
  /** There is more than was asked for. */
  readonly cut: boolean
}

/** The whole run as a strip: worst bucket per slot of execution order; `position` is the fraction in [0,1] at which a slot begins. */
export interface Strip {
  readonly debug: { readonly bucket: Int8Array; readonly position: Float64Array }
  readonly bench: { readonly bucket: Int8Array; readonly position: Float64Array } | null
}

export interface Legend {
  readonly measure: string
  readonly buckets: readonly { readonly bucket: number; readonly from: number; readonly to: number; readonly count: number }[]
  readonly unmatchedDebug: number
  readonly unmatchedBench: number
  /** Some node of either side has an overflow level. */
  readonly overflow: boolean
}

/** Lists for walking through nodes: by suspicion, and what has no partner on each side, in execution order. */
export type NodeList = 'suspicious' | 'unmatched-debug' | 'unmatched-bench'

export interface ListedNode {
  readonly at: NodeRef
  readonly label: string
  /** Ids of the ancestors are not sent; this is the label of the parent. */
  readonly parent: string
  readonly bucket: number
  readonly failing: number
  readonly backward: boolean
  /** Why an unmatched node found no partner; empty otherwise. */
  readonly why: readonly Problem[]
}

export interface SearchHit {
  readonly side: Side
  readonly node: string
  readonly what: 'name' | 'op' | 'stack' | 'dtype' | 'shape'
  readonly text: string
  readonly bucket: number
}

// ---------------------------------------------------------------------------------------------- tensors

export interface TensorQuery {
  readonly session: SessionId
  readonly unit: number
  readonly row: number
  /** First index per leading dimension; the last two dimensions are shown. */
  readonly at: readonly number[]
  readonly rows: number
  readonly cols: number
}

export interface TensorSideView {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly max: number
  readonly min: number
  readonly mean: number
  readonly norm: number
  readonly nan: number
  readonly inf: number
  readonly zero: number
  /** Values of the slice, row-major, NaN padded. */
  readonly slice: Float64Array
}

export interface TensorView {
  readonly debug: TensorSideView | null
  readonly bench: TensorSideView | null
  readonly sliceRows: number
  readonly sliceCols: number
  readonly histogram: { readonly edges: Float64Array; readonly debug: Float64Array; readonly bench: Float64Array } | null
  /** Heat map of the absolute error over the whole tensor, block maxima, at most 64 × 256. */
  readonly heat: { readonly rows: number; readonly cols: number; readonly abs: Float64Array; readonly rel: Float64Array; readonly ulp: Float64Array } | null
  readonly worst: readonly { readonly index: readonly number[]; readonly debug: number; readonly bench: number; readonly error: number }[]
  readonly problems: readonly Problem[]
}

/** Two tensors by hand, as numpy.isclose has it. */
export interface Closeness {
  readonly dtypes: readonly [string, string]
  readonly shapes: readonly [readonly number[], readonly number[]]
  readonly elements: number
  /** Elements that are not close; all of them when the shapes differ. */
  readonly apart: number
  readonly maxAbs: number
  readonly maxRel: number
  readonly worst: TensorView['worst']
}

// ---------------------------------------------------------------------------------------------- writing

export type ReportFormat = 'xlsx' | 'csv' | 'arrow' | 'parquet' | 'json' | 'advisor' | 'vis' | 'vis.db' | 'html'

export interface ReportQuery {
  readonly session: SessionId
  readonly unit: number
  readonly format: ReportFormat
  /** Folder that the user chose. */
  readonly folder: string
  /** For the page: drawings of the graphs. */
  readonly pictures?: readonly ReportPicture[]
  /** Of the sentences in texts and pages. */
  readonly language: 'en' | 'zh'
}

export interface ReportPicture {
  readonly name: string
  readonly svg: string
}

// ---------------------------------------------------------------------------------------------- the door

export interface EngineApi {
  open(q: { readonly paths: readonly string[]; readonly options?: Partial<CompareOptions>; readonly matches?: readonly KeptMatches[] }, s: AbortSignal): Promise<Result<SessionInfo>>
  close(q: { readonly session: SessionId }, s: AbortSignal): Promise<void>
  session(q: { readonly session: SessionId }, s: AbortSignal): Promise<SessionInfo>
  /** Makes a unit the one on screen; its work goes first. */
  choose(q: { readonly session: SessionId; readonly unit: number }, s: AbortSignal): Promise<SessionInfo>
  setOptions(q: { readonly session: SessionId; readonly options: Partial<CompareOptions> }, s: AbortSignal): Promise<Result<SessionInfo>>
  cancel(q: { readonly session: SessionId }, s: AbortSignal): Promise<void>

  order(q: ViewQuery, s: AbortSignal): Promise<ViewInfo>
  rows(q: RowsQuery, s: AbortSignal): Promise<ArrowBytes>
  /** Where a row stands in a view, or else the first row of a node; -1 when there is none or it is filtered out. With the block of rows that holds it, unless that is there already. */
  position(q: PositionQuery, s: AbortSignal): Promise<{ readonly place: number; readonly block: ArrowBytes | null }>
  summary(q: { readonly view: ViewId; readonly column: string }, s: AbortSignal): Promise<ColumnSummary>

  node(q: { readonly session: SessionId; readonly unit: number; readonly at: NodeRef }, s: AbortSignal): Promise<NodeDetail>
  raw(q: { readonly session: SessionId; readonly unit: number; readonly side: Side; readonly node: string }, s: AbortSignal): Promise<string>
  tensor(q: TensorQuery, s: AbortSignal): Promise<TensorView>
  /** Whether a row's tensors are close: |a − b| ≤ atol + rtol · |b|. */
  closeness(q: { readonly session: SessionId; readonly unit: number; readonly row: number; readonly atol: number; readonly rtol: number }, s: AbortSignal): Promise<Result<Closeness>>
  findings(q: { readonly session: SessionId; readonly unit: number }, s: AbortSignal): Promise<Advice>
  /** The headline over all steps and ranks, and its unit; null when there is none. Reads what was not read yet. */
  across(q: { readonly session: SessionId }, s: AbortSignal): Promise<{ readonly finding: Finding; readonly unit: number } | null>
  search(q: { readonly session: SessionId; readonly unit: number; readonly text: string; readonly limit: number }, s: AbortSignal): Promise<readonly SearchHit[]>

  scene(q: SceneQuery, s: AbortSignal): Promise<Scene>
  /** Where the box of a node is for a set of opened nodes; null while something around it is closed. */
  locate(q: { readonly session: SessionId; readonly unit: number; readonly side: Side; readonly open: readonly string[]; readonly node: string }, s: AbortSignal): Promise<{ readonly x: number; readonly y: number; readonly w: number; readonly h: number } | null>
  strip(q: { readonly session: SessionId; readonly unit: number; readonly slots: number }, s: AbortSignal): Promise<Strip>
  legend(q: { readonly session: SessionId; readonly unit: number }, s: AbortSignal): Promise<Legend>
  /** Ancestors that must be open to see a node, per side, and its counterpart. */
  reveal(q: { readonly session: SessionId; readonly unit: number; readonly at: NodeRef }, s: AbortSignal): Promise<{ readonly at: NodeRef; readonly debug: readonly string[]; readonly bench: readonly string[] }>
  /** The next node in execution order that is suspicious. */
  walk(q: { readonly session: SessionId; readonly unit: number; readonly from: NodeRef | null; readonly to: 'first' | 'next' | 'previous' | 'parent' | 'child' | 'above' | 'below' }, s: AbortSignal): Promise<NodeRef | null>

  /** What to open below a node (the root when null): down to a depth below it, everything, or the way to each failing node. At most 2,000 ids a side. */
  expand(q: { readonly session: SessionId; readonly unit: number; readonly at: NodeRef | null; readonly to: number | 'all' | 'failing' }, s: AbortSignal): Promise<{ readonly debug: readonly string[]; readonly bench: readonly string[] }>
  /** The node at a fraction of one side's execution order; null when the side is empty. */
  nodeAt(q: { readonly session: SessionId; readonly unit: number; readonly side: Side; readonly position: number }, s: AbortSignal): Promise<NodeRef | null>
  list(q: { readonly session: SessionId; readonly unit: number; readonly list: NodeList; readonly first: number; readonly count: number }, s: AbortSignal): Promise<{ readonly total: number; readonly nodes: readonly ListedNode[] }>

  /** A mapping file with the kind that its form says. */
  mappingOpen(q: { readonly path: string }, s: AbortSignal): Promise<Result<{ readonly kind: MappingKind; readonly text: string; readonly encoding: 'utf-8' | 'utf-16' | 'latin-1' }>>
  mappingCheck(q: MappingQuestion, s: AbortSignal): Promise<MappingCheck>
  /** The entry at a place of the text, and what it does. */
  mappingEntry(q: MappingQuestion & { readonly at: number }, s: AbortSignal): Promise<MappingEntry | null>
  mappingComplete(q: MappingQuestion & { readonly at: number }, s: AbortSignal): Promise<MappingCompletion | null>
  mappingNames(q: MappingQuestion & { readonly side: Side; readonly find: string; readonly show: 'all' | MappingName['state']; readonly open: readonly string[]; readonly first: number; readonly count: number }, s: AbortSignal): Promise<{ readonly total: number; readonly names: readonly MappingName[] }>
  /** What it takes for two names to meet ('': none chosen), and what stands in the text. */
  mappingMeeting(q: MappingQuestion & { readonly debug: string; readonly bench: string }, s: AbortSignal): Promise<MappingMeeting>
  mappingPropose(q: MappingQuestion & { readonly limit: number }, s: AbortSignal): Promise<readonly MappingProposal[]>
  /** The text with entries added, changed or taken out; comments and order of the rest stay. */
  mappingEdit(q: { readonly kind: MappingKind; readonly text: string; readonly set: readonly MappingChange[]; readonly remove: readonly MappingChange[] }, s: AbortSignal): Promise<Result<string>>
  /** What the text pairs otherwise than another text of its kind. */
  /** A text as a file holds it: one without entries is still yaml of its kind. */
  mappingSaved(q: { readonly kind: MappingKind; readonly text: string }, s: AbortSignal): Promise<string>
  mappingPreview(q: MappingQuestion & { readonly saved: string }, s: AbortSignal): Promise<MappingPreview>
  /** The built-in API table as far as these dumps use it, with the user's overrides. */
  mappingBuiltIn(q: MappingQuestion, s: AbortSignal): Promise<readonly { readonly from: string; readonly to: string; readonly used: number; readonly overriddenBy: string }[]>

  /** Bytes that the engine's process holds. */
  memory(q: Readonly<Record<string, never>>, s: AbortSignal): Promise<number>

  /** Calls around a node, or inside a module, with the tensors that go between them; at most `most` calls. */
  flow(q: { readonly session: SessionId; readonly unit: number; readonly side: Side; readonly node: string; readonly hops: number; readonly most: number }, s: AbortSignal): Promise<FlowDrawing>

  /** Ranks that a communication call talks to; empty for every other node. */
  peers(q: { readonly session: SessionId; readonly unit: number; readonly side: Side; readonly node: string }, s: AbortSignal): Promise<readonly Peer[]>
  /** The call of another unit that belongs to a communication call of this one; null when that rank has none. */
  peer(q: { readonly session: SessionId; readonly unit: number; readonly side: Side; readonly node: string; readonly to: number }, s: AbortSignal): Promise<NodeRef | null>

  /** Matches two nodes by hand, or undoes a debug node's match when `bench` is ''. Kept beside the result. */
  match(q: { readonly session: SessionId; readonly unit: number; readonly debug: string; readonly bench: string; readonly descendants: boolean }, s: AbortSignal): Promise<Result<null>>
  /** Matches made and undone by hand, for opening the pair again with them. */
  matches(q: { readonly session: SessionId; readonly unit: number }, s: AbortSignal): Promise<KeptMatches['pairs']>
  /** Matches made by hand as the plugin's mapping file, and back. */
  matchesText(q: { readonly session: SessionId; readonly unit: number }, s: AbortSignal): Promise<string>
  applyMatches(q: { readonly session: SessionId; readonly unit: number; readonly path: string }, s: AbortSignal): Promise<Result<{ readonly total: number; readonly applied: number; readonly failed: readonly Problem[] }>>

  write(q: ReportQuery, s: AbortSignal): Promise<Result<{ readonly paths: readonly string[] }>>
}

export interface JobInfo {
  readonly session: SessionId
  readonly unit: number
  readonly what: string
  readonly done: number
  readonly total: number
  readonly unitOf: 'bytes' | 'rows' | 'files' | 'items'
  readonly startedMs: number
  readonly finished: boolean
}

/** Steps of a session; a version rises when the step has something new. */
export type StepName = 'dumps' | 'pairs' | 'metrics' | 'verdicts' | 'graph' | 'findings' | 'units'

export type EngineEvent =
  | { readonly is: 'version'; readonly session: SessionId; readonly unit: number; readonly of: StepName; readonly version: number }
  | { readonly is: 'job'; readonly job: JobInfo }
  | { readonly is: 'problem'; readonly session: SessionId; readonly problem: Problem }
