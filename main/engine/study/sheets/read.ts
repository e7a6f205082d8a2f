// Reads what surrounds runs; loaded when such a study is opened.
import { compareConfigs, openPackage } from '../../config/index.ts'
import type { SheetsPart } from '../../formats/index.ts'
import { problem, Refusal } from '../../model/index.ts'
import type { PlainAsked } from '../plain.ts'
import type { SheetsData } from './data.ts'
import { packageSheets } from './packages.ts'
import { ranksIn, ranksOf } from './ranks.ts'

export const readPart = (asked: PlainAsked): Promise<SheetsData> =>
  readers[asked.place.places.debug.part as SheetsPart](asked)

const readers: Readonly<Record<SheetsPart, (asked: PlainAsked) => Promise<SheetsData>>> = {
  package: readPackages,
  ranks: ({ place, ...ports }) => ranksIn(place.places.debug, ports),
  merged: ({ place, ...ports }) => ranksOf(place.places.debug, ports),
}

/** One alone says nothing of how two runs differ. */
function otherOf({ place: { debug, bench, places } }: PlainAsked): string {
  if (places.bench === null) throw new Refusal(problem('sheets-alone', debug))
  return bench
}

async function readPackages(asked: PlainAsked): Promise<SheetsData> {
  const { place, files, tell, job } = asked
  const bench = openPackage(files, otherOf(asked))
  try {
    const debug = openPackage(files, place.debug)
    try {
      await job.breathe()
      return packageSheets(compareConfigs({ bench, debug, rules: 'plumbline', tell }))
    } finally {
      debug.close()
    }
  } finally {
    bench.close()
  }
}
