// recompute: every call of a dump from its stored inputs, and what the stored outputs are worth.
import { absolute, join, openOutput } from '../../../io/index.ts'
import type { DirectionAnswer, RecomputedCall } from '../../../model/index.ts'
import {
  callPairs,
  type DetailRow,
  detailsCsv,
  type ExactArray,
  npyBytes,
  recomputeDump,
  recomputePair,
  resultCsv,
} from '../../../recompute/index.ts'
import { stampOf } from '../../../report/index.ts'
import { opsMet } from '../../../study/index.ts'
import { writeText } from '../units.ts'
import { reproFiles } from './repro.ts'
import { openOne } from '../one-dump.ts'
import type { Tools } from '../tools.ts'
import { type Asked, type Command, UsageError } from '../verb.ts'
import type { RecomputeField, RecomputeFlags } from './index.ts'
import { printBoth, printRecomputed } from './print.ts'
import { bothSummaryOf, summaryOf } from './summary.ts'

export interface Recomputed {
  readonly directions: readonly DirectionAnswer[]
  /** Of two dumps; null of one. */
  readonly both: readonly RecomputedCall[] | null
  readonly files: readonly string[]
}

export const command: Command<RecomputeFlags, Recomputed, RecomputeField> = {
  async run({ flags, paths }: Pick<Asked<RecomputeFlags>, 'flags' | 'paths'>, tools: Tools) {
    if (paths.length === 2) return recomputeBoth({ flags, paths }, tools)
    const dump = await openOne(paths[0], tools)
    if (flags.repro !== undefined)
      return { directions: [], both: null, files: reproFiles(flags.repro, flags.output, dump, tools) }
    const target = flags.output
    const arrays =
      target !== undefined && flags.npy ? arraysInto(join(absolute(target), 'float64'), dump.dir) : null
    const rows: DetailRow[] = []
    const generation = flags.rules === 'msprobe-26' ? '26' : '1.2.2'
    try {
      const directions = await recomputeDump(
        tools,
        dump,
        {
          ...(flags.limit !== undefined && { limit: flags.limit }),
          ...(flags.only !== undefined && { wanted: ({ call }) => call.includes(flags.only ?? '') }),
          ...(target !== undefined && { details: generation, onRows: found => void rows.push(...found) }),
          ...(arrays && { onArrays: arrays.add }),
        },
        tools.job,
      )
      const files = [
        ...(arrays?.end() ?? []),
        ...(target === undefined ? [] : writeTables(target, directions, rows, generation)),
      ]
      tools.written(files)
      return { directions, both: null, files }
    } finally {
      arrays?.abandon()
    }
  },
  print: ({ directions, both }, page) => (both ? printBoth(both, page) : printRecomputed(directions, page)),
  json: ({ directions, both, files }) => ({
    calls: both ?? directions,
    summary: both ? bothSummaryOf(both) : summaryOf(directions),
    files,
  }),
  outcome({ directions, both }, { flags }) {
    const failing = flags.failOn === 'warning' ? ['warning', 'error'] : ['error']
    const all = both
      ? both.flatMap(({ debug, bench }) => [debug, bench].filter(one => one !== null))
      : directions
    const found = all.some(({ outputs }) => outputs.some(({ verdict }) => failing.includes(verdict)))
    return flags.failOn && found ? 'found' : 'ran'
  },
}

/** What is written belongs to one dump. */
const ofOneDump = [
  ['output', '--output_path'],
  ['npy', '--npy'],
  ['repro', '--repro'],
  ['rules', '--rules'],
] as const

async function recomputeBoth(
  { flags, paths }: Pick<Asked<RecomputeFlags>, 'flags' | 'paths'>,
  tools: Tools,
): Promise<Recomputed> {
  for (const [flag, spelled] of ofOneDump)
    if (flags[flag] !== undefined) throw new UsageError('cli.usage.recomputePair', { flag: spelled })
  const debug = await openOne(paths[0], tools)
  const bench = await openOne(paths[1], tools)
  const sides = { debug, bench, toBench: await opsMet(debug, bench, tools.job) }
  const { only = '', limit } = flags
  const pairs = callPairs(sides).filter(
    pair => pair.debug?.call.includes(only) === true || pair.bench?.call.includes(only) === true,
  )
  const both = await recomputePair(tools, sides, pairs, limit === undefined ? {} : { limit }, tools.job)
  return { directions: [], both, files: [] }
}

/** Writes arrays as they come; they get their names together. */
function arraysInto(
  folder: string,
  dump: string,
): { readonly add: (arrays: readonly ExactArray[]) => void; end(): readonly string[]; abandon(): void } {
  const output = openOutput(folder, [dump], true)
  return {
    add(arrays) {
      for (const one of arrays) {
        const sink = output.create(`${one.item}.npy`)
        sink.write(npyBytes(one))
        sink.close()
      }
    },
    end: () => output.commit(),
    abandon: () => output.abandon(),
  }
}

/** The files of msprobe's pre-check. */
function writeTables(
  folder: string,
  directions: readonly DirectionAnswer[],
  rows: readonly DetailRow[],
  generation: '1.2.2' | '26',
): readonly string[] {
  const output = openOutput(absolute(folder), [], true)
  try {
    const stamp = stampOf(new Date())
    writeText(output, `accuracy_checking_result_${stamp}.csv`, resultCsv(directions, rows, generation))
    writeText(output, `accuracy_checking_details_${stamp}.csv`, detailsCsv(rows, generation))
    return output.commit()
  } finally {
    output.abandon()
  }
}
