// The metrics of a pre-check: how its files call them.
import type { VerdictMetric } from '../model/index.ts'

/** Columns of the details file that a verdict can rest on. */
export const metricTitles = {
  smallShare: '小值域错误占比',
  rmse: '均方根误差',
  maxRelative: '相对误差最大值',
  meanRelative: '相对误差平均值',
  balance: '误差均衡性',
  nonFinite: 'inf/nan错误率',
  relative: '相对误差错误率',
  absolute: '绝对误差错误率',
  binary: '二进制一致错误率',
  ulpMean: 'ULP误差平均值',
  ulpShare: 'ULP误差大于阈值占比',
  thousandth: '双千指标',
} as const
export type MetricId = keyof typeof metricTitles

/** Metrics of the details file, those that a status of run_ut or acc_check can rest on among them. */
export const statusTitles: Readonly<Record<Exclude<VerdictMetric, 'meanAbsolute'>, string>> = {
  ...metricTitles,
  cosine: '余弦相似度',
  maxAbsolute: '最大绝对误差',
  hundredth: '双百指标',
  tenThousandth: '双万指标',
  ulpMax: 'ULP误差最大值',
}

/** Columns that say what a row is about, and what run_ut thought of it. */
export const factTitles = {
  name: 'API Name',
  dtype: 'DEVICE Dtype',
  benchDtype: 'Bench Dtype',
  shape: 'Shape',
  status: 'Status',
  message: 'Message',
} as const
export type FactId = keyof typeof factTitles

/** Columns of the details that a compare writes; `text` where a number has none. */
export const verdictColumns: readonly {
  readonly metric: MetricId
  readonly number: string | null
  readonly ratio?: string
  readonly verdict: string | null
}[] = [
  { metric: 'smallShare', number: null, ratio: '小值域错误比值', verdict: '小值域判定结果' },
  { metric: 'rmse', number: null, ratio: '均方根误差比值', verdict: '均方根误差判定结果' },
  { metric: 'maxRelative', number: null, ratio: '相对误差最大值比值', verdict: '相对误差最大值判定结果' },
  { metric: 'meanRelative', number: null, ratio: '相对误差平均值比值', verdict: '相对误差平均值判定结果' },
  { metric: 'balance', number: null, ratio: '误差均衡性比值', verdict: '误差均衡性判定结果' },
  { metric: 'nonFinite', number: 'inf/nan错误率', verdict: 'inf/nan判定结果' },
  { metric: 'relative', number: '相对误差错误率', verdict: '相对误差判定结果' },
  { metric: 'absolute', number: '绝对误差错误率', verdict: '绝对误差判定结果' },
  { metric: 'binary', number: '二进制一致错误率', verdict: '二进制一致错误率判定结果' },
  { metric: 'ulpMean', number: 'ULP误差平均值', verdict: null },
  {
    metric: 'ulpShare',
    number: 'ULP误差大于阈值占比',
    ratio: 'ULP误差大于阈值占比比值',
    verdict: 'ULP误差判定结果',
  },
  { metric: 'thousandth', number: '双千指标', verdict: '双千指标判定结果' },
]

export const resultTitles = ['API Name', 'Forward Test Success', 'Backward Test Success', 'Message'] as const
