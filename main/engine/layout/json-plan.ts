// What a compare.json asks for as a plan, by msprobe's rules for one card, for several, and for static graphs.
import { formats, msprobe, type Place, placeAt } from '../formats/index.ts'
import { dirOf, type Files, join } from '../io/index.ts'
import { problem, type Problem, Refusal } from '../model/index.ts'
import { ruleSets } from '../rules/index.ts'
import { type CompareJson, readCompareJson } from './compare-json.ts'
import { planOfTwoPlaces } from './place-plan.ts'
import { type Plan, type Planning, planOfTrees, type UnitRef } from './plan.ts'
import { sideTogether } from './together.ts'
import { candidateAt, type DumpTree, treeAt, oneTree, walk } from './walk.ts'
import { jsonRules, openRules } from './walk-rules.ts'

/**
 * On the command line both sides are needed, and msprobe's own way of asking brings no mapping that was not
 * asked for; where paths are dropped, a single dump opens too.
 */
export async function planOfJson(path: string, at: Planning): Promise<Plan> {
  const plan = await plannedBy(path, at)
  return at.asked.ordered
    ? { ...plan, units: plan.units.map(unit => ({ ...unit, builtInTable: false })) }
    : plan
}

async function plannedBy(path: string, at: Planning): Promise<Plan> {
  const json = readCompareJson(at.ports.files, path, !at.asked.ordered)
  if (json.kernel) return kernels(json, json.kernel, at)
  if (json.bench === '') return planOfTrees(await treeAt(at.ports.files, json.debug, at.job), null, openRules)
  return json.kind === 'files' ? oneCard(json, at) : severalCards(json, at)
}

async function kernels(
  { debug, bench }: CompareJson,
  { ranks, steps }: NonNullable<CompareJson['kernel']>,
  at: Planning,
): Promise<Plan> {
  const format = formats.find(({ holds }) => holds === 'kernels')
  if (!format) throw new RangeError('no format holds kernels')
  const place = (path: string): Place => placeAt(candidateAt(at.ports.files, path).path)
  const isIn = (list: readonly number[], value: number | null): boolean =>
    list.length === 0 || (value !== null && list.includes(value))
  return planOfTwoPlaces(
    format,
    [place(debug), place(bench)],
    ({ rank, step }) => isIn(ranks, rank) && isIn(steps, step),
    at,
  )
}

/** Two dump files, whatever else lies beside them. */
function oneCard(json: CompareJson, at: Planning): Plan {
  const { stack, file, problems } = stacksOf(json, at)
  const [debug, bench] = [json.debug, json.bench].map((path): DumpTree => {
    if (!path.endsWith('dump.json')) throw new Refusal(problem('not-a-dump', path))
    const found = { format: msprobe, place: { ...placeAt(dirOf(path)), dump: path } }
    return oneTree(path, found, { step: null, rank: null })
  })
  const named = { ...debug, ranks: debug.ranks.map(one => ({ ...one, place: { ...one.place, ...file } })) }
  const plan = planOfTrees(named, bench, { meet: openRules.meet, stack })
  return { ...plan, problems: [...problems, ...plan.problems] }
}

interface Stacks {
  readonly stack: UnitRef['stack']
  readonly file: Pick<Place, 'stack'>
  readonly problems: readonly Problem[]
}

const without = (stack: UnitRef['stack'], ...problems: readonly Problem[]): Stacks => ({
  stack,
  file: {},
  problems,
})

/** What `stack_path` means: msprobe wants it where stacks are asked for. */
function stacksOf(json: CompareJson, { asked: { stacks }, ports: { files, rules } }: Planning): Stacks {
  const { stack, path } = json
  if (stacks === 'auto') {
    if (!stack) return without('auto')
    return isFile(files, stack)
      ? { stack: 'auto', file: { stack }, problems: [] }
      : without('auto', problem('not-found', stack, {}, 'warning'))
  }
  if (stack === undefined) {
    // The documents of msprobe 1.2.2 ask for the key, its code does not.
    if (stacks && ruleSets[rules].asking.stackPathNeeded)
      throw new Refusal(
        problem('stack-path-missing', path, { suggestion: join(dirOf(json.debug), 'stack.json') }),
      )
    return without('auto')
  }
  if (!stacks) return without(false)
  if (stack === '') throw new Refusal(problem('compare-json-missing-key', path, { key: 'stack_path' }))
  if (!files.stat(stack)) throw new Refusal(problem('not-found', stack))
  if (!isFile(files, stack)) throw new Refusal(problem('not-a-file', stack))
  return { stack: true, file: { stack }, problems: [] }
}

function isFile(files: Files, path: string): boolean {
  const found = files.stat(path)
  return found !== null && found.kind !== 'folder'
}

/** Two step folders, or also a rank folder or a whole dump root. */
async function severalCards(
  { debug, bench, together: told }: CompareJson,
  { asked, ports, job }: Planning,
): Promise<Plan> {
  const { files, rules } = ports
  const together = asked.together ?? told ?? undefined
  const strict = jsonRules(rules)
  const ours = await walk(candidateAt(files, debug), strict, job)
  const theirs = ours?.is === 'ranks' ? await walk(candidateAt(files, bench), strict, job) : null
  if (ours?.is === 'ranks' && theirs?.is === 'ranks')
    return planOfTrees(sideTogether(ours, together, 'debug'), sideTogether(theirs, together, 'bench'), {
      meet: strict.meet,
      suffixes: ruleSets[rules].writing.ranks === 'debug' ? 'debug' : 'always',
    })
  if (!ruleSets[rules].asking.anyFolders)
    throw new Refusal(problem('not-a-dump', ours?.is === 'ranks' ? bench : debug))
  return planOfTrees(
    sideTogether(await treeAt(files, debug, job), together, 'debug'),
    sideTogether(await treeAt(files, bench, job), together, 'bench'),
    openRules,
  )
}
