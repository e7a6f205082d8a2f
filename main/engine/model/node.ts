// One node as it is shown: its items on both sides, stack, peers.
import type { PairRow, UnitIndex } from './ids.ts'
import type { Side } from './names.ts'
import type { Problem } from './problem.ts'
import type { Reason } from './reason.ts'

/** Names outlive row numbers: a node is named by its key on each side. At least one is given. */
export interface NodeRef {
  readonly debug?: string
  readonly bench?: string
}

/**
 * One item (tensor or scalar) of a node, both sides. Texts as the files have them; '' where a side has
 * nothing.
 */
export interface ItemDetail {
  readonly row: PairRow
  readonly part: 'input' | 'output' | 'parameters' | 'parameters_grad'
  readonly debug: ItemSide | null
  readonly bench: ItemSide | null
  /** `RowState`. */
  readonly state: number
  /** Error level in [0, 1]; NaN when unknown. */
  readonly level: number
  /** What decided so; null where nothing is compared with. */
  readonly reason: Reason | null
  readonly fill: number
  /** Metric cells by column id; none of two values that were compared directly. */
  readonly cells: readonly { readonly id: string; readonly title: string; readonly text: string }[]
  /** What wrote this input, or reads this output, by inferred dataflow. */
  readonly links: readonly {
    readonly node: string
    readonly item: string
    readonly by: string
    readonly sure: boolean
    readonly side: Side
  }[]
}

export interface ItemSide {
  readonly name: string
  readonly dtype: string
  readonly shape: string
  readonly max: string
  readonly min: string
  readonly mean: string
  readonly norm: string
  /** What is no tensor, as it was dumped; '' of a tensor. */
  readonly value: string
  readonly md5: string
  /** Path of the tensor file, '' when there is none. */
  readonly file: string
  /** How the values lie on the device; '' where that is how they are shown. */
  readonly layout: string
}

/** A rank that a communication call talks to; `unit` is -1 where that rank is not among what was opened. */
export interface Peer {
  readonly type: 'send' | 'receive' | 'send_receive'
  readonly rank: number
  readonly unit: UnitIndex
}

/** What is known of an op besides its tensors. */
export type OpFactKey =
  | 'type'
  | 'inserted'
  | 'originals'
  | 'pass'
  | 'kernel'
  | 'kernelLib'
  | 'id'
  | 'stream'
  | 'graph'
  | 'graphFile'
  | 'dumpFile'
  | 'overflow'
  | 'provisional'
export interface OpFact {
  readonly key: OpFactKey
  readonly text: string
}

export interface Waits {
  readonly after: WaitList
  readonly before: WaitList
}

export interface WaitList {
  /** The first of them, in the order of the dump. */
  readonly names: readonly string[]
  readonly total: number
}

export interface NodeDetail {
  readonly at: NodeRef
  readonly title: string
  /** Ancestors from the root down, per side. */
  readonly path: { readonly debug: readonly string[]; readonly bench: readonly string[] }
  readonly items: readonly ItemDetail[]
  /** What else is known of the node, per side. */
  readonly facts: { readonly debug: readonly OpFact[]; readonly bench: readonly OpFact[] }
  /** Calls that it waits for, or that wait for it, without a tensor between them, per side. */
  readonly waits: { readonly debug: Waits; readonly bench: Waits }
  readonly stack: { readonly debug: readonly StackFrame[]; readonly bench: readonly StackFrame[] }
  readonly whyUnmatched: readonly Problem[]
}

export interface StackFrame {
  readonly file: string
  readonly line: number
  readonly func: string
  readonly code: string
  readonly framework: boolean
}
