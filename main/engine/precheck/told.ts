// What tables of the pre-check and of the free benchmark say of each row: its state, and by which number.
import {
  cellOf,
  type ListedItem,
  plainTitle,
  type SheetTable,
  type ToldKind,
  toldKindOf,
} from '../formats/index.ts'
import { RowState, type ToldCheck, type ToldGrounds } from '../model/index.ts'
import { numberIn } from './details.ts'
import { verdictColumns } from './metrics.ts'
import { type Standard, standards, standardTexts } from './standards.ts'
import { checkOfStatus } from './status.ts'

/** Columns of a table by their titles. */
export interface ToldCells {
  text(title: string): string
  /** NaN where nothing stands, or no number. */
  number(title: string): number
}

/** A row of such a table. */
interface ToldReader {
  item(cells: ToldCells): ListedItem
  status(cells: ToldCells): string
  grounds(cells: ToldCells): ToldGrounds
  /** Titles of our columns, and of those that hold the same here. */
  readonly numbers: Readonly<Record<string, string>>
}

const message = (cells: ToldCells): string => cells.text('Message').trim()
const groundsOf = (
  checks: readonly ToldCheck[],
  texts: readonly string[],
  standard: Standard | null = null,
): ToldGrounds => ({ checks, standard, texts: texts.filter(text => text !== '') })

const details: ToldReader = {
  item: cells => ({
    name: cells.text('API Name'),
    debugType: cells.text('DEVICE Dtype'),
    benchType: cells.text('Bench Dtype'),
    shape: cells.text('Shape'),
  }),
  status: cells => cells.text('Status'),
  grounds(cells) {
    const check = checkOfStatus(cells)
    return groundsOf(check ? [check] : [], [message(cells)])
  },
  numbers: {
    Cosine: '余弦相似度',
    MaxAbsErr: '最大绝对误差',
    MaxRelativeErr: '相对误差最大值',
    'One Thousandth Err Ratio': '双千指标',
  },
}

const mindspore: ToldReader = {
  ...details,
  item: cells => ({ ...details.item(cells), debugType: cells.text('Tested Dtype') }),
  grounds: cells => groundsOf([], [message(cells)]),
  numbers: { Cosine: 'Cosine', MaxAbsErr: 'MaxAbsErr', MaxRelativeErr: 'MaxRelativeErr' },
}

const compared: ToldReader = {
  item: cells => ({ name: cells.text('API Name'), debugType: '', benchType: '', shape: '' }),
  status: cells => cells.text('比对结果'),
  grounds(cells) {
    const checks = verdictColumns.flatMap(({ metric, number, ratio, verdict }): ToldCheck[] => {
      const title = ratio ?? number
      const said = verdict === null || title === null ? '' : cells.text(verdict).trim()
      if (said === '' || title === null) return []
      return [
        { metric, isRatio: ratio !== undefined, value: cells.text(title).trim(), limit: null, verdict: said },
      ]
    })
    // The checks say what such a line repeats.
    const lines = message(cells).split('\n')
    const others = checks.length > 0 ? lines.filter(line => !line.startsWith('ERROR: ')) : lines
    const method = cells.text('比对算法').trim()
    const standard = standards.find(one => standardTexts[one] === method) ?? null
    return groundsOf(checks, [standard === null ? method : '', others.join('\n').trim()], standard)
  },
  numbers: {},
}

const directions = ['Forward Test Success', 'Backward Test Success'] as const
const worstFirst: readonly string[] = ['error', 'warning', 'pass']

/** A row per call: the worse of its two directions counts. */
const result: ToldReader = {
  item: cells => ({ name: cells.text('API Name'), debugType: '', benchType: '', shape: '' }),
  status(cells) {
    const said = directions.map(title => cells.text(title).trim()).filter(text => text !== '')
    const worst = worstFirst.find(one => said.some(text => text.toLowerCase() === one))
    return said.find(text => text.toLowerCase() === worst) ?? said[0] ?? ''
  },
  grounds(cells) {
    const said = directions.flatMap(title => {
      const text = cells.text(title).trim()
      return text === '' ? [] : [`${title}: ${text}`]
    })
    return groundsOf([], [...said, message(cells)])
  },
  numbers: {},
}

const free: ToldReader = {
  item(cells) {
    const [api, stage] = [cells.text('api_name'), cells.text('stage')]
    const call = stage === '' || api.endsWith(`.${stage}`) ? api : `${api}.${stage}`
    const type = cells.text('dtype')
    return {
      name: `${call}.output.${cells.text('output_index') || '0'}`,
      debugType: type,
      benchType: type,
      shape: cells.text('shape'),
    }
  },
  // Only what deviated stands in it.
  status: () => 'error',
  grounds: cells =>
    groundsOf(
      [{ metric: 'maxRelative', isRatio: false, value: cells.text('max_rel'), limit: null, verdict: '' }],
      [cells.text('pert_mode')],
    ),
  numbers: { MaxRelativeErr: 'max_rel' },
}

const readers: Readonly<Record<ToldKind, ToldReader>> = { details, mindspore, compared, result, free }

const states: Readonly<Record<string, readonly [RowState, number]>> = {
  pass: [RowState.noise, 0],
  warning: [RowState.differs, 0.1],
  error: [RowState.differs, 1],
}

export interface ToldTable {
  readonly length: number
  item(row: number): ListedItem
  state(row: number): RowState
  /** Error in [0, 1] that stands for the status; NaN where there is none. */
  level(row: number): number
  status(row: number): string
  grounds(row: number): ToldGrounds
  /** By the title of our own column. */
  number(row: number, title: string): number
}

/** Null where a table says nothing of its rows. */
export function toldTableOf(table: SheetTable): ToldTable | null {
  const kind = toldKindOf(table.columns.map(({ title }) => title))
  if (!kind) return null
  const reader = readers[kind]
  const places = new Map(table.columns.map(({ title }, at) => [plainTitle(title), at]))
  const cells = (row: number): ToldCells => ({
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
  const stateOf = (row: number): readonly [RowState, number] =>
    states[status(row).toLowerCase()] ?? [RowState.incomparable, NaN]
  return {
    length: table.length,
    item: row => reader.item(cells(row)),
    state: row => stateOf(row)[0],
    level: row => stateOf(row)[1],
    status,
    grounds: row => reader.grounds(cells(row)),
    number: (row, title) => cells(row).number(reader.numbers[title] ?? ''),
  }
}
