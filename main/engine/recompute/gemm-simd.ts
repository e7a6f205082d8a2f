// Large matrix products: blocks are packed into the memory of WebAssembly and multiplied there.
import wasm from './gemm.as.ts?asc'

interface Exports {
  panels(a: number, b: number, c: number, m: number, k: number, n: number): void
}

/** Block sizes: a block of B stays in the second cache, one of A in the first levels. */
const rows = 64
const depth = 256
const columns = 512

const from = 1024
const aBytes = rows * depth * 8
const bBytes = depth * columns * 8
const cBytes = rows * columns * 8

let made: { readonly panels: Exports['panels']; readonly doubles: Float64Array } | undefined

function machine(): NonNullable<typeof made> {
  if (made) return made
  const memory = new WebAssembly.Memory({ initial: Math.ceil((from + aBytes + bBytes + cBytes) / 65536) })
  const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm), { env: { memory } })
  const { panels } = instance.exports as unknown as Exports
  made = { panels, doubles: new Float64Array(memory.buffer) }
  return made
}

const up = (x: number): number => (x + 3) & ~3

/** Adds A · B to C. */
export function largeGemm(
  a: Float64Array,
  b: Float64Array,
  c: Float64Array,
  [m, k, n]: readonly [number, number, number],
): void {
  const { panels, doubles } = machine()
  const [atA, atB, atC] = [from / 8, (from + aBytes) / 8, (from + aBytes + bBytes) / 8]
  for (let j = 0; j < n; j += columns) {
    const width = Math.min(columns, n - j)
    for (let p = 0; p < k; p += depth) {
      const deep = Math.min(depth, k - p)
      packColumns(b.subarray(p * n + j), doubles.subarray(atB), [deep, width, n])
      for (let i = 0; i < m; i += rows) {
        const tall = Math.min(rows, m - i)
        packRows(a.subarray(i * k + p), doubles.subarray(atA), [tall, deep, k])
        const wide = up(width)
        const block = doubles.subarray(atC, atC + up(tall) * wide)
        block.fill(0)
        panels(from, from + aBytes, from + aBytes + bBytes, up(tall), deep, wide)
        for (let y = 0; y < tall; y++) {
          const to = (i + y) * n + j
          const at = y * wide
          for (let x = 0; x < width; x++) c[to + x] += block[at + x]
        }
      }
    }
  }
}

type Extent = readonly [rows: number, columns: number, stride: number]

/** Four rows side by side; what is missing is zero. */
function packRows(source: Float64Array, into: Float64Array, [tall, deep, stride]: Extent): void {
  let at = 0
  for (let i = 0; i < tall; i += 4) {
    const many = Math.min(4, tall - i)
    for (let p = 0; p < deep; p++, at += 4)
      for (let y = 0; y < 4; y++) into[at + y] = y < many ? source[(i + y) * stride + p] : 0
  }
}

/** Four columns side by side. */
function packColumns(source: Float64Array, into: Float64Array, [deep, width, stride]: Extent): void {
  let at = 0
  for (let j = 0; j < width; j += 4) {
    const many = Math.min(4, width - j)
    for (let p = 0; p < deep; p++, at += 4) {
      const line = p * stride + j
      for (let x = 0; x < 4; x++) into[at + x] = x < many ? source[line + x] : 0
    }
  }
}
