// GE graphs drawn in a few words, read as they would be from their files.
import { readGraphs } from '../../main/engine/formats/ge/read.ts'
import type { GeModel } from '../../main/engine/formats/ge/model.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { type DrawnOp, graphText } from './ge-graph-text.ts'
import { folderOf } from './tensor-files.ts'

export function graphOf(...ops: readonly DrawnOp[]): Promise<GeModel> {
  const folder = folderOf({ 'ge_proto_00000001_Build.txt': new TextEncoder().encode(graphText(ops)) })
  const files = diskFiles()
  files.allow(folder)
  return readGraphs(files, [`${folder}/ge_proto_00000001_Build.txt`], job())
}
