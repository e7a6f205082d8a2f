// Where the dumps of a unit come from: one row per kind of contents, whatever the format that holds it.
import {
  type BenchItem,
  type DebugItem,
  type Dump,
  type Ids,
  problem,
  Refusal,
  type Rules,
} from '../model/index.ts'
import {
  type Contents,
  type Format,
  type FormatOf,
  type GraphFile,
  type Holding,
  type OpenPorts,
  type Place,
  wholeOf,
} from '../formats/index.ts'
import { formatOf, type Plan, type UnitRef, noUnits } from '../layout/index.ts'
import { type OpenedGraph, openGraphFile, outlineOf, type ViewSource } from '../graph/index.ts'
import type { Job, Progress } from '../work/index.ts'
import type { Measure } from '../measure/index.ts'
import { isMerged, settle } from '../parallel/index.ts'
import { stampOf } from './stamp.ts'
import { dumpsOfTable } from './table/judged.ts'
import { compareKernels } from './table/kernel.ts'

export interface SourceDumps {
  readonly debug: Dump
  /** Null where nothing is compared with. */
  readonly bench: Dump | null
  /** Bench item per debug item where the source says who met whom. */
  readonly given: Ids<DebugItem, BenchItem> | null
  /** Numbers that the source has itself. */
  readonly measure: Measure | null
  /** A graph as the source has it. */
  readonly graph: ViewSource | null
}

export interface UnitSource {
  readonly place: UnitRef
  /** Other rules make something else of what is read: it is read again. */
  readonly byRules: boolean
  /** `onPartial` gets what is there before the end. */
  read(rules: Rules, job: Job, onPartial: (dumps: SourceDumps) => void): Promise<SourceDumps>
  /** Other files in the same places have another stamp. */
  stamp(): string
  /** The dumps as their files are now; the same ones when nothing changed. Absent where nothing can grow. */
  follow?(old: SourceDumps, rules: Rules, job: Job): Promise<SourceDumps>
}

export interface Opening extends Pick<Plan, 'debug' | 'bench' | 'problems' | 'beside' | 'values'> {
  readonly units: readonly UnitSource[]
  close(): void
}

export interface SourcePorts extends Omit<OpenPorts, 'rules'> {
  readonly measure: Measure
}

/** A plan as something that a session can work on; what is in its units is read when they are. */
export function openSources(plan: Plan, ports: SourcePorts): Opening {
  const { debug, bench, problems, units, beside = [], values } = plan
  if (units.length === 0) {
    ports.shared.close()
    throw noUnits(plan)
  }
  return {
    debug,
    bench,
    problems,
    beside,
    ...(values && { values }),
    units: unitSources(plan, ports),
    close: () => ports.shared.close(),
  }
}

export const unitSources = ({ units }: Pick<Plan, 'units'>, ports: SourcePorts): readonly UnitSource[] =>
  units.map(unit => sourceOf(unit, ports))

/** A unit on its way to dumps. */
interface Reading<H extends Holding> {
  readonly unit: UnitRef
  readonly format: FormatOf<H>
  readonly ports: SourcePorts & OpenPorts
  readonly job: Job
  onPartial(dumps: SourceDumps): void
}

interface Row<H extends Holding> {
  readonly byRules: boolean
  read(reading: Reading<H>): Promise<SourceDumps>
}

const rows: { readonly [H in Holding]: Row<H> } = {
  dump: { byRules: false, read: readDumps },
  graph: { byRules: false, read: readGraph },
  table: { byRules: false, read: async reading => dumpsOfTable(await sideOf(reading, 'debug')) },
  kernels: { byRules: true, read: readKernelTable },
  verdicts: { byRules: false, read: readNoDumps },
  series: { byRules: false, read: readNoDumps },
  sheets: { byRules: false, read: readNoDumps },
  dataset: { byRules: false, read: readNoDumps },
}

function sourceOf(unit: UnitRef, ports: SourcePorts): UnitSource {
  const format = formatOf(unit)
  return {
    place: unit,
    byRules: rows[format.holds].byRules,
    read: (rules, job, onPartial) => readRow(format, { unit, ports: { ...ports, rules }, job, onPartial }),
    stamp: () => stampOf(unit, ports.files),
    ...(format.holds === 'dump' && { follow: following(format, ports) }),
  }
}

/** The compiler pairs a format with its row by what it holds. */
function readRow<H extends Holding>(
  format: Format & FormatOf<H>,
  rest: Omit<Reading<H>, 'format'>,
): Promise<SourceDumps> {
  return rows[format.holds].read({ ...rest, format })
}

function placeOf({ places }: UnitRef, side: 'debug' | 'bench'): Place {
  const place = places[side]
  if (!place) throw new RangeError(`the unit has no ${side} side`)
  return place
}

