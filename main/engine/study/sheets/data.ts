// What tables of what surrounds runs come to once they are read.
import {
  type SetupFinding,
  type SheetLevel,
  sheetLevels,
  type SheetsHold,
  type SheetsInfo,
} from '../../model/index.ts'
import type { Sheet } from './sheet.ts'

export interface SheetsData {
  readonly holds: SheetsHold
  readonly sheets: readonly Sheet[]
  /** What matters most comes first. */
  readonly findings: readonly SetupFinding[]
}

const mostFindings = 300

export function sheetsInfo({ holds, sheets, findings }: SheetsData): SheetsInfo {
  const counted = (level: SheetLevel): number => findings.filter(one => one.level === level).length
  const [error, warning, note, pass] = sheetLevels.map(counted)
  return {
    holds,
    sheets: sheets.map(({ info }) => info),
    findings: findings.slice(0, mostFindings),
    count: findings.length,
    levels: { error, warning, note, pass },
  }
}
