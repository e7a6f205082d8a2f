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

export type SeriesHolds = 'gradients' | 'monitor' | 'trend' | 'log' | 'dumps'

export interface SeriesInfo {
  readonly holds: SeriesHolds
  /** When the files were read, in ms, where that was in an earlier session and they are as they were; null: now. */
  readonly readAt: number | null
  /** Whether two logs tell hyper-parameters, which are there as a table. */
  readonly settings: boolean
  /** Of logs: the pattern that somebody has typed; '' where the kind of log was found out. */
  readonly pattern: string
  readonly metrics: readonly SeriesMetricInfo[]
}

/** A part of names, and how many targets have it. */
export interface SeriesTag {
  readonly name: string
  readonly count: number
}

/** Which values. */
export interface SeriesPick {
  readonly metric: number
  readonly stat: string
  readonly view: SeriesViewName
}

/** Part of a picture: places from one on, before another. */
export interface SeriesWindow {
  readonly x: readonly [number, number]
  readonly y: readonly [number, number]
}

/** A picture of values; blocks of cells where there are more of them than asked for. */
export interface SeriesMap {
  /** Where each column and row begins, and one more. */
  readonly columns: Int32Array
  readonly rows: Int32Array
  readonly across: 'step' | 'rank'
  readonly down: 'rank' | 'target'
  /** The first step or rank of each column, and the last. */
  readonly x: Float64Array
  readonly ends: Float64Array
  /** What the rows are called, by the first of each block. */
  readonly y: readonly string[]
  /** Places of the whole picture, of which this may be a part. */
  readonly width: number
  readonly height: number
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
  /** Of two runs: a difference of this share at least, and so many times the largest one before. */
  readonly floor: number
  readonly factor: number
}

export interface SeriesMark {
  readonly metric: number
  readonly stat: string
  readonly rank: number
  readonly step: number
  readonly target: string
  readonly why: 'first' | 'drop' | 'jump' | 'nan' | 'parts'
  readonly value: number
  /** The step before; null where that says nothing. */
  readonly before: number | null
}

export interface SeriesMarks {
  /** The earliest, in backward order within a step; not all where there are many. */
  readonly marks: readonly SeriesMark[]
  readonly count: number
}

/** Sizes by which ranks share a model. */
export interface ParallelAsked {
  readonly world: number
  readonly layers: number
  readonly tp: number
  readonly pp: number
  readonly cp: number
  readonly ep: number
  /** Layers of a virtual stage; 0 where stages are not virtual. */
  readonly perStage: number
  /** Dimensions, that of neighbouring ranks first: tp-cp-ep-dp-pp. */
  readonly order: string
}

export interface ParallelPlan {
  /** Which of the sizes do not go together. */
  readonly wrong: 'order' | 'range' | 'world' | 'ep' | 'layers' | null
  /** Stages of the pipeline, virtual ones in the order of their layers. */
  readonly stages: readonly {
    readonly stage: number
    readonly cells: readonly {
      readonly is: 'embed' | 'layers' | 'out'
      readonly from: number
      readonly to: number
    }[]
  }[]
  /** A tensor-parallel group for each data-parallel replica and part of a sequence: its ranks by stage. */
  readonly rows: readonly {
    readonly replica: number
    readonly group: number
    readonly stages: readonly (readonly number[])[]
  }[]
}
