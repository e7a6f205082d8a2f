// Trend databases: statistics of dumps and of a training monitor over steps and ranks, written and asked.
export { importDumps } from './dumps.ts'
export { importMonitor } from './monitor.ts'
export {
  type Fixed,
  readTrend,
  type TrendCell,
  trendCells,
  type TrendContents,
  type TrendPoint,
} from './read.ts'
export type { TrendPorts } from './store.ts'
