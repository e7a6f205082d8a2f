// The tensor viewer: slices, counts, distribution, error maps, worst elements, and two files by hand.
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { toHalf } from '../../../main/engine/formats/tensors/dtype.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { Cancelled, job } from '../../../main/engine/work/job.ts'
import { tasks } from '../../../main/engine/threads/index.ts'
import { closeness, tensorView, type TensorViewQuery } from '../../../main/engine/view/tensor.ts'
import { inlinePool } from '../../../main/engine/work/inline.ts'
import type { TensorView } from '../../../preload/contract/engine.ts'
import { random } from '../../support/random.ts'
import { f32, folderOf, npyBytes, ptBytes, put } from '../../support/tensor-files.ts'

const pool = inlinePool(tasks)
const folder = folderOf()
const files = diskFiles()
files.allow(folder)
afterAll(() => rmSync(folder, { recursive: true }))

let last = 0
/** A file of float32 values, or of the bytes given. */
function npy(
  shape: readonly number[],
  data: readonly number[] | Uint8Array,
  descr = '<f4',
  fortran = false,
): { file: string } {
  return {
    file: put(
      folder,
      `t${last++}.npy`,
      npyBytes({ descr, shape, fortran, data: data instanceof Uint8Array ? data : f32(...data) }),
    ),
  }
}

const view = (query: Partial<TensorViewQuery>): Promise<TensorView> =>
  tensorView(pool, files, { debug: null, bench: null, at: [], rows: 4, cols: 4, ...query }, job())
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

