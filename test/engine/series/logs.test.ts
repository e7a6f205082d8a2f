// Training logs of each kind, patterns, where two runs part, and how ranks share a model.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { patternReader } from '../../../main/engine/formats/index.ts'
import { diskFiles } from '../../../main/engine/io/index.ts'
import type { Problem } from '../../../main/engine/model/index.ts'
import { logStat, parallelPlan, partingOf, Points, readLog } from '../../../main/engine/series/index.ts'
import { job } from '../../../main/engine/work/index.ts'
import { cli } from '../../support/cli.ts'
import { fixturesRoot } from '../../support/fixtures.ts'
import { memoryFiles } from '../../support/memory-files.ts'

const folder = path.join(fixturesRoot(), 'series')

async function read(
  file: string,
  pattern = '',
): Promise<{ readonly points: Points; readonly kind: string; readonly told: readonly string[] }> {
  const files = diskFiles()
  files.allow(folder)
  const points = new Points()
  const told: string[] = []
  const tell = ({ code }: Problem): void => void told.push(code)
  const { kind } = await readLog(path.join(folder, file), pattern, points, { files, job: job(), tell })
  return { points, kind, told }
}

const valueOf = (points: Points, name: string, step: number): number | undefined =>
  points.stat(logStat)?.value(points.find(0, step, points.targetOf(name)))

describe('a log is known by its lines', () => {
  it.each([
    ['megatron_bench.log', 'megatron', 60, 24, 8.38],
    ['mindformers.log', 'mindformers', 12, 7, 9.6],
    ['huggingface.txt', 'huggingface', 10, 10, 4],
    ['slime.log', 'huggingface', 6, 0, 0.3],
  ])('%s', async (file, kind, steps, step, loss) => {
    const { points, kind: found } = await read(file)
    expect([found, points.steps.length]).toEqual([kind, steps])
    expect(valueOf(points, 'loss', step)).toBeCloseTo(loss, 1)
    expect(valueOf(points, 'grad norm', step)).toBeGreaterThan(0)
  })

  it('verl has losses of its own, and the same gradient norm as all', async () => {
    const { points, kind } = await read('verl.log')
    expect(kind).toBe('verl')
    expect(valueOf(points, 'actor/pg_loss', 3)).toBeCloseTo(0.03)
    expect(valueOf(points, 'grad norm', 3)).toBeCloseTo(0.53)
  })

  it('what a trainer of Hugging Face keeps is one too', async () => {
    const { points, kind } = await read('settings/trainer_state.json')
    expect([kind, points.steps]).toEqual(['trainer_state', [10, 20, 30, 40]])
    expect([10, 20, 30].map(step => valueOf(points, 'loss', step))).toEqual([3.2, 2.9, 0])
    expect(valueOf(points, 'grad norm', 30)).toBeNaN()
    expect(valueOf(points, 'eval_loss', 20)).toBe(2.95)
  })

  it('a cut trainer_state.json is said to be broken', async () => {
    const files = memoryFiles({ '/l/trainer_state.json': '{"log_history": [{"loss": 1, "step"' })
    const reading = readLog('/l/trainer_state.json', '', new Points(), { files, job: job(), tell() {} })
    await expect(reading).rejects.toMatchObject({ problem: { code: 'log-broken' } })
  })

  it('NaN in it stays NaN', async () => {
    const { points } = await read('megatron_debug.log')
    expect(valueOf(points, 'grad norm', 58)).toBeNaN()
  })
})

