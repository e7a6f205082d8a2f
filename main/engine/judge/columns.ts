// The columns of a comparison by generation of msprobe and mode: ids, titles, order.
import { metricColumns } from '../measure/index.ts'
import { type Generation, type Mode, type ColumnInfo, stats, statTitles } from '../model/index.ts'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

type Row = readonly [id: string, title: string, numeric: boolean, extra?: boolean]

const common: readonly Row[] = [
  ['debugName', 'NPU Name', false],
  ['benchName', 'Bench Name', false],
  ['debugDtype', 'NPU Dtype', false],
  ['benchDtype', 'Bench Dtype', false],
  ['debugShape', 'NPU Tensor Shape', false],
  ['benchShape', 'Bench Tensor Shape', false],
]
/** msprobe's own metrics of tensors, or those behind its columns. */
const tensorMetrics = (generation: Generation, extra: boolean): readonly Row[] =>
  metricColumns[generation]
    .filter(metric => metric.extra === extra)
    .map(({ id, title }): Row => [id, title, true, extra])
const statMetrics: readonly Row[] = [
  ...stats.map((stat): Row => [`${stat}Diff`, statTitles[stat][1], true]),
  ...stats.map((stat): Row => [`${stat}Relative`, statTitles[stat][2], true]),
]
const summary: readonly Row[] = [
  ...stats.map((stat): Row => [`debug${capital(stat)}`, `NPU ${statTitles[stat][0]}`, true]),
  ...stats.map((stat): Row => [`bench${capital(stat)}`, `Bench ${statTitles[stat][0]}`, true]),
]
const stack: Row = ['stack', 'NPU_Stack_Info', false]
const extras: readonly Row[] = [
  ['debugGrad', 'NPU Requires_grad', false, true],
  ['benchGrad', 'Bench Requires_grad', false, true],
  ['why', 'Why unmatched', false, true],
]

const byMode: Readonly<Record<Mode, { readonly own: readonly Row[]; readonly last: readonly Row[] }>> = {
  tensor: {
    own: [
      ...common,
      ...tensorMetrics('msprobe-1.2.2', false),
      ...summary,
      ['accuracy', 'Accuracy Reached or Not', false],
      ['message', 'Err_message', false],
    ],
    last: [['dataName', 'Data_name', false], ...extras, ...tensorMetrics('msprobe-1.2.2', true)],
  },
  statistics: {
    own: [
      ...common,
      ...statMetrics,
      ...summary,
      ['result', 'Result', false],
      ['message', 'Err_message', false],
    ],
    last: extras,
  },
  md5: {
    own: [
      ...common,
      ['debugMd5', 'NPU MD5', false],
      ['benchMd5', 'BENCH MD5', false],
      ['result', 'Result', false],
    ],
    last: extras,
  },
}

/** Ids of the columns that are numbers of a comparison, not of one side. */
export const metricIds: Readonly<Record<'tensor' | 'statistics', readonly string[]>> = {
  tensor: metricColumns['msprobe-1.2.2'].map(metric => metric.id),
  statistics: statMetrics.map(([id]) => id),
}

const grads: readonly Row[] = [
  ['debugGrad', 'NPU Requires_grad', false],
  ['benchGrad', 'Bench Requires_grad', false],
]
const answers: readonly Row[] = [
  ['gradsAgree', 'Requires_grad Consistent', false],
  ['result', 'Result', false],
  ['message', 'Err_message', false],
]
const why: Row = ['why', 'Why unmatched', false, true]
const metrics26: Readonly<Record<Mode, readonly Row[]>> = {
  tensor: [...tensorMetrics('msprobe-26', false), ...summary],
  statistics: [...statMetrics, ...summary],
  md5: [
    ['debugMd5', 'NPU MD5', false],
    ['benchMd5', 'BENCH MD5', false],
  ],
}

type ColumnRows = (mode: Mode, stack: readonly Row[]) => readonly Row[]

const rowsOf: Readonly<Record<Generation, ColumnRows>> = {
  'msprobe-1.2.2': (mode, stacks) => [...byMode[mode].own, ...stacks, ...byMode[mode].last],
  'msprobe-26': (mode, stacks) => [
    ...common,
    ...grads,
    ...metrics26[mode],
    ...answers,
    ...stacks,
    ...(mode === 'tensor' ? [['dataName', 'Data_name', false] as const] : []),
    why,
    ...(mode === 'tensor' ? tensorMetrics('msprobe-26', true) : []),
  ],
}

/** The columns of a generation of msprobe in its order, then our own. */
export const columnsOf = (
  generation: Generation,
  mode: Mode,
  has: { readonly stack: boolean },
): readonly ColumnInfo[] =>
  rowsOf[generation](mode, has.stack ? [stack] : []).map(([id, title, numeric, extra = false]) => ({
    id,
    title,
    numeric,
    extra,
  }))
