// C = A · B in doubles, all in C order: small ones in a plain loop, large ones in WebAssembly.
import { largeGemm } from './gemm-simd.ts'

/** Below this many products the way into WebAssembly costs more than it saves. */
const small = 1 << 15

export function gemm(
  a: Float64Array,
  b: Float64Array,
  c: Float64Array,
  [m, k, n]: readonly [number, number, number],
): void {
  if (m * k * n > small) largeGemm(a, b, c, [m, k, n])
  else smallGemm(a, b, c, [m, k, n])
}

function smallGemm(
  a: Float64Array,
  b: Float64Array,
  c: Float64Array,
  [m, k, n]: readonly [number, number, number],
): void {
  for (let i = 0; i < m; i++) {
    const to = i * n
    for (let p = 0; p < k; p++) {
      const x = a[i * k + p]
      const from = p * n
      for (let j = 0; j < n; j++) c[to + j] += x * b[from + j]
    }
  }
}
