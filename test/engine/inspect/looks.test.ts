// What the inspector shows of tensors: numbers anywhere, sums over all elements, spreads, pictures of two axes, unlike shapes.
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { toHalf } from '../../../main/engine/formats/tensors/dtype.ts'
import { type LookAt, Looks } from '../../../main/engine/inspect/index.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import type {
  HeatQuery,
  NumbersQuery,
  TensorAbout,
  TensorNumbers,
  TensorRef,
} from '../../../main/engine/model/index.ts'
import { tasks } from '../../../main/engine/threads/index.ts'
import { inlinePool } from '../../../main/engine/work/inline.ts'
import { Cancelled, job } from '../../../main/engine/work/job.ts'
import { random } from '../../support/random.ts'
import { f32, folderOf, npyBytes, ptBytes, put } from '../../support/tensor-files.ts'

const folder = folderOf()
const files = diskFiles()
files.allow(folder)
const looks = new Looks(inlinePool(tasks), files)
afterAll(() => rmSync(folder, { recursive: true }))

let last = 0
/** A file of float32 values, or of the bytes given. */
const npy = (
  shape: readonly number[],
  data: readonly number[] | Uint8Array,
  descr = '<f4',
  fortran = false,
): TensorRef => ({
  file: put(
    folder,
    `t${last++}.npy`,
    npyBytes({ descr, shape, fortran, data: data instanceof Uint8Array ? data : f32(...data) }),
  ),
})
const at = (debug: TensorRef | null, bench: TensorRef | null = null): LookAt => ({
  debug,
  bench,
  align: null,
})
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const part = (of: Partial<NumbersQuery>): NumbersQuery => ({
  rowAxis: 0,
  colAxis: 1,
  at: [],
  rows: 2,
  cols: 2,
  wrap: 0,
  ...of,
})
const numbers = (of: LookAt, query: Partial<NumbersQuery>): Promise<TensorNumbers> =>
  looks.numbers(of, part(query), job())
const about = (of: LookAt, sample = false): Promise<TensorAbout> => looks.about(of, sample, job())

