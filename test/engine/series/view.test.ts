// Pictures and lines of values over steps and ranks, and what the window is answered.
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  jumpsIn,
  lineOf,
  mapOf,
  partsIn,
  type SeriesMetric,
  SeriesStore,
} from '../../../main/engine/series/index.ts'
import { job } from '../../../main/engine/work/index.ts'
import { CellKind, seriesLimits, type SeriesMark, type UnitAt } from '../../../preload/contract/engine.ts'
import { random } from '../../support/random.ts'
import { fixturesRoot } from '../../support/fixtures.ts'
import { allDone, never, watchedEngine, type Watched } from '../../support/watched.ts'

type Cell = readonly [rank: number, step: number, target: string, value: number]

const stores: SeriesStore[] = []
afterEach(() => {
  for (const store of stores.splice(0)) store.close()
})

async function metricOf(
  debug: readonly Cell[],
  bench: readonly Cell[] | null = null,
  stat = 'norm',
): Promise<SeriesMetric> {
  const store = await SeriesStore.open()
  stores.push(store)
  const writer = store.metric()
  for (const [side, cells] of [['debug', debug] as const, ['bench', bench ?? []] as const])
    for (const [rank, step, target, value] of cells) {
      const sink = writer.side(side)
      sink.set(sink.add(rank, step, target), stat, value)
    }
  const made = await writer.finish(job())
  if (!made) throw new Error('nothing came')
  return made
}

const room = { columns: 100, rows: 100 } as const
const rank0 = {
  stat: 'norm',
  view: 'debug',
  fixed: 'rank',
  at: 0,
  target: '',
  ...room,
  window: null,
  targets: null,
} as const

describe('a picture', () => {
  const debug: readonly Cell[] = [
    [0, 0, 'a', 1],
    [0, 2, 'a', NaN],
    [0, 0, 'b', -Infinity],
    [1, 2, 'b', 4],
  ]
  it('has a cell for each step and target of a rank, and tells NaN from nothing', async () => {
    const map = await mapOf(await metricOf(debug), rank0)
    expect([[...map.x], map.y, map.across, map.down]).toEqual([[0, 2], ['a', 'b'], 'step', 'target'])
    expect([...map.kinds]).toEqual([CellKind.number, CellKind.nan, CellKind.minusInf, CellKind.none])
    expect([map.low, map.high]).toEqual([1, 1])
  })

  it('of a step has ranks across, of a target ranks down', async () => {
    const metric = await metricOf(debug)
    const step = await mapOf(metric, { ...rank0, fixed: 'step', at: 2 })
    expect([[...step.x], [...step.kinds]]).toEqual([
      [0, 1],
      [CellKind.nan, CellKind.none, CellKind.none, CellKind.number],
    ])
    const target = await mapOf(metric, { ...rank0, fixed: 'target', target: 'b' })
    expect([target.y, [...target.kinds]]).toEqual([
      ['0', '1'],
      [CellKind.minusInf, CellKind.none, CellKind.none, CellKind.number],
    ])
  })

  it('of two runs shows how far they are apart, where both have a value', async () => {
    const metric = await metricOf(debug, [
      [0, 0, 'a', 2],
      [0, 2, 'a', NaN],
      [0, 0, 'c', 1],
    ])
    const apart = await mapOf(metric, { ...rank0, view: 'difference' })
    expect(apart.y).toEqual(['a', 'b', 'c'])
    expect([...apart.values]).toEqual([0.5, 0, 0, 0, 0, 0])
    expect([...apart.kinds].map(kind => kind === CellKind.none)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ])
    expect((await mapOf(metric, { ...rank0, view: 'ratio' })).values[0]).toBe(0.5)
    const theirs = await mapOf(metric, { ...rank0, view: 'bench' })
    expect(theirs.kinds.slice(4)).toEqual(Uint8Array.of(1, 0))
  })

  it('in blocks keeps what is furthest from usual, and never loses what is no number', async () => {
    const many = Array.from({ length: 1000 }, (_, step): Cell => [0, step, 'a', step === 501 ? -9 : 1])
    const blocks = await mapOf(await metricOf(many), { ...rank0, columns: 10 })
    expect([...blocks.values]).toEqual([1, 1, 1, 1, 1, -9, 1, 1, 1, 1])
    expect([...blocks.columns]).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000])
    const lost = many.map(([rank, step, name, value]): Cell => [rank, step, name, step === 17 ? NaN : value])
    expect((await mapOf(await metricOf(lost), { ...rank0, columns: 10 })).kinds[0]).toBe(CellKind.nan)
    const alike = many.map(([rank, step, name]): Cell => [rank, step, name, step === 3 ? 0.2 : 1])
    const stat = 'similarity'
    const lowest = await mapOf(await metricOf(alike, null, stat), { ...rank0, stat, columns: 10 })
    expect(lowest.values[0]).toBeCloseTo(0.2)
  })
})

