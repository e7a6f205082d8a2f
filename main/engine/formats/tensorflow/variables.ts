// What the environment of a training script must say so that it dumps.
import type { DataFolders } from './data-folders.ts'

export const dumpKinds = ['npu_dump', 'npu_overflow', 'tf_dump'] as const
export type DumpKind = (typeof dumpKinds)[number]

/** Null: the variable must not be set. */
export type Variables = Readonly<Record<string, string | null>>

/** Graphs without the data of weights, of the stage that runs. */
const graphVariables = ({ graph }: DataFolders): Variables => ({
  DUMP_GE_GRAPH: '2',
  DUMP_GRAPH_LEVEL: '3',
  DUMP_GRAPH_PATH: graph,
  NPU_DUMP_GRAPH: 'true',
})

const on = 'True'

/** A script switches its configuration by the first two, with precision_tool's own import or with a snippet. */
export const dumpVariables = (kind: DumpKind, folders: DataFolders): Variables => ({
  PRECISION_TOOL_DUMP: kind === 'npu_dump' ? on : null,
  PRECISION_TOOL_OVERFLOW: kind === 'npu_overflow' ? on : null,
  ...(kind === 'tf_dump' ? {} : graphVariables(folders)),
})

/** Folders that must be there before. */
export const foldersBefore = (kind: DumpKind, folders: DataFolders): readonly string[] =>
  ({
    npu_dump: [folders.graph, folders.dump],
    npu_overflow: [folders.graph, folders.overflow],
    tf_dump: [folders.reference],
  })[kind]
