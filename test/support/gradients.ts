// Gradients of one call whose tensors stand in memory, as a dump's backward entry would be computed.
import { bind, Given, type TensorArgument } from '../../main/engine/recompute/arguments.ts'
import { array, type NdArray } from '../../main/engine/recompute/array.ts'
import type { Outcome } from '../../main/engine/recompute/operation.ts'
import { operationOf } from '../../main/engine/recompute/table.ts'

const coarsest = 2 ** -8

export function gradientsOf(name: string, sides: readonly NdArray[], grad: NdArray): readonly Outcome[] {
  const row = operationOf('Functional', name, false)
  const positional = sides.map(({ dtype, shape }, i): TensorArgument => ({
    is: 'tensor',
    dtype,
    shape,
    file: String(i),
    requiresGrad: true,
  }))
  const given = new Given(
    bind(row.signature, { positional, keywords: new Map() }),
    ({ file }) => sides[Number(file)] ?? array(new Float64Array(0), [0]),
  )
  const stored = sides.map(({ shape }) => shape)
  const outputs = (): readonly NdArray[] => row.forward(given).map(({ values }) => values)
  const gradients = row.backward?.({ given, grads: [grad], stored, outputs }) ?? []
  return gradients.flatMap(one =>
    one?.bound.is === 'sum' ? [{ ...one, bound: { ...one.bound, stages: true, roughest: coarsest } }] : [],
  )
}
