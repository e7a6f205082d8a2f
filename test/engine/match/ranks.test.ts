// Rank folders of two steps.
import { expect, test } from 'vitest'
import { pairRanks } from '../../../main/engine/match/index.ts'
import { memoryFiles } from '../../support/memory-files.ts'
import { Refusal } from '../../../main/engine/problem.ts'

const steps = (debug: string[], bench: string[], stray: string[] = []) =>
  memoryFiles(Object.fromEntries([...debug.map(name => [`/a/step0/${name}/dump.json`, '{}']), ...bench.map(name => [`/b/step0/${name}/dump.json`, '{}']), ...stray.map(name => [`/a/step0/${name}`, 'x'])]))
const suffixes = (files: ReturnType<typeof steps>, rules: 'plumbline' | 'msprobe-1.2.2') => pairRanks(files, '/a/step0', '/b/step0', rules).pairs.map(pair => pair.suffix)

test('numbers order the ranks; the reference orders them as text', () => {
  const names = ['rank0', 'rank1', 'rank2', 'rank10']
  expect(suffixes(steps(names, names), 'plumbline')).toEqual(['_rank0-rank0', '_rank1-rank1', '_rank2-rank2', '_rank10-rank10'])
  expect(suffixes(steps(names, names), 'msprobe-1.2.2')).toEqual(['_rank0-rank0', '_rank1-rank1', '_rank10-rank10', '_rank2-rank2'])
})

test('equal numbers meet; the reference pairs by position', () => {
  const files = steps(['rank0', 'rank1'], ['rank1', 'rank2'])
  const { pairs, problems } = pairRanks(files, '/a/step0', '/b/step0', 'plumbline')
  expect(pairs.map(pair => pair.suffix)).toEqual(['_rank1-rank1'])
  expect(problems.map(p => [p.code, p.path, p.facts['rank']])).toEqual([['rank-missing', '/b/step0', '0'], ['rank-missing', '/a/step0', '2']])
  expect(suffixes(files, 'msprobe-1.2.2')).toEqual(['_rank0-rank1', '_rank1-rank2'])
})

test('one rank without a number meets one with any', () => {
  expect(suffixes(steps(['rank'], ['rank0']), 'plumbline')).toEqual(['_rank-rank0'])
  expect(() => pairRanks(steps(['rank', 'rank1'], ['rank0']), '/a/step0', '/b/step0', 'plumbline')).toThrow(Refusal)
})

test('a stray file is a note; the reference stops there', () => {
  const files = steps(['rank0'], ['rank0'], ['notes.txt'])
  expect(pairRanks(files, '/a/step0', '/b/step0', 'plumbline').problems.map(p => p.code)).toEqual(['stray-entry'])
  expect(() => pairRanks(files, '/a/step0', '/b/step0', 'msprobe-1.2.2')).toThrow(Refusal)
})