describe('the view of a tensor', () => {
  it('shows a part of the last two axes at the given place', async () => {
    const debug = npy([2, 3, 4], range(24))
    const at = await view({ debug, at: [1, 1, 2], rows: 2, cols: 2 })
    expect([at.sliceRows, at.sliceCols, [...at.debug!.slice]]).toEqual([2, 2, [18, 19, 22, 23]])
    const beyond = await view({ debug, at: [9, 2, 3], rows: 5, cols: 5 })
    expect([beyond.sliceRows, beyond.sliceCols, [...beyond.debug!.slice]]).toEqual([1, 1, [23]])
    const whole = await view({ debug, rows: 100, cols: 100 })
    expect([whole.sliceRows, whole.sliceCols]).toEqual([3, 4])
  })

  it('shows tensors without axes, with one, and none at all', async () => {
    expect([...(await view({ debug: npy([], [7]) })).debug!.slice]).toEqual([7])
    const row = await view({ debug: npy([5], range(5)), at: [3] })
    expect([row.sliceRows, row.sliceCols, [...row.debug!.slice]]).toEqual([1, 2, [3, 4]])
    const empty = await view({ debug: npy([0, 3], []), bench: npy([0, 3], []) })
    expect(empty).toMatchObject({
      sliceRows: 0,
      histogram: null,
      heat: null,
      worst: [],
      problems: [],
      debug: { shape: [0, 3], nan: 0 },
    })
    expect(await view({})).toMatchObject({ debug: null, bench: null, sliceRows: 0, problems: [] })
  })

  it('pads the smaller side', async () => {
    const so = await view({ debug: npy([2, 2], range(4)), bench: npy([1, 3], range(3)) })
    expect([...so.debug!.slice]).toEqual([0, 1, NaN, 2, 3, NaN])
    expect([...so.bench!.slice]).toEqual([0, 1, 2, NaN, NaN, NaN])
    expect(so).toMatchObject({ heat: null, worst: [] })
  })

  it('counts what is NaN, infinite or zero and leaves it out where it says nothing', async () => {
    const { debug } = await view({ debug: npy([6], [NaN, Infinity, -2, 0, 4, -0]) })
    expect(debug).toMatchObject({
      dtype: 'float32',
      shape: [6],
      max: Infinity,
      min: -2,
      mean: 0.5,
      nan: 1,
      inf: 1,
      zero: 2,
    })
    expect(debug!.norm).toBeCloseTo(Math.sqrt(20), 12)
    expect((await view({ debug: npy([2], [NaN, NaN]) })).debug).toMatchObject({
      max: NaN,
      min: NaN,
      mean: NaN,
      nan: 2,
    })
  })

  it('puts both sides on one axis of values', async () => {
    const { histogram } = await view({
      debug: npy([4], [0, 1, 2, 64]),
      bench: npy([4], [0, NaN, 64, -Infinity]),
    })
    expect([histogram!.edges[0], histogram!.edges[64]]).toEqual([0, 64])
    expect([histogram!.debug[0], histogram!.debug[1], histogram!.debug[2], histogram!.debug[63]]).toEqual([
      1, 1, 1, 1,
    ])
    expect([histogram!.bench[0], histogram!.bench[63]]).toEqual([1, 1])
    expect((await view({ debug: npy([3], [5, 5, 5]) })).histogram!.debug[0]).toBe(3)
    const extreme = await view({
      debug: npy([2], new Uint8Array(Float64Array.of(-1.7e308, 1.7e308).buffer), '<f8'),
    })
    expect([extreme.histogram!.debug[0], extreme.histogram!.debug[63]]).toEqual([1, 1])
  })

  it('maps the largest error of each block and lists the worst elements', async () => {
    const [rows, cols] = [200, 700]
    const next = random(3)
    const a = range(rows * cols).map(() => next() * 10)
    const b = a.slice()
    b[150 * cols + 600] += 5
    b[10 * cols + 3] = 0
    const so = await view({ debug: npy([rows, cols], a), bench: npy([rows, cols], b) })
    const { heat, worst } = so
    expect([heat!.rows, heat!.cols]).toEqual([64, 256])
    const cell = (row: number, col: number): number =>
      Math.floor((row * 64) / rows) * 256 + Math.floor((col * 256) / cols)
    expect(heat!.abs[cell(150, 600)]).toBeCloseTo(5, 5)
    expect(heat!.rel[cell(10, 3)]).toBe(Infinity)
    expect(heat!.abs.filter(x => x > 0).length).toBe(2)
    expect(worst.map(({ index }) => index)).toEqual(
      expect.arrayContaining([
        [150, 600],
        [10, 3],
      ]),
    )
    expect(worst.length).toBe(2)
    expect(worst[0].error).toBeGreaterThanOrEqual(worst[1].error)
  })

  it('keeps the twenty worst, largest first, and puts NaN against a number before all', async () => {
    const a = range(1000).map(i => i + (i % 7 === 0 ? i / 100 : 0))
    a[500] = NaN
    const { worst } = await view({ debug: npy([10, 100], a), bench: npy([10, 100], range(1000)) })
    expect(worst.length).toBe(20)
    expect(worst[0]).toEqual({ index: [5, 0], debug: NaN, bench: 500, error: Infinity })
    expect(worst[1]).toMatchObject({ index: [9, 94] })
    for (let i = 1; i < 20; i++) expect(worst[i].error).toBeLessThanOrEqual(worst[i - 1].error)
  })

  it('counts errors in units of the last place of the coarser type', async () => {
    const steps = async (descr: string, x: Uint8Array, y: Uint8Array): Promise<number> =>
      (await view({ debug: npy([1], x, descr), bench: npy([1], y, descr) })).heat!.ulp[0]
    expect(await steps('<f4', f32(1), f32(1 + 2 ** -23 * 3))).toBe(3)
    expect(await steps('<f4', f32(-(2 ** -149)), f32(2 ** -149))).toBe(2)
    expect(
      await steps(
        '<f2',
        new Uint8Array(Uint16Array.of(toHalf(1)).buffer),
        new Uint8Array(Uint16Array.of(toHalf(1) + 4).buffer),
      ),
    ).toBe(4)
    expect(
      await steps(
        '<f8',
        new Uint8Array(Float64Array.of(1).buffer),
        new Uint8Array(Float64Array.of(1 + 2 ** -52 * 5).buffer),
      ),
    ).toBe(5)
    expect(
      await steps('<i4', new Uint8Array(Int32Array.of(7).buffer), new Uint8Array(Int32Array.of(-7).buffer)),
    ).toBe(14)
    expect(await steps('<V2', new Uint8Array([0x80, 0x3f]), new Uint8Array([0x83, 0x3f]))).toBe(3)
    const mixed = await view({ debug: npy([1], new Uint8Array([0x82, 0x3f]), '<V2'), bench: npy([1], [1]) })
    expect(mixed.heat!.ulp[0]).toBe(2)
  })

  it('reads files of different formats and orders as the same elements', async () => {
    const bench = {
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
    const so = await view({ debug: npy([3, 2], range(6)), bench })
    expect([...so.bench!.slice]).toEqual(range(6))
    expect(so.worst).toEqual([])
    expect((await view({ debug: npy([3, 2], [0, 2, 4, 1, 3, 5], '<f4', true), bench })).worst).toEqual([])
  })

  it('tells what cannot be read and shows the rest', async () => {
    const broken = { file: put(folder, 'broken.npy', npyBytes({ descr: '<f4', shape: [100], data: f32(1) })) }
    const so = await view({ debug: { file: path.join(folder, 'missing.npy') }, bench: npy([2], [1, 2]) })
    expect(so.problems.map(p => p.code)).toEqual(['not-found'])
    expect([...so.bench!.slice]).toEqual([1, 2])
    expect((await view({ debug: broken })).problems.map(p => p.code)).toEqual(['npy-truncated'])
    expect((await view({ debug: { file: '/etc/hostname' } })).problems.map(p => p.code)).toEqual([
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
    const asked = tensorView(
      pool,
      files,
      { debug: { file }, bench: { file }, at: [], rows: 2, cols: 2 },
      job(stop.signal, () => stop.abort()),
    )
    setImmediate(() => stop.abort())
    await expect(asked).rejects.toBeInstanceOf(Cancelled)
  })
})

describe('two files by hand', () => {
  const compare = (a: { file: string }, b: { file: string }, atol: number, rtol: number) =>
    closeness(pool, files, { debug: a, bench: b, atol, rtol }, job())

  it('are close within atol + rtol · |b|', async () => {
    const [a, b] = [npy([4], [1, 2, 3, 0]), npy([4], [1, 2.5, 3.25, 0.125])]
    expect(await compare(a, b, 0.125, 0)).toMatchObject({
      elements: 4,
      apart: 2,
      maxAbs: 0.5,
      dtypes: ['float32', 'float32'],
    })
    expect(await compare(a, b, 0.125, 0.1)).toMatchObject({ apart: 1 })
    expect(await compare(a, b, 1, 0)).toMatchObject({ apart: 0 })
    expect((await compare(a, b, 0, 0)).worst[0]).toEqual({ index: [1], debug: 2, bench: 2.5, error: 0.5 })
  })

  it('are never close at NaN, and at infinities only when they are the same', async () => {
    const [a, b] = [npy([4], [NaN, Infinity, Infinity, 1]), npy([4], [NaN, Infinity, -Infinity, Infinity])]
    expect(await compare(a, b, 1, 1)).toMatchObject({ apart: 3 })
  })

  it('are all apart when the shapes differ', async () => {
    expect(await compare(npy([2], [1, 2]), npy([2, 1], [1, 2]), 1, 1)).toMatchObject({
      elements: 2,
      apart: 2,
      maxAbs: NaN,
      shapes: [[2], [2, 1]],
    })
  })

  it('are refused when one cannot be read or a tolerance is no number', async () => {
    const one = npy([1], [1])
    await expect(compare(one, { file: path.join(folder, 'none.npy') }, 0, 0)).rejects.toMatchObject({
      problem: { code: 'not-found' },
    })
    await expect(compare(one, one, -1, 0)).rejects.toMatchObject({ problem: { code: 'tolerance-invalid' } })
  })
})