it('a part of a picture is as fine as the room allows, and a picture of some targets has no others', async () => {
  const many = Array.from({ length: 1000 }, (_, step): Cell => [0, step, `t${step % 5}`, step])
  const metric = await metricOf(many)
  const window = { x: [500, 510], y: [0, 5] } as const
  const part = await mapOf(metric, { ...rank0, columns: 10, window })
  expect([...part.x]).toEqual([500, 501, 502, 503, 504, 505, 506, 507, 508, 509])
  expect([part.values[0], part.width, part.height]).toEqual([500, 1000, 5])
  const some = await mapOf(metric, { ...rank0, columns: 10, targets: [3, 1] })
  expect([some.y, some.values[0], some.values[10]]).toEqual([['t3', 't1'], 98, 96])
})

it('the last of several rows of a step counts, and names of statistics are no SQL', async () => {
  const stat = 'norm"; DROP TABLE m0_debug; --'
  const metric = await metricOf(
    [
      [0, 1, 'a', 1],
      [0, 1, 'a', 2],
    ],
    null,
    stat,
  )
  const line = await lineOf(metric, { stat, view: 'debug', rank: 0, target: 'a' })
  expect([[...line.steps], [...line.values]]).toEqual([[1], [2]])
})

it('a million rows lie in blocks and say the same', async () => {
  const store = await SeriesStore.open()
  stores.push(store)
  const writer = store.metric()
  const sink = writer.side('debug')
  const [ranks, steps, targets] = [16, 64, 1030]
  for (let rank = 0; rank < ranks; rank++)
    for (let step = 0; step < steps; step++) {
      for (let target = 0; target < targets; target++)
        sink.set(sink.add(rank, step * 10, `t${target}`), 'norm', rank * 1e6 + step * 1e4 + target)
      await writer.flush()
    }
  const metric = await writer.finish(job())
  if (!metric) throw new Error('nothing came')
  const line = await lineOf(metric, { stat: 'norm', view: 'debug', rank: 7, target: 't77' })
  expect([...line.values]).toEqual(Array.from({ length: steps }, (_, step) => 7e6 + step * 1e4 + 77))
  const map = await mapOf(metric, { ...rank0, fixed: 'step', at: 630, rows: 12 })
  expect([map.x.length, map.rows.length, map.high]).toEqual([16, 13, 15e6 + 63e4 + 1029])
})

it('in blocks, however rows came, pictures and lines are what they are without; tiles lose nothing', async () => {
  const stats = ['norm', 'max'] as const
  const store = await SeriesStore.open()
  stores.push(store)
  const writers = [store.metric(1), store.metric(Infinity)]
  const next = random(7)
  const [ranks, steps, targets] = [35, 37, 131]
  const odds = [NaN, Infinity, -Infinity]
  // Each step and rank once, in an order of no meaning.
  const order = Array.from({ length: ranks * steps }, (_, i) => (i * 1009) % (ranks * steps))
  for (const at of order) {
    const [rank, step] = [at % ranks, Math.floor(at / ranks) * 5]
    for (let target = 0; target < targets; target++)
      for (const side of ['debug', 'bench'] as const) {
        if (next() < 0.1) continue
        const value = next() < 0.001 ? odds[Math.floor(next() * 3)]! : Math.round(next() * 1e6) / 1e6 - 0.5
        const twice = next() < 0.01
        for (const writer of writers) {
          const sink = writer.side(side)
          if (twice) sink.set(sink.add(rank, step, `t${target}`), 'norm', 5)
          const row = sink.add(rank, step, `t${target}`)
          for (const stat of side === 'debug' ? stats : ['norm']) sink.set(row, stat, value)
        }
      }
    for (const writer of writers) await writer.flush()
  }
  const [blocks, plain] = await Promise.all(writers.map(writer => writer.finish(job())))
  if (!blocks || !plain) throw new Error('nothing came')
  expect([blocks.tiles === null, plain.tiles === null]).toEqual([false, true])
  const windows = [null, { x: [3, 31], y: [5, 33] }] as const
  for (const fixed of ['rank', 'step', 'target'] as const)
    for (const view of ['debug', 'bench', 'difference', 'ratio'] as const)
      for (const window of windows)
        for (const targets of fixed === 'target' ? [null] : [null, [130, 3, 17, 90]]) {
          const asked = { ...rank0, view, fixed, at: 30, target: 't31', window, targets, columns: 9, rows: 7 }
          const [mine, theirs] = await Promise.all([mapOf(blocks, asked), mapOf(plain, asked)])
          expect(mine).toEqual(theirs)
        }
  for (const fixed of ['rank', 'step', 'target'] as const) {
    const asked = { ...rank0, fixed, at: 30, target: 't31', columns: 400, rows: 400 }
    const tiles = await mapOf(blocks, asked, 0)
    const exact = await mapOf(plain, asked)
    const furthest = new Map<number, number>()
    const down = exact.rows.length - 1
    expect([tiles.low, tiles.high, tiles.width, tiles.height]).toEqual([
      exact.low,
      exact.high,
      exact.width,
      exact.height,
    ])
    for (let y = 0; y < down; y++)
      for (let x = 0; x < exact.columns.length - 1; x++) {
        const at = Math.floor(y / 8) * (tiles.columns.length - 1) + Math.floor(x / 4)
        const i = y * (exact.columns.length - 1) + x
        if (exact.kinds[i] === CellKind.number)
          furthest.set(at, Math.max(furthest.get(at) ?? 0, Math.abs(exact.values[i]!)))
        else if (exact.kinds[i] !== CellKind.none) expect(tiles.kinds[at]).toBeGreaterThan(CellKind.number)
      }
    for (const [at, value] of furthest)
      if (tiles.kinds[at] === CellKind.number) expect(Math.abs(tiles.values[at]!)).toBe(value)
    expect(tiles.columns.at(-1)).toBe(exact.width)
    expect(tiles.rows.at(-1)).toBe(exact.height)
  }
  const line = { stat: 'norm', view: 'ratio', rank: 34, target: 't129' } as const
  expect(await lineOf(blocks, line)).toEqual(await lineOf(plain, line))
  const marksOf = async (metric: SeriesMetric): Promise<readonly unknown[]> => {
    const found: unknown[] = []
    for await (const mark of jumpsIn(metric, { threshold: 0.5 }, job())) found.push(mark)
    for await (const mark of partsIn(metric, seriesLimits, null, job())) found.push(mark)
    return found.map(mark => JSON.stringify(mark)).sort()
  }
  expect(await marksOf(blocks)).toEqual(await marksOf(plain))
})

