// Under autocast a framework rounds the tensors of a product to a narrower type first; the dump holds what they were before.
import type { DtypeName } from '../formats/index.ts'
import type { Given, TensorArgument } from './arguments.ts'
import type { NdArray } from './array.ts'
import type { Operation } from './operation.ts'
import { floatFormat } from './rounding.ts'

/** Beside the products whose work is counted. */
const alsoCast = new Set(['einsum', 'prelu', 'chain_matmul'])

/** The call as it was made, where its stored result is narrower than the float32 it was handed. */
export function autocast(
  row: Operation,
  given: Given,
  stored: DtypeName | null,
  load: (of: TensorArgument) => NdArray,
): Given {
  const format = stored && floatFormat(stored)
  if (!stored || !format || format.bits >= 23) return given
  if (!row.flops && !row.names.some(name => alsoCast.has(name))) return given
  const known = new Map<TensorArgument, NdArray>()
  return given.through(of => {
    const values = load(of)
    if (values.dtype !== 'float32') return values
    const rounded = known.get(of) ?? { ...values, dtype: stored, data: values.data.map(format.round) }
    known.set(of, rounded)
    return rounded
  })
}
