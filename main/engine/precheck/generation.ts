// Which generation of the tool wrote a details file: the two judge otherwise, and fill other cells.
import { problem, Refusal } from '../model/index.ts'
import { type Details, outputName } from './details.ts'
import type { MetricId } from './metrics.ts'
import { isFloat, isFloat8, listedStandard, type PrecheckGeneration } from './standards.ts'

const only12: readonly MetricId[] = ['ulpShare', 'binary', 'thousandth']

/** 1.2.2 measures these in another way; both generations know of these alone for certain. */
const hasNoRmseIn12 = (api: string): boolean =>
  api === 'relu' || ['ulp', 'thousandth', 'absolute'].includes(listedStandard(api) ?? '')

/** What one row speaks for; null where both would have written it. */
function evidenceOf(details: Details, row: number): PrecheckGeneration | null {
  const dtype = details.fact(row, 'dtype')
  if (isFloat8(dtype)) return '26'
  if (!isFloat(dtype)) return null
  const api = outputName(details.fact(row, 'name'))?.api ?? ''
  const filled = (metric: MetricId): boolean => details.metric(row, metric) !== null
  if (filled('rmse')) return hasNoRmseIn12(api) ? '26' : null
  // An 8-bit input makes 26 judge by rates as well: they speak for nobody.
  return only12.some(filled) ? '1.2.2' : null
}

/** The spelling of a warning: of little weight, where nothing else speaks. */
function hintOf(details: Details, row: number): PrecheckGeneration | null {
  const status = details.fact(row, 'status')
  if (status === 'Warning') return '1.2.2'
  return status === 'warning' ? '26' : null
}

/** Null where nothing speaks for one of them. */
export function generationOf(details: Details): PrecheckGeneration | null {
  for (const speaks of [evidenceOf, hintOf]) {
    const found = new Set<PrecheckGeneration>()
    for (let row = 0; row < details.length && found.size < 2; row++) {
      const one = speaks(details, row)
      if (one) found.add(one)
    }
    if (found.size > 1 && speaks === evidenceOf)
      throw new Refusal(problem('precheck-mixed-file', details.path))
    const [only, other] = found
    if (only && !other) return only
  }
  return null
}

/** Of both sides together; two generations are refused. */
export function generationOfPair(npu: Details, gpu: Details): PrecheckGeneration | null {
  const [mine, theirs] = [generationOf(npu), generationOf(gpu)]
  if (mine && theirs && mine !== theirs)
    throw new Refusal(problem('precheck-mixed', npu.path, { npu: mine, gpu: theirs, other: gpu.path }))
  return mine ?? theirs
}
