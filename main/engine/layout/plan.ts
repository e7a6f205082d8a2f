// A plan: the units that given paths come to, as plain data that can go to a queue, a thread or a shard.
import {
  type Format,
  type FormatOf,
  formats,
  type Holding,
  type OpenPorts,
  type Place,
} from '../formats/index.ts'
import { baseOf } from '../io/index.ts'
import { type Problem, problem, Refusal, type Together } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { meet } from './meet.ts'
import type { DumpTree, RankFolder } from './walk.ts'
import type { WalkRules } from './walk-rules.ts'

/** One step and rank to work on. */
export interface UnitRef {
  /** Id of the format of both sides. */
  readonly format: string
  readonly step: number | null
  readonly rank: number | null
  /** What tells it from units of the same step and rank. */
  readonly name?: string
  /** Of another run than the one that is shown first. */
  readonly aside?: boolean
  /** What the sides are called, where not as in all units. */
  readonly sideNames?: readonly string[]
  /** Folder or file of each side; bench '' where there is none. */
  readonly debug: string
  readonly bench: string
  readonly places: { readonly debug: Place; readonly bench: Place | null }
  /** Part of the result files' names: '' or `_rank0-rank0`. */
  readonly suffix: string
  /** Whether stacks are shown; 'auto' where there are some. */
  readonly stack: boolean | 'auto'
  /** Whose dialect a comparison speaks; null: the debug side's. */
  readonly dialect: Dialect | null
  /** Across frameworks the built-in API table is in force where no mapping was asked for. */
  readonly builtInTable: boolean
}

export type Dialect = 'mindspore' | 'pytorch'

export interface Plan {
  readonly holds: Holding
  /** What was given of each side; bench '' where there is none. */
  readonly debug: string
  readonly bench: string
  readonly units: readonly UnitRef[]
  readonly problems: readonly Problem[]
  /** Tables of verdicts that were given with dumps, of whose calls they speak. */
  readonly beside?: readonly Place[]
  /** Values over steps and ranks that were given with dumps of the same run, or of both. */
  readonly values?: GivenValues
}

export interface GivenValues {
  readonly debug: Place
  readonly bench: Place | null
}

export interface Asked {
  /** Whether stacks were asked for; 'auto' where nobody can ask. */
  readonly stacks: boolean | 'auto'
  /** Of two paths the first is the debug side, whatever it is called. */
  readonly ordered: boolean
  /** One dump stays alone, though its bench may lie beside it. */
  readonly alone?: boolean
  /** In whose dialect names are to be compared; left out: the debug side says. */
  readonly dialect?: Dialect | null
  /** Ranks that hold one model together are to be compared as one. */
  readonly together?: Together | undefined
}

/** What planning works with. */
export interface Planning {
  readonly asked: Asked
  readonly ports: OpenPorts
  readonly job: Job
}

export function formatOf({ format }: Pick<UnitRef, 'format'>): Format {
  const found = formats.find(({ id }) => id === format)
  if (!found) throw new RangeError(`there is no format ${format}`)
  return found
}

/** The format of a unit whose sides are dumps. */
export function dumpFormatOf(unit: Pick<UnitRef, 'format' | 'debug'>): FormatOf<'dump'> {
  const format = formatOf(unit)
  if (format.holds !== 'dump') throw new Refusal(problem('not-a-dump', unit.debug))
  return format
}

/** Why a plan has no units. */
export const noUnits = ({ problems, debug, bench }: Plan): Refusal =>
  new Refusal(problems[0] ?? problem('nothing-matched', debug, { bench }))

/** Numbers from one to another, both counted in. */
export type Ranges = readonly { readonly from: number; readonly to: number }[]

const isIn = (ranges: Ranges | undefined, value: number | null): boolean =>
  ranges === undefined || ranges.some(({ from, to }) => value !== null && from <= value && value <= to)

export interface Chosen {
  readonly steps?: Ranges | undefined
  readonly ranks?: Ranges | undefined
}

/** The units of these steps and ranks; where none are named, of all. */
export const within = (plan: Plan, { steps, ranks }: Chosen): Plan => ({
  ...plan,
  units: plan.units.filter(({ step, rank }) => isIn(steps, step) && isIn(ranks, rank)),
})

/** A share of the work, counted from 0. */
export interface Shard {
  readonly index: number
  readonly of: number
}

/** Every unit is in exactly one of the shares. */
export const shardOf = (plan: Plan, { index, of }: Shard): Plan => ({
  ...plan,
  units: plan.units.filter((_, unit) => unit % of === index),
})

/** How the result files of ranks are called: always by both folders, only where there are several, or by the way to the debug side's. */
type Suffixes = 'always' | 'several' | 'debug'

export interface TreeOptions {
  readonly meet: WalkRules['meet']
  readonly suffixes?: Suffixes
  readonly stack?: UnitRef['stack']
}

/** One side alone, or what belongs together of two. */
export function planOfTrees(
  debug: DumpTree,
  bench: DumpTree | null,
  { meet: how, suffixes = 'several', stack = 'auto' }: TreeOptions,
): Plan {
  const unit = ({ format, place, dir, step, rank }: RankFolder): UnitRef => ({
    format: format.id,
    step,
    rank,
    debug: dir,
    bench: '',
    places: { debug: place, bench: null },
    suffix: '',
    stack,
    dialect: null,
    builtInTable: true,
  })
  if (!bench)
    return {
      holds: 'dump',
      debug: debug.root,
      bench: '',
      units: debug.ranks.map(unit),
      problems: debug.problems,
    }
  const { met, problems } = meet(debug, bench, how)
  const named = suffixes === 'always' || met.length > 1
  return {
    holds: 'dump',
    debug: debug.root,
    bench: bench.root,
    units: met.map(pair => ({
      ...unit(pair.debug),
      step: pair.step,
      rank: pair.rank,
      bench: pair.bench.dir,
      places: { debug: pair.debug.place, bench: pair.bench.place },
      suffix:
        suffixes === 'debug'
          ? wayTo(pair.debug)
          : named
            ? suffixOf(pair.debug, pair.bench, suffixes === 'several')
            : '',
    })),
    problems: [...debug.problems, ...bench.problems, ...problems],
  }
}

const wayTo = ({ names }: RankFolder): string => names.map(name => `_${name}`).join('')

const suffixOf = (debug: RankFolder, bench: RankFolder, withStep: boolean): string =>
  `${withStep && debug.step !== null ? `_step${debug.step}` : ''}_${folderOf(debug)}-${folderOf(bench)}`

/** What a rank's folder is called, or would be. */
const folderOf = ({ dir, names }: RankFolder): string => names.at(-1) ?? baseOf(dir)
