// Where the parts of a run lie below its data folder, in both layouts of precision_tool.
import { join } from '../../io/index.ts'

const folders = {
  r1: {
    graph: 'npu/debug_0/graph',
    dump: 'npu/debug_0/dump',
    overflow: 'overflow/dump',
    fusion: 'fusion',
    reference: 'tf/dump',
    debugger: 'tf/tf_debug',
    meta: 'tf/graph',
    checkpoints: 'tf/checkpoints',
    names: 'temp/tf_tensor_names.txt',
    commands: 'temp/tf_tensor_cmd.txt',
  },
  r0: {
    graph: 'graph/all',
    dump: 'dump/npu/all',
    overflow: 'dump/overflow',
    fusion: 'fusion',
    reference: 'dump/cpu',
    debugger: 'dump/tf_debug',
    meta: 'graph/cpu',
    checkpoints: 'graph/cpu',
    names: 'dump/cpu_tf_tensor_names.txt',
    commands: 'dump/cpu_tf_tensor_cmd.txt',
  },
} as const

export const dataLayouts = ['r1', 'r0'] as const
export type DataLayout = (typeof dataLayouts)[number]
export type DataFolders = { readonly [Part in keyof (typeof folders)['r1']]: string }

export const dataFolders = (root: string, layout: DataLayout): DataFolders => {
  const of = folders[layout]
  return {
    graph: join(root, of.graph),
    dump: join(root, of.dump),
    overflow: join(root, of.overflow),
    fusion: join(root, of.fusion),
    reference: join(root, of.reference),
    debugger: join(root, of.debugger),
    meta: join(root, of.meta),
    checkpoints: join(root, of.checkpoints),
    names: join(root, of.names),
    commands: join(root, of.commands),
  }
}
