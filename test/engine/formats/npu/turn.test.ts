// The kernels that bring a device's order into C order, against the formula itself: every width, odd sizes, and
// tensors that are read whole as well as panel by panel.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TiledPanels } from '../../../../main/engine/formats/tensors/tiled.ts'
import type { TiledAxis } from '../../../../main/engine/model/index.ts'

const widths = [1, 2, 4, 8, 16]

/** Axes in any order over a file that holds them in another, one of them cut into blocks. */
const tiling = (longest: number) =>
  fc
    .record({
      lengths: fc.array(fc.integer({ min: 1, max: longest }), { minLength: 1, maxLength: 4 }),
      order: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
      block: fc.constantFrom(1, 3, 8, 16, 32),
    })
    .map(({ lengths, order, block }) => {
      const cut = order[0] % lengths.length
      let size = block
      const axes: TiledAxis[] = lengths.map(length => ({ length, block: 1, outer: 0, inner: 0 }))
      const inFile = lengths.map((_, i) => i).sort((a, b) => (order[a] - order[b]) * 7 + a - b)
      for (const i of inFile) {
        axes[i] =
          i === cut ? { length: lengths[i], block, outer: size, inner: 1 } : { ...axes[i], outer: size }
        size *= i === cut ? Math.ceil(lengths[i] / block) : lengths[i]
      }
      return { axes, size }
    })

function naive(
  { axes }: { readonly axes: readonly TiledAxis[] },
  file: Uint8Array,
  bytes: number,
): Uint8Array {
  const count = axes.reduce((all, { length }) => all * length, 1)
  const out = new Uint8Array(count * bytes)
  for (let element = 0; element < count; element++) {
    let rest = element
    let at = 0
    for (const { length, block, outer, inner } of axes.toReversed()) {
      const index = rest % length
      rest = Math.floor(rest / length)
      at += Math.floor(index / block) * outer + (index % block) * inner
    }
    out.set(file.subarray(at * bytes, (at + 1) * bytes), element * bytes)
  }
  return out
}

const panelsOf = (tiled: { axes: readonly TiledAxis[]; size: number }, file: Uint8Array, bytes: number) =>
  new TiledPanels(tiled, bytes, (from, into) =>
    into.set(file.subarray(from * bytes, from * bytes + into.length)),
  )

const fileOf = (bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, i) => (i * 2654435761) >>> 13)

test.each(widths)('elements of %i bytes stand where the formula has them', bytes => {
  fc.assert(
    fc.property(tiling(21), fc.integer({ min: 1, max: 999 }), (tiled, piece) => {
      fc.pre(tiled.size * bytes <= 1 << 22)
      const file = fileOf(tiled.size * bytes)
      const wanted = naive(tiled, file, bytes)
      expect(Buffer.compare(panelsOf(tiled, file, bytes).lend(0), wanted)).toBe(0)
      const panels = panelsOf(tiled, file, bytes)
      const read = new Uint8Array(wanted.length)
      for (let at = 0; at < read.length; at += piece * bytes) {
        // Somebody else's tensor is put together in between.
        panelsOf(tiled, file, bytes).lend(0)
        panels.read(at / bytes, read.subarray(at, at + piece * bytes))
      }
      expect(Buffer.compare(read, wanted)).toBe(0)
    }),
    { numRuns: 60 },
  )
})

test.each([1, 2, 4, 8])('large tensors of %i bytes an element are put together panel by panel', bytes => {
  const [n, c1, h, w, c0] = [2, 9, 70, 61, 16]
  const c = c1 * c0 - 5
  const axes = {
    n: { length: n, block: 1, outer: c1 * h * w * c0, inner: 0 },
    c: { length: c, block: c0, outer: h * w * c0, inner: 1 },
    h: { length: h, block: 1, outer: w * c0, inner: 0 },
    w: { length: w, block: 1, outer: c0, inner: 0 },
  }
  const size = n * c1 * h * w * c0
  const file = fileOf(size * bytes)
  for (const order of [
    [axes.n, axes.c, axes.h, axes.w],
    [axes.n, axes.h, axes.w, axes.c],
    [axes.h, axes.w, axes.c, axes.n],
  ]) {
    const tiled = { axes: order, size }
    const wanted = naive(tiled, file, bytes)
    const read = new Uint8Array(wanted.length)
    panelsOf(tiled, file, bytes).read(0, read)
    expect(Buffer.compare(read, wanted)).toBe(0)
  }
})
