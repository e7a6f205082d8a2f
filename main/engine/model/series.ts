// Values over steps and ranks as the window asks for them.
import type { SeriesViewName } from './names.ts'

export interface SeriesMetricInfo {
  /** As the tool calls it; '' for the gradients of a probe. */
  readonly name: string
  /** Which run, from 1 on; 0 where there is but one. */
  readonly run: number
  readonly stats: readonly string[]
  /** Both sides have it. */
  readonly both: boolean
  readonly ranks: readonly number[]
  readonly steps: readonly number[]
  readonly targets: number
}

export interface SeriesInfo {
  readonly holds: 'gradients' | 'monitor'
  readonly metrics: readonly SeriesMetricInfo[]
}

/** Which values. */
export interface SeriesPick {
  readonly metric: number
  readonly stat: string
  readonly view: SeriesViewName
}

/** A picture of values; blocks of cells where there are more of them than asked for. */
export interface SeriesMap {
  /** Where each column and row begins, and one more. */
  readonly columns: Int32Array
  readonly rows: Int32Array
  readonly across: 'step' | 'rank'
  readonly down: 'rank' | 'target'
  /** Steps or ranks of the columns. */
  readonly x: Float64Array
  /** What the rows are called, by the first of each block. */
  readonly y: readonly string[]
  /** Of each block what is furthest from usual. */
  readonly values: Float32Array
  readonly kinds: Uint8Array
  /** Of the finite values; NaN where there are none. */
  readonly low: number
  readonly high: number
}

export interface SeriesLine {
  readonly rank: number
  readonly target: string
  readonly steps: Float64Array
  readonly values: Float64Array
  readonly kinds: Uint8Array
}

export interface SeriesLimits {
  /** Of signs: a similarity below this at the first step, a fall by more than that. */
  readonly first: number
  readonly drop: number
  /** Of a monitor: share above the history. */
  readonly threshold: number
}

export interface SeriesMark {
  readonly metric: number
  readonly stat: string
  readonly rank: number
  readonly step: number
  readonly target: string
  readonly why: 'first' | 'drop' | 'jump' | 'nan'
  readonly value: number
  /** The step before; null where that says nothing. */
  readonly before: number | null
}

export interface SeriesMarks {
  /** The earliest, in backward order within a step; not all where there are many. */
  readonly marks: readonly SeriesMark[]
  readonly count: number
}
