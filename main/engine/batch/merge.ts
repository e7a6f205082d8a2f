// merge_result: finds the results of the ranks, puts the metrics side by side, writes one workbook.
import { readSheet } from '../formats/sheet.ts'
import { openOutput } from '../io/output.ts'
import { absolute, dirOf, join } from '../io/paths.ts'
import type { Job } from '../job.ts'
import { mergeConfig, mergeRanks, rankOfResult, type RankResult } from '../match/merge.ts'
import { problem, Refusal, type Problem } from '../problem.ts'
import type { Rules } from '../model.ts'
import { stampOf } from '../report/names.ts'
import { writeXlsx } from '../report/xlsx.ts'
import { readMapping } from './compare-json.ts'
import type { BatchParts } from './request.ts'

export interface MergeRequest {
  readonly input: string
  readonly output: string
  readonly config: string
  readonly rules: Rules
}

export async function mergeCommand(request: MergeRequest, { files, tell }: BatchParts, job: Job): Promise<readonly string[]> {
  const folder = absolute(request.input)
  files.allow(folder)
  files.allow(dirOf(folder))
  const at = files.stat(folder)
  if (!at) throw new Refusal(problem('not-found', folder))
  if (at.kind !== 'folder') throw new Refusal(problem('not-a-folder', folder))
  const config = mergeConfig(readMapping(files, request.config), request.config)
  const strays: Problem[] = []
  const results: RankResult[] = []
  for (const { name, kind } of files.list(folder)) {
    if (kind === 'folder' || !name.endsWith('.xlsx')) continue
    const rank = rankOfResult(join(folder, name), request.rules, strays)
    if (rank !== null) results.push({ rank, ...(await readSheet(files, join(folder, name), job)) })
  }
  const { sheets, problems } = mergeRanks(results, config)
  for (const found of [...strays, ...problems]) tell(found)
  const output = openOutput(request.output, [], true)
  try {
    await writeXlsx(sheets.map(table => ({ name: table.name, table, from: 0, to: table.length })), output.create(`multi_ranks_compare_merge_${stampOf(new Date())}.xlsx`), false, job)
    return output.commit()
  } finally {
    output.abandon()
  }
}
