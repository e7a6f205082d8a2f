// From two folders to every row of their comparison, as the engine does it in the app and on the command line.
import { dumpFilesOf, readDump } from '../../main/engine/formats/msprobe.ts'
import { diskFiles, type Files } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/job.ts'
import { compareDumps, defaultThresholds } from '../../main/engine/match/index.ts'
import type { Measure } from '../../main/engine/metrics/remembered.ts'
import type { Comparison } from '../../main/engine/result.ts'

export async function rowsOf(folders: readonly [string, string], engine: 'pytorch' | 'mindspore', measureWith: (files: Files) => Measure): Promise<Comparison> {
  const files = diskFiles()
  for (const folder of folders) files.allow(folder)
  const work = job()
  const [debug, bench] = [await readDump(files, dumpFilesOf(files, folders[0]), work), await readDump(files, dumpFilesOf(files, folders[1]), work)]
  return compareDumps(debug, bench, { rules: 'plumbline', engine, fuzzy: false, mapping: {}, stack: 'auto', thresholds: defaultThresholds }, { files, job: work, measure: measureWith(files) })
}
