// Graphs as they are drawn: boxes, edges, strip, legend, lists.
import type { Made } from './noise.ts'
import type { PairRow } from './ids.ts'
import type { Colours, Side } from './names.ts'
import type { NodeRef } from './node.ts'
import type { OverflowStatus } from './op-debug.ts'
import type { Problem } from './problem.ts'

export interface SceneSide {
  /** What is open on this side, by node id. The root is always open. */
  readonly open: readonly string[]
  /** The part of the drawing that is needed, in layout units. */
  readonly top: number
  readonly bottom: number
}

/** What is open and needed on both sides. */
export interface SceneSides {
  readonly debug: SceneSide
  readonly bench: SceneSide | null
  /** Views and hooks too, which only pass on; they are drawn where nothing is said. */
  readonly plumbing?: boolean
}

export type NodeShape = 'module' | 'api' | 'group' | 'fused'

/** Whether the error enters in a node, or in one that lies in it. */
export type OriginMark = 'none' | 'inside' | 'here'

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
  /** Bucket of its colour 0…5, -1 no measure, -2 no partner, -3 rows that cannot be compared. */
  readonly bucket: number
  /** Rows that differ, in this node and below. */
  readonly differing: number
  /** Its own rows, or those of its partner. */
  readonly own: {
    readonly rows: number
    readonly differs: number
    /** Largest error, NaN where none is known. */
    readonly level: number
  }
  /** Error that arrived, and what was made here; null where nothing is known, and on the bench. */
  readonly made: Pick<Made, 'arrived' | 'made'> | null
  readonly origin: OriginMark
  readonly dim: boolean
  /** Counterpart on the other side, '' when none. */
  readonly partner: string
  /** What the device recorded of it and of what lies in it; null where it recorded nothing. */
  readonly overflow: BoxOverflow | null
}

export interface BoxOverflow {
  readonly records: number
  /** Each once, a few of them. */
  readonly meanings: OverflowStatus['meanings']
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
  /**
   * How the edge was inferred (`graph`: the dump tells it; `control`: it does, and no tensor goes along, so that
   * there are no items), and whether there was no other candidate.
   */
  readonly by: string
  readonly sure: boolean
  /** How far the tensor is off: a bucket of the error level, and the level itself, NaN where none is known. */
  readonly bucket: number
  readonly level: number
}

/** How a dump's edges are known: told by its graph, or inferred from equal data. */
export type EdgesFrom = 'graph' | 'data'

/** A piece of the dataflow of one side; positions are made by whoever draws it. */
export interface FlowDrawing {
  readonly nodes: readonly {
    readonly id: string
    readonly label: string
    readonly bucket: number
    readonly origin: boolean
    readonly backward: boolean
    readonly inside: boolean
  }[]
  readonly edges: readonly FlowEdge[]
  /** There is more than was asked for. */
  readonly cut: boolean
  readonly known: EdgesFrom
}

/** The whole run as a strip. */
export interface Strip {
  readonly debug: StripSide
  readonly bench: StripSide | null
}

export interface StripSide {
  /** Worst bucket per slot of execution order. */
  readonly bucket: Int8Array
  /** The fraction in [0,1] at which a slot begins. */
  readonly position: Float64Array
  /** Where the error enters, as such a fraction; -1 where that is not known. */
  readonly origin: number
  /** Where the nodes stand that were asked for, as such fractions. */
  readonly noted: Float64Array
}

export interface Legend {
  /** What the colours show. */
  readonly colours: Colours
  readonly measure: string
  /** What they could show, with what would be measured. */
  readonly choices: readonly { readonly colours: Colours; readonly measure: string }[]
  readonly buckets: readonly {
    readonly bucket: number
    readonly from: number
    readonly to: number
    readonly count: number
  }[]
  readonly unmatchedDebug: number
  readonly unmatchedBench: number
  /** Nodes of which no row can be compared. */
  readonly incomparable: number
  /** Nodes of which the device recorded that they overflowed. */
  readonly overflowed: number
  readonly edges: EdgesFrom
}

/** Where a step leads to: a node, and its row that is worth a look (-1: none). */
export interface Walked {
  readonly at: NodeRef
  readonly row: PairRow
}

/**
 * Lists for walking through nodes: what differs, modules behind what lies in them, what has no partner on each
 * side, and what overflowed by the records of the device, in their order.
 */
export type NodeList = 'differing' | 'unmatched-debug' | 'unmatched-bench' | 'overflowed'

export interface ListedNode {
  readonly at: NodeRef
  readonly label: string
  /** Ids of the ancestors are not sent; this is the label of the parent. */
  readonly parent: string
  readonly bucket: number
  readonly differing: number
  readonly origin: boolean
  readonly backward: boolean
  /** Why an unmatched node found no partner; empty otherwise. */
  readonly why: readonly Problem[]
}

export interface NodePage {
  readonly total: number
  readonly nodes: readonly ListedNode[]
  /** Why the nodes of the whole list have no partner, the most frequent reason first. */
  readonly reasons: readonly { readonly code: Problem['code']; readonly count: number }[]
}

export interface SearchHit {
  readonly side: Side
  readonly node: string
  readonly what: 'name' | 'op' | 'type' | 'originals' | 'pass' | 'kernel' | 'stack' | 'dtype' | 'shape'
  readonly text: string
  readonly bucket: number
  readonly origin: boolean
}
