// The picture of steps and ranks, and answers to questions over all of them.
import type { Finding } from './finding.ts'
import type { LayoutDimension } from './names.ts'
import type { Problem } from './problem.ts'
import type { BuiltInQuery } from './queries.ts'

/** How ranks share a model, and by which dimension they are put together. */
export interface RanksLayout {
  readonly tp: number
  readonly cp: number
  /** Experts are dealt out over replicas: of no matter to what is put together by the other dimensions. */
  readonly ep: number
  readonly pp: number
  /** Dimensions, the one whose neighbours are neighbouring ranks first. */
  readonly order: string
  readonly by: LayoutDimension
}

/** Cells that have the same headline. */
export interface RanksOrigin {
  readonly kind: string
  readonly variant: string
  readonly node: string
  readonly units: number
  /** The earliest of them. */
  readonly step: number | null
  readonly rank: number | null
}

/** Step by step, in each the ranks in their order: cell `step × ranks + rank`. */
export interface RanksPicture {
  readonly debug: string
  readonly bench: string
  readonly steps: readonly (number | null)[]
  readonly ranks: readonly (number | null)[]
  /** Unit of each cell; -1 where that step has no such rank. */
  readonly unit: Int32Array
  /** Places in `cellStates`. */
  readonly state: Uint8Array
  readonly rows: Float64Array
  readonly differs: Float64Array
  readonly failing: Float64Array
  /** Largest error level; NaN unknown. */
  readonly level: Float64Array
  /** Where on the line of time the error enters, from 0 to 1; NaN where nothing differs. */
  readonly position: Float64Array
  /** Of `names`; -1 for none. */
  readonly worst: Int32Array
  readonly first: Int32Array
  readonly names: readonly string[]
  /** Of `origins`; -1 for none. */
  readonly origin: Int32Array
  readonly origins: readonly RanksOrigin[]
  /** Over all steps and ranks, the headline first. */
  readonly findings: readonly Finding[]
  /** Whether more may come. */
  readonly open: boolean
}

/** One step and rank, looked at. */
export interface RanksUnit {
  readonly step: number | null
  readonly rank: number | null
  readonly debug: string
  readonly bench: string
  readonly findings: readonly Finding[]
  readonly problem: Problem | null
}

/** Ranks beside each other, layer below layer, of one step. */
export interface RanksLayers {
  readonly layers: readonly number[]
  readonly ranks: readonly (number | null)[]
  /** Layer by layer the largest error level of each rank; NaN unknown. */
  readonly level: Float64Array
}

export type AnswerCell = string | number | boolean | null

export interface RanksAnswer {
  readonly columns: readonly { readonly name: string; readonly numeric: boolean; readonly told: string }[]
  /** Column by column. */
  readonly cells: readonly (readonly AnswerCell[])[]
  readonly rows: number
  /** There are more than are shown. */
  readonly cut: boolean
  readonly ms: number
}

/** What can be asked: tables for completion, and questions that come along. */
export interface RanksAsking {
  readonly tables: readonly RanksTable[]
  readonly builtIn: readonly { readonly name: BuiltInQuery; readonly sql: string }[]
}

/** A table that can be asked. */
export interface RanksTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly told: string }[]
}
