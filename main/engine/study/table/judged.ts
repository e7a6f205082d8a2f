// A finished table as a comparison with our states: what its rows say by the measure of error.
import { adviseOnFiles } from '../../advisor/index.ts'
import { openTable, type SheetTable } from '../../formats/index.ts'
import type { Comparison, Dump, Rules } from '../../model/index.ts'
import type { Measure } from '../../measure/index.ts'
import { defaultThresholds } from '../../rules/index.ts'
import type { Job } from '../../work/index.ts'
import { compareDumps } from '../pair/compare.ts'
import { engineOf } from '../pair/settings.ts'
import type { SourceDumps } from '../sources.ts'
import { storedNumbers } from './stored-numbers.ts'

export function dumpsOfTable(
  table: SheetTable,
): SourceDumps & { readonly bench: Dump; readonly measure: Measure } {
  const opened = openTable(table)
  return {
    debug: opened.debug,
    bench: opened.bench,
    given: opened.benchItem,
    measure: storedNumbers(opened),
    graph: null,
  }
}

export async function judgedTable(table: SheetTable, rules: Rules, job: Job): Promise<Comparison> {
  const { debug, bench, given, measure } = dumpsOfTable(table)
  const thresholds = defaultThresholds
  const comparison = await compareDumps(
    debug,
    bench,
    {
      ...(given && { given }),
      rules,
      fuzzy: false,
      mapping: {},
      engine: engineOf(debug),
      stack: false,
      thresholds,
    },
    { measure, job },
  )
  const { explained } = await adviseOnFiles({ comparison, thresholds }, [], job)
  return comparison.judged(thresholds, explained)
}
