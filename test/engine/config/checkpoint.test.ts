// Checkpoints put together from their ranks: order of layers, axes of shards, replicas, what is missing.
import { expect, test } from 'vitest'
import {
  compareCheckpoints,
  type CheckpointsCompared,
} from '../../../main/engine/config/checkpoint-compare.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { Refusal, type Problem } from '../../../main/engine/model/problem.ts'
import type { Rules } from '../../../main/engine/model/index.ts'
import { job } from '../../../main/engine/work/job.ts'
import { argsOf, putRank, rankBytes, type RankWeights } from '../../support/checkpoints.ts'
import { mutate } from '../../support/mutate.ts'
import { temporaryFolder } from '../../support/temporary.ts'

type Ranks = Readonly<Record<string, RankWeights>>

function checkpoint(sizes: readonly [tensor: number, pipeline: number], ranks: Ranks): string {
  const folder = temporaryFolder()
  for (const [rank, weights] of Object.entries(ranks))
    putRank(folder, rank, rankBytes(argsOf(...sizes), weights))
  return folder
}

async function compared(
  bench: string,
  debug: string,
  rules: Rules = 'plumbline',
): Promise<CheckpointsCompared & { problems: readonly Problem[] }> {
  const problems: Problem[] = []
  const files = diskFiles()
  const tell = (found: Problem): void => void problems.push(found)
  return { ...(await compareCheckpoints({ bench, debug, rules, files, job: job(), tell })), problems }
}

const vector = (...values: number[]) => ({ shape: [values.length], values })
const layers = (numbers: readonly number[]): RankWeights[string] =>
  Object.fromEntries(numbers.map((value, i) => [`decoder.layers.${i}.norm.weight`, vector(value)]))
const l2s = ({ parameters }: CheckpointsCompared): Readonly<Record<string, number | null>> =>
  Object.fromEntries(parameters.map(({ name, l2 }) => [name, l2]))

test('stages of different length follow each other; msprobe takes all to be as long as the first', async () => {
  const whole = checkpoint([1, 1], { mp_rank_00: { model: layers([1, 2, 3, 4]) } })
  const stages = checkpoint([1, 2], {
    mp_rank_00_000: { model: layers([1]) },
    mp_rank_00_001: { model: layers([2, 3, 4]) },
  })
  const own = await compared(whole, stages)
  expect(Object.values(l2s(own))).toEqual([0, 0, 0, 0])
  const uneven = checkpoint([1, 2], {
    mp_rank_00_000: { model: layers([1, 2, 3]) },
    mp_rank_00_001: { model: layers([4]) },
  })
  expect(Object.values(l2s(await compared(whole, uneven, 'msprobe-26')))).toEqual([0, 0, 0, 0])
  const pieces = checkpoint([1, 2], {
    mp_rank_00_000: { model0: layers([1, 2]), model1: layers([4]) },
    mp_rank_00_001: { model0: layers([3]), model1: {} },
  })
  expect(Object.values(l2s(await compared(whole, pieces)))).toEqual([0, 0, 0, 0])
  expect((await compared(whole, pieces, 'msprobe-26')).debugOnly).toEqual(['decoder.layers.4.norm.weight'])
})

test('shards along rows, along columns, and whole ones that must agree', async () => {
  const [column, row, norm] = ['mlp.linear_fc1.weight', 'mlp.linear_fc2.weight', 'norm.weight']
  const whole = checkpoint([1, 1], {
    mp_rank_00: {
      model: {
        [column]: { shape: [4, 2], values: [1, 2, 3, 4, 5, 6, 7, 8] },
        [row]: { shape: [2, 4], values: [1, 2, 3, 4, 5, 6, 7, 8] },
        [norm]: vector(1, 1),
      },
    },
  })
  const rank = (c: readonly number[], r: readonly number[], n: number): RankWeights => ({
    model: {
      [column]: { shape: [2, 2], values: c },
      [row]: { shape: [2, 2], values: r },
      [norm]: vector(1, n),
    },
  })
  const sharded = checkpoint([2, 1], {
    mp_rank_00: rank([1, 2, 3, 4], [1, 2, 5, 6], 1),
    mp_rank_01: rank([5, 6, 7, 8], [3, 4, 7, 8], 2),
  })
  const found = await compared(whole, sharded)
  expect(l2s(found)).toEqual({ [column]: 0, [row]: 0, [norm]: 0 })
  expect(found.problems.map(({ code }) => code)).toEqual(['ckpt-replicas-differ'])
})

test('numbers of one parameter', async () => {
  const side = (...values: number[]): string =>
    checkpoint([1, 1], { mp_rank_00: { model: { w: vector(...values) } } })
  const [one] = (await compared(side(3, 4, 0), side(3, 0, 0))).parameters
  expect(one).toMatchObject({ l2: 4, cosine: 0.6, maxAbs: 4, relativeL2: 0.8, signs: 2 / 3 })
  expect((await compared(side(0, 0), side(0, 1))).parameters[0]).toMatchObject({
    cosine: null,
    relativeL2: null,
  })
  expect((await compared(side(0, 0), side(0, 0))).parameters[0]).toMatchObject({ cosine: 1, l2: 0 })
  const shapes = await compared(side(1), side(1, 2))
  expect(shapes.parameters[0]).toMatchObject({ l2: null, benchShape: [1], debugShape: [2] })
})

test('a rank that is missing is said; without any of a stage there is nothing to compare', async () => {
  const whole = checkpoint([1, 1], { mp_rank_00: { model: layers([1]) } })
  const half = checkpoint([2, 1], { mp_rank_00: { model: layers([1]) } })
  expect((await compared(whole, half)).problems.map(({ code }) => code)).toEqual(['ckpt-shard-missing'])
  const none = checkpoint([1, 2], { mp_rank_00_000: { model: layers([1]) } })
  await expect(compared(whole, none)).rejects.toThrow(Refusal)
  await expect(compared(whole, temporaryFolder())).rejects.toThrow(Refusal)
  const argless = temporaryFolder()
  putRank(argless, 'mp_rank_00', rankBytes({}, { model: layers([1]) }))
  await expect(compared(whole, argless)).rejects.toThrow(Refusal)
})

test('damaged ranks: an answer or a Refusal', async () => {
  const bytes = rankBytes(argsOf(1, 1), { model: layers([1, 2]) })
  const whole = checkpoint([1, 1], { mp_rank_00: { model: layers([1, 2]) } })
  const folder = temporaryFolder()
  let [answered, refused] = [0, 0]
  for (let seed = 0; seed < 200; seed++) {
    putRank(folder, 'mp_rank_00', mutate(bytes, seed).bytes)
    try {
      await compared(whole, folder)
      answered++
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused++
    }
  }
  expect([answered > 0, refused > 0]).toEqual([true, true])
})