it('a pattern finds values in any other log, and is refused where it names none', async () => {
  const files = memoryFiles({ '/l/x.log': 'it=3 l=0.5\nit=4 l=-inf\nit=5 l=oops\nit=6 l=1e-3' })
  const points = new Points()
  const ports = { files, job: job(), tell() {} }
  await readLog('/l/x.log', String.raw`it=(?<step>\d+) l=(?<loss>\S+)`, points, ports)
  expect([valueOf(points, 'loss', 3), valueOf(points, 'loss', 4), valueOf(points, 'loss', 6)]).toEqual([
    0.5,
    -Infinity,
    0.001,
  ])
  expect(points.steps).toEqual([3, 4, 6])
  await expect(readLog('/l/x.log', '(?<loss>', points, ports)).rejects.toThrow('log-pattern')
  await expect(readLog('/l/x.log', '(?<gone>never)', points, ports)).rejects.toThrow('log-empty')
  await expect(readLog('/l/x.log', '', points, ports)).rejects.toThrow('log-unknown')
  expect(await patternReader(String.raw`only (?<step>\d+)`)).toBeNull()
  const slow = await patternReader('(?<loss>(a+)+)$')
  expect(slow?.(`${'a'.repeat(4000)}b`)).toBeNull()
})

it('steps that begin again are said, and the later ones count', async () => {
  const line = (step: number, loss: number): string =>
    ` iteration ${step}/ 10 | lm loss: ${loss} | grad norm: 1.0 |`
  const files = memoryFiles({ '/l/x.log': `${[line(1, 5), line(2, 4), line(2, 3)].join('\n')}\n` })
  const points = new Points()
  const told: string[] = []
  await readLog('/l/x.log', '', points, { files, job: job(), tell: ({ code }) => void told.push(code) })
  expect(valueOf(points, 'loss', 2)).toBe(3)
})

describe('two runs part', () => {
  const limits = { floor: 1e-3, factor: 3 }
  it('where they are further apart than ever before', () => {
    expect(partingOf([0, 1e-5, 4e-4, 1e-3, 3.5e-3, 2e-3], limits)).toEqual({
      at: 4,
      apart: 3.5e-3,
      before: 1e-3,
    })
    expect(partingOf([0.2, 0.3], limits)).toEqual({ at: 0, apart: 0.2, before: null })
    expect(partingOf([0, 1e-4, 9e-4], limits)).toBeNull()
    expect(partingOf([], limits)).toBeNull()
  })

  it('as the command line says it', async () => {
    const sides = ['megatron_debug.log', 'megatron_bench.log'].map(file => path.join(folder, file))
    const { out, code } = await cli(['training_log', ...sides, '--json'])
    const { partings, kinds } = JSON.parse(out)
    expect([code, kinds]).toEqual([0, ['megatron', 'megatron']])
    expect(partings.map(({ name, step }: { name: string; step: number }) => [name, step])).toEqual([
      ['loss', 24],
      ['grad norm', 24],
    ])
    const said = await cli(['training_log', ...sides])
    expect(said.out).toContain('dump backward of step 23 and forward of step 24')
  })
})

describe('a layout', () => {
  const sizes = { world: 16, layers: 8, tp: 2, pp: 4, cp: 1, ep: 1, perStage: 0, order: 'tp-cp-ep-dp-pp' }
  it('puts neighbours of the first dimension beside each other', () => {
    const { wrong, stages, rows } = parallelPlan(sizes)
    expect(wrong).toBeNull()
    expect(stages.map(({ cells }) => cells.map(({ is }) => is).join())).toEqual([
      'embed,layers',
      'layers',
      'layers',
      'layers,out',
    ])
    expect(rows.map(row => row.stages)).toEqual([
      [
        [0, 1],
        [4, 5],
        [8, 9],
        [12, 13],
      ],
      [
        [2, 3],
        [6, 7],
        [10, 11],
        [14, 15],
      ],
    ])
  })

  it('of virtual stages goes round the pipeline again', () => {
    const { stages, rows } = parallelPlan({ ...sizes, perStage: 1 })
    expect(stages).toHaveLength(8)
    expect(rows[0]?.stages[4]).toEqual(rows[0]?.stages[0])
  })

  it.each([
    [{ order: 'tp-dp' }, 'order'],
    [{ world: 12 }, 'world'],
    [{ layers: 9 }, 'layers'],
    [{ ep: 3 }, 'ep'],
    [{ world: 4096 }, 'range'],
  ])('that does not work out says why: %o', (change, wrong) => {
    expect(parallelPlan({ ...sizes, ...change }).wrong).toBe(wrong)
  })
})
