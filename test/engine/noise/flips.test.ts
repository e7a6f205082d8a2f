// Choices of topk and argmax that noise turned, and those that it does not explain.
import { expect, test } from 'vitest'
import { findFlips } from '../../../main/engine/noise/index.ts'
import type { ItemErrors } from '../../../main/engine/noise/errors.ts'
import { Equal } from '../../../main/engine/measure/index.ts'
import { inferFlow } from '../../../main/engine/flow/index.ts'
import { SharedNames, viewSide } from '../../../main/engine/pair/index.ts'
import type { Side } from '../../../main/engine/model/index.ts'
import { job } from '../../../main/engine/work/job.ts'
import { itemErrors } from '../../../main/engine/noise/index.ts'
import { compareIn } from '../../support/twins.ts'

type Values = readonly (readonly number[])[]
interface Run {
  readonly read: Values
  readonly index: Values
}

const tensor = (rows: Values, dtype: string): unknown => {
  const all = rows.flat()
  return {
    type: 'torch.Tensor',
    dtype,
    shape: [rows.length, rows[0]?.length ?? 0],
    Max: Math.max(...all),
    Min: Math.min(...all),
    Mean: all.reduce((sum, one) => sum + one, 0) / all.length,
    Norm: Math.hypot(...all),
    requires_grad: false,
  }
}

const dumpOf = ({ read, index }: Run): string => {
  const chosen = index.map((row, k) => row.map(at => read[k]?.[at] ?? 0))
  const topk = {
    input_args: [tensor(read, 'torch.float32')],
    input_kwargs: {},
    output: [tensor(chosen, 'torch.float32'), tensor(index, 'torch.int64')],
  }
  return JSON.stringify({
    task: 'statistics',
    level: 'L1',
    framework: 'pytorch',
    dump_data_dir: null,
    data: { 'Torch.topk.0.forward': topk },
  })
}

async function flipsOf(mine: Run, theirs: Run, withValues: boolean): ReturnType<typeof findFlips> {
  const content = { '/debug/dump.json': dumpOf(mine), '/bench/dump.json': dumpOf(theirs) }
  const comparison = await compareIn(content, '/debug', '/bench')
  const names = new SharedNames()
  const [debug, bench] = [
    { ...viewSide(comparison.debug, names), flow: await inferFlow(comparison.debug, { job: job() }) },
    { ...viewSide(comparison.bench, names), flow: await inferFlow(comparison.bench, { job: job() }) },
  ]
  const levels: ItemErrors = itemErrors(comparison)
  expect([...levels.equal]).toContain(Equal.no)
  const readTensor = (side: Side, item: number): Promise<Float64Array | null> => {
    const { read, index } = side === 'debug' ? mine : theirs
    const rows = [read, null, index][item]
    return Promise.resolve(withValues && rows ? Float64Array.from(rows.flat()) : null)
  }
  return findFlips({ debug, bench, levels, readTensor })
}

const near: Run = {
  read: [
    [1, 2, 2.001, 0],
    [4, 1, 2, 3],
  ],
  index: [[2], [0]],
}
const moved: Run = {
  read: [
    [1, 2.0015, 2.001, 0],
    [4, 1, 2, 3],
  ],
  index: [[1], [0]],
}

test('two values that are nearer than the noise between the runs are chosen in turn', async () => {
  const { found, explains } = await flipsOf(moved, near, true)
  expect(found).toMatchObject([{ node: 'Torch.topk.0.forward', by: 'margin', flipped: 1, of: 2 }])
  expect(found[0]?.margin).toBeLessThanOrEqual(found[0]?.noise ?? 0)
  expect([...explains]).toEqual([0, 0, 1])
})

test('a choice further apart than noise moved it is a fault', async () => {
  const wrong: Run = { read: moved.read, index: [[0], [0]] }
  expect((await flipsOf(wrong, near, true)).found).toEqual([])
})

test('equal values are no reason to choose otherwise', async () => {
  const wrong: Run = { read: near.read, index: [[1], [0]] }
  expect((await flipsOf(wrong, near, true)).found).toEqual([])
  expect((await flipsOf(wrong, near, false)).found).toEqual([])
})

test('without values the chosen ones tell, where they agree', async () => {
  expect((await flipsOf(moved, near, false)).found).toMatchObject([{ by: 'values', flipped: 0, of: 0 }])
  const wrong: Run = { read: moved.read, index: [[0], [3]] }
  expect((await flipsOf(wrong, near, false)).found).toEqual([])
})
