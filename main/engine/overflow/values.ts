// What the statistics of an item say: whether its values, or only a statistic of them, are not finite, and whether
// they stand at the end of their type.
import { byText, type Cells, type Dump, type ItemRow, Kind, type TextCode } from '../model/index.ts'

/** A statistic alone overflowed, such as the sum of a norm; the values did not. */
export const Finding = { finite: 0, statistic: 1, values: 2 } as const
export type Finding = (typeof Finding)[keyof typeof Finding]

const nonFiniteText = /^[+-]?(?:inf|infinity|nan)\t?$/i

/** Whether the cells of an item say NaN or infinity, as a number or as a text. */
export function nonFinite({ texts }: Pick<Dump, 'texts'>): (cells: Cells<ItemRow>, item: ItemRow) => boolean {
  const known = new Map<TextCode, boolean>()
  const saysSo = (code: TextCode): boolean => {
    let found = known.get(code)
    if (found === undefined) known.set(code, (found = nonFiniteText.test(texts.get(code))))
    return found
  }
  return ({ kind, value }, item) => {
    if (kind[item] === Kind.float) return !Number.isFinite(value[item])
    return kind[item] === Kind.text && saysSo(value[item])
  }
}

/** Of tensors only: an infinite argument is meant. */
export function findingsIn(dump: Pick<Dump, 'items' | 'texts'>): (item: ItemRow) => Finding {
  const { items } = dump
  const isBad = nonFinite(dump)
  return item => {
    if (items.tensor[item] !== 1) return Finding.finite
    if (isBad(items.max, item) || isBad(items.min, item)) return Finding.values
    return isBad(items.mean, item) || isBad(items.norm, item) ? Finding.statistic : Finding.finite
  }
}

/** Largest finite values, where a device clamps instead of making infinities. */
const largest: readonly (readonly [RegExp, number])[] = [
  [/bfloat16$/i, 3.3895313892515355e38],
  [/float16$/i, 65504],
  [/float32$/i, 3.4028234663852886e38],
]
const largestOf = (dtype: string): number => largest.find(([name]) => name.test(dtype))?.[1] ?? 0

/** Whether a tensor reaches the largest value of its type, or an argument is the largest of any. */
export function saturatedIn({ items, texts }: Pick<Dump, 'items' | 'texts'>): (item: ItemRow) => boolean {
  const limitOf = byText(texts, items.dtype, largestOf)
  const reaches = ({ kind, value }: Cells<ItemRow>, item: ItemRow, limit: number): boolean =>
    (kind[item] === Kind.float || kind[item] === Kind.int) && Math.abs(value[item]) === limit
  return item => {
    if (items.tensor[item] !== 1) return largest.some(([, limit]) => reaches(items.max, item, limit))
    const limit = limitOf(item)
    return limit > 0 && (reaches(items.max, item, limit) || reaches(items.min, item, limit))
  }
}
