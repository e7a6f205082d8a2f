// The result and details files of msprobe's pre-check, of rows that were computed here.
import type { DirectionAnswer } from '../model/index.ts'
import type { Generation, Status, StatusRow } from './status.ts'

export interface DetailRow extends StatusRow {
  /** `Torch.add.0.forward.output.0` */
  readonly name: string
}

const columns = [
  'API Name',
  'Bench Dtype',
  'DEVICE Dtype',
  'Shape',
  '余弦相似度',
  '最大绝对误差',
  '双百指标',
  '双千指标',
  '双万指标',
  '二进制一致错误率',
  '误差均衡性',
  '均方根误差',
  '小值域错误占比',
  '相对误差最大值',
  '相对误差平均值',
  'inf/nan错误率',
  '相对误差错误率',
  '绝对误差错误率',
  'ULP误差最大值',
  'ULP误差平均值',
  'ULP误差大于阈值占比',
  'Status',
  'Message',
] as const
const resultColumns = ['API name', 'Forward Test Success', 'Backward Test Success', 'Message'] as const

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const csv = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map(row => row.map(field).join(',')).join('\r\n')}\r\n`

const numberText = (x: number): string => {
  if (Number.isNaN(x)) return 'nan'
  if (!Number.isFinite(x)) return x > 0 ? 'inf' : '-inf'
  return x.toFixed(14)
}

const shapeText = (shape: readonly number[] | null): string => {
  if (shape === null) return ' '
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`
}

/** 1.2.2 writes one of the words with a capital. */
const statusText = (status: Status, generation: Generation): string =>
  status === 'warning' && generation === '1.2.2' ? 'Warning' : status

export const detailsCsv = (rows: readonly DetailRow[], generation: Generation): string =>
  csv([
    columns,
    ...rows.map(row => [
      row.name,
      row.benchDtype,
      row.dtype,
      shapeText(row.shape),
      ...row.cells.map(cell => (cell === null ? ' ' : numberText(cell))),
      statusText(row.status, generation),
      row.message,
    ]),
  ])

const order: readonly Status[] = ['SKIP', 'pass', 'warning', 'error']
const worst = (all: readonly Status[]): Status | null =>
  all.reduce<Status | null>(
    (top, one) => (top === null || order.indexOf(one) > order.indexOf(top) ? one : top),
    null,
  )

/** Calls in their order; those that were not computed are skipped, and say why. */
export function resultCsv(
  directions: readonly DirectionAnswer[],
  rows: readonly DetailRow[],
  generation: Generation,
): string {
  const statuses = new Map<string, Status[]>()
  for (const { name, status } of rows) {
    const direction = name.replace(/\.output\..*$/, '')
    const known = statuses.get(direction)
    if (known) known.push(status)
    else statuses.set(direction, [status])
  }
  const textOf = ({ call, direction, status }: DirectionAnswer): string =>
    status === 'skipped'
      ? 'SKIP'
      : statusText(worst(statuses.get(`${call}.${direction}`) ?? []) ?? 'pass', generation)
  const calls = new Map<string, DirectionAnswer[]>()
  for (const one of directions) calls.set(one.call, [...(calls.get(one.call) ?? []), one])
  const lines = [...calls].map(([call, both]) => {
    const cell = (direction: string): string => {
      const found = both.find(one => one.direction === direction)
      return found ? textOf(found) : ' '
    }
    const why = both
      .filter(({ reason }) => reason !== '')
      .map(({ direction, reason }) => `${direction}: ${reason}`)
    return [call, cell('forward'), cell('backward'), ...(why.length ? [why.join('\n')] : [])]
  })
  return csv([resultColumns, ...lines])
}
