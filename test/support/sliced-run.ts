// A run of one operation that two threads computed, each a half of its columns: [[0, 1], [2, 3]] and [[9, 1], [2, 3]].
import path from 'node:path'
import { type DrawnOp, graphText } from './ge-graph-text.ts'
import { rawFile } from './raw-files.ts'
import { f32, npyBytes, put } from './tensor-files.ts'

export interface SlicedRun {
  readonly dump: string
  readonly reference: string
  readonly graph: string
}

/** `called`: the operation in the names of files; `ops`: its names in the graph. */
export function drawSliced(folder: string, called: string, ops: readonly string[]): SlicedRun {
  const [dump, reference, graph] = ['dump', 'tf', 'graph'].map(name => path.join(folder, name))
  const attr = JSON.stringify({ threadMode: 0, slice_instance_num: 2, outputCutList: [[1, 2]] })
  for (const [number, first] of [0, 9].entries()) {
    const slice = `${called}_lxslice${number}`
    const output = { shape: [2, 2], data: f32(first, 1, 2, 3) }
    put(
      dump,
      `Relu.${slice}.3.5.162061269400030${number}.4.7.0.0`,
      rawFile({ opName: slice, outputs: [output], attr }),
    )
  }
  put(
    reference,
    'relu.0.1620612600000000.npy',
    npyBytes({ descr: '<f4', shape: [2, 4], data: f32(0, 1, 9, 1, 2, 3, 2, 3) }),
  )
  const of = (name: string): DrawnOp => ({
    name,
    type: 'Relu',
    originals: ['relu'],
    output: [{ source: ['relu', 0] }],
  })
  put(graph, 'ge_proto_00000001_Build.txt', new TextEncoder().encode(graphText(ops.map(of))))
  return { dump, reference, graph }
}