it('a line of many steps keeps its peaks and what is no number', async () => {
  const cells = Array.from({ length: 20_000 }, (_, step): Cell => [0, step, 'a', Math.sin(step / 999)])
  const spiky = cells.map(([rank, step, name, value]): Cell => {
    if (step === 12_345) return [rank, step, name, 99]
    return [rank, step, name, step === 777 ? NaN : value]
  })
  const asked = { stat: 'norm', view: 'debug', rank: 0, target: 'a' } as const
  const line = await lineOf(await metricOf(spiky), asked)
  expect(line.steps.length).toBeLessThanOrEqual(4001)
  expect([line.values[line.steps.indexOf(12_345)], line.kinds[line.steps.indexOf(777)]]).toEqual([
    99,
    CellKind.nan,
  ])
  expect((await lineOf(await metricOf(cells.slice(0, 3)), asked)).steps).toHaveLength(3)
  expect((await lineOf(await metricOf(cells), { ...asked, target: 'b' })).steps).toHaveLength(0)
})

async function opened(paths: readonly string[]): Promise<{ watched: Watched; at: UnitAt }> {
  const watched = watchedEngine()
  const { session } = await watched.open(paths)
  await watched.until(session, allDone)
  return { watched, at: { session, unit: 0 } }
}

const whereOf = ({ rank, step, target }: SeriesMark): string => `${rank} ${step} ${target}`

it('the window is told which gradients are suspect, by the limits that it names', async () => {
  const folder = path.join(fixturesRoot(), 'grad')
  const { watched, at } = await opened(
    ['pt_lenet_w_conv2_L2', 'pt_lenet_none_L2'].map(name => path.join(folder, name)),
  )
  const { holds, metrics } = await watched.engine.series(at, never)
  expect([holds, metrics.map(({ name, both }) => [name, both])]).toEqual([
    'gradients',
    [
      ['similarity', false],
      ['', true],
    ],
  ])
  const limits = seriesLimits
  const { marks, count } = await watched.engine.seriesMarks({ ...at, limits }, never)
  expect([count, whereOf(marks[0])]).toEqual([14, '0 0 network.conv2.bias'])
  const lenient = { ...limits, first: 0, drop: 1 }
  expect((await watched.engine.seriesMarks({ ...at, limits: lenient }, never)).count).toBe(0)
  const pick = { metric: 0, stat: 'similarity', view: 'debug', rank: 0, target: 'summary' } as const
  const { values } = await watched.engine.seriesLine({ ...at, ...pick }, never)
  expect([...values].map(value => value > 0.9 && value < 1)).toEqual([true, true, true])
})

it('two runs of a monitor stand beside each other, metric by metric', async () => {
  const folder = path.join(fixturesRoot(), 'next', 'monitor', 'alerts_1_26', 'in')
  const { watched, at } = await opened([
    folder,
    path.join(fixturesRoot(), 'next', 'monitor', 'alerts_1_12', 'in'),
  ])
  const { metrics } = await watched.engine.series(at, never)
  expect(metrics.map(({ name, both, ranks }) => [name, both, ranks])).toEqual([
    ['actv', true, [0, 1]],
    ['exp_avg', true, [0, 1]],
  ])
  const asked = { ...at, ...rank0, metric: 0, view: 'difference', tags: [], search: '' } as const
  const { kinds, x } = await watched.engine.seriesMap(asked, never)
  expect(x).toHaveLength(12)
  expect(kinds).toContain(CellKind.number)
})
