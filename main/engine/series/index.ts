// Values over steps and ranks: gradients and their signs, a training monitor's csv files and its alerts.
export {
  compareGradients,
  type GradientPair,
  type RankSimilarity,
  similarityAt,
  summaryAt,
} from './gradients/compare.ts'
export {
  differenceStats,
  distributionStat,
  largestDifferences,
  type LargestDifference,
} from './gradients/difference.ts'
export {
  firstSuspect,
  type FirstSuspect,
  signLimits,
  type SignLimits,
  type SignSuspect,
  suspectsOf,
  weakSteps,
} from './gradients/judge.ts'
export { similaritiesCsv } from './gradients/similarities.ts'
export { type Alert, type AlertRule, alertsOf, readAlertRules, usualRules } from './monitor/alerts.ts'
export { anomaliesIn, anomalyJson, type Anomaly, rankedAnomalies } from './monitor/anomalies.ts'
export { type Monitor, type MonitorFolder, monitorAt } from './monitor/folders.ts'
export { readMonitor } from './monitor/points.ts'
export { type MonitorRow, readMonitorFile, valuesOf } from './monitor/rows.ts'
export { md5Stat, readSummaries } from './gradients/summary.ts'
export { probeAt } from './gradients/probe.ts'
export { targetOf } from './monitor/points.ts'
export * from './view.ts'
export { Points, type PointSink, type Stat } from './points.ts'
export {
  flushing,
  metricFrom,
  type MetricWriter,
  type SeriesMetric,
  SeriesStore,
  storedMetric,
  type StoredMetric,
} from './store.ts'
export { judgedOfLogs, logStat, readLines, readLog } from './logs/read.ts'
export { apartness, type Parting, partingOf, type PartLimits } from './parting.ts'
export { parallelPlan } from './parallel.ts'
export { dumpTags, monitorTags, type Tag } from './tags.ts'
export { jumpsIn, partsIn } from './judged.ts'
