// What one output is worth: each metric against its limit, by one of the standards.
import type { VerdictWish } from '../model/index.ts'
import type { Details } from './details.ts'
import { type MetricId, metricTitles } from './metrics.ts'
import {
  balanceLimitOf,
  floorOf,
  isFloat8,
  levelOf,
  limits,
  metricsOf,
  type PrecheckGeneration,
  ratioLimits,
  type Standard,
} from './standards.ts'

export type CheckVerdict = 'pass' | 'error'

/** One metric of one output. */
export interface Check {
  readonly metric: MetricId
  readonly npu: number
  /** Null where the GPU is not asked. */
  readonly gpu: number | null
  readonly ratio: number | null
  /** What the ratio is taken against where the GPU's error is smaller. */
  readonly floor: number | null
  /** What has to be kept to; null where the metric decides nothing alone. */
  readonly limit: number | null
  /** Null where the two sides cannot be compared at all. */
  readonly verdict: CheckVerdict | null
  /** Whether it counts for the output. */
  readonly counted: boolean
  /** Whether NaN or infinities stand on both sides alike, or not. */
  readonly odd: 'alike' | 'unlike' | null
}

export interface Judgement {
  readonly standard: Standard
  readonly checks: readonly Check[]
  readonly verdict: CheckVerdict
  readonly message: string
}

/** A cell that a standard needs is blank, or cannot be read: there is nothing to judge by. */
export class UnusableCell extends Error {
  readonly metric: MetricId
  readonly side: 'npu' | 'gpu'
  constructor(metric: MetricId, side: 'npu' | 'gpu') {
    super(`${metricTitles[metric]}: no usable cell in the ${side.toUpperCase()} details`)
    this.metric = metric
    this.side = side
  }
}

/** Both sides of one output. */
export interface OutputPair {
  readonly npu: Details
  readonly npuRow: number
  readonly gpu: Details
  readonly gpuRow: number
  readonly api: string
  readonly dtype: string
}

export interface JudgeRules {
  readonly generation: PrecheckGeneration
  /** In place of those of the generation. */
  readonly limits?: VerdictWish['limits']
  /** A blank cell counts as 0 in ratios, as in 26. */
  readonly blankIsZero: boolean
}

