// Single values of two dumps side by side: numbers, relative errors, checksums, what counts as small.
import {
  type BenchItem,
  type Cells,
  type DebugItem,
  type Dump,
  type ItemRow,
  Kind,
  type Measured,
  type MeasuredRow,
  Outcome,
  type TextCode,
} from '../model/index.ts'
import { exactDifference, numberIn } from '../measure/index.ts'
import { fixed12 } from '../python/index.ts'

export const statCells = (dump: Dump): readonly [Cells, Cells, Cells, Cells] => [
  dump.items.max,
  dump.items.min,
  dump.items.mean,
  dump.items.norm,
]

/** Bound below which a value is small, and the absolute error that is allowed there; by dtype. */
const small: Readonly<
  Record<string, { readonly bound: number; readonly allowed: number; readonly shown: string }>
> = {
  'torch.float32': { bound: 1e-6, allowed: 1e-6, shown: '1e-06' },
  Float32: { bound: 1e-6, allowed: 1e-6, shown: '1e-06' },
  'torch.float16': { bound: 1e-3, allowed: 1e-3, shown: '0.001' },
  Float16: { bound: 1e-3, allowed: 1e-3, shown: '0.001' },
  'torch.bfloat16': { bound: 1e-3, allowed: 1e-3, shown: '0.001' },
  BFloat16: { bound: 1e-3, allowed: 1e-3, shown: '0.001' },
}

export interface SmallValue {
  readonly bound: number
  readonly allowed: number
  readonly shown: string
}

/** Per text code of a dtype: the small-value rule that holds for it. */
export function smallValues(dump: Dump): (dtypeCode: TextCode) => SmallValue | undefined {
  const byCode = new Map<TextCode, SmallValue>()
  for (const [dtype, rule] of Object.entries(small)) {
    const code = dump.texts.findPlain(dtype)
    if (code >= 0) byCode.set(code, rule)
  }
  return code => byCode.get(code)
}

/** Difference of two numeric cells, one of each side's dump. */
export function differenceOf(
  { debugDump, benchDump }: { readonly debugDump: Dump; readonly benchDump: Dump },
  mine: Cells,
  item: DebugItem,
  theirs: Cells,
  there: BenchItem,
): number {
  const d = numberIn(mine, item, debugDump) - numberIn(theirs, there, benchDump)
  if (mine.kind[item] !== Kind.bigint && theirs.kind[there] !== Kind.bigint) return d
  const exact = exactDifference(
    { dump: debugDump, cells: mine, item },
    { dump: benchDump, cells: theirs, item: there },
  )
  return Number(exact ?? d)
}

/** Relative error of one statistic, NaN when there is none; the printed percentage divided by 100 again. */
export const relativeOf = (diff: number, b: number): number =>
  Number.isNaN(diff) || b === 0 ? NaN : (Math.abs(diff / b) * 100) / 100

/** The one-thousandth ratio as it is printed, NaN where a text stands. */
export function ratioOf(measured: Measured, row: MeasuredRow): number {
  if (measured.outcome[row] === Outcome.empty) return 0
  return measured.outcome[row] === Outcome.measured ? fixed12(measured.thousandth[row]) : NaN
}

export function sameMd5(debug: Dump, item: DebugItem, bench: Dump, benchItem: BenchItem): boolean {
  const a = debug.items.md5[item]
  const b = bench.items.md5[benchItem]
  if (a < 0 || b < 0) return a < 0 && b < 0
  return debug.texts.equals(a, bench.texts, b)
}

/** Whether all four statistics of an item are of a kind. */
export const allOf = (kind: number, cells: readonly Cells<ItemRow>[], item: ItemRow): boolean =>
  cells[0].kind[item] === kind &&
  cells[1].kind[item] === kind &&
  cells[2].kind[item] === kind &&
  cells[3].kind[item] === kind
