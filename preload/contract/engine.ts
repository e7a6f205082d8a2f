// What the window may ask of the engine, and what the engine tells the window, one file per area. Questions and
// answers are small: a megabyte at most.
import type { SessionApi } from './session.ts'
import type { GridApi } from './grid.ts'
import type { NodeApi } from './node.ts'
import type { CollectApi } from './collect.ts'
import type { FindingApi } from './finding.ts'
import type { LiveApi } from './live.ts'
import type { GraphApi } from './graph.ts'
import type { TensorApi } from './tensor.ts'
import type { MappingApi } from './mapping.ts'
import type { RanksApi } from './ranks.ts'
import type { RecomputeApi } from './recompute.ts'
import type { OverflowApi } from './overflow.ts'
import type { ReplicasApi } from './replicas.ts'
import type { ReportApi } from './report.ts'
import type { SeriesApi } from './series.ts'
import type { SheetsApi } from './sheets.ts'
import type { VerdictsApi } from './verdicts.ts'

export type * from '../../main/engine/model/shared.ts'
export {
  usualOrder,
  CellKind,
  cellStates,
  collectModes,
  colourMeasures,
  inBytes,
  layoutDimensions,
  liveStates,
  presetIds,
  reachedLimits,
  precheckGenerations,
  precheckTools,
  usualGrowth,
  usualLimit,
  verdictLimits,
  recomputedStates,
  RowState,
  rowStates,
  rulesNames,
  orderOfUnits,
  runsOf,
  seriesFixed,
  seriesLimits,
  seriesViews,
  sheetLevels,
  verdictStates,
  toolVersions,
} from '../../main/engine/model/names.ts'
export type * from './session.ts'
export type * from './grid.ts'
export type * from './node.ts'
export type * from './collect.ts'
export type * from './finding.ts'
export type * from './live.ts'
export type * from './graph.ts'
export type * from './tensor.ts'
export type * from './mapping.ts'
export type * from './ranks.ts'
export type * from './recompute.ts'
export type * from './overflow.ts'
export type * from './replicas.ts'
export type * from './report.ts'
export type * from './series.ts'
export type * from './sheets.ts'
export type * from './verdicts.ts'

export type EngineApi = SessionApi &
  GridApi &
  NodeApi &
  CollectApi &
  FindingApi &
  LiveApi &
  GraphApi &
  TensorApi &
  MappingApi &
  RanksApi &
  RecomputeApi &
  OverflowApi &
  ReplicasApi &
  ReportApi &
  SeriesApi &
  SheetsApi &
  VerdictsApi
