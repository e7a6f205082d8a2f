// What is typed for msprobe 26.x, with the name replaced: the files that it writes by default, the first difference over all
// ranks value by value, and one sentence for what is not done here.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { cli } from '../support/cli.ts'
import { fixturesRoot } from '../support/fixtures.ts'

const root = fixturesRoot()
const dump = (name: string, rest: string): string => path.join(root, 'dumps', name, rest)
const untimed = (name: string): string => name.replace(/_\d{14,19}/, '')

let out = ''
beforeEach(() => {
  out = mkdtempSync(path.join(tmpdir(), 'plumbline-26-'))
})

const written = (): readonly string[] => readdirSync(out).map(untimed).sort()
const sides = (debug: string, bench: string, rest: string): readonly string[] => [
  '-tp',
  dump(debug, rest),
  '-gp',
  dump(bench, rest),
  '-o',
  out,
]
const conv = ['pt_lenet_w_conv2_statistics_mix', 'pt_lenet_none_statistics_mix'] as const

test('the first difference over all ranks, with the calls of each', async () => {
  const { code } = await cli([
    'compare',
    ...sides('pt_tp_4ranks_rank2_w', 'pt_tp_4ranks_none', 'step0'),
    '-da',
    '--rules',
    'msprobe-26',
  ])
  expect(code).toBe(0)
  const golden = path.join(root, 'cases', 'new_cmp_pt_4ranks_da', 'golden')
  const wanted = readdirSync(golden).filter(name => name.endsWith('.json'))
  expect(wanted.length).toBe(5)
  for (const name of wanted) {
    const mine = readdirSync(out).find(one => one.endsWith('.json') && untimed(one) === untimed(name)) ?? ''
    const [have, want] = [path.join(out, mine), path.join(golden, name)].map(
      file => JSON.parse(readFileSync(file, 'utf8')) as unknown,
    )
    // Half a megabyte each: no picture of what differs is drawn.
    expect(isDeepStrictEqual(have, want), name).toBe(true)
  }
})

test('csv and one database are written where nobody says', async () => {
  await cli(['compare', ...sides(...conv, 'step0/rank/dump.json'), '-tensor_log'])
  expect(written()).toContain('compare_result.csv')
  expect(written()).not.toContain('compare_result.xlsx')
  await cli(['graph_visualize', ...sides(...conv, 'step0/rank'), '-progress_log'])
  expect(written()).toContain('compare.vis.db')
})

test('a workbook is written for --xlsx, and results of ranks are called as 26.x calls them', async () => {
  await cli(['compare', ...sides(...conv, 'step0'), '--xlsx', '--rules', 'msprobe-26'])
  expect(written()).toContain('compare_result_rank.xlsx')
})

test.each([
  ['compare', '-m', 'offline_data'],
  ['compare', '-fr', 'rule.json'],
  ['compare', '--input_shape', 'x:1'],
  ['compare', '--consistent_check'],
  ['compare', '--backend', 'fsdp'],
  ['compare', '--config', 'post.yaml'],
  ['graph_visualize', '--file_type', 'json'],
])('%s %s is refused in one sentence', async (command, ...typed) => {
  const { code, err } = await cli([command, ...sides(...conv, 'step0/rank'), ...typed])
  expect(code).toBe(2)
  expect(err.trim().split('\n')).toHaveLength(1)
  expect(err).toContain('--')
  expect(err).not.toContain('There is no option')
})
