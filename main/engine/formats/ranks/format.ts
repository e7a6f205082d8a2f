// Dumps of the ranks that hold one model together, opened as the one dump that they make.
import { type Files, join } from '../../io/index.ts'
import type { Dump } from '../../model/index.ts'
import { mergeDumps, readRules, type Seat, type Shard } from '../../parallel/index.ts'
import type { Job } from '../../work/index.ts'
import type { FormatOf, OpenPorts, Place } from '../format.ts'
import { growing, wholeOf } from '../growing.ts'
import { msprobe } from '../msprobe/format.ts'
import { joinTensors } from './join.ts'

/** What a place of several ranks says in `part`; a place without it is a dump of one rank. */
interface Part {
  readonly seats: readonly Seat[]
  /** Text of the user's rules. */
  readonly rules: string
}

export interface RankPlace {
  readonly seat: Seat
  readonly place: Place
}

/** The place of ranks that are put together. */
export function placeOfRanks(
  whole: Pick<Place, 'path' | 'step' | 'rank'>,
  ranks: readonly RankPlace[],
  rules: string,
): Place {
  const part: Part = { seats: ranks.map(({ seat }) => seat), rules }
  return {
    ...whole,
    part: JSON.stringify(part),
    beside: ranks.map(({ place }) => place),
    sources: { dumps: ranks.flatMap(({ place }) => filesOf(place)) },
  }
}

const filesOf = ({ path, dump }: Place): readonly string[] => [
  dump ?? join(path, 'dump.json'),
  join(path, 'construct.json'),
  join(path, 'dump_tensor_data'),
]

export const ranks: FormatOf<'dump'> = {
  id: 'ranks',
  holds: 'dump',
  // Nothing on disk says that its ranks are to be put together: somebody does.
  find: () => null,
  open: (place, ports, job) =>
    place.part === undefined
      ? msprobe.open(place, ports, job)
      : growing(() => openRanks(place, JSON.parse(place.part ?? '') as Part, ports, job)),
  ofTensors: (place, files) => msprobe.ofTensors?.(place.beside?.[0] ?? place, files) ?? false,
}

async function openRanks(
  { path, beside = [] }: Place,
  { seats, rules }: Part,
  ports: OpenPorts,
  job: Job,
): Promise<Dump> {
  const table = readRules(rules, path)
  const shards: Shard[] = []
  const quiet: Job = { ...job, report: () => {} }
  for (const [i, place] of beside.entries()) {
    job.report({ what: 'job.reading', done: i, total: beside.length, countedIn: 'files' })
    const dump = await wholeOf(msprobe.open(place, { ...ports, partial: false }, quiet))
    shards.push({ seat: seats[i], dump })
  }
  await job.breathe()
  return mergeDumps({ shards, rules: table, path, join: joiner(ports.files) })
}

const joiner =
  (files: Files): Parameters<typeof mergeDumps>[0]['join'] =>
  (pieces, whole) =>
    joinTensors(files, pieces, whole)
