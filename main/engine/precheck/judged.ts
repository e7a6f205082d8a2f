// Details of an NPU judged by those of a GPU, row by row, as every other table of verdicts.
import type { Rules, VerdictCheck, VerdictReason, VerdictWish } from '../model/index.ts'
import { PrecisionCompare, type PrecisionRules } from './compare.ts'
import type { Details } from './details.ts'
import { generationOfPair } from './generation.ts'
import type { Check } from './judge.ts'
import { type PrecheckGeneration, usualLimits } from './standards.ts'
import { apiNamed, callNamed, stateOf, type Verdicts } from './verdicts.ts'

/** Rules as asked for; otherwise those of the generation that wrote the details, `usual` where nothing tells which. */
export function rulesOfPair(
  asked: Rules,
  npu: Details,
  gpu: Details,
  usual: PrecheckGeneration = '26',
): PrecisionRules {
  if (asked === 'msprobe-1.2.2') return { generation: '1.2.2', exact: true }
  if (asked === 'msprobe-26') return { generation: '26', exact: true }
  return { generation: generationOfPair(npu, gpu) ?? usual, exact: false }
}

/** As somebody wishes, where the files do not tell it. */
function wishedRules(asked: Rules, npu: Details, gpu: Details, wish: VerdictWish): PrecisionRules {
  const rules = rulesOfPair(asked, npu, gpu)
  const told = rules.exact || generationOfPair(npu, gpu) !== null
  return { ...rules, generation: (told ? null : wish.generation) ?? rules.generation, limits: wish.limits }
}

export const asTold: VerdictWish = { generation: null, limits: {} }

export function judgedVerdicts(npu: Details, gpu: Details, asked: Rules, wish = asTold): Verdicts {
  const compare = new PrecisionCompare(npu, gpu, wishedRules(asked, npu, gpu, wish))
  const outcome = (row: number): string => compare.outcome(row)
  return {
    holds: 'judged',
    paths: [npu.path, gpu.path],
    generation: compare.rules.generation,
    judging: {
      told: asked !== 'plumbline' || generationOfPair(npu, gpu) !== null,
      limits: usualLimits,
      by: other => judgedVerdicts(npu, gpu, asked, other),
    },
    length: compare.length,
    name: row => compare.name(row),
    api: row => apiNamed(compare.name(row)),
    call: row => callNamed(compare.name(row)),
    status: outcome,
    state: row => stateOf(outcome(row)),
    standard: row => compare.standard(row),
    checks: row => (compare.judgement(row)?.checks ?? []).map(checkOf).sort((a, b) => rank(a) - rank(b)),
    reason: row => reasonOf(compare, row),
    texts(row) {
      const told = compare.message(row)
      return told === '' ? [] : [told]
    },
    types: row => compare.types(row),
  }
}

/** What decided goes first, and what was only looked at last. */
const rank = ({ counted, verdict }: VerdictCheck): number =>
  counted && verdict === 'error' ? 0 : counted ? 1 : 2

/** These have to be as large as their limit; all others at most. */
const checkOf = ({ metric, npu, gpu, ratio, floor, limit, verdict, counted, odd }: Check): VerdictCheck => ({
  metric,
  npu,
  gpu,
  ratio,
  floor,
  limit: limit === null ? null : limitOf({ metric, npu, ratio }, limit),
  verdict: verdict ?? '',
  counted,
  odd,
})

/** Of the steps of a type the share has the limit, and the ratio is another way to pass. */
function limitOf({ metric, npu, ratio }: Pick<Check, 'metric' | 'npu' | 'ratio'>, value: number) {
  const of = ratio === null || metric === 'ulpShare' ? 'npu' : 'ratio'
  return { of, sign: signOf(metric, of === 'npu' ? npu : (ratio ?? npu), value), value } as const
}

function signOf(metric: Check['metric'], value: number, limit: number): '≤' | '<' | '>' | '≥' {
  if (metric === 'thousandth') return value >= limit ? '≥' : '<'
  return value > limit ? '>' : '≤'
}

function reasonOf(compare: PrecisionCompare, row: number): VerdictReason | null {
  if (compare.outcome(row) === 'missing')
    return { why: compare.npuRow(row) < 0 ? 'missing-npu' : 'missing-gpu' }
  return compare.outcome(row) === 'SKIP' ? compare.skipped(row) : null
}
