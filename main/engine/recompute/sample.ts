// Calls with more multiplications than the limit: of products of matrices some rows are computed.
import type { Given } from './arguments.ts'
import { array, type NdArray, reshape, sizeOf } from './array.ts'
import type { Operation, Outcome } from './operation.ts'
import { product, transposed } from './product.ts'
import { picked } from './shapes.ts'
import { Unsupported } from './unsupported.ts'

/** Null where the call is within the limit. */
export function sampleOf(row: Operation, given: Given, limit: number): readonly Outcome[] | null {
  if (!row.flops) return null
  const flops = row.flops(given)
  if (flops <= limit) return null
  const sides = sidesOf(row, given)
  if (!sides) throw new Unsupported('limit', `${flops}`)
  return [sampledRows(sides, Math.max(1, Math.floor((limit / flops) * sides.rows)))]
}

interface Sides {
  readonly left: NdArray
  readonly right: NdArray
  readonly bias: NdArray | null
  readonly rows: number
  readonly shape: readonly number[]
}

/** A matrix of rows times one matrix. */
function sidesOf({ names }: Operation, given: Given): Sides | null {
  const linear = names.includes('linear')
  if (!linear && !names.includes('matmul')) return null
  const a = given.tensor('input')
  const b = linear ? transposed(given.tensor('weight')) : given.tensor('other')
  if (b.shape.length !== 2 || a.shape.length < 2) return null
  const rows = sizeOf(a.shape.slice(0, -1))
  const left = reshape(a, [rows, a.shape.at(-1) ?? 1])
  return {
    left,
    right: b,
    bias: linear ? given.maybe('bias') : null,
    rows,
    shape: [...a.shape.slice(0, -1), b.shape[1]],
  }
}

/** Rows at even distances; the same ones each time. */
function sampledRows({ left, right, bias, rows, shape }: Sides, many: number): Outcome {
  const chosen = Array.from({ length: many }, (_, i) => Math.floor((i * rows) / many))
  const part = picked(left, 0, chosen)
  const width = right.shape[1]
  const spread = (values: NdArray, plus: NdArray | null, of: (x: number) => number): Float64Array => {
    const into = new Float64Array(sizeOf(shape)).fill(NaN)
    for (const [i, at] of chosen.entries())
      for (let x = 0; x < width; x++)
        into[at * width + x] = values.data[i * width + x] + of(plus ? plus.data[x] : 0)
    return into
  }
  const size = (a: NdArray): NdArray => ({ ...a, data: a.data.map(Math.abs) })
  return {
    values: array(
      spread(product(part, right), bias, x => x),
      shape,
      left.dtype,
    ),
    bound: {
      is: 'sum',
      length: right.shape[0] + 1,
      terms: () => spread(product(size(part), size(right)), bias, Math.abs),
    },
    sampled: chosen.flatMap(at => Array.from({ length: width }, (_, x) => at * width + x)),
  }
}
