// Writes what the window asks for of one unit; tables go through the same writers as on the command line.
import type { Unit as UnitPlace } from './formats/detect.ts'
import { openOutput } from './io/output.ts'
import type { Job } from './job.ts'
import { problem, Refusal } from './problem.ts'
import { tableFormats, writeComparison, type TableFormat } from './report/index.ts'
import { stampOf } from './report/names.ts'
import type { UnitView } from './unit.ts'
import type { ReportFormat } from '../../preload/contract/engine.ts'

const isTable = (format: ReportFormat): format is TableFormat => (tableFormats as readonly string[]).includes(format)

export async function writeUnit(at: UnitView, place: UnitPlace, format: ReportFormat, folder: string, job: Job): Promise<{ readonly paths: readonly string[] }> {
  const { comparison } = at.loaded
  const output = openOutput(folder, [place.debug, place.bench].filter(dir => dir !== ''), true)
  try {
    const suffix = place.rank === null ? '' : `_rank${place.rank}-rank${place.rank}`
    const facts = { rules: comparison.rules, mode: comparison.mode, debug: comparison.debug.files.dump, bench: comparison.bench.files.dump }
    if (isTable(format)) await writeComparison(format, comparison, `compare_result${suffix}_${stampOf(new Date())}`, output, { inert: true, facts }, job)
    else throw new Refusal(problem('option-unsupported', folder, { option: format }))
    return { paths: output.commit() }
  } finally {
    output.abandon()
  }
}
