// Plans of what is no folder of ranks: files that hold both sides, and trees with an order of their own.
import type { Format, Part, Parts, Place } from '../formats/index.ts'
import { problem, type Problem, Refusal } from '../model/index.ts'
import type { Plan, Planning, UnitRef } from './plan.ts'

const partsOf = async (
  format: Format,
  place: Place,
  { ports, job }: Planning,
  beside: readonly Place[] = [],
): Promise<Parts> =>
  (await format.parts?.(place, ports, job, beside)) ?? {
    parts: [{ place, pair: true, mode: '' }],
    problems: [],
  }

interface UnitNames {
  readonly suffix: string
  readonly name?: string
  readonly aside?: boolean
  readonly sideNames?: readonly string[]
}

const unit = (
  { id }: Format,
  { suffix, name, aside, sideNames }: UnitNames,
  debug: Place,
  bench: Place | null,
): UnitRef => ({
  format: id,
  ...(name !== undefined && { name }),
  ...(aside && { aside }),
  ...(sideNames && { sideNames }),
  step: debug.step,
  rank: debug.rank,
  debug: debug.path,
  bench: bench?.path ?? '',
  places: { debug, bench },
  suffix,
  stack: 'auto',
  dialect: null,
  builtInTable: true,
})

/** Of one of several parts of a file. */
const suffixOf = ({ step, rank }: Place): string =>
  `${step === null ? '' : `_step${step}`}${rank === null ? '' : `_rank${rank}`}`

/** Of one rank and step of a static graph, as msprobe has it. */
const kernelSuffixOf = ({ step, rank }: Place): string => `_${rank}_${step}`

/** A file with both sides, or a graph of one; a folder of which the format knows the sides. */
export async function planOfOnePlace(
  format: Format,
  place: Place,
  at: Planning,
  beside: readonly Place[] = [],
): Promise<Plan> {
  const { parts, problems, roots } = await partsOf(format, place, at, beside)
  return {
    holds: format.holds,
    ...(roots ?? { debug: place.path, bench: place.path }),
    units: parts.map(part => {
      const suffix = parts.length > 1 ? suffixOf(part.place) : ''
      const { name, aside, sideNames } = part
      const names = {
        suffix,
        ...(name !== undefined && { name }),
        ...(aside && { aside }),
        ...(sideNames && { sideNames }),
      }
      return unit(format, names, part.place, part.bench ?? (part.pair ? part.place : null))
    }),
    problems,
  }
}

/** Two trees: parts of the same step and rank belong together where they were dumped alike. */
export async function planOfTwoPlaces(
  format: Format,
  [debug, bench]: readonly [Place, Place],
  isWanted: (place: Place) => boolean,
  at: Planning,
): Promise<Plan> {
  const partsIn = async (place: Place): Promise<readonly Part[]> => {
    const { parts } = await partsOf(format, place, at)
    if (parts.length === 0) throw new Refusal(problem('empty-dump', place.path))
    return parts.filter(part => isWanted(part.place))
  }
  const ours = await partsIn(debug)
  const theirs = await partsIn(bench)
  const units: UnitRef[] = []
  const problems: Problem[] = []
  for (const part of ours) {
    const { step, rank } = part.place
    const other = theirs.find(({ place }) => place.step === step && place.rank === rank)
    if (!other) continue
    if (part.mode === other.mode && part.mode !== 'nothing')
      units.push(unit(format, { suffix: kernelSuffixOf(part.place) }, part.place, other.place))
    else
      problems.push(
        problem(
          'kernel-modes-differ',
          debug.path,
          { rank: rank ?? '', step: step ?? '', debug: part.mode, bench: other.mode },
          'warning',
        ),
      )
  }
  return { holds: format.holds, debug: debug.path, bench: bench.path, units, problems }
}

/** All that lies in one place, or in two, as one unit. */
export const planOfSides = (format: Format, debug: Place, bench: Place | null): Plan => ({
  holds: format.holds,
  debug: debug.path,
  bench: bench?.path ?? '',
  units: [unit(format, { suffix: '' }, debug, bench)],
  problems: [],
})
