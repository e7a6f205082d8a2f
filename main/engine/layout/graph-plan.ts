// The units of the graph command: one rank, the ranks of a step, or steps, of one side or of two.
import { formats, type Place } from '../formats/index.ts'
import { dirOf, type Files } from '../io/index.ts'
import { problem, type Problem, Refusal, type Rules, type Together } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { leftOutOf } from './archives.ts'
import { meet } from './meet.ts'
import type { Shard } from './plan.ts'
import { sideTogether } from './together.ts'
import { candidateAt, type DumpTree, notADump, type RankFolder, walk } from './walk.ts'
import { graphWalkRules, type WalkRules } from './walk-rules.ts'

export interface GraphUnit {
  /** Words between `build`/`compare` and the time in the file's name: '', `rank0`, `step1_rank`. */
  readonly label: string
  readonly step: number
  readonly rank: number
  readonly debug: string
  /** '' for a single graph. */
  readonly bench: string
  /** What tells apart units of the same step and rank. */
  readonly group?: string
}

/** A unit that is still to be opened. */
export interface GraphUnitRef extends GraphUnit {
  readonly format: string
  readonly places: { readonly debug: Place; readonly bench: Place | null }
}

export interface GraphPlan {
  readonly units: readonly GraphUnitRef[]
  readonly problems: readonly Problem[]
}

/** The rank folders that a debug and a bench folder hold; bench '' gives single graphs. */
export async function graphPlan(
  files: Files,
  debug: string,
  bench: string,
  rules: Rules,
  job: Job,
  together?: Together,
): Promise<GraphPlan> {
  const how = graphWalkRules(rules)
  const leftOut = [...leftOutOf(await files.mount(debug, job)), ...leftOutOf(await files.mount(bench, job))]
  const ours = sideTogether(await treeAt(files, debug, how, job), together, 'debug')
  // As msprobe counts: without step folders all graphs are of step 0, whatever the folder above is called, and
  // so is the only one of rank 0.
  const unit = (of: RankFolder): GraphUnitRef => ({
    label: of.names.join('_'),
    step: ours.is === 'steps' ? (of.step ?? 0) : 0,
    rank: ours.is === 'rank' ? 0 : (of.rank ?? 0),
    debug: of.dir,
    bench: '',
    format: of.format.id,
    places: { debug: of.place, bench: null },
  })
  if (bench === '') return { units: ours.ranks.map(unit), problems: [...leftOut, ...ours.problems] }
  const theirs = sideTogether(await treeAt(files, bench, how, job), together, 'bench')
  if (ours.is !== theirs.is && !together)
    throw new Refusal(problem('layouts-differ', bench, { debug: ours.is, bench: theirs.is }))
  const { met, problems } = meet(ours, theirs, together ? 'number' : how.meet)
  return {
    units: met.map(pair => ({
      ...unit(pair.debug),
      bench: pair.bench.dir,
      places: { debug: pair.debug.place, bench: pair.bench.place },
    })),
    problems: [...leftOut, ...ours.problems, ...theirs.problems, ...problems],
  }
}

/** Ranks of a step know of each other: a share has whole steps. */
export function graphShardOf(units: readonly GraphUnit[], { index, of }: Shard): readonly GraphUnit[] {
  const steps = [...new Set(units.map(unit => unit.step))]
  return units.filter(({ step }) => steps.indexOf(step) % of === index)
}

async function treeAt(files: Files, path: string, rules: WalkRules, job: Job): Promise<DumpTree> {
  const given = candidateAt(files, path)
  // A dump.json stands for its folder.
  const lenient = rules.strays !== 'refused' && given.name === 'dump.json'
  const at = lenient && given.kind !== 'folder' ? candidateAt(files, dirOf(path)) : given
  if (at.kind !== 'folder') throw new Refusal(problem('not-a-folder', path))
  if (at.entries.length === 0) throw new Refusal(problem('empty-dump', path))
  const tree = await walk(at, rules, job)
  if (!tree) throw notADump(at)
  return tree
}

/** Whether a path holds a run whose format knows itself what belongs together. */
export async function isRun(files: Files, path: string, job: Job): Promise<boolean> {
  const at = candidateAt(files, path)
  for (const format of formats) if (format.liesInSeveral && (await format.find(at, job))) return true
  return false
}
