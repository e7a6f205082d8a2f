// A GE graph, or the several graphs of one run, as columns: graphs, their ops, what those read, and what flows.
import type { Problem, TextPool } from '../../model/index.ts'

/** Graphs in the order of their files; ops of graph g are rows `firstOp[g]` to `firstOp[g + 1] - 1`. */
export interface GeGraphs {
  readonly length: number
  /** Text code: also the name of the folder that the graph's tensors were dumped into. */
  readonly name: Int32Array
  /** Text code of `_session_graph_id`; -1 none. */
  readonly session: Int32Array
  /** Which of `GeModel.files`. */
  readonly file: Int32Array
  readonly firstOp: Uint32Array
  /** 1 where a later file holds a graph of the same name: nothing is asked of this one. */
  readonly superseded: Uint8Array
}

/** One row per op. Text codes are -1 where there is nothing; row i of what it has many of begins at `first…[i]`. */
export interface GeOps {
  readonly length: number
  readonly name: Int32Array
  readonly type: Int32Array
  /** As in the file; 0 where it says none. */
  readonly id: Float64Array
  readonly stream: Float64Array
  readonly graph: Int32Array
  /** The fusion pass that made it. */
  readonly pass: Int32Array
  readonly kernel: Int32Array
  readonly kernelLib: Int32Array
  readonly l1Fusion: Int32Array
  /** 0 no, 1 yes, 2 not said. */
  readonly multiOp: Uint8Array
  /** 1 where the compiler put it in: it says that it stands for no op of the script. */
  readonly inserted: Uint8Array
  /** Which input of the calling op a Data op of a sub-graph is; -1 none. */
  readonly parentIndex: Int32Array
  /** Byte range in its file, with all that has no column here. */
  readonly from: Float64Array
  readonly to: Float64Array
  readonly firstInput: Uint32Array
  /** Descriptions: those of inputs, then those of outputs. */
  readonly firstDesc: Uint32Array
  readonly firstOutput: Uint32Array
  readonly firstOriginal: Uint32Array
  readonly firstSubgraph: Uint32Array
}

/** One row per edge into an op. Inputs that are not connected have none. */
export interface GeInputs {
  readonly length: number
  /** Place among the inputs of the op, those that are not connected and control edges counted. */
  readonly position: Int32Array
  /** Text code of the producer's name. */
  readonly producer: Int32Array
  /** Row of the producer in the same graph; -1 unknown. */
  readonly producerOp: Int32Array
  /** Output of the producer; -1 a control edge. */
  readonly index: Int32Array
  /** Row of its description; -1 none. */
  readonly desc: Int32Array
}

/** One row per tensor that goes into an op or comes out; text codes, -1 none. Lists are JSON texts: `[2,4]`. */
export interface GeDescs {
  readonly length: number
  readonly dtype: Int32Array
  readonly format: Int32Array
  readonly shape: Int32Array
  readonly originFormat: Int32Array
  readonly originShape: Int32Array
  readonly valueRange: Int32Array
  readonly shapeRange: Int32Array
  /** The TensorFlow tensor that this output is: op, output of it (-1 not said), layout and type there. */
  readonly source: Int32Array
  readonly sourceIndex: Int32Array
  readonly sourceFormat: Int32Array
  readonly sourceType: Int32Array
}

export interface GeModel {
  readonly files: readonly string[]
  readonly texts: TextPool
  readonly graphs: GeGraphs
  readonly ops: GeOps
  readonly inputs: GeInputs
  readonly descs: GeDescs
  /** Text codes of the ops that an op stands for (`ops.firstOriginal`) and of its sub-graphs (`ops.firstSubgraph`). */
  readonly originals: Int32Array
  readonly subgraphs: Int32Array
  /** A file ended early. */
  readonly partial: boolean
  readonly problems: readonly Problem[]
}

/** Index of a control edge. */
export const controlEdge = -1
