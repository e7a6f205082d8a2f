// Where devices put the elements of a tensor: a formula per layout, each index adding its share.
import type { TiledAxis, Tiling } from '../../model/index.ts'

/** Sizes by letter: N, C, H, W, D; one that a layout does not name is 1. */
export type Sizes = Readonly<Record<string, number>>

/** Axes by letter; an axis that was cut in two has several parts. */
type Axes = Readonly<Record<string, readonly TiledAxis[]>>

type Formula = (device: readonly number[], sizes: Sizes, groups: number) => Axes | null

/** Elements from one index to the next. */
const even = (length: number, step: number): TiledAxis[] => [{ length, block: 1, outer: step, inner: 0 }]
const blocks = (length: number, block: number, outer: number, inner = 1): TiledAxis[] => [
  { length, block, outer, inner },
]
const count = (length: number, block: number): number => Math.ceil(length / block)

/** Channels cut into blocks of C0, which stand innermost. */
const fiveD: Formula = (device, sizes) => {
  const [n, c1, h, w, c0] = device
  const { N, C, H, W } = sizes
  if (device.length !== 5 || N !== n || H !== h || W !== w || count(C, c0) !== c1) return null
  return { N: even(N, c1 * h * w * c0), C: blocks(C, c0, h * w * c0), H: even(H, w * c0), W: even(W, c0) }
}

const sixD: Formula = (device, sizes) => {
  const [n, d, c1, h, w, c0] = device
  const { N, C, D, H, W } = sizes
  const fits = N === n && D === d && H === h && W === w && count(C, c0) === c1
  if (device.length !== 6 || !fits) return null
  return {
    N: even(N, d * c1 * h * w * c0),
    D: even(D, c1 * h * w * c0),
    C: blocks(C, c0, h * w * c0),
    H: even(H, w * c0),
    W: even(W, c0),
  }
}

/** Weights: a tile of Ni by C0 for each block of channels and place in the kernel. */
const weights: Formula = (device, sizes, groups) => {
  const [rows, n1, ni, c0] = device
  const { N, C, D, H, W } = sizes
  if (device.length !== 4 || !(ni > 0 && c0 > 0)) return null
  if (groups > 1) return D === 1 ? groupedWeights(device, sizes, groups) : null
  if (rows !== D * count(C, c0) * H * W || n1 !== count(N, ni)) return null
  const tile = n1 * ni * c0
  return {
    D: even(D, count(C, c0) * H * W * tile),
    C: blocks(C, c0, H * W * tile),
    H: even(H, W * tile),
    W: even(W, tile),
    N: even(N, c0),
  }
}

/** As many groups share a tile as fill it; their channels go on where those of the group before end. */
const groupedWeights: Formula = (device, { N, C, H, W }, groups) => {
  const [rows, n1, ni, c0] = device
  const perGroup = N / groups
  if (!Number.isInteger(perGroup) || !(perGroup > 0 && C > 0)) return null
  const fill = leastCommon(leastCommon(C, c0) / C, leastCommon(perGroup, ni) / perGroup)
  const together = Math.min(fill, groups)
  const c1 = count(together * C, c0)
  const across = count(together * perGroup, ni) * ni
  if (rows !== count(groups, together) * c1 * H * W || n1 * ni !== across) return null
  const tile = across * c0
  return {
    N: [...blocks(groups, together, c1 * H * W * tile, perGroup * c0), ...even(perGroup, c0)],
    C: [{ ...blocks(C, c0, H * W * tile)[0], shift: { axis: 0, modulo: together, times: C } }],
    H: even(H, W * tile),
    W: even(W, tile),
  }
}

/** Channels on a diagonal, as depthwise weights are multiplied. */
const diagonal: Formula = (device, sizes) => {
  const [c1, h, w, n, co, c0] = device
  const { N, C, H, W } = sizes
  if (device.length !== 6 || N !== n || H !== h || W !== w || count(C, c0) !== c1 || co < c0) return null
  return {
    C: blocks(C, c0, h * w * n * co * c0, c0 + 1),
    H: even(H, w * n * co * c0),
    W: even(W, n * co * c0),
    N: even(N, co * c0),
  }
}

/** By name of the layout. */
export const tilings: Readonly<Record<string, Formula>> = {
  NC1HWC0: fiveD,
  NC1HWC0_C04: fiveD,
  NDC1HWC0: sixD,
  FRACTAL_Z: weights,
  FRACTAL_Z_3D: weights,
  C1HWNCoC0: diagonal,
}

/** Axes in the order of a layout's letters. */
export function inOrder(axes: Axes, letters: string, size: number): Tiling {
  const starts = new Map<string, number>()
  let at = 0
  for (const letter of letters) {
    starts.set(letter, at)
    at += axes[letter].length
  }
  return {
    size,
    axes: [...letters].flatMap(letter =>
      axes[letter].map(axis =>
        // The only axis that another one shifts is the first part of N.
        axis.shift ? { ...axis, shift: { ...axis.shift, axis: starts.get('N') ?? 0 } } : axis,
      ),
    ),
  }
}

/** Matrices in tiles of Ri by C0, column after column; what stands before the last two axes is the same. */
export function matrixTiling(device: readonly number[], shape: readonly number[]): Tiling | null {
  const [c1, r1, ri, c0] = device.slice(-4)
  if (device.length < 4) return null
  const columns = shape.at(-1) ?? 1
  const rows = shape.at(-2) ?? 1
  const before = shape.slice(0, -2)
  const stacked = device.slice(0, -4)
  // Ones at the front do not count.
  const dims = (of: readonly number[]): string => of.join(',').replace(/^(?:1,)*(?:1$)?/, '')
  if (dims(before) !== dims(stacked) || count(columns, c0) !== c1 || count(rows, ri) !== r1) return null
  const size = c1 * r1 * ri * c0
  const axes = [...blocks(columns, c0, r1 * ri * c0)]
  if (shape.length > 1) axes.unshift(...even(rows, c0))
  let step = size
  for (const length of before.toReversed()) {
    axes.unshift(...even(length, step))
    step *= length
  }
  return { size: device.reduce((all, dim) => all * dim, 1), axes }
}

const leastCommon = (a: number, b: number): number => (a / greatestCommon(a, b)) * b
function greatestCommon(a: number, b: number): number {
  let [x, y] = [a, b]
  while (y > 0) [x, y] = [y, x % y]
  return x
}
