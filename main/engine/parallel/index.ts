// Ranks that hold one model together, put together to the dump that a single rank would have made.
export { groupsOf, type RankGroup, type Seat } from './groups.ts'
export { isMerged, mergeDumps, type MergedDump, type Shard } from './merge.ts'
export { readRules, type SharingRule, usualRules } from './rules.ts'
export { settle } from './settle.ts'
export type { JoinTensors } from './tensors.ts'
