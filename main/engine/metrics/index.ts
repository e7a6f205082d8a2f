// The columns of a comparison per mode: ids, msprobe's titles, order.
import { stats, type Mode, type Stat } from '../model.ts'
import type { ResultColumn } from '../result.ts'

const statTitle: Readonly<Record<Stat, string>> = { max: 'max', min: 'min', mean: 'mean', norm: 'l2norm' }
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

type Row = readonly [id: string, title: string, numeric: boolean, extra?: boolean]

const common: readonly Row[] = [
  ['debugName', 'NPU Name', false], ['benchName', 'Bench Name', false], ['debugDtype', 'NPU Dtype', false], ['benchDtype', 'Bench Dtype', false],
  ['debugShape', 'NPU Tensor Shape', false], ['benchShape', 'Bench Tensor Shape', false],
]
const tensorMetrics: readonly Row[] = [
  ['cosine', 'Cosine', true], ['maxAbs', 'MaxAbsErr', true], ['maxRel', 'MaxRelativeErr', true],
  ['thousandth', 'One Thousandth Err Ratio', true], ['fiveThousandths', 'Five Thousandths Err Ratio', true],
]
const statMetrics: readonly Row[] = [
  ['maxDiff', 'Max diff', true], ['minDiff', 'Min diff', true], ['meanDiff', 'Mean diff', true], ['normDiff', 'L2norm diff', true],
  ['maxRelative', 'MaxRelativeErr', true], ['minRelative', 'MinRelativeErr', true], ['meanRelative', 'MeanRelativeErr', true], ['normRelative', 'NormRelativeErr', true],
]
const summary: readonly Row[] = [
  ...stats.map((stat): Row => [`debug${capital(stat)}`, `NPU ${statTitle[stat]}`, true]),
  ...stats.map((stat): Row => [`bench${capital(stat)}`, `Bench ${statTitle[stat]}`, true]),
]
const stack: Row = ['stack', 'NPU_Stack_Info', false]
const extras: readonly Row[] = [['debugGrad', 'NPU Requires_grad', false, true], ['benchGrad', 'Bench Requires_grad', false, true], ['why', 'Why unmatched', false, true]]

const byMode: Readonly<Record<Mode, { readonly own: readonly Row[]; readonly last: readonly Row[] }>> = {
  tensor: {
    own: [...common, ...tensorMetrics, ...summary, ['accuracy', 'Accuracy Reached or Not', false], ['message', 'Err_message', false]],
    last: [['dataName', 'Data_name', false], ...extras, ['euclid', 'EucDist', true, true]],
  },
  statistics: { own: [...common, ...statMetrics, ...summary, ['result', 'Result', false], ['message', 'Err_message', false]], last: extras },
  md5: { own: [...common, ['debugMd5', 'NPU MD5', false], ['benchMd5', 'BENCH MD5', false], ['result', 'Result', false]], last: extras },
}

/** msprobe's columns in its order, then our own. */
export function columnsOf(mode: Mode, has: { readonly stack: boolean }): readonly ResultColumn[] {
  const { own, last } = byMode[mode]
  return [...own, ...(has.stack ? [stack] : []), ...last].map(([id, title, numeric, extra = false]) => ({ id, title, numeric, extra }))
}

const grads: readonly Row[] = [['debugGrad', 'NPU Requires_grad', false], ['benchGrad', 'Bench Requires_grad', false]]
const answers: readonly Row[] = [['gradsAgree', 'Requires_grad Consistent', false], ['result', 'Result', false], ['message', 'Err_message', false]]
const why: Row = ['why', 'Why unmatched', false, true]
const newestMetrics: Readonly<Record<Mode, readonly Row[]>> = {
  tensor: [...tensorMetrics.slice(0, 1), ['euclid', 'EucDist', true], ...tensorMetrics.slice(1), ...summary],
  statistics: [...statMetrics, ...summary],
  md5: [['debugMd5', 'NPU MD5', false], ['benchMd5', 'BENCH MD5', false]],
}

/** The columns of the newest msprobe. */
export function newestColumnsOf(mode: Mode, has: { readonly stack: boolean }): readonly ResultColumn[] {
  const rows = [...common, ...grads, ...newestMetrics[mode], ...answers, ...(has.stack ? [stack] : []), ...(mode === 'tensor' ? [['dataName', 'Data_name', false] as const] : []), why]
  return rows.map(([id, title, numeric, extra = false]) => ({ id, title, numeric, extra }))
}
