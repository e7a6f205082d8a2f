// Values over steps and ranks as a study.
import type { SeriesPart } from '../../formats/index.ts'
import type { StudyInput, StudyKind } from '../kinds.ts'
import { type PlainPorts, PlainStudy, PlainUnit, type Reading, type UnitGiven } from '../plain.ts'
import type { Study } from '../study.ts'
import { bytesOf, readSeries, rowsOf, type SeriesData } from './data.ts'
import { keptSeries } from './kept.ts'

/** What somebody has typed to find values in a log; '' where kinds of logs are known. */
interface Typed {
  pattern: string
  /** How often somebody wanted the files read again, whatever was kept of them. */
  again: number
}

const readingOf = (typed: Typed, cacheDir: string): Reading<SeriesData> => ({
  key: () => `read ${typed.again} ${typed.pattern}`,
  read({ place: { debug, places }, ...ports }) {
    const bench = places.bench?.path ?? null
    const asked = { debug, bench, rules: 'plumbline', pattern: typed.pattern } as const
    const kept = keptSeries(cacheDir, typed.again > 0)
    return readSeries(places.debug.part as SeriesPart, asked, ports, kept)
  },
  rows: rowsOf,
  bytes: bytesOf,
  close: data => data.close(),
})

export class SeriesUnit extends PlainUnit<SeriesData> {
  readonly #typed: Typed

  constructor(cacheDir: string, ...given: UnitGiven) {
    const typed = { pattern: '', again: 0 }
    super(readingOf(typed, cacheDir), ...given)
    this.#typed = typed
  }

  /** Of a log: its lines are read by another pattern. */
  setPattern(pattern: string): void {
    this.#typed.pattern = pattern
    this.again()
  }

  readAgain(): void {
    this.#typed.again++
    this.again()
  }
}

export const openSeries = (kind: StudyKind, input: StudyInput, ports: PlainPorts): Study =>
  new PlainStudy(kind, input, ports, (...given) => new SeriesUnit(ports.cacheDir, ...given))
