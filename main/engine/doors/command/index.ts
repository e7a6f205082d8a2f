// The door of the command line: the table of its verbs, and what they work with. Their code is loaded with them.
import { apiPrecisionCompare } from './api-precision-compare/index.ts'
import { advise } from './advise/index.ts'
import { anomalyAnalyse } from './anomaly-analyse/index.ts'
import { codeMapping } from './code-mapping/index.ts'
import { compare } from './compare/index.ts'
import { configCheck } from './config-check/index.ts'
import { configFileCheck, configFileMake, configFileSwitch } from './config-file/index.ts'
import { data2db } from './data2db/index.ts'
import { npuDump, npuOverflow, tfDump } from './dump-run/index.ts'
import { diff } from './diff/index.ts'
import { gradCompare } from './grad-compare/index.ts'
import { graph } from './graph/index.ts'
import { mapCheck, mapPropose } from './map/index.ts'
import { mergeDatasetVerb } from './merge/index.ts'
import { mergeResult } from './merge-result/index.ts'
import { monitor } from './monitor/index.ts'
import { noiseVerb } from './noise/index.ts'
import { overflowCheck } from './overflow-check/index.ts'
import { precheckVerbs } from './precheck/index.ts'
import { parseActions } from './parse/actions.ts'
import { parse } from './parse/index.ts'
import { tf } from './tf/index.ts'
import { query } from './query/index.ts'
import { recompute } from './recompute/index.ts'
import { show } from './show/index.ts'
import { runOverflowCheck } from './run-overflow-check/index.ts'
import { trainingLog } from './training-log/index.ts'
import { trend } from './trend/index.ts'
import { watch } from './watch/index.ts'
import type { Tools, ToolSettings } from './tools.ts'
import type { Verb } from './verb.ts'

export const verbs: readonly Verb[] = [
  compare,
  graph,
  advise,
  show,
  diff,
  mergeResult,
  mergeDatasetVerb,
  query,
  apiPrecisionCompare,
  configCheck,
  configFileCheck,
  configFileMake,
  configFileSwitch,
  watch,
  ...precheckVerbs,
  mapCheck,
  mapPropose,
  parse,
  ...parseActions,
  ...tf,
  tfDump,
  npuDump,
  npuOverflow,
  codeMapping,
  recompute,
  runOverflowCheck,
  gradCompare,
  monitor,
  trainingLog,
  anomalyAnalyse,
  data2db,
  trend,
  overflowCheck,
  noiseVerb,
]

export const openTools = async (settings: ToolSettings): Promise<Tools & { close(): Promise<void> }> =>
  (await import('./tools.ts')).openTools(settings)

export { openKept, type Kept } from './kept.ts'
export { wordsOf, type ProgramCall, type RunProgram } from './programs.ts'
export type { Talk } from '../../formats/index.ts'
export { problemOf } from './units.ts'
export { oneOf, toggle, UsageError } from './verb.ts'
export type { Asked, Flag, Flags, Given, Outcome, Unfinished, Verb } from './verb.ts'
export type { Page } from './tools.ts'
