// Values over steps and ranks as a study.
import type { SeriesPart } from '../../formats/index.ts'
import type { StudyInput, StudyKind } from '../kinds.ts'
import { type PlainPorts, PlainStudy, PlainUnit, type Reading } from '../plain.ts'
import type { Study } from '../study.ts'
import { bytesOf, readGradients, readMonitors, rowsOf, type SeriesData } from './data.ts'

const reading: Reading<SeriesData> = {
  key: () => 'read',
  read({ place: { debug, places }, ...ports }) {
    const bench = places.bench?.path ?? null
    const part = places.debug.part as SeriesPart
    return part === 'gradients'
      ? readGradients(debug, bench, 'plumbline', ports)
      : readMonitors(debug, bench, ports)
  },
  rows: rowsOf,
  bytes: bytesOf,
}

export class SeriesUnit extends PlainUnit<SeriesData> {}

export const openSeries = (kind: StudyKind, input: StudyInput, ports: PlainPorts): Study =>
  new PlainStudy(kind, input, ports, (...given) => new SeriesUnit(reading, ...given))
