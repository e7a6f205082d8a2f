// Where NaN and infinity enter a run: every call classified, and the order of events over all ranks.
export { anomalyText, chainOf, recordOfCall, stackOf, type AnomalyRecord } from './evidence.ts'
export { answerOf, hasAnything } from './answer.ts'
export { bandOf, CallList, type CallPartners } from './list.ts'
export type { RankPlace, RankRecord } from './record.ts'
export { type ListedCall, tableHead } from './table.ts'
export { namedBy26, type RankDump } from './reference-26.ts'
export { msprobeClasses, msprobeScenes } from './scenes-1.2.2.ts'
export { Evidence, levels, Scene, sceneNames, scenesOf } from './scenes.ts'
export { Finding, findingsIn } from './values.ts'
export { communicates, endsOf } from './communication.ts'
export {
  eachRank,
  ranksOf,
  readRank,
  readStep,
  type OverflowPorts,
  type RankOrder,
  type StepRecords,
} from './step.ts'
export { overflowTask, type RankAnswer } from './task.ts'
