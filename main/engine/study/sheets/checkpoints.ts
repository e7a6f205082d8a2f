// Two checkpoints as a table, parameter by parameter.
import type { CheckpointsCompared } from '../../config/index.ts'
import type { SetupFinding, SheetLevel } from '../../model/index.ts'
import type { SheetsData } from './data.ts'
import { column, Sheet, type SheetCell } from './sheet.ts'

const columns = [
  column('name'),
  column('relativeL2', true),
  column('cosine', true),
  column('maxAbs', true),
  column('signs', true),
  column('benchShape'),
  column('debugShape'),
]

interface Row {
  readonly cells: readonly SheetCell[]
  readonly level: SheetLevel
  readonly weight: number
}

const part = 'checkpoint'

export function checkpointSheets(compared: CheckpointsCompared): SheetsData {
  const rows = [...compared.parameters.map(pairRow), ...aloneRows(compared)]
  const sheet = new Sheet({
    id: part,
    columns,
    length: rows.length,
    cell: (row, at) => rows[row].cells[at],
    level: row => rows[row].level,
    weight: row => rows[row].weight,
  })
  return { holds: 'checkpoint', sheets: [sheet], findings: findingsOf(compared) }
}

type Answer = CheckpointsCompared['parameters'][number]

const shapeText = (shape: readonly number[]): string => `[${shape.join(', ')}]`

function pairRow({ name, benchShape, debugShape, l2, cosine, maxAbs, relativeL2, signs }: Answer): Row {
  const shapes = [shapeText(benchShape), shapeText(debugShape)]
  return {
    cells: [name, relativeL2, cosine, maxAbs, signs, ...shapes],
    level: l2 === 0 ? 'pass' : 'error',
    // What has no number stands first.
    weight: relativeL2 ?? Infinity,
  }
}

const aloneRows = ({ benchOnly, debugOnly }: CheckpointsCompared): readonly Row[] => [
  ...benchOnly.map((name): Row => ({ cells: [name, null, null, null, null, '✓', null], ...alone })),
  ...debugOnly.map((name): Row => ({ cells: [name, null, null, null, null, null, '✓'], ...alone })),
]
const alone = { level: 'warning', weight: 0 } as const

function findingsOf({ parameters, benchOnly, debugOnly }: CheckpointsCompared): readonly SetupFinding[] {
  const shapes = parameters.filter(({ l2 }) => l2 === null)
  const differing = parameters.filter(({ l2 }) => l2 !== null && l2 !== 0)
  const share = ({ relativeL2 }: Answer): number =>
    relativeL2 === null || Number.isNaN(relativeL2) ? Infinity : relativeL2
  const [furthest] = differing.toSorted((a, b) => share(b) - share(a))
  const found: SetupFinding[] = []
  if (shapes.length > 0)
    found.push({
      part,
      level: 'error',
      reason: 'ckpt-shapes',
      facts: { count: shapes.length, name: shapes[0].name },
    })
  if (furthest)
    found.push({
      part,
      level: 'error',
      reason: 'ckpt-differ',
      facts: {
        differ: differing.length,
        of: parameters.length,
        name: furthest.name,
        share: furthest.relativeL2 ?? NaN,
      },
    })
  for (const [side, names] of [
    ['bench', benchOnly],
    ['debug', debugOnly],
  ] as const)
    if (names.length > 0)
      found.push({
        part,
        level: 'warning',
        reason: 'ckpt-only',
        facts: { side, count: names.length, name: names[0] },
      })
  return found
}
