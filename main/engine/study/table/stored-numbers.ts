// The numbers of a finished table in place of a measurement.
import { Note, Outcome } from '../../model/index.ts'
import type { OpenedTable } from '../../formats/index.ts'
import { emptyMeasured, type Measure, metrics } from '../../measure/index.ts'

const outcomes: Readonly<Record<string, Outcome>> = {
  'N/A': Outcome.nanPositions,
  'shape unmatched': Outcome.shapesDiffer,
}

/** Answers with what the table says. */
export function storedNumbers(table: OpenedTable): Measure {
  return async pairs => {
    const measured = emptyMeasured(pairs.length)
    pairs.forEach((pair, row) => {
      const item = pair.item ?? -1
      const number = (title: string): number => {
        const cell = item < 0 ? '' : table.cell(item, title)
        return typeof cell === 'number' ? cell : NaN
      }
      const text = (title: string): string => (item < 0 ? '' : String(table.cell(item, title)))
      measured.outcome[row] =
        outcomes[text('Cosine')] ??
        (Number.isNaN(number('MaxAbsErr'))
          ? Outcome.debugMissing
          : text('One Thousandth Err Ratio') === 'unsupported'
            ? Outcome.scalar
            : Outcome.measured)
      if (text('Cosine') === 'unsupported' && measured.outcome[row] === Outcome.measured)
        measured.notes[row] = Note.single
      for (const { id, title } of metrics) measured[id][row] = number(title)
    })
    return measured
  }
}
