// Tables that open as they are: details and results of the pre-check, the free benchmark, the check of compiled modules.
import { cellOf, plainTitle, type SheetTable, type ToldKind, toldKindOf } from '../formats/index.ts'
import {
  Refusal,
  type VerdictCheck,
  type VerdictMetric,
  type VerdictStandard,
  verdictStates,
} from '../model/index.ts'
import { detailsOf, numberIn } from './details.ts'
import { generationOf } from './generation.ts'
import { statusTitles, verdictColumns } from './metrics.ts'
import { standards, standardTexts } from './standards.ts'
import { checkOfStatus } from './status.ts'
import {
  apiNamed,
  callNamed,
  plainCheck,
  stateOf,
  type VerdictCall,
  type Verdicts,
  type VerdictTypes,
} from './verdicts.ts'

/** Columns of a row by their titles. */
export interface Cells {
  text(title: string): string
  /** NaN where nothing stands, or no number. */
  number(title: string): number
}

/** What each cell means in one kind of table. */
interface Reader {
  name(cells: Cells): string
  status(cells: Cells): string
  checks(cells: Cells): readonly VerdictCheck[]
  texts(cells: Cells): readonly string[]
  types?(cells: Cells): VerdictTypes
  standard?(cells: Cells): VerdictStandard | null
  api?(cells: Cells): string
  call?(cells: Cells): VerdictCall | null
}

const noTypes: VerdictTypes = { device: '', bench: '', shape: '' }
const message = (cells: Cells): string => cells.text('Message').trim()
const filled = (texts: readonly string[]): readonly string[] => texts.filter(text => text !== '')

/** Numbers that stand in a row, by the titles of their columns; the one that decided goes first. */
function measured(
  cells: Cells,
  titles: Readonly<Partial<Record<VerdictMetric, string>>>,
  deciding: VerdictCheck | null = null,
): readonly VerdictCheck[] {
  const others = (Object.keys(titles) as VerdictMetric[])
    .filter(metric => metric !== deciding?.metric && cells.text(titles[metric] ?? '').trim() !== '')
    .map(metric => ({ ...plainCheck, metric, npu: cells.number(titles[metric] ?? '') }))
  return deciding ? [deciding, ...others] : others
}

const details: Reader = {
  name: cells => cells.text('API Name'),
  status: cells => cells.text('Status'),
  checks: cells => measured(cells, statusTitles, checkOfStatus(cells)),
  texts: cells => filled([message(cells)]),
  types: cells => ({
    device: cells.text('DEVICE Dtype').trim(),
    bench: cells.text('Bench Dtype').trim(),
    shape: cells.text('Shape').trim(),
  }),
}

const mindspore: Reader = {
  ...details,
  checks: cells =>
    measured(cells, { cosine: 'Cosine', maxAbsolute: 'MaxAbsErr', maxRelative: 'MaxRelativeErr' }),
  types: cells => ({
    device: cells.text('Tested Dtype').trim(),
    bench: cells.text('Bench Dtype').trim(),
    shape: cells.text('Shape').trim(),
  }),
}

const compared: Reader = {
  name: cells => cells.text('API Name'),
  status: cells => cells.text('比对结果'),
  checks: cells =>
    verdictColumns
      .flatMap(({ metric, number, ratio, verdict }): VerdictCheck[] => {
        const said = verdict === null ? '' : cells.text(verdict).trim()
        const of = (title: string | null | undefined): number | null =>
          title && cells.text(title).trim() !== '' ? cells.number(title) : null
        const [npu, found] = [of(number), of(ratio)]
        if (said === '' && npu === null && found === null) return []
        // How errors lean is shown and left out of the answer, except where errors add up.
        const counted =
          said !== '' && (metric !== 'balance' || cells.text('比对算法') === standardTexts.accumulative)
        return [
          { ...plainCheck, metric, npu, ratio: found, counted, verdict: said === '' ? '' : stateOf(said) },
        ]
      })
      .sort((a, b) => rank(a) - rank(b)),
  texts(cells) {
    // The checks say what such a line repeats.
    const lines = message(cells)
      .split('\n')
      .filter(line => !line.startsWith('ERROR: '))
    return filled([lines.join('\n').trim()])
  },
  standard: cells => {
    const method = cells.text('比对算法').trim()
    return standards.find(one => standardTexts[one] === method) ?? null
  },
}

const rank = ({ counted, verdict }: VerdictCheck): number => (counted && verdict === 'error' ? 0 : 1)