describe('numbers', () => {
  const cube = npy([2, 3, 4], range(24))

  it('are those of any two axes, at an index of the others', async () => {
    const values = async (query: Partial<NumbersQuery>): Promise<number[]> => [
      ...(await numbers(at(cube), query)).debug!.values,
    ]
    expect(await values({ rowAxis: 1, colAxis: 2, at: [1, 1, 2] })).toEqual([18, 19, 22, 23])
    expect(await values({ rowAxis: 2, colAxis: 0, at: [0, 2, 1] })).toEqual([9, 21, 10, 22])
    expect(await values({ rowAxis: 1, colAxis: 2, at: [0, 2, 3] })).toEqual([11, NaN, NaN, NaN])
    expect(await values({ wrap: 5, at: [4], rows: 1, cols: 5 })).toEqual([20, 21, 22, 23, NaN])
    expect(await values({ rowAxis: -1, colAxis: 2, at: [1, 0, 0], rows: 1, cols: 4 })).toEqual([
      12, 13, 14, 15,
    ])
  })

  it('are there without axes, and none where there are none', async () => {
    expect([...(await numbers(at(npy([], [7])), { wrap: 8, rows: 1, cols: 1 })).debug!.values]).toEqual([7])
    expect([...(await numbers(at(npy([0, 3], [])), {})).debug!.bits]).toEqual(['', '', '', ''])
  })

  it('stand beside each other with the steps between them', async () => {
    const steps = async (descr: string, x: Uint8Array, y: Uint8Array): Promise<number> =>
      (await numbers(at(npy([1], x, descr), npy([1], y, descr)), { wrap: 1, rows: 1, cols: 1 })).ulp![0]
    const bytesOf = (of: { buffer: ArrayBufferLike }): Uint8Array => new Uint8Array(of.buffer)
    expect(await steps('<f4', f32(1), f32(1 + 2 ** -23 * 3))).toBe(3)
    expect(await steps('<f4', f32(-(2 ** -149)), f32(2 ** -149))).toBe(2)
    expect(
      await steps('<f2', bytesOf(Uint16Array.of(toHalf(1))), bytesOf(Uint16Array.of(toHalf(1) + 4))),
    ).toBe(4)
    expect(await steps('<f8', bytesOf(Float64Array.of(1)), bytesOf(Float64Array.of(1 + 2 ** -52 * 5)))).toBe(
      5,
    )
    expect(await steps('<i4', bytesOf(Int32Array.of(7)), bytesOf(Int32Array.of(-7)))).toBe(14)
    const mixed = at(npy([1], new Uint8Array([0x82, 0x3f]), '<V2'), npy([1], [1]))
    expect((await numbers(mixed, { wrap: 1, rows: 1, cols: 1 })).ulp![0]).toBe(2)
  })

  it('say what doubles do not hold', async () => {
    const wide = npy([2], new Uint8Array(BigInt64Array.of(2n ** 62n + 1n, 5n).buffer), '<i8')
    const { debug } = await numbers(at(wide), { wrap: 2, rows: 1, cols: 2 })
    expect(debug!.texts).toEqual(['4611686018427387905', ''])
    const complex = npy([1], f32(1, -2), '<c8')
    expect((await numbers(at(complex), { wrap: 1, rows: 1, cols: 1 })).debug!.texts).toEqual(['1-2j'])
    expect((await numbers(at(npy([1], f32(1))), { wrap: 1, rows: 1, cols: 1 })).debug!.bits).toEqual([
      '3f800000',
    ])
  })

  it('are the same elements whatever order they lie in', async () => {
    const bench: TensorRef = {
      file: put(
        folder,
        'b.pt',
        ptBytes({
          storage: 'FloatStorage',
          shape: [3, 2],
          strides: [1, 3],
          elements: 6,
          data: f32(0, 2, 4, 1, 3, 5),
        }),
      ),
    }
    const fortran = npy([3, 2], [0, 2, 4, 1, 3, 5], '<f4', true)
    const so = await numbers(at(fortran, bench), { rows: 3 })
    expect([[...so.debug!.values], [...so.bench!.values]]).toEqual([range(6), range(6)])
    expect((await about(at(fortran, bench))).pair).toMatchObject({ mismatched: 0 })
  })
})

