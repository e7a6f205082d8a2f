// Gradient probes: what is suspect, what csv files alone tell, and what is said of pieces that are missing.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { diskFiles } from '../../../main/engine/io/index.ts'
import { npyBytes } from '../../../main/engine/recompute/index.ts'
import {
  compareGradients,
  differenceStats,
  firstSuspect,
  type GradientPair,
  largestDifferences,
  Points,
  type RankSimilarity,
  signLimits,
  similarityAt,
  suspectsOf,
  weakSteps,
} from '../../../main/engine/series/index.ts'
import { job } from '../../../main/engine/work/index.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const signs = (values: readonly number[]): Uint8Array => {
  const header = `{'descr': '|b1', 'fortran_order': False, 'shape': (${values.length},), }`
  const padded = `${header.padEnd(117)}\n`
  return Uint8Array.from([
    0x93,
    ...Buffer.from('NUMPY'),
    1,
    0,
    padded.length,
    0,
    ...Buffer.from(padded),
    ...values,
  ])
}

function put(root: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), content)
  }
  return root
}

type Tree = Readonly<Record<string, string | Uint8Array>>

async function compare(a: Tree, b: Tree): Promise<GradientPair & { readonly differences: Points }> {
  const folder = temporaryFolder()
  const files = diskFiles()
  files.allow(folder)
  const roots = [put(path.join(folder, 'a'), a), put(path.join(folder, 'b'), b)] as const
  const sides = [new Points(), new Points()] as const
  const pair = await compareGradients(roots, 'plumbline', sides, { files, job: job() })
  return { ...pair, differences: differenceStats(sides) }
}

const rank = (params: readonly string[], cells: readonly (readonly number[])[]): RankSimilarity => ({
  rank: 0,
  steps: cells[0].map((_, step) => step),
  params,
  equal: Float64Array.from(cells.flat()),
  size: Float64Array.from(cells.flat(), cell => (Number.isNaN(cell) ? -1 : 1)),
  above: new Float64Array(cells.flat().length).fill(0.5),
})

it('is suspect below the limit at the first step, and by a fall from one step to the next', () => {
  const of = rank(
    ['a', 'b', 'c', 'd'],
    [
      [0.97, 0.94, 0.92],
      [0.96, 0.99, 0.99],
      [1, 0.96, 0.94],
      [NaN, 0.9, 0.9],
    ],
  )
  const found = suspectsOf(of, signLimits)
  expect(found.map(({ name, step, why }) => [name, step, why])).toEqual([
    ['d', 1, 'first'],
    ['c', 1, 'drop'],
    ['b', 0, 'first'],
  ])
  expect(firstSuspect(found)).toEqual({ rank: 0, step: 0, name: 'b' })
  expect(firstSuspect([])).toBeNull()
  expect(suspectsOf(of, { first: 0.5, drop: 0.5 })).toEqual([])
})

it('takes the last parameter of the model first where several are suspect at one step', () => {
  const found = suspectsOf(rank(['embedding', 'head', 'norm'], [[0.1], [0.9], [1]]), signLimits)
  expect(found[0].name).toBe('embedding')
  expect(firstSuspect(found)).toMatchObject({ step: 0, name: 'head' })
})

it('counts equal signs over windows and words of any length', async () => {
  const length = (1 << 20) + 7
  const [mine, theirs] = [1, 2].map(k => Array.from({ length }, (_, i) => (i % (k + 1) === 0 ? 1 : 0)))
  const equal = mine.filter((value, i) => value === theirs[i]).length
  const { ranks } = await compare(
    { 'rank0/step0/w.npy': signs(mine) },
    { 'rank0/step0/w.npy': signs(theirs) },
  )
  expect(ranks[0].equal[0]).toBe(equal)
  expect(ranks[0].size[0]).toBe(length)
  expect(ranks[0].above[0]).toBeCloseTo(0.5, 5)
})

const csv = (rows: readonly string[]): string =>
  `\uFEFFparam_name,MD5,max,min,norm,shape\n${rows.join('\n')}\n`

it('tells from csv files alone where md5 and numbers part', async () => {
  const { differences, ranks, problems } = await compare(
    {
      'rank0/grad_summary_0.csv': csv(['w,aa,1,-1,2,[2]', 'b,bb,1,0,nan,[2]']),
      'rank0/grad_summary_1.csv': csv(['w,cc,1,-1,3,[2]', 'b,bb,inf,0,1,[2]']),
    },
    {
      'rank0/grad_summary_0.csv': csv(['w,aa,1,-1,2,[2]', 'b,bb,1,0,nan,[2]']),
      'rank0/grad_summary_1.csv': csv(['w,dd,1,-1,2,[2]', 'b,bb,1,0,1,[2]']),
    },
  )
  expect(ranks[0].steps).toEqual([])
  expect(problems.map(({ code }) => code)).toEqual(['grad-no-signs'])
  expect(largestDifferences(differences)).toMatchObject([
    { stat: 'norm', step: 1, largest: { name: 'w', value: 0.5 } },
    { stat: 'max', step: 1, largest: { name: 'b', value: Infinity } },
    { stat: 'md5', step: 1, largest: { name: 'w', value: 1 } },
  ])
})

it('compares the rest where steps, ranks, parameters and types are missing, and says so once each', async () => {
  const one = signs([1, 0, 1, 0])
  const whole = { 'rank0/step0/w.npy': one, 'rank0/step0/b.npy': one, 'rank0/step1/w.npy': one }
  const { ranks, problems } = await compare(
    { ...whole, 'rank0/step2/w.npy': one, 'rank3/step0/w.npy': one, 'notes/readme.txt': 'other' },
    {
      'rank0/step0/w.npy': one,
      'rank0/step0/b.npy': npyBytes({ item: 'b', dtype: 'float32', shape: [4], data: new Float64Array(4) }),
      'rank0/step1/w.npy': one.subarray(0, one.length - 1),
      'rank0/Dump/step_finish': '',
    },
  )
  expect(ranks).toHaveLength(1)
  const [only] = ranks
  expect(only.params).toEqual(['b', 'w'])
  const cells = only.params.map((_, p) => only.steps.map((_, s) => similarityAt(only, p, s)))
  expect(cells).toEqual([
    [null, null],
    [1, null],
  ])
  expect(problems.map(({ code }) => code).sort()).toEqual([
    'grad-dtype',
    'grad-missing',
    'grad-ranks-alone',
    'grad-running',
    'grad-steps-alone',
    'npy-truncated',
  ])
})

it('keeps parameters in the order of the model where steps hold different ones', async () => {
  const tree = {
    'rank0/grad_summary_0.csv': csv(['a,x,1,1,1,[1]', 'c,x,1,1,1,[1]']),
    'rank0/grad_summary_1.csv': csv(['a,x,1,1,1,[1]', 'b,x,1,1,1,[1]', 'c,x,1,1,1,[1]']),
    'rank0/step0/a.npy': signs([1]),
  }
  const { ranks } = await compare(tree, tree)
  expect(ranks[0].params).toEqual(['a', 'b', 'c'])
})

it('warns of parameters that are hardly ever above zero', async () => {
  const few = Array.from({ length: 40 }, (_, i) => (i === 0 ? 1 : 0))
  const tree = { 'rank0/step0/w.npy': signs(few), 'rank0/step0/b.npy': signs([1, 0]) }
  const { ranks } = await compare(tree, tree)
  expect(ranks[0].params.map((_, param) => weakSteps(ranks[0], param))).toEqual([[], [0]])
})
