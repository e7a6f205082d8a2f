// Statistics of every tensor of opened dumps over their steps and ranks: the dumps of one step and rank in memory at a
// time. What is called otherwise on the bench side is found by the pairing.
import { type Place, readCalls } from '../../formats/index.ts'
import { join } from '../../io/index.ts'
import type { UnitRef } from '../../layout/index.ts'
import {
  type BenchItem,
  type Cells,
  type CompareOptions,
  type Dump,
  type Ids,
  type DebugItem,
  type ItemRow,
  Kind,
  Refusal,
} from '../../model/index.ts'
import { isAcross, noHandMatches } from '../../pair/index.ts'
import type { PointSink } from '../../series/index.ts'
import { pairUp } from '../pair/compare.ts'
import { settingsOf } from '../pair/settings.ts'
import { stampOf } from '../stamp.ts'
import { filled, type SeriesData, type SeriesPorts } from './data.ts'
import { type Kept, keepingOf, type Stamped } from './kept.ts'

const statistics = 'statistics'
const stats = ['norm', 'max', 'min', 'mean'] as const

/** What decides who meets whom. */
export type Matching = Pick<CompareOptions, 'rules' | 'fuzzy' | 'mapping'>

/** A dump that cannot be read is told and left out. */
export async function readDumpSeries(
  units: readonly UnitRef[],
  matching: Matching,
  ports: SeriesPorts,
  kept: Kept | null,
): Promise<SeriesData> {
  const stamps = (): Stamped => ({
    names: units.map(({ name, step, rank, places }) => [
      name,
      step,
      rank,
      places.debug.path,
      places.bench?.path,
    ]),
    stamp: units.map(unit => stampOf(unit, ports.files)).join('\n'),
    bytes: units.reduce(
      (sum, { places: { debug, bench } }) => sum + sizeOf(ports, debug) + sizeOf(ports, bench),
      0,
    ),
  })
  const keeping =
    kept && (await keepingOf(kept, ['dumps', matching], () => Promise.resolve(stamps()), ports.job))
  return filled({ holds: 'dumps', pattern: '', keeping }, ports, async (into, inner) => {
    const metric = into.metric(statistics)
    for (const [done, unit] of units.entries()) {
      const { step, rank, places } = unit
      inner.job.report({ what: 'job.reading', done, total: units.length, countedIn: 'items' })
      const at = { step: step ?? 0, rank: rank ?? 0 }
      const debug = await orTold(inner, () => readCalls(inner.files, places.debug, inner.job, true))
      if (debug) await addDump(debug, metric.side('debug'), at, namesOf(debug), inner)
      const { bench: place } = places
      if (!place) continue
      const bench = await orTold(inner, () => readCalls(inner.files, place, inner.job, true))
      if (!bench) continue
      const names =
        debug && namedOtherwise(debug, bench, matching)
          ? await orTold(inner, () => namesByPairing(unit, { debug, bench }, matching, inner))
          : null
      await addDump(bench, metric.side('bench'), at, names ?? namesOf(bench), inner)
    }
    return {}
  })
}

/** Of what tells the values of a dump. */
const sizeOf = ({ files }: SeriesPorts, place: Place | null): number =>
  place === null ? 0 : (files.stat(place.dump ?? join(place.path, 'dump.json'))?.size ?? 0)

/** What cannot be had is told, and null. */
async function orTold<T>({ tell }: SeriesPorts, act: () => Promise<T>): Promise<T | null> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    tell({ ...error.problem, severity: 'warning' })
    return null
  }
}

type NameOf = (row: ItemRow) => string

const namesOf =
  ({ items, texts }: Dump): NameOf =>
  row =>
    texts.get(items.name[row])

const namedOtherwise = (debug: Dump, bench: Dump, { mapping, fuzzy }: Matching): boolean =>
  fuzzy || Object.keys(mapping).length > 0 || isAcross(debug, bench)

/** Of what has met something its name on the debug side. */
async function namesByPairing(
  unit: UnitRef,
  { debug, bench }: { readonly debug: Dump; readonly bench: Dump },
  matching: Matching,
  { job }: SeriesPorts,
): Promise<NameOf> {
  const settings = settingsOf(unit, { debug, bench, given: null }, matching, noHandMatches)
  const { pairing } = await pairUp(debug, bench, settings, { ...job, report: () => {} })
  const toDebug: Ids<BenchItem, DebugItem> = pairing.items.toDebug
  const [mine, theirs] = [namesOf(debug), namesOf(bench)]
  return row => {
    const met = toDebug[row as BenchItem]
    return met < 0 ? theirs(row) : mine(met)
  }
}

/** Rows between two looks at whether somebody has cancelled, and two trips to the disk. */
const breath = 8192

async function addDump(
  { items }: Dump,
  sink: PointSink,
  { step, rank }: { readonly step: number; readonly rank: number },
  nameOf: NameOf,
  { job }: SeriesPorts,
): Promise<void> {
  for (let item = 0; item < items.length; item++) {
    if (item % breath === breath - 1) await job.breathe()
    const row = item as ItemRow
    if (items.tensor[row] !== 1) continue
    const at = sink.add(rank, step, nameOf(row))
    for (const stat of stats) {
      const value = numberIn(items[stat], row)
      if (value !== null) sink.set(at, stat, value)
    }
  }
}

const numberIn = ({ kind, value }: Cells<ItemRow>, row: ItemRow): number | null =>
  kind[row] === Kind.int || kind[row] === Kind.float ? value[row] : null
