// Which type a result of several arguments has: categories before widths, and numbers give way to tensors.
import { type DtypeName, dtypes } from '../formats/index.ts'
import type { NdArray } from './array.ts'
import { isComplex, isFloat } from './rounding.ts'

const category = (dtype: DtypeName): number => {
  if (dtype === 'bool') return 0
  if (isComplex(dtype)) return 3
  return isFloat(dtype) ? 2 : 1
}

function wider(a: DtypeName, b: DtypeName): DtypeName {
  if (a === b) return a
  const [x, y] = [category(a), category(b)]
  if (x !== y) return x > y ? a : b
  if ([a, b].includes('float16') && [a, b].includes('bfloat16')) return 'float32'
  // An unsigned byte beside a signed one needs both ranges.
  if ([a, b].includes('uint8') && [a, b].includes('int8')) return 'int16'
  return dtypes[a].bytes >= dtypes[b].bytes ? a : b
}

/** Tensors with axes decide; those without, then numbers, count where they are of a higher category. */
export function promoted(...of: readonly NdArray[]): DtypeName {
  const rank = (a: NdArray): number => {
    if (a.weak) return 2
    return a.shape.length === 0 ? 1 : 0
  }
  let result: DtypeName | null = null
  for (const level of [0, 1, 2]) {
    const [first, ...rest] = of.filter(a => rank(a) === level).map(a => a.dtype)
    if (first === undefined) continue
    const own = rest.reduce(wider, first)
    if (result === null || category(own) > category(result)) result = own
  }
  return result ?? 'float32'
}

/** What division and functions such as the exponential make of a type. */
export const floating = (dtype: DtypeName): DtypeName => (category(dtype) < 2 ? 'float32' : dtype)