describe('what all elements say', () => {
  it('is health with where, and the worst', async () => {
    const a = range(1000).map(i => i + (i % 7 === 0 ? i / 100 : 0))
    a[500] = NaN
    const { worst, debug, pair } = await about(at(npy([10, 100], a), npy([10, 100], range(1000))))
    expect(worst.length).toBe(20)
    expect(worst[0]).toEqual({ index: [5, 0], debug: NaN, bench: 500, error: Infinity })
    expect(worst[1]).toMatchObject({ index: [9, 94] })
    for (let i = 1; i < 20; i++) expect(worst[i].error).toBeLessThanOrEqual(worst[i - 1].error)
    expect(debug!.ailments.find(({ kind }) => kind === 'nan')).toEqual({
      kind: 'nan',
      count: 1,
      first: [5, 0],
    })
    expect(pair!.mismatched).toBe(143)
  })

  it('shows along which index of which axis the error lies, however the elements are cut into ranges', async () => {
    const shape = [3, 5, 4000]
    const size = 3 * 5 * 4000
    const next = random(5)
    const a = range(size).map(() => next())
    const b = a.map((x, i) => (i % 4000 === 1234 ? x + 0.5 : x + (i >= 4000 * 10 ? 0.001 : 0)))
    const { along } = await about(at(npy(shape, a), npy(shape, b)))
    const expected = (axis: number, places: number): number[] => {
      const max = Array.from({ length: places }, () => 0)
      const steps = [20000, 4000, 1]
      for (let i = 0; i < size; i++) {
        const index = Math.floor(i / steps[axis]) % shape[axis]
        const place = Math.floor((index * places) / shape[axis])
        max[place] = Math.max(max[place], Math.abs(Math.fround(a[i]) - Math.fround(b[i])))
      }
      return max
    }
    expect(along.map(({ axis, length }) => [axis, length])).toEqual([
      [0, 3],
      [1, 5],
      [2, 4000],
    ])
    for (const { axis, max } of along) expect([...max]).toEqual(expected(axis, max.length))
  })

  it('is of a sample first, marked as such, then of all', async () => {
    const size = 2 ** 21 + 100_000
    const data = new Float32Array(size)
    data[5] = 3
    const file = npy([size], new Uint8Array(data.buffer))
    const [first, exact] = [await about(at(file, file), true), await about(at(file, file))]
    expect(first.sampled).toBeGreaterThan(100_000)
    expect(first.debug!.count).toBe(first.sampled)
    expect([exact.sampled, exact.debug!.count, exact.debug!.max]).toEqual([null, size, 3])
    expect((await about(at(npy([2], [1, 2])), true)).sampled).toBe(null)
  })

  it('tells what cannot be read and shows the rest', async () => {
    const broken = { file: put(folder, 'broken.npy', npyBytes({ descr: '<f4', shape: [100], data: f32(1) })) }
    const so = await about(at({ file: path.join(folder, 'missing.npy') }, npy([2], [1, 2])))
    expect([so.problems.map(({ code }) => code), so.debug, so.bench!.max]).toEqual([['not-found'], null, 2])
    expect((await about(at(broken))).problems.map(({ code }) => code)).toEqual(['npy-truncated'])
    expect((await about(at({ file: '/etc/hostname' }))).problems.map(({ code }) => code)).toEqual([
      'outside-root',
    ])
  })

  it('stops when cancelled', async () => {
    const file = path.join(folder, 'long.npy')
    const fd = openSync(file, 'w')
    const head = npyBytes({ descr: '<f4', shape: [2 ** 28], data: new Uint8Array() })
    writeSync(fd, head)
    ftruncateSync(fd, head.length + 2 ** 30)
    closeSync(fd)
    const stop = new AbortController()
    const asked = looks.about(
      at({ file }, { file }),
      false,
      job(stop.signal, () => stop.abort()),
    )
    setImmediate(() => stop.abort())
    await expect(asked).rejects.toBeInstanceOf(Cancelled)
  })
})

describe('a spread', () => {
  it('has the bins of both sides, of the error, and of one against the other', async () => {
    const [a, b] = [
      [0, 1, 2, 64],
      [0, 3, 64, 64],
    ]
    const spread = await looks.spread(at(npy([4], a), npy([4], b)), false, job())
    const filled = (counts: Float64Array | null): [number, number][] =>
      [...(counts ?? [])].flatMap((count, bin) => (count > 0 ? [[bin, count]] : []))
    expect(filled(spread.values!.debug)).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [63, 1],
    ])
    expect(filled(spread.values!.bench)).toEqual([
      [0, 1],
      [3, 1],
      [63, 2],
    ])
    // Errors are 0, −2, −62 and 0, between −62 and 62.
    expect(filled(spread.error!.counts)).toEqual([
      [0, 1],
      [30, 1],
      [32, 2],
    ])
    expect(filled(spread.against!.counts)).toEqual([
      [0, 1],
      [3 * 64 + 1, 1],
      [63 * 64 + 2, 1],
      [63 * 64 + 63, 1],
    ])
  })

  it('has octaves of magnitudes, and what is smaller', async () => {
    const { log } = await looks.spread(at(npy([5], [0, -1, 1.5, 0.25, 2])), false, job())
    const bin = (value: number): number => log!.edges.findLastIndex(edge => edge <= value)
    expect([log!.below.debug, log!.debug![bin(1)], log!.debug![bin(0.25)], log!.debug![bin(2)]]).toEqual([
      1, 2, 1, 1,
    ])
    expect(log!.edges[64]).toBe(4)
    const extreme = npy([2], new Uint8Array(Float64Array.of(-1.7e308, 5e-324).buffer), '<f8')
    expect((await looks.spread(at(extreme), false, job())).log!.below.debug).toBe(1)
  })
})

