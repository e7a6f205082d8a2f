// Rank folders of two steps.
import { type Plan, planOf } from '../../../main/engine/layout/index.ts'
import { job } from '../../../main/engine/work/index.ts'
import { expect, test } from 'vitest'
import { openPorts } from '../../support/plans.ts'
import { memoryFiles } from '../../support/memory-files.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'

const steps = (debug: string[], bench: string[], stray: string[] = []) =>
  memoryFiles(
    Object.fromEntries([
      ['/compare.json', JSON.stringify({ npu_path: '/a/step0', bench_path: '/b/step0' })],
      ...debug.map(name => [`/a/step0/${name}/dump.json`, '{}']),
      ...bench.map(name => [`/b/step0/${name}/dump.json`, '{}']),
      ...stray.map(name => [`/a/step0/${name}`, 'x']),
    ]),
  )
const plan = (files: ReturnType<typeof steps>, rules: 'plumbline' | 'msprobe-1.2.2'): Promise<Plan> =>
  planOf(['/compare.json'], { stacks: 'auto', ordered: true }, openPorts(files, rules), job())
const suffixes = async (
  files: ReturnType<typeof steps>,
  rules: 'plumbline' | 'msprobe-1.2.2',
): Promise<readonly string[]> => (await plan(files, rules)).units.map(unit => unit.suffix)

test('numbers order the ranks; the reference orders them as text', async () => {
  const names = ['rank0', 'rank1', 'rank2', 'rank10']
  expect(await suffixes(steps(names, names), 'plumbline')).toEqual([
    '_rank0-rank0',
    '_rank1-rank1',
    '_rank2-rank2',
    '_rank10-rank10',
  ])
  expect(await suffixes(steps(names, names), 'msprobe-1.2.2')).toEqual([
    '_rank0-rank0',
    '_rank1-rank1',
    '_rank10-rank10',
    '_rank2-rank2',
  ])
})

test('equal numbers meet; the reference pairs by position', async () => {
  const files = steps(['rank0', 'rank1'], ['rank1', 'rank2'])
  const { units, problems } = await plan(files, 'plumbline')
  expect(units.map(unit => unit.suffix)).toEqual(['_rank1-rank1'])
  expect(problems.map(p => [p.code, p.path, 'rank' in p.facts && p.facts.rank])).toEqual([
    ['rank-missing', '/b/step0', 0],
    ['rank-missing', '/a/step0', 2],
  ])
  expect(await suffixes(files, 'msprobe-1.2.2')).toEqual(['_rank0-rank1', '_rank1-rank2'])
})

test('one rank without a number meets one with any', async () => {
  expect(await suffixes(steps(['rank'], ['rank0']), 'plumbline')).toEqual(['_rank-rank0'])
  await expect(plan(steps(['rank', 'rank1'], ['rank0']), 'plumbline')).rejects.toThrow(Refusal)
})

test('a stray file is a note; the reference stops there', async () => {
  const files = steps(['rank0'], ['rank0'], ['notes.txt'])
  expect((await plan(files, 'plumbline')).problems.map(p => p.code)).toEqual(['stray-entry'])
  await expect(plan(files, 'msprobe-1.2.2')).rejects.toThrow(Refusal)
})
