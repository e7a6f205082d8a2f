// Tables of what surrounds runs as a study of their own.
import type { StudyInput, StudyKind } from '../kinds.ts'
import { type PlainPorts, PlainStudy, PlainUnit, type Reading } from '../plain.ts'
import type { Study } from '../study.ts'
import type { SheetsData } from './data.ts'

/** Roughly, with its texts: enough to tell what weighs. */
const bytesPerRow = 400
const rowsOf = ({ sheets }: SheetsData): number => sheets.reduce((sum, { length }) => sum + length, 0)

const reading: Reading<SheetsData> = {
  // By our own rules: the slips of msprobe's are for the workbook that it writes.
  key: () => 'read',
  read: async asked => (await import('./read.ts')).readPart(asked),
  // What agrees in everything has been read too.
  rows: data => Math.max(1, rowsOf(data)),
  bytes: data => rowsOf(data) * bytesPerRow,
}

export class SheetsUnit extends PlainUnit<SheetsData> {}

export const openSheets = (kind: StudyKind, input: StudyInput, ports: PlainPorts): Study =>
  new PlainStudy(kind, input, ports, (...given) => new SheetsUnit(reading, ...given))
