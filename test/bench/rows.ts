// From two folders to every row of their comparison, as the engine does it in the app and on the command
// line.
import { dumpFilesOf, readDump } from '../../main/engine/formats/msprobe/read.ts'
import { diskFiles, type Files } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { compareDumps } from '../../main/engine/study/pair/compare.ts'
import { defaultThresholds } from '../../main/engine/rules/thresholds.ts'
import type { Measure } from '../../main/engine/measure/remembered.ts'
import type { Comparison } from '../../main/engine/model/comparison.ts'

export async function rowsOf(
  folders: readonly [string, string],
  engine: 'pytorch' | 'mindspore',
  measureWith: (files: Files) => Measure,
): Promise<Comparison> {
  const files = diskFiles()
  for (const folder of folders) files.allow(folder)
  const work = job()
  const [debug, bench] = [
    await readDump(files, dumpFilesOf(files, folders[0]), work),
    await readDump(files, dumpFilesOf(files, folders[1]), work),
  ]
  return compareDumps(
    debug,
    bench,
    { rules: 'plumbline', engine, fuzzy: false, mapping: {}, stack: 'auto', thresholds: defaultThresholds },
    { job: work, measure: measureWith(files) },
  )
}
