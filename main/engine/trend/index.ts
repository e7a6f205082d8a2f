// Trend databases: statistics of dumps and of a training monitor over steps and ranks, written and asked.
export { importDumps } from './dumps.ts'
export { importMonitor } from './monitor.ts'
export { type Fixed, type TrendCell, trendCells } from './read.ts'
export type { TrendPorts } from './store.ts'