const sideOf = <H extends Holding>(
  { unit, format, ports, job }: Reading<H>,
  side: 'debug' | 'bench',
): Promise<Contents[H]> => wholeOf(format.open(placeOf(unit, side), ports, job))

// ---------------------------------------- dumps

/** Both sides at once; what is there is told whenever either has grown. */
async function readDumps({ unit, format, ports, job, onPartial }: Reading<'dump'>): Promise<SourceDumps> {
  const { debug, bench } = unit.places
  const places = bench ? [debug, bench] : [debug]
  const jobs = together(job, places.length)
  const newest: (Dump | null)[] = places.map(() => null)
  const dumps = (): SourceDumps | null => {
    const [mine, theirs = null] = newest
    if (!mine || newest.includes(null)) return null
    const given = (theirs && format.meet?.(mine, theirs)) ?? null
    return { debug: mine, bench: theirs, given, measure: null, graph: null }
  }
  await Promise.all(
    places.map(async (place, side) => {
      newest[side] = await wholeOf(format.open(place, ports, jobs[side]), part => {
        newest[side] = part
        const known = dumps()
        // What is put together is settled by the whole of the other side.
        if (known && !newest.some(dump => dump && isMerged(dump))) onPartial(known)
      })
    }),
  )
  const read = dumps()
  if (!read) throw new RangeError('nothing was opened')
  const whole = { ...read, ...settle(read.debug, read.bench) }
  if (!ports.partial) refuseHalves(whole)
  return whole
}

/** Half a dump compared without a word would look like a result. */
function refuseHalves({ debug, bench }: SourceDumps): void {
  for (const dump of [debug, bench]) {
    const broken = dump?.problems.find(
      found => found.path === dump.file && (found.code === 'json-broken' || found.code === 'json-truncated'),
    )
    if (broken) throw new Refusal(broken)
  }
}

/** Jobs whose progress is told as one, once each of them knows how much there is. */
function together(job: Job, count: number): readonly Job[] {
  const known: (Progress | null)[] = Array.from({ length: count }, () => null)
  return known.map((_, i) => ({
    ...job,
    report(progress) {
      known[i] = progress
      if (known.includes(null)) return
      const sum = (of: 'done' | 'total'): number => known.reduce((all, one) => all + (one?.[of] ?? 0), 0)
      job.report({ ...progress, done: sum('done'), total: sum('total') })
    },
  }))
}

const following =
  (format: FormatOf<'dump'>, ports: SourcePorts): NonNullable<UnitSource['follow']> =>
  async (old, rules, job) => {
    const now = async (dump: Dump): Promise<Dump> =>
      (await format.follow?.(dump, { ...ports, rules }, job)) ?? dump
    const debug = await now(old.debug)
    const bench = old.bench && (await now(old.bench))
    return debug === old.debug && bench === old.bench ? old : { ...old, debug, bench }
  }

// ---------------------------------------- graph files

/**
 * Files with so many nodes show their hierarchy as soon as the items of the first nodes have been read;
 * smaller ones are there in a moment.
 */
const manyNodes = 10_000
const firstNodes = 500

async function readGraph(reading: Reading<'graph'>): Promise<SourceDumps> {
  const { job, onPartial } = reading
  const file: GraphFile = await sideOf(reading, 'debug')
  const outline = outlineOf(file)
  const dumps = ({ debugDump, benchDump, benchItem, measure, source }: OpenedGraph): SourceDumps => ({
    debug: debugDump,
    bench: benchDump,
    given: benchItem,
    measure,
    graph: source,
  })
  if (file.debug.length + (file.bench?.length ?? 0) >= manyNodes)
    onPartial(dumps(await openGraphFile(file, job, outline, firstNodes)))
  return dumps(await openGraphFile(file, job, outline))
}

// ---------------------------------------- tables

/** Kernels are compared here, so that the table is there to be shown; other rules compare again. */
async function readKernelTable(reading: Reading<'kernels'>): Promise<SourceDumps> {
  const { unit, ports, job } = reading
  const [debug, bench] = [await sideOf(reading, 'debug'), await sideOf(reading, 'bench')]
  const table = await compareKernels(debug, bench, { ...ports, job })
  if (!table) throw new Refusal(problem('nothing-matched', unit.debug, { bench: unit.bench }))
  return dumpsOfTable({ ...table, path: unit.debug })
}

// ---------------------------------------- no dumps

/** What is no dump is read by a study of its own, and by nothing else. */
function readNoDumps({ unit }: Reading<'series' | 'sheets' | 'dataset' | 'verdicts'>): Promise<SourceDumps> {
  return Promise.reject(new Refusal(problem('not-a-dump', unit.debug)))
}
