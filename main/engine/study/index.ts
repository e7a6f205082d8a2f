// From dumps to findings: the steps of each kind of study.
export { advisorFile } from './advisor-file.ts'
export { compareDumps, type CompareSettings } from './pair/compare.ts'
export { finish } from './finished.ts'
export { type Adviser, type Snapshot, type UnitGraphs, UnitView } from './pair/derived.ts'
export { kindOf } from './kinds.ts'
export { opsMet } from './pair/recomputed.ts'
export { defaultOptions, engineOf } from './pair/settings.ts'
export { PairStudy } from './pair/study.ts'
export type { RanksData } from './ranks-data.ts'
export { noiseReader, pairAndTwins, profileAt, type NoiseKnown, type NoiseReader } from './pair/twins.ts'
export { PairUnit } from './pair/unit.ts'
export { findCall, writeRepro } from './repro.ts'
export { graphName, resultNames } from './result-names.ts'
export {
  openSources,
  type Opening,
  type SourceDumps,
  type SourcePorts,
  type UnitSource,
  unitSources,
} from './sources.ts'
export type { Emit, Study, StudyUnit, UnitEvents } from './study.ts'
export { judgedTable } from './table/judged.ts'
export { compareKernels, type KernelTable } from './table/kernel.ts'
export { mergeConfig, mergeRanks, rankOfResult, type RankResult } from './table/merge.ts'
export { infoOf, marksOf, pickedTargets, readSeries, type SeriesData, tagsOf } from './series/data.ts'
export { callOf } from './series/has-series.ts'
export { moduleCallOf } from './series/node-of.ts'
export { SeriesUnit } from './series/study.ts'
export { graphsOfUnit, type ReportWords, writeUnit } from './unit-reports.ts'
export { DatasetUnit } from './dataset/study.ts'
export { type SheetsData, sheetsInfo } from './sheets/data.ts'
export { writeSheets } from './sheets/export.ts'
export { SheetsUnit } from './sheets/study.ts'
export { VerdictsUnit } from './verdicts/study.ts'
export { writeVerdicts } from './verdicts/export.ts'
export { readVerdicts } from './verdicts/tables.ts'
