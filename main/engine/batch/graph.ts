// The graph command: compare.json or paths to graphs on disk.
import { graphCommand as writeGraphs, type GraphReport, type GraphRequest } from '../graph/command.ts'
import { openOutput } from '../io/output.ts'
import { absolute, dirOf } from '../io/paths.ts'
import type { Job } from '../job.ts'
import { problem, Refusal } from '../problem.ts'
import type { Rules } from '../model.ts'
import { graphWriters } from '../report/graph-files.ts'
import { stampOf } from '../report/names.ts'
import { readCompareJson, readMapping } from './compare-json.ts'
import type { BatchParts } from './request.ts'

export interface GraphCommand {
  /** A compare.json, or one path, or two. */
  readonly input: string | readonly [string] | readonly [string, string]
  readonly output: string
  readonly outputChosen: boolean
  readonly rules: Rules
  readonly fuzzy: boolean
  readonly fullStacks: boolean
  readonly overflow: boolean
  /** Mapping file; '' is none but the names themselves, undefined no layer mapping. */
  readonly layer?: string
  readonly format: GraphRequest['format']
}

export async function graphCommand(request: GraphCommand, parts: BatchParts, job: Job, written: (path: string) => void): Promise<GraphReport> {
  const { files, tell, measure } = parts
  const [debug, bench] = sidesOf(request, parts)
  const asked: GraphRequest = { ...request, debug, bench, layerMapping: request.layer === undefined ? null : readMapping(files, request.layer) }
  return writeGraphs(asked, job, {
    files, measure: (pairs, work) => measure(pairs, work), stamp: stampOf(new Date()), writers: graphWriters(files),
    openOutput: (folder, dumps) => openOutput(folder, dumps, request.outputChosen),
    told(news) {
      if (news.problem) tell(news.problem)
      if (news.written) written(news.written)
    },
  })
}

function sidesOf({ input }: GraphCommand, { files }: BatchParts): readonly [string, string] {
  if (typeof input === 'string') {
    const json = readCompareJson(files, input, true)
    if (json.kind === 'files') throw new Refusal(problem('not-a-folder', json.debug))
    return [json.debug, json.bench]
  }
  const [debug, bench = ''] = input.map(path => absolute(path))
  for (const path of [debug, bench].filter(Boolean)) {
    files.allow(path)
    files.allow(dirOf(path))
    const at = files.stat(path)
    if (!at) throw new Refusal(problem('not-found', path))
    if (at.kind !== 'folder') throw new Refusal(problem('not-a-folder', path))
  }
  return [debug, bench]
}
