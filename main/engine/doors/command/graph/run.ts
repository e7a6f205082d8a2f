// graph: compare.json or paths to graphs on disk.
import type { GraphRequest } from '../../../graph/index.ts'
import { absolute, dirOf } from '../../../io/index.ts'
import { type CompareJson, isRun, readCompareJson, readMapping } from '../../../layout/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import { defaultOutput } from '../flags.ts'
import type { Tools } from '../tools.ts'
import { type Asked, type Command, UsageError } from '../verb.ts'
import type { GraphField, GraphFlags } from './index.ts'
import { togetherOf } from '../together.ts'
import { writingOf } from '../writing.ts'
import { graphsOfDumps } from './of-dumps.ts'
import { graphsOfRun } from './of-run.ts'
import { type GraphReport, writeGraphs } from './write.ts'

export const command: Command<GraphFlags, GraphReport, GraphField> = {
  async run(asked, tools) {
    const { output, shard = null } = asked.flags
    // One database holds all ranks: a part of it would be another database.
    if (shard && formatOf(asked.flags) === 'vis.db') throw new UsageError('cli.usage.shardDatabase')
    const request = await requestOf(asked, tools)
    const { paths } = asked
    const run = paths.length > 0 && (await isRun(tools.files, request.debug, tools.job))
    if (paths.length > 2 && !run) throw new UsageError('cli.usage.graphPaths', { count: paths.length })
    if (!run) for (const path of [request.debug, request.bench].filter(Boolean)) checkFolder(path, tools)
    const work = run ? await graphsOfRun(paths, request, tools) : await graphsOfDumps(request, tools)
    return writeGraphs(request, work, { chosen: Boolean(output), shard }, tools)
  },
  print() {},
  json: ({ rules, units, failed, files }) => ({ rules, units, failed, files }),
  outcome: report => report.outcome,
}

const formatOf = (flags: Asked<GraphFlags>['flags']): 'vis' | 'vis.db' =>
  flags.format ?? writingOf(flags).graph

async function requestOf(asked: Asked<GraphFlags>, tools: Tools): Promise<GraphRequest> {
  const { flags } = asked
  const { debug, bench, together: told } = await sidesOf(asked, tools)
  const together = togetherOf(flags, tools) ?? told ?? undefined
  const isMerged = together !== undefined && (together.debug !== null || together.bench !== null)
  return {
    debug,
    bench,
    output: flags.output || defaultOutput,
    rules: flags.rules ?? 'plumbline',
    // Ranks that share tensors make calls that one rank does not: numbers of calls do not tell who belongs together.
    fuzzy: flags.fuzzy ?? isMerged,
    fullStacks: flags.fullStack ?? false,
    overflow: flags.overflow ?? false,
    layerMapping: flags.layer === undefined ? null : readMapping(tools.files, flags.layer),
    format: formatOf(flags),
    together,
  }
}

async function sidesOf(
  { flags, paths }: Asked<GraphFlags>,
  { files, job }: Tools,
): Promise<Pick<CompareJson, 'debug' | 'bench' | 'together'>> {
  if (flags.input !== undefined) {
    const json = readCompareJson(files, flags.input, true)
    if (json.kind === 'files') throw new Refusal(problem('not-a-folder', json.debug))
    return json
  }
  const all = paths.map(path => absolute(path))
  for (const path of all) {
    files.allow(path)
    files.allow(dirOf(path))
    await files.mount(path, job)
    if (!files.stat(path)) throw new Refusal(problem('not-found', path))
  }
  const [debug, bench = ''] = all
  return { debug, bench, together: null }
}

function checkFolder(path: string, { files }: Tools): void {
  const at = files.stat(path)
  if (at && at.kind !== 'folder') throw new Refusal(problem('not-a-folder', path))
}
