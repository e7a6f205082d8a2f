// Tables of verdicts as a study of their own.
import type { Verdicts } from '../../precheck/index.ts'
import type { StudyInput, StudyKind } from '../kinds.ts'
import { type PlainPorts, PlainStudy, PlainUnit, type Reading } from '../plain.ts'
import type { Study } from '../study.ts'
import { readVerdicts } from './tables.ts'

/** Roughly, with its texts: enough to tell what weighs. */
const bytesPerRow = 800
const rowsOf = (tables: readonly Verdicts[]): number => tables.reduce((sum, { length }) => sum + length, 0)

const reading: Reading<readonly Verdicts[]> = {
  key: ({ rules }) => `read by ${rules}`,
  read({ place: { places }, options: { rules }, ...ports }) {
    const { debug, bench } = places
    return readVerdicts({ places: [debug, ...(bench ? [bench] : []), ...(debug.beside ?? [])], rules }, ports)
  },
  rows: rowsOf,
  bytes: tables => rowsOf(tables) * bytesPerRow,
}

export class VerdictsUnit extends PlainUnit<readonly Verdicts[]> {}

export const openVerdicts = (kind: StudyKind, input: StudyInput, ports: PlainPorts): Study =>
  new PlainStudy(kind, input, ports, (...given) => new VerdictsUnit(reading, ...given))
