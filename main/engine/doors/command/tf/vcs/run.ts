// tf vcs: the errors of a full-net compare, op by op, and the first of them.
import { readCsv } from '../../../../formats/index.ts'
import { absolute, join } from '../../../../io/index.ts'
import {
  defaultThreshold,
  type FirstError,
  newestResults,
  type ResultOp,
  resultsAt,
  summaryOf,
} from '../../../../vector/index.ts'
import { defaultOutput } from '../../flags.ts'
import type { Tools } from '../../tools.ts'
import type { Asked, Command } from '../../verb.ts'
import { printSummary } from '../summary.ts'
import { folderIn } from '../folder.ts'
import type { VcsField, VcsFlags } from './index.ts'

interface Summary extends FirstError {
  readonly file: string
}

interface Answer {
  readonly results: readonly Summary[]
  readonly threshold: number
}

/** Shown of each result where nobody says how many. */
const usually = 3

export const command: Command<VcsFlags, Answer, VcsField> = {
  async run(asked, tools) {
    const threshold = asked.flags.threshold ?? defaultThreshold
    const results: Summary[] = []
    for (const file of filesOf(asked, tools))
      results.push({ file, ...summaryOf(await readCsv(tools.files, file, tools.job), threshold, file) })
    return { results, threshold }
  },
  print({ results, threshold }, page, { flags }) {
    for (const { file, ...found } of results) {
      page.line(page.say('cli.tf.result', { path: file }))
      printSummary(found, { threshold, most: flags.limit ?? usually }, page)
    }
  },
  json({ results, threshold }, { flags }) {
    const errors = results.flatMap(({ errors }) => errors.slice(0, flags.limit).map(errorJson))
    return {
      results: results.map(({ file, first, errors, ops, compared }) => ({
        file,
        errors: errors.length,
        first: first?.op ?? null,
        ops,
        compared,
      })),
      threshold,
      errors,
      first: firstJson(results[0]),
      inputsDiffer: results.flatMap(({ differingInputs }) => differingInputs),
    }
  },
}

function filesOf({ flags, paths }: Asked<VcsFlags>, tools: Tools): readonly string[] {
  const { files } = tools
  const folder = folderIn(paths[0], tools)
  if (flags.file === undefined) {
    const own = join(absolute(defaultOutput), 'vector_compare')
    files.allow(own)
    return newestResults(files, folder, files.stat(own) ? [own] : [])
  }
  const path = absolute(flags.file)
  files.allow(path)
  return resultsAt(files, path)
}

const errorJson = ({ index, op, npu, truth, input, output, carried }: ResultOp): object => ({
  index,
  op,
  left: npu,
  right: truth,
  input,
  output,
  carried,
})

const firstJson = ({ first, inputsUnseen }: FirstError): object | null =>
  first && {
    ...errorJson(first),
    suspected: inputsUnseen || first.unknown.length > 0,
    notCompared: first.unknown,
  }