describe('a picture of two axes', () => {
  const shape = [3, 4, 5]
  const next = random(11)
  const [a, b] = [range(60).map(() => next() - 0.5), range(60).map(() => next() - 0.5)]
  const pair = at(npy(shape, a), npy(shape, b))
  const look = (of: Partial<HeatQuery>): HeatQuery => ({
    measure: 'abs',
    rest: 'max',
    rowAxis: 1,
    colAxis: 2,
    at: [0, 0, 0],
    rows: [0, 99],
    cols: [0, 99],
    ...of,
  })
  const error = (i: number, j: number, k: number): number =>
    Math.abs(Math.fround(a[(i * 4 + j) * 5 + k]) - Math.fround(b[(i * 4 + j) * 5 + k]))

  it.each([
    [1, 2],
    [2, 1],
    [0, 2],
    [2, 0],
    [0, 1],
    [1, 0],
  ])(
    'has rows of axis %i and columns of axis %i, the rest at an index, largest or mean',
    async (rowAxis, colAxis) => {
      const rest = 3 - rowAxis - colAxis
      const values = (row: number, col: number): number[] =>
        range(shape[rest]).map(other => {
          const index = [0, 0, 0]
          index[rowAxis] = row
          index[colAxis] = col
          index[rest] = other
          return error(index[0], index[1], index[2])
        })
      const grid = (of: (values: number[]) => number): number[] =>
        range(shape[rowAxis] * shape[colAxis]).map(i =>
          of(values(Math.floor(i / shape[colAxis]), i % shape[colAxis])),
        )
      const heat = async (of: Partial<HeatQuery>): Promise<number[]> => [
        ...(await looks.heat(pair, { ...look({ rowAxis, colAxis, ...of }), sample: false }, job())).values,
      ]
      expect(await heat({ rest: 'slice', at: [1, 1, 1] })).toEqual(grid(v => v[1]))
      expect(await heat({ rest: 'max' })).toEqual(grid(v => Math.max(...v)))
      const means = grid(v => v.reduce((sum, x) => sum + x, 0) / v.length)
      for (const [i, x] of (await heat({ rest: 'mean' })).entries()) expect(x).toBeCloseTo(means[i], 12)
    },
  )

  it('shows a part larger, and blocks where there are more elements than places', async () => {
    const zoomed = await looks.heat(
      pair,
      { ...look({ rest: 'slice', rows: [1, 3], cols: [2, 4], at: [2, 0, 0] }), sample: false },
      job(),
    )
    expect([zoomed.rows, zoomed.cols, zoomed.height, zoomed.width]).toEqual([[1, 3], [2, 4], 2, 2])
    expect([...zoomed.values]).toEqual([error(2, 1, 2), error(2, 1, 3), error(2, 2, 2), error(2, 2, 3)])
    const large = npy(
      [1000, 700],
      new Uint8Array(Float32Array.from(range(700_000), i => (i === 700 * 499 + 350 ? -9 : i % 3)).buffer),
    )
    const heat = await looks.heat(
      at(large),
      {
        ...look({ measure: 'debug', rest: 'slice', rowAxis: 0, colAxis: 1, rows: [0, 1000], cols: [0, 700] }),
        sample: false,
      },
      job(),
    )
    const place = Math.floor((499 * heat.height) / 1000) * heat.width + Math.floor((350 * heat.width) / 700)
    expect(heat.values[place]).toBe(-9)
    expect(heat.values.every((value, i) => i === place || (value >= 0 && value <= 2))).toBe(true)
  })

  it('reads little for a sample, also of rows that are longer than all that a sample may be', async () => {
    const shape = [64, 1 << 26]
    const file = path.join(folder, 'sparse.npy')
    const fd = openSync(file, 'w')
    const head = npyBytes({ descr: '<f4', shape, data: new Uint8Array(0) })
    writeSync(fd, head)
    ftruncateSync(fd, head.length + shape[0] * shape[1] * 4)
    closeSync(fd)
    const all = { rows: [0, shape[0]], cols: [0, shape[1]] } as const
    const found = await looks.heat(
      at({ file }),
      { ...look({ measure: 'debug', rest: 'slice', rowAxis: 0, colAxis: 1, ...all }), sample: true },
      job(),
    )
    expect(found.sampled).toBeGreaterThan(found.height * found.width - 1)
    expect(found.sampled).toBeLessThan(1 << 22)
    expect(found.values.every(value => value === 0)).toBe(true)
  })

  it('is of a sample first where it is large, with something in every block', async () => {
    const [tall, wide] = [2500, 1000]
    const data = Float32Array.from({ length: tall * wide }, (_, i) => 1 + (i % 7))
    const file = npy([tall, wide], new Uint8Array(data.buffer))
    const query = look({ measure: 'debug', rowAxis: 0, colAxis: 1, rows: [0, tall], cols: [0, wide] })
    const [first, exact] = [
      await looks.heat(at(file), { ...query, sample: true }, job()),
      await looks.heat(at(file), { ...query, sample: false }, job()),
    ]
    expect(first.sampled).toBeGreaterThan(100_000)
    expect(first.sampled).toBeLessThan(tall * wide)
    expect(exact.sampled).toBeNull()
    expect(first.values.every(value => value >= 1 && value <= 7)).toBe(true)
    expect(exact.values.every(value => value === 7)).toBe(true)
    // Of an axis whose neighbours lie far apart some elements are picked.
    const cube = npy([3000, 1, 1000], new Uint8Array(Float32Array.from({ length: 3e6 }, () => 2).buffer))
    const across = look({ measure: 'debug', rowAxis: 1, colAxis: 0, rest: 'max', cols: [0, 3000] })
    const picked = await looks.heat(at(cube), { ...across, sample: true }, job())
    expect(picked.values.every(value => value === 2)).toBe(true)
    expect(picked.sampled).toBeLessThan(1e6)
  })

  it('measures NaN and infinities as they are', async () => {
    const odd = at(npy([1, 4], [NaN, NaN, Infinity, 1]), npy([1, 4], [NaN, 1, Infinity, 0]))
    const of = { ...look({ rowAxis: 0, colAxis: 1, rest: 'slice' }), sample: false }
    expect([...(await looks.heat(odd, of, job())).values]).toEqual([0, Infinity, 0, 1])
    expect([...(await looks.heat(odd, { ...of, measure: 'rel' }, job())).values]).toEqual([
      0,
      Infinity,
      0,
      Infinity,
    ])
  })
})

