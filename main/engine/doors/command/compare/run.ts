// compare: every pair of dumps that was asked for, with what is written and printed of it.
import type { TableFormat } from '../../../model/index.ts'
import type { Tools } from '../tools.ts'
import { writingOf } from '../writing.ts'
import type { Asked, Command } from '../verb.ts'
import type { CompareField, CompareFlags } from './index.ts'
import { comparePairs } from './pairs.ts'
import { printResult } from './print.ts'
import {
  adviseRequest,
  compareOutcome,
  outputOf,
  type CompareRequest,
  type CompareResult,
} from './request.ts'

type Flags = Asked<CompareFlags>['flags']

/** A share alone means one of a dataset; tables can be shared as well. */
const isDataset = ({ format, shard, xlsx }: Flags): boolean =>
  format?.includes('dataset') ?? (shard !== undefined && !xlsx)

const tablesOf = ({ format = [] }: Flags): readonly TableFormat[] =>
  format.flatMap(one => (one === 'dataset' ? [] : [one]))

const requestOf = (asked: Asked<CompareFlags>, tools: Pick<Tools, 'files'>): CompareRequest => {
  const { flags } = asked
  return {
    ...adviseRequest(asked, tools),
    verb: 'compare',
    output: outputOf(flags.output ?? ''),
    stack: flags.stack ?? false,
    dataset: isDataset(flags),
    formats: flags.xlsx
      ? [...new Set<TableFormat>(['xlsx', ...tablesOf(flags)])]
      : flags.format
        ? tablesOf(flags)
        : [writingOf(flags).table],
    chosen: Boolean(flags.xlsx || flags.format),
    rawCsv: flags.rawCsv ?? false,
    advise: !flags.compareOnly,
    across: flags.across ?? false,
  }
}

export const command: Command<CompareFlags, CompareResult, CompareField> = {
  run: (asked, tools) => comparePairs(requestOf(asked, tools), tools),
  print: printResult,
  json({ rules, counts, units, findings, across, files, failed, dataset }) {
    const unit = units.find(one => one.first)
    return {
      rules,
      counts,
      first: unit?.first ? { ...unit.first, step: unit.step, rank: unit.rank } : null,
      findings,
      across,
      units: units.map(({ advice, nodes: _nodes, ...one }) => ({
        ...one,
        headline: advice?.findings[0]?.node ?? null,
      })),
      files,
      failed,
      dataset: dataset && {
        folder: dataset.folder,
        share: dataset.share?.share ?? null,
        known: dataset.known,
        missing: dataset.merged?.summary.missing ?? null,
      },
    }
  },
  outcome: (result, { flags }) => compareOutcome(result, flags.failOn),
}