const directions = ['Forward Test Success', 'Backward Test Success'] as const

/** A row per call: the worse of its two directions counts. */
const result: Reader = {
  name: cells => cells.text('API Name'),
  status(cells) {
    const said = directions.map(title => cells.text(title).trim()).filter(text => text !== '')
    return (
      said.toSorted((a, b) => verdictStates.indexOf(stateOf(a)) - verdictStates.indexOf(stateOf(b)))[0] ?? ''
    )
  },
  checks: () => [],
  texts(cells) {
    const said = directions.map(title => {
      const text = cells.text(title).trim()
      return text === '' ? '' : `${title}: ${text}`
    })
    return filled([...said, message(cells)])
  },
}

const free: Reader = {
  name(cells) {
    const [api, stage] = [cells.text('api_name'), cells.text('stage')]
    const call = stage === '' || api.endsWith(`.${stage}`) ? api : `${api}.${stage}`
    return `${call}.output.${cells.text('output_index').trim() || '0'}`
  },
  // Only what deviated stands in it.
  status: () => 'error',
  checks: cells => [
    { ...plainCheck, metric: 'maxRelative', npu: cells.number('max_rel'), counted: true, verdict: 'error' },
  ],
  texts: cells => filled(['pert_mode', 'rank', 'step'].map(title => told(title, cells.text(title).trim()))),
  types(cells) {
    const type = cells.text('dtype').trim()
    return { device: type, bench: type, shape: cells.text('shape').trim() }
  },
}

const told = (title: string, text: string): string => (text === '' ? '' : `${title}: ${text}`)

/** It goes by `torch.allclose`, so that no number of a row decides alone. */
const compiled: Reader = {
  name: cells =>
    `${cells.text('module_name') || '(model)'} ${cells.text('check_type')} ${cells.text('tensor_index')}`,
  status: cells => cells.text('status'),
  checks: cells =>
    measured(cells, {
      maxAbsolute: 'max_abs_diff',
      meanAbsolute: 'mean_abs_diff',
      maxRelative: 'max_rel_diff',
    }).filter(({ npu }) => !Number.isNaN(npu)),
  texts: cells => filled([cells.text('note').trim()]),
  types: cells => ({ ...noTypes, shape: cells.text('shape').trim() }),
  api: cells => cells.text('check_type'),
  call(cells) {
    const [path, type] = [cells.text('module_name').trim(), cells.text('check_type')]
    if (path === '' || type === 'loss') return null
    return { is: 'module', path, direction: type.startsWith('grad') ? 'backward' : 'forward' }
  },
}

const readers: Readonly<Record<ToldKind, Reader>> = { details, mindspore, compared, result, free, compiled }

/** Null where a table says nothing of its rows. */
export function verdictsOf(table: SheetTable): Verdicts | null {
  const kind = toldKindOf(table.columns.map(({ title }) => title))
  if (!kind) return null
  const reader = readers[kind]
  const places = new Map(table.columns.map(({ title }, at) => [plainTitle(title), at]))
  const cells = (row: number): Cells => ({
    text(title) {
      const at = places.get(title)
      return at === undefined ? '' : String(cellOf(table, row, at))
    },
    number(title) {
      const at = places.get(title)
      if (at === undefined) return NaN
      const cell = cellOf(table, row, at)
      return typeof cell === 'number' ? cell : (numberIn(cell) ?? NaN)
    },
  })
  const status = (row: number): string => reader.status(cells(row)).trim()
  const name = (row: number): string => reader.name(cells(row))
  return {
    holds: kind,
    paths: [table.path],
    generation: kind === 'details' ? writerOf(table) : null,
    length: table.length,
    name,
    api: row => reader.api?.(cells(row)) ?? apiNamed(name(row)),
    call: row => (reader.call ? reader.call(cells(row)) : callNamed(name(row))),
    status,
    state: row => stateOf(status(row)),
    standard: row => reader.standard?.(cells(row)) ?? null,
    checks: row => reader.checks(cells(row)),
    reason: row => (status(row) === '' ? { why: 'empty' } : null),
    texts: row => reader.texts(cells(row)),
    types: row => reader.types?.(cells(row)) ?? noTypes,
  }
}

/** A file that lacks columns, or has rows of both, says so where it is judged; to be read it needs neither. */
function writerOf(table: SheetTable): Verdicts['generation'] {
  try {
    return generationOf(detailsOf(table))
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
