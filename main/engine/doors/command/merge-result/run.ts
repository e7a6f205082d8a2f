// merge_result: finds the results of the ranks, puts the metrics side by side, writes one workbook.
import { mergeConfig, mergeRanks, rankOfResult, type RankResult } from '../../../study/index.ts'
import { readSheet } from '../../../formats/index.ts'
import { absolute, dirOf, join, openOutput } from '../../../io/index.ts'
import { problem, type Problem, Refusal, type Rules } from '../../../model/index.ts'
import { stampOf, writeXlsx } from '../../../report/index.ts'
import { readMapping } from '../../../layout/index.ts'
import type { Tools } from '../tools.ts'
import type { Command } from '../verb.ts'
import type { MergeField, MergeFlags } from './index.ts'

type Merged = Awaited<ReturnType<typeof mergeRanks>>['sheets']

export const command: Command<MergeFlags, readonly string[], MergeField> = {
  async run({ flags }, tools) {
    const folder = folderAt(flags.input, tools)
    const config = mergeConfig(readMapping(tools.files, flags.config), flags.config)
    const rules = flags.rules ?? 'plumbline'
    const results = await resultsIn(folder, rules, tools)
    const { sheets, problems } = mergeRanks(results, config, rules)
    for (const found of problems) tools.tell(found)
    return write(sheets, flags.output, tools)
  },
  print() {},
  json: files => ({ files }),
}

function folderAt(given: string, { files }: Tools): string {
  const folder = absolute(given)
  files.allow(folder)
  files.allow(dirOf(folder))
  const at = files.stat(folder)
  if (!at) throw new Refusal(problem('not-found', folder))
  if (at.kind !== 'folder') throw new Refusal(problem('not-a-folder', folder))
  return folder
}

async function resultsIn(folder: string, rules: Rules, { files, tell, job }: Tools): Promise<RankResult[]> {
  const strays: Problem[] = []
  const results: RankResult[] = []
  for (const { name, kind } of files.list(folder)) {
    if (kind === 'folder' || !name.endsWith('.xlsx')) continue
    const rank = rankOfResult(join(folder, name), rules, strays)
    if (rank !== null) results.push({ rank, ...(await readSheet(files, join(folder, name), job)) })
  }
  for (const found of strays) tell(found)
  return results
}

async function write(sheets: Merged, folder: string, { job, written }: Tools): Promise<readonly string[]> {
  const output = openOutput(folder, [], true)
  try {
    await writeXlsx(
      sheets.map(table => ({ name: table.name, table, from: 0, to: table.length, truths: true })),
      output.create(`multi_ranks_compare_merge_${stampOf(new Date())}.xlsx`),
      false,
      job,
    )
    const paths = output.commit()
    written(paths)
    return paths
  } finally {
    output.abandon()
  }
}
