// Values over steps and ranks that were given with dumps of the same run: beside the statistics of these dumps.
import type { SeriesPart } from '../../formats/index.ts'
import type { GivenValues } from '../../layout/index.ts'
import type { Rules } from '../../model/index.ts'
import { readSeries, type SeriesData, type SeriesPorts } from './data.ts'
import type { Kept } from './kept.ts'

export const readGiven = (
  { debug, bench }: GivenValues,
  rules: Rules,
  ports: SeriesPorts,
  kept: Kept | null,
): Promise<SeriesData> =>
  readSeries(
    debug.part as SeriesPart,
    { debug: debug.path, bench: bench?.path ?? null, rules, pattern: '' },
    ports,
    kept,
  )

/** Metrics of both; what is suspect is what was given. */
export const together = (dumps: SeriesData, given: SeriesData): SeriesData => ({
  ...given,
  metrics: [...dumps.metrics.map(metric => ({ ...metric, ofDumps: true as const })), ...given.metrics],
  readAt: given.readAt ?? dumps.readAt,
  close() {
    dumps.close()
    given.close()
  },
})