describe('unlike shapes', () => {
  const next = random(3)
  const values = range(24).map(() => next())
  const turned = npy(
    [4, 3, 2],
    range(24).map(i => values[(i % 2) * 12 + (Math.floor(i / 2) % 3) * 4 + Math.floor(i / 6)]),
  )
  const left = npy([2, 3, 4], values)

  it('are proposed by what agrees', () => {
    const [first] = looks.proposals(at(left, turned)).proposals
    expect([first.axes, first.agree]).toEqual([[2, 1, 0], 1])
    const flat = looks.proposals(at(left, npy([24], values))).proposals[0]
    expect([flat.axes, flat.shape, flat.agree]).toEqual([undefined, [2, 3, 4], 1])
    expect(looks.proposals(at(left, npy([5], range(5)))).proposals).toEqual([])
  })

  it('are laid over each other without moving anything', async () => {
    const pair = { ...at(left, turned), align: { axes: [2, 1, 0] } }
    expect((await about(pair)).pair).toMatchObject({ mismatched: 0 })
    const shaped = { ...at(left, npy([24], values)), align: { shape: [2, 3, 4] } }
    expect((await about(shaped)).pair).toMatchObject({ mismatched: 0 })
    const ones = { ...at(npy([4, 1, 3, 2], range(24)), turned), align: { shape: [4, 1, 3, 2] } }
    expect((await about(ones)).bench!.shape).toEqual([4, 1, 3, 2])
  })

  it('that do not fit are refused by name', async () => {
    for (const align of [{ shape: [5, 5] }, { axes: [0, 0, 1] }, { axes: [2, 1, 0], shape: [24] }])
      await expect(about({ ...at(left, turned), align })).rejects.toMatchObject({
        problem: { code: 'align-unfit' },
      })
  })
})
