// recompute: every call of a dump from its stored inputs, and what the stored outputs are worth.
import { absolute, join, openOutput } from '../../../io/index.ts'
import {
  type DetailRow,
  detailsCsv,
  type DirectionAnswer,
  type ExactArray,
  npyBytes,
  recomputeDump,
  resultCsv,
} from '../../../recompute/index.ts'
import { stampOf } from '../../../report/index.ts'
import { writeText } from '../units.ts'
import { writeRepro } from './repro.ts'
import { openOne } from '../one-dump.ts'
import type { Tools } from '../tools.ts'
import type { Asked, Command } from '../verb.ts'
import type { RecomputeField, RecomputeFlags } from './index.ts'
import { printRecomputed } from './print.ts'
import { summaryOf } from './summary.ts'

export interface Recomputed {
  readonly directions: readonly DirectionAnswer[]
  readonly files: readonly string[]
}

export const command: Command<RecomputeFlags, Recomputed, RecomputeField> = {
  async run({ flags, paths }: Asked<RecomputeFlags>, tools: Tools) {
    const dump = await openOne(paths[0], tools)
    if (flags.repro !== undefined)
      return { directions: [], files: writeRepro(flags.repro, flags.output, dump, tools) }
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
      return { directions, files }
    } finally {
      arrays?.abandon()
    }
  },
  print: ({ directions }, page) => printRecomputed(directions, page),
  json: ({ directions, files }) => ({
    calls: directions.map(({ outputs, ...call }) => ({ ...call, outputs })),
    summary: summaryOf(directions),
    files,
  }),
  outcome({ directions }, { flags }) {
    const failing = flags.failOn === 'warning' ? ['warning', 'error'] : ['error']
    const found = directions.some(({ outputs }) => outputs.some(({ verdict }) => failing.includes(verdict)))
    return flags.failOn && found ? 'found' : 'ran'
  },
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
