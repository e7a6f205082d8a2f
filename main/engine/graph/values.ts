// Single values of two dumps side by side: numbers, relative errors, checksums, what counts as small.
import type { Cells } from '../columns.ts'
import type { Dump } from '../dump.ts'
import { Outcome, type Measured } from '../metrics/measured.ts'
import { fixed12 } from '../metrics/numpy.ts'
import { exactDifference } from '../metrics/statistics.ts'
import { Kind } from '../model.ts'

export const statCells = (dump: Dump): readonly Cells[] => [dump.items.max, dump.items.min, dump.items.mean, dump.items.norm]

/** Numbers as statistics take them: ints and floats, no bools. */
export const isNumber = (kind: number): boolean => kind === Kind.int || kind === Kind.float || kind === Kind.bigint

export function numberOf(dump: Dump, cells: Cells, item: number): number {
  return cells.kind[item] === Kind.bigint ? Number(dump.texts.get(cells.value[item])) : cells.value[item]
}

/** Bound below which a value is small, and the absolute error that is allowed there; by dtype. */
const small: Readonly<Record<string, { readonly bound: number; readonly allowed: number; readonly shown: string }>> = {
  'torch.float32': { bound: 1e-6, allowed: 1e-6, shown: '1e-06' }, Float32: { bound: 1e-6, allowed: 1e-6, shown: '1e-06' },
  'torch.float16': { bound: 1e-3, allowed: 1e-3, shown: '0.001' }, Float16: { bound: 1e-3, allowed: 1e-3, shown: '0.001' },
  'torch.bfloat16': { bound: 1e-3, allowed: 1e-3, shown: '0.001' }, BFloat16: { bound: 1e-3, allowed: 1e-3, shown: '0.001' },
}

export interface SmallValue { readonly bound: number; readonly allowed: number; readonly shown: string }

/** Per text code of a dtype: the small-value rule that holds for it. */
export function smallValues(dump: Dump): (dtypeCode: number) => SmallValue | undefined {
  const byCode = new Map<number, SmallValue>()
  for (const [dtype, rule] of Object.entries(small)) {
    const code = dump.texts.findPlain(dtype)
    if (code >= 0) byCode.set(code, rule)
  }
  return code => byCode.get(code)
}

/** Difference of two numeric cells. */
export function differenceOf(debug: Dump, mine: Cells, item: number, bench: Dump, theirs: Cells, other: number): number {
  const d = numberOf(debug, mine, item) - numberOf(bench, theirs, other)
  return mine.kind[item] === Kind.bigint || theirs.kind[other] === Kind.bigint ? Number(exactDifference(mine, item, debug, theirs, other, bench) ?? d) : d
}

/** Relative error of one statistic, NaN when there is none; the printed percentage divided by 100 again. */
export const relativeOf = (diff: number, b: number): number => (Number.isNaN(diff) || b === 0 ? NaN : Math.abs(diff / b) * 100 / 100)

/** The one-thousandth ratio as it is printed, NaN where a text stands. */
export function ratioOf(measured: Measured, row: number): number {
  if (measured.outcome[row] === Outcome.empty) return 0
  return measured.outcome[row] === Outcome.measured ? fixed12(measured.thousandth[row]) : NaN
}

export function sameMd5(debug: Dump, item: number, bench: Dump, benchItem: number): boolean {
  const a = debug.items.md5[item]
  const b = bench.items.md5[benchItem]
  if (a < 0 || b < 0) return a < 0 && b < 0
  return debug.texts.equals(a, bench.texts, b)
}