class Cells {
  readonly #pair: OutputPair
  readonly #blankIsZero: boolean
  constructor(pair: OutputPair, blankIsZero: boolean) {
    this.#pair = pair
    this.#blankIsZero = blankIsZero
  }
  of(side: 'npu' | 'gpu', metric: MetricId): number {
    const { npu, npuRow, gpu, gpuRow } = this.#pair
    const cell = side === 'npu' ? npu.metric(npuRow, metric) : gpu.metric(gpuRow, metric)
    if (cell !== null) return cell
    if (this.#blankIsZero) return 0
    throw new UnusableCell(metric, side)
  }
}

export function judgeOutput(pair: OutputPair, standard: Standard, rules: JudgeRules): Judgement {
  const cells = new Cells(pair, rules.blankIsZero && (standard === 'benchmark' || standard === 'ulp'))
  const judged = standardsTable[standard](pair, cells, rules)
  return { standard, ...judged }
}

type Judged = Omit<Judgement, 'standard'>
type Judge = (pair: OutputPair, cells: Cells, rules: JudgeRules) => Judged

const worst = (checks: readonly Check[]): CheckVerdict =>
  checks.some(({ verdict, counted }) => counted && verdict === 'error') ? 'error' : 'pass'

/** Of numbers of which one is NaN or infinite: whether both are alike. */
function oddness(npu: number, gpu: number): Check['odd'] {
  if (Number.isFinite(npu) && Number.isFinite(gpu)) return null
  return Object.is(npu, gpu) ? 'alike' : 'unlike'
}

/** A metric that stands for itself: the GPU is not asked. */
const alone = (metric: MetricId, npu: number, limit: number, good: boolean): Check => ({
  metric,
  npu,
  gpu: null,
  ratio: null,
  floor: null,
  limit,
  verdict: good ? 'pass' : 'error',
  counted: true,
  odd: null,
})

function ratioCheck(
  metric: keyof ReturnType<typeof ratioLimits>,
  pair: OutputPair,
  cells: Cells,
  limit: number,
): Check {
  const [npu, gpu] = [cells.of('npu', metric), cells.of('gpu', metric)]
  const odd = oddness(npu, gpu)
  const floor = floorOf(pair.dtype)
  const ratio = odd === null ? Math.abs(npu) / Math.max(Math.abs(gpu), floor) : NaN
  const good = odd === null ? ratio <= limit : odd === 'alike'
  // How errors lean is shown, and left out of the answer.
  return {
    metric,
    npu,
    gpu,
    ratio,
    floor,
    limit,
    odd,
    verdict: good ? 'pass' : 'error',
    counted: metric !== 'balance',
  }
}

const ratioTexts: Partial<Record<MetricId, string>> = {
  smallShare: '小值域错误比值',
  rmse: '均方根误差比值',
  maxRelative: '相对误差最大值比值',
  meanRelative: '相对误差平均值比值',
}
const oddText = ({ metric, odd }: Check): string =>
  odd === null ? '' : `${metricTitles[metric]}${odd === 'alike' ? '同为同号inf或nan' : 'inf或nan不一致'}\n`

const benchmark: Judge = (pair, cells, { generation, limits: own }) => {
  const limit = { ...ratioLimits(levelOf(pair.api, generation)), ...own }
  const metrics = ['smallShare', 'rmse', 'maxRelative', 'meanRelative', 'balance'] as const
  const checks = metrics.map(metric => ratioCheck(metric, pair, cells, limit[metric]))
  const failed = checks.filter(({ verdict, counted }) => counted && verdict === 'error')
  const message =
    checks.map(oddText).join('') +
    failed.map(({ metric }) => `ERROR: ${ratioTexts[metric]}超过阈值\n`).join('')
  return { checks, verdict: worst(checks), message }
}

const rates = (cells: Cells): Check[] =>
  metricsOf.absolute.map(metric => {
    const npu = cells.of('npu', metric)
    return alone(metric, npu, 0, npu === 0)
  })
const rateTexts = (checks: readonly Check[], end: string, between = ''): string =>
  checks
    .filter(({ verdict }) => verdict === 'error')
    .map(({ metric }) => `ERROR: ${metricTitles[metric]}超过阈值${end}`)
    .join(between)

const absolute: Judge = (_, cells) => {
  const checks = rates(cells)
  return { checks, verdict: worst(checks), message: rateTexts(checks, '') }
}

const accumulative: Judge = (pair, cells) => {
  const three = rates(cells)
  const npu = cells.of('npu', 'balance')
  const limit = balanceLimitOf(pair.dtype)
  const checks = [...three, alone('balance', npu, limit, npu <= limit)]
  return { checks, verdict: worst(checks), message: rateTexts(checks, '\n', '\n') }
}

const binary: Judge = (_, cells) => {
  const npu = cells.of('npu', 'binary')
  const check = alone('binary', npu, 0, npu === 0)
  return { checks: [check], verdict: worst([check]), message: rateTexts([check], '\n') }
}

const thousandth: Judge = (_, cells, rules) => {
  const npu = cells.of('npu', 'thousandth')
  const limit = rules.limits?.thousandth ?? limits.thousandth
  const check = alone('thousandth', npu, limit, npu >= limit)
  return {
    checks: [check],
    verdict: worst([check]),
    message: check.verdict === 'error' ? 'ERROR: 双千指标不达标\n' : '',
  }
}

const failedUlp = 'ERROR: ULP误差不满足标准\n'

/** Eight bits: the share alone, on the NPU alone. */
function ulpOfEight(cells: Cells, own: JudgeRules['limits']): Judged {
  const npu = cells.of('npu', 'ulpShare')
  const limit = own?.ulpShareNarrow ?? limits.ulpShare.narrow
  const check = alone('ulpShare', npu, limit, npu < limit)
  return { checks: [check], verdict: worst([check]), message: check.verdict === 'error' ? failedUlp : '' }
}

const ulp: Judge = (pair, cells, { limits: own }) => {
  if (isFloat8(pair.dtype)) return ulpOfEight(cells, own)
  const [mean, gpuMean] = [cells.of('npu', 'ulpMean'), cells.of('gpu', 'ulpMean')]
  const [share, gpuShare] = [cells.of('npu', 'ulpShare'), cells.of('gpu', 'ulpShare')]
  const floor = floorOf(pair.dtype)
  const odd = oddness(share, gpuShare)
  const ratio = odd === null ? Math.abs(share) / Math.max(Math.abs(gpuShare), floor) : NaN
  const isSingle = pair.dtype === 'torch.float32'
  const meanLimit = own?.ulpMean ?? limits.ulpMean
  const shareLimit = isSingle
    ? (own?.ulpShareSingle ?? limits.ulpShare.single)
    : (own?.ulpShareNarrow ?? limits.ulpShare.narrow)
  const comparable = ![oddness(mean, gpuMean), odd].includes('unlike')
  const good = comparable && ((isSingle && mean < meanLimit) || share < shareLimit || ratio < limits.ulpRatio)
  const checks: Check[] = [
    {
      metric: 'ulpMean',
      npu: mean,
      gpu: gpuMean,
      ratio: null,
      floor: null,
      limit: isSingle ? meanLimit : null,
      verdict: null,
      counted: false,
      odd: oddness(mean, gpuMean),
    },
    {
      metric: 'ulpShare',
      npu: share,
      gpu: gpuShare,
      ratio,
      floor,
      limit: shareLimit,
      verdict: comparable ? (good ? 'pass' : 'error') : null,
      counted: true,
      odd,
    },
  ]
  return {
    checks,
    verdict: good ? 'pass' : 'error',
    message: checks.map(oddText).join('') + (good ? '' : failedUlp),
  }
}

const standardsTable: Readonly<Record<Standard, Judge>> = {
  benchmark,
  absolute,
  accumulative,
  binary,
  thousandth,
  ulp,
}
