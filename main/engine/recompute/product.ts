// Products of matrices and of batches of them.
import { array, broadcast, expand, map, type NdArray, reshape, sizeOf, swapped } from './array.ts'
import { gemm } from './gemm.ts'
import { promoted } from './promote.ts'
import { isComplex } from './rounding.ts'
import { Unsupported } from './unsupported.ts'

export const absolute = (a: NdArray): NdArray => map(a, Math.abs)

/** Batches of matrices, leading axes broadcast. */
export function matrices(a: NdArray, b: NdArray): NdArray {
  const [m, k] = a.shape.slice(-2)
  const [rows, n] = b.shape.slice(-2)
  if (k !== rows) throw new Unsupported('shapes', `[${a.shape.join(', ')}] and [${b.shape.join(', ')}]`)
  const batch = broadcast(a.shape.slice(0, -2), b.shape.slice(0, -2))
  const left = expand(a, [...batch, m, k]).data
  const right = expand(b, [...batch, k, n]).data
  const count = sizeOf(batch)
  const into = new Float64Array(count * m * n)
  for (let i = 0; i < count; i++)
    gemm(
      left.subarray(i * m * k, (i + 1) * m * k),
      right.subarray(i * k * n, (i + 1) * k * n),
      into.subarray(i * m * n, (i + 1) * m * n),
      [m, k, n],
    )
  return array(into, [...batch, m, n], promoted(a, b))
}

/** As `matmul` takes them: vectors become matrices and lose the axis again. */
export function product(a: NdArray, b: NdArray): NdArray {
  for (const { dtype } of [a, b]) if (isComplex(dtype)) throw new Unsupported('unsupported', dtype)
  if (a.shape.length === 0 || b.shape.length === 0) throw new Unsupported('shapes', 'matmul')
  const left = a.shape.length === 1 ? reshape(a, [1, a.data.length]) : a
  const right = b.shape.length === 1 ? reshape(b, [b.data.length, 1]) : b
  const values = matrices(left, right)
  const shape = values.shape.filter((_, axis) => {
    const fromEnd = values.shape.length - axis
    return !(fromEnd === 2 && a.shape.length === 1) && !(fromEnd === 1 && b.shape.length === 1)
  })
  return reshape(values, shape)
}

export const transposed = (a: NdArray): NdArray => (a.shape.length < 2 ? a : swapped(a, -1, -2))
