// What paths hold, as a plan: which dumps, of which steps and ranks, and which of two sides belong together.
export { type CompareJson, readCompareJson } from './compare-json.ts'
export { completes, dumpsIn, holdsValues, isVerdicts, planOf } from './given.ts'
export {
  graphPlan,
  graphShardOf,
  isRun,
  type GraphPlan,
  type GraphUnit,
  type GraphUnitRef,
} from './graph-plan.ts'
export { readMapping, readMappingFile } from './mapping-file.ts'
export {
  dumpFormatOf,
  formatOf,
  noUnits,
  type Dialect,
  type GivenValues,
  type Plan,
  type Ranges,
  type Shard,
  shardOf,
  type UnitRef,
  within,
} from './plan.ts'
