// All pairs that a compare.json or two paths name, one after the other.
import { adviseAcross } from '../../../advisor/index.ts'
import { formats } from '../../../formats/index.ts'
import { openOutput, type Output } from '../../../io/index.ts'
import type { Json } from '../../../json/index.ts'
import { type Plan, planOf, readMapping, shardOf, within } from '../../../layout/index.ts'
import { type MappingTexts, problem, Refusal } from '../../../model/index.ts'
import { firstAcross, total } from '../../../judge/index.ts'
import { jsonText } from '../../../python/index.ts'
import { ruleSets } from '../../../rules/index.ts'
import { kindOf, type Opening, openSources, type UnitSource } from '../../../study/index.ts'
import { portsOf } from '../ports.ts'
import { shareOf, type Shared } from '../shares.ts'
import type { Tools } from '../tools.ts'
import { eachUnit, type UnitsDone, writeText } from '../units.ts'
import type { CompareRequest, CompareResult, FirstDifference, UnitResult } from './request.ts'
import { compareUnit } from './unit.ts'
import { UsageError } from '../verb.ts'

export async function comparePairs(request: CompareRequest, tools: Tools): Promise<CompareResult> {
  const { input, stack, rules, framework } = request
  const ports = portsOf(tools, rules)
  const paths = typeof input === 'string' ? [input] : input
  const { together } = request
  const meant = { stacks: stack, ordered: true, dialect: framework, together }
  const whole = await planOf(paths, meant, ports, tools.job)
  if (paths.length > 2 && !liesInSeveral(whole))
    throw new UsageError('cli.usage.paths', { command: request.verb, count: paths.length })
  const wanted = wantedOf(whole, request)
  const share = sharedBy(request, tools)
  const plan = share ? shardOf(wanted, share.share) : wanted
  if (share?.by)
    tools.meanwhile(page =>
      page.note(
        page.say('cli.dataset.share', { index: share.share.index, of: share.share.of, by: share.by }),
      ),
    )
  if (wanted.units.length > 0 && plan.units.length === 0) return nothingOf(wanted, request, tools)
  if (plan.holds === 'kernels' && request.dataset) throw new UsageError('cli.usage.datasetKernels')
  if (plan.holds === 'kernels') return (await import('./kernel.ts')).comparedKernels(plan, request, tools)
  if (!kindOf(plan).verbs.includes(request.verb))
    throw new UsageError('cli.usage.paths', { command: request.verb, count: '1' })
  const mapping = mappingOf(request, tools)
  for (const found of plan.problems) tools.tell(found)
  const opening = openSources(plan, { ...ports, measure: tools.measure })
  try {
    if (request.dataset)
      return await (
        await import('./dataset.ts')
      ).writeDataset(
        opening,
        { plan: wanted, mapping, request, share },
        (unit, dataset, job) =>
          compareUnit(unit, { request, mapping, output: null, dataset, keep: 'now' }, { ...tools, job }),
        tools,
      )
    return await compareAll(opening, mapping, request, tools)
  } finally {
    opening.close()
  }
}

/** The share that was typed, or what a batch system says where the results are parts of a dataset. */
const sharedBy = ({ shard, dataset }: CompareRequest, { environment }: Tools): Shared | null =>
  dataset ? shareOf(shard, environment) : shard && { share: shard, by: '' }

/** Whether one run may be given by several paths. */
const liesInSeveral = ({ units }: Plan): boolean =>
  formats.some(format => format.id === units[0]?.format && format.liesInSeveral === true)

function wantedOf(plan: Plan, { steps, ranks }: CompareRequest): Plan {
  const wanted = within(plan, { steps, ranks })
  if (wanted.units.length === 0 && plan.units.length > 0)
    throw new Refusal(problem('none-chosen', plan.debug))
  return wanted
}

/** Of more shares than there are units, some have nothing to do. */
function nothingOf(plan: Plan, request: CompareRequest, { tell }: Tools): CompareResult {
  tell(problem('share-empty', plan.debug, { units: plan.units.length }, 'note'))
  return resultOf(request, { results: [], failed: 0, outcome: 'ran' })
}

function mappingOf({ mapping, rules }: CompareRequest, { files }: Tools): MappingTexts {
  const given = Object.entries(mapping)
  if (given.length > 1 && ruleSets[rules].asking.oneMapping)
    throw new Refusal(
      problem('mapping-twice', '', { options: given.map(([kind]) => `--${kind}_mapping`).join(', ') }),
    )
  return Object.fromEntries(given.map(([kind, file]) => [kind, readMapping(files, file)]))
}

async function compareAll(
  { units }: Opening,
  mapping: MappingTexts,
  request: CompareRequest,
  tools: Tools,
): Promise<CompareResult> {
  const { output: wanted } = request
  const dumps = units.flatMap(({ place }) => [place.debug, place.bench])
  const output = wanted && openOutput(wanted.folder, dumps, wanted.chosen)
  // Where a failing rank stops the rest, nothing of the others may stay.
  const stopsAtFailure = !ruleSets[request.rules].deviates['failed-rank']
  const keep = stopsAtFailure ? 'later' : 'now'
  try {
    const done = await eachUnit(
      { units, stopsAtFailure, folderOf: (unit: UnitSource) => unit.place.debug },
      tools,
      (unit, job) =>
        orNothing(request, tools, () =>
          compareUnit(unit, { request, mapping, output, dataset: null, keep }, { ...tools, job }),
        ),
    )
    const across = request.across ? firstDifferences(done.results, output) : null
    if (output) tools.written(output.commit())
    return { ...resultOf(request, done), across }
  } finally {
    output?.abandon()
  }
}

/** Per step the first difference over its ranks, written as msprobe 26 has it. */
function firstDifferences(units: readonly UnitResult[], output: Output | null): readonly FirstDifference[] {
  return [...new Set(units.map(unit => unit.step))].flatMap((step, i) => {
    const ranks = units.flatMap(unit => (unit.step === step && unit.nodes ? [unit.nodes] : []))
    const named = firstAcross(ranks.toSorted((a, b) => a.rank - b.rank))
    if (output && named.length > 0) {
      const byRank = new Map<string, Json[]>()
      for (const { rank, record } of named)
        byRank.set(`rank_${rank}`, [...(byRank.get(`rank_${rank}`) ?? []), record])
      writeText(output, `diff_analyze_${Date.now() * 1000 + i}000.json`, jsonText(byRank, '', '  '))
    }
    return named.map(({ rank, name }) => ({ step, rank, op: name }))
  })
}

/** Where msprobe is content with a comparison of nothing, so are its rule sets. */
async function orNothing(
  { rules }: CompareRequest,
  { tell }: Tools,
  act: () => Promise<UnitResult>,
): Promise<UnitResult | null> {
  try {
    return await act()
  } catch (error) {
    const nothing = error instanceof Refusal && error.problem.code.startsWith('nothing-matched')
    if (!nothing || ruleSets[rules].deviates['nothing-matched']) throw error
    tell({ ...error.problem, severity: 'warning' })
    return null
  }
}

export const resultOf = (
  { rules }: CompareRequest,
  { results, failed, outcome }: UnitsDone<UnitResult>,
): CompareResult => ({
  rules,
  units: results,
  counts: total(results.map(unit => unit.counts)),
  findings: adviseAcross(
    results.flatMap(({ step, rank, advice }) => (advice ? [{ step, rank, advice }] : [])),
  ),
  files: results.flatMap(unit => unit.files),
  across: null,
  failed,
  outcome,
  dataset: null,
})
