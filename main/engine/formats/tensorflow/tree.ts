// What a folder of a TensorFlow run holds. Plain data: it can be sent to a thread or kept for another run.
import type { Problem } from '../../model/index.ts'

/**
 * How it lies: precision_tool as it was published last (r1) and in the state of 2021 (r0), the output of
 * msquickcmp, or folders that stand for themselves.
 */
export type TreeLayout = 'r1' | 'r0' | 'msquickcmp' | 'loose'

/** A text graph of GE, or the same as JSON. */
export interface GeGraphFile {
  readonly path: string
  readonly name: string
  readonly form: 'text' | 'json'
  /** Of its name; -1 and '' of a JSON graph that is called otherwise. */
  readonly counter: number
  readonly stage: string
  readonly size: number
  readonly modified: number
}

/** A folder that holds the raw dumps of one step. */
export interface DumpFolder {
  readonly path: string
  /** What the path says, null where it does not say it. */
  readonly device: number | null
  /** The graph's own name, by which its graph file is found; '' where the path does not say it. */
  readonly graph: string
  readonly model: number | null
  readonly step: number | null
  /**
   * Raw dumps by file name, overflow records among them, in the order of their names; where there are none, the
   * arrays that were decoded from some, as the way from here.
   */
  readonly files: readonly string[]
  /** `.csv` with statistics instead of values. */
  readonly summaries: readonly string[]
  /** Names that were too long for the disk: what the file is called, and what it should be. */
  readonly renamed: readonly (readonly [file: string, name: string])[]
}

/** What one execution of the program dumped. */
export interface DumpRun {
  readonly path: string
  /** Its time as the folder is called; '' where there is no such folder. */
  readonly name: string
  readonly folders: readonly DumpFolder[]
}

/** A run under test: debug_0, debug_1, or a folder that stands for itself. */
export interface NpuSide {
  readonly name: string
  readonly path: string
  /** In the order of their counters. */
  readonly graphs: readonly GeGraphFile[]
  /** The newest first: that one is meant unless the user says otherwise. */
  readonly runs: readonly DumpRun[]
}

/** A folder of npy files: tensors of the reference, or tensors that were decoded from raw dumps. */
export interface ArrayFolder {
  readonly path: string
  readonly files: readonly string[]
  readonly renamed: DumpFolder['renamed']
}

/** Tables of one comparison of all tensors, as msaccucmp writes them. */
export interface ResultRun {
  readonly path: string
  readonly files: readonly string[]
}

export interface TensorFlowTree {
  readonly root: string
  readonly layout: TreeLayout
  /** The folder that the layout describes: `root`, or one below or above it. */
  readonly base: string
  readonly npu: readonly NpuSide[]
  /** TensorFlow's own tensors, from CPU or GPU. */
  readonly reference: readonly ArrayFolder[]
  readonly decoded: readonly ArrayFolder[]
  /** Overflow detection, the newest run first. */
  readonly overflow: readonly DumpRun[]
  /** fusion_result.json files. */
  readonly fusion: readonly string[]
  /** TensorFlow's own graphs, the newest first. */
  readonly metas: readonly string[]
  /** The newest first. */
  readonly results: readonly ResultRun[]
  /** Folders with dumps of TensorFlow's debugger that were not turned into npy yet. */
  readonly debuggerRuns: readonly string[]
  readonly problems: readonly Problem[]
}
