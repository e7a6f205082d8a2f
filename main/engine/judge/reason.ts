// Which rule put a row into its state, and with which numbers: measured again for the one row that is asked for.
import {
  type Comparison,
  dumpOn,
  type PairRow,
  type Reason,
  type ReasonFacts,
  RowState,
  stats,
} from '../model/index.ts'
import { ErrorMeter, Part } from '../measure/index.ts'
import { bitwise, cannotBeRead, evident, sizes } from './state.ts'
import { codeText, statText } from './values-26.ts'

/** `tolerance`: what the user has said that never counts. */
export function reasonOf(rows: Comparison, row: PairRow, tolerance: number): Reason {
  const { debug, bench, debugItem, benchItem, measured, pairOf } = rows
  const [item, other] = [debugItem[row], benchItem[row]]
  if (item < 0 || other < 0) return ofUnpaired(rows, row)
  if (debug.items.tensor[item] !== 1 || bench.items.tensor[other] !== 1) return ofScalars(rows, row)
  if (sizes(debug, bench)(item, other))
    return because('shapes', {
      debug: codeText(debug, debug.items.shape[item]),
      bench: codeText(bench, bench.items.shape[other]),
    })
  const entry = pairOf?.[row] ?? -1
  if (measured && entry >= 0 && cannotBeRead(measured.outcome[entry])) return because('unread', {})
  const meter = new ErrorMeter(debug, bench, measured)
  meter.measure(item, other, entry)
  return ofTensors(rows, row, meter, tolerance)
}

const because = <Code extends keyof ReasonFacts>(
  code: Code,
  facts: ReasonFacts[Code],
  errors: Reason['errors'] = [],
): Reason => ({ code, facts: { ...facts }, errors })

const equalities = { bytes: 'equal-bytes', md5: 'equal-md5', statistics: 'equal-statistics' } as const

function ofTensors(rows: Comparison, row: PairRow, meter: ErrorMeter, tolerance: number): Reason {
  const [state, error, allowed] = [rows.state[row], rows.level[row], rows.noise[row]]
  if (state === RowState.incomparable || meter.equalBy === 'nothing') return because('unknown', {})
  if (state === RowState.equal) return because(equalities[meter.equalBy], {})
  if (meter.broken) return because('broken', {})
  const errors = errorsOf(meter)
  const within = state === RowState.noise
  if (!meter.sized) return because('md5', {})
  if (errors.length === 0) return within ? because('hidden-noise', { allowed }) : because('hidden', {})
  if (allowed === bitwise) return because('bits', { error }, errors)
  if (allowed === evident) return because('evident', { error }, errors)
  const tolerated = tolerance > 0 && allowed === tolerance
  if (within) return because(tolerated ? 'tolerance' : 'noise', { error, allowed }, errors)
  return because(tolerated ? 'beyond-tolerance' : 'beyond', { error, allowed }, errors)
}

const hindrance = /^(shape|dtype) (.+) \/ (.+)$/

function ofUnpaired(rows: Comparison, row: PairRow): Reason {
  const column = rows.columns.findIndex(({ id }) => id === 'why')
  const [, what, debug = '', bench = ''] = hindrance.exec(column < 0 ? '' : rows.text(row, column)) ?? []
  if (what === 'shape') return because('unpaired-shape', { debug, bench })
  return what === 'dtype' ? because('unpaired-dtype', { debug, bench }) : because('unpaired', {})
}

/** To the digits that are shown: of equal errors the first statistic is named. */
const asShown = (error: number): number => Number(error.toPrecision(2))

/** All that is off, the largest first. */
function errorsOf({ ofStats, parts }: ErrorMeter): Reason['errors'] {
  return [
    ...stats.map((stat, at) => ({ of: stat, error: ofStats[at] })),
    { of: 'elements' as const, error: parts[Part.elements] },
  ]
    .filter(({ error }) => error > 0)
    .sort((a, b) => asShown(b.error) - asShown(a.error))
}

function ofScalars(rows: Comparison, row: PairRow): Reason {
  const { debugItem, benchItem, level, noise, state } = rows
  const [debug, bench] = (['debug', 'bench'] as const).map(side => {
    const dump = dumpOn(rows, side)
    return statText(dump, dump.items.max, side === 'debug' ? debugItem[row] : benchItem[row])
  })
  if (state[row] === RowState.incomparable) return because('unknown', {})
  if (state[row] === RowState.equal) return because('scalar-equal', { debug })
  if (state[row] === RowState.noise)
    return because('scalar-noise', { debug, bench, error: level[row], allowed: noise[row] })
  return because('scalar', { debug, bench })
}
