// Names of the files that the results of a unit are written to, as msprobe gives them.
import { stampOf } from '../report/index.ts'

export interface ResultNames {
  /** Without its ending: each format has its own. */
  readonly table: string
  readonly advisor: string
  /** Calls of a rank, with whether they differ. */
  readonly differences: string
  readonly dataMapping: string
  readonly summary: string
  readonly page: string
}

/** `suffix` tells units apart: '' or `_rank0-rank0`. */
export function resultNames(suffix: string, at = new Date()): ResultNames {
  const tail = `${suffix}_${stampOf(at)}`
  return {
    table: `compare_result${tail}`,
    differences: `compare_result${tail}.json`,
    advisor: `advisor${tail}.txt`,
    dataMapping: `data_mapping${tail}.yaml`,
    summary: `summary${tail}.json`,
    page: `report${tail}.html`,
  }
}

/** `label` tells units apart: '' or `step0_rank0`. */
export const graphName = (
  kind: 'build' | 'compare',
  label: string,
  format: 'vis' | 'vis.db',
  at = new Date(),
): string => `${[kind, label, stampOf(at)].filter(Boolean).join('_')}.${format}`
