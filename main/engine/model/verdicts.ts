// What tables say of single calls: the pre-check, its comparison, the free benchmark, the check of compiled modules.
import type { PrecheckGeneration, VerdictLimit, VerdictState } from './names.ts'
import type { NodeRef } from './node.ts'

/** Metrics of the pre-check that a status may rest on. */
export type VerdictMetric =
  | 'cosine'
  | 'maxAbsolute'
  | 'hundredth'
  | 'thousandth'
  | 'tenThousandth'
  | 'smallShare'
  | 'rmse'
  | 'maxRelative'
  | 'meanRelative'
  | 'meanAbsolute'
  | 'balance'
  | 'nonFinite'
  | 'relative'
  | 'absolute'
  | 'binary'
  | 'ulpMax'
  | 'ulpMean'
  | 'ulpShare'

/** By which rule the pre-check judges an output. */
export type VerdictStandard = 'benchmark' | 'ulp' | 'binary' | 'absolute' | 'thousandth' | 'accumulative'

/** What a table is: details of an NPU beside those of a GPU, or one file of a kind. */
export type VerdictHolds = 'judged' | 'details' | 'mindspore' | 'compared' | 'result' | 'free' | 'compiled'

/** How a number lies to its limit. */
export type VerdictSign = '≤' | '<' | '>' | '≥'

/** One metric of one row, with all that its verdict rests on. */
export interface VerdictCheck {
  readonly metric: VerdictMetric
  /** Of the device under test; null where a file has the ratio alone. */
  readonly npu: number | null
  readonly gpu: number | null
  readonly ratio: number | null
  /** What the ratio is taken against where the GPU's error is smaller. */
  readonly floor: number | null
  readonly limit: {
    /** What has to keep to it. */
    readonly of: 'npu' | 'ratio'
    /** How that lies to it. */
    readonly sign: VerdictSign
    readonly value: number
  } | null
  /** '' where the metric has none of its own. */
  readonly verdict: VerdictState | ''
  /** Whether the row rests on it. */
  readonly counted: boolean
  /** NaN or infinities stand on both sides alike, or not. */
  readonly odd: 'alike' | 'unlike' | null
}

/** Why a row has no verdict, where the file does not say so itself. */
export type VerdictReason =
  | { readonly why: 'missing-gpu' | 'missing-npu' | 'name' | 'type' | 'wide' | 'empty' }
  | { readonly why: 'blank'; readonly metric: VerdictMetric; readonly side: 'npu' | 'gpu' }

export type VerdictCounts = Readonly<Record<VerdictState, number>>

/** How details of an NPU are to be judged by those of a GPU, where not as the files and their rules tell. */
export interface VerdictWish {
  /** Of files that do not tell it; null: 26. */
  readonly generation: PrecheckGeneration | null
  readonly limits: Readonly<Partial<Record<VerdictLimit, number>>>
}

export interface VerdictTable {
  readonly holds: VerdictHolds
  /** One file, or that of the NPU and that of the GPU. */
  readonly paths: readonly string[]
  /** Which msprobe wrote it, and whether it says so. */
  readonly generation: PrecheckGeneration | null
  /** Of a comparison: whether its files tell of which generation they are, and the usual limits; null of other tables. */
  readonly judging: { readonly told: boolean; readonly limits: Readonly<Record<VerdictLimit, number>> } | null
  readonly rows: number
  readonly states: VerdictCounts
  /** Rows whose call is in the open dump; null where none is open. */
  readonly joined: number | null
}

/** What a list leaves out: all are given where nothing is. */
export interface VerdictFilter {
  readonly states: readonly VerdictState[]
  readonly by: 'api' | 'standard'
  /** One API or standard; null for all. */
  readonly group: string | null
  /** Part of a name. */
  readonly text: string
}

export interface VerdictGroup {
  readonly key: string
  readonly rows: number
  readonly states: VerdictCounts
}

export interface VerdictLine {
  readonly table: number
  readonly row: number
  readonly name: string
  readonly state: VerdictState
  /** As the file has it. */
  readonly status: string
  readonly standard: VerdictStandard | null
  /** What decided, the first of several. */
  readonly check: VerdictCheck | null
  readonly reason: VerdictReason | null
}

export interface VerdictPage {
  readonly total: number
  /** Of all rows that group and text leave. */
  readonly states: VerdictCounts
  /** Of all rows that states and text leave, the worst first. */
  readonly groups: readonly VerdictGroup[]
  readonly lines: readonly VerdictLine[]
}

/** Both values of an output that failed, as the tool kept them. */
export interface SavedPair {
  readonly name: string
  readonly device: string
  readonly bench: string
}

export interface VerdictDetail extends VerdictLine {
  readonly deviceType: string
  readonly benchType: string
  readonly shape: string
  readonly checks: readonly VerdictCheck[]
  /** As the file has them. */
  readonly texts: readonly string[]
  /** The call in the open dump; null where it is not there. */
  readonly at: NodeRef | null
  readonly saved: readonly SavedPair[]
}
