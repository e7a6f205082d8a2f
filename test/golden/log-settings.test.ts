// Hyper-parameters that trainings print into their logs: read, compared and checked as msprobe 26 does it, and ours.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flatSettings, LogSettingsReader } from '../../main/engine/config/log-settings.ts'
import { jsonText } from '../../main/engine/python/index.ts'
import { cli } from '../support/cli.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { allDone, never, watchedEngine } from '../support/watched.ts'

const at = (name: string): string => path.join(fixturesRoot(), 'series', 'settings', name)
const read = (file: string): string => readFileSync(file, 'utf8')

describe('msprobe 26', () => {
  it.each([
    ['-vc', 'verl_debug.log verl_bench.log', 'hyper_params_compare.csv', 'verl_compare.csv'],
    ['-sc', 'slime_debug.log slime_bench.log', 'hyper_params_compare.csv', 'slime_compare.csv'],
    ['-vv', 'verl_debug.log', 'hyper_params_verify.csv', 'verl_verify.csv'],
  ])('config_check %s %s writes the same', async (flag, logs, name, golden) => {
    const out = temporaryFolder()
    const words = ['config_check', flag, ...logs.split(' ').map(at), '-o', out, '--rules', 'msprobe-26']
    expect((await cli(words)).code).toBe(0)
    expect(read(path.join(out, name))).toBe(read(at(golden)))
    const debug = path.join(out, flag === '-vv' ? 'tgt_config.json' : 'NPU_config.json')
    expect(read(debug)).toBe(read(at(logs.startsWith('verl') ? 'verl_debug.json' : 'slime_debug.json')))
  })
})

describe('our own rules', () => {
  it('find out themselves what the logs are of, the bench first', async () => {
    const out = temporaryFolder()
    const words = ['config_check', '-c', at('slime_bench.log'), at('slime_debug.log'), '-o', out, '--json']
    const { code, out: printed } = await cli([...words, '--fail-on', 'error'])
    expect(code).toBe(1)
    const answer = JSON.parse(printed) as { verdict: string; settings: { name: string; same: boolean }[] }
    expect(answer.verdict).toBe('error')
    const differing = answer.settings.filter(({ same }) => !same).map(({ name }) => name)
    expect(differing).toEqual(['adam_beta1', 'load', 'seed'])
  })

  it('say what is wrong with what was typed', async () => {
    const none = await cli(['config_check', '-vc', at('slime_debug.log'), at('verl_bench.log')])
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('prints no hyper-parameters')])
    const one = await cli(['config_check', '-vv', at('verl_compare.csv')])
    expect([one.code, one.err]).toEqual([2, expect.stringContaining('-vv needs a log')])
    const both = await cli(['config_check', '-vc', 'a.log', 'b.log', '-c', 'a.zip', 'b.zip'])
    expect(both.code).toBe(2)
  })

  it('are asked for by a recipe of the user', async () => {
    const folder = temporaryFolder()
    const { code, out } = await cli([
      'config_check',
      '-vv',
      at('recipe.yaml'),
      at('verl_debug.log'),
      '-o',
      folder,
      '--json',
    ])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      settings: [
        { name: 'actor_rollout_ref/rollout/n', debug: '8', bench: '8', same: true },
        { name: 'algorithm/gamma', debug: '1.0', bench: '1', same: true },
        { name: 'data/seed', debug: null, bench: '1', same: false },
      ],
    })
  })
})

it('two logs in the window: their values, and beside them what was set', async () => {
  const { engine, open, until } = watchedEngine()
  const { session } = await open([at('verl_debug.log'), at('verl_bench.log')])
  await until(session, allDone)
  const info = await engine.series({ session, unit: 0 }, never)
  expect([info.holds, info.settings, info.metrics.length]).toEqual(['log', true, 1])
  const { sheets } = await engine.sheets({ session, unit: 0 }, never)
  expect(sheets.map(({ id, counts }) => [id, counts])).toEqual([
    ['settings', { error: 1, warning: 2, note: 1, pass: 23 }],
  ])
  const asked = { session, unit: 0, sheet: 0, levels: [], text: '', sort: null, first: 0, count: 2 } as const
  expect((await engine.sheetPage(asked, never)).rows).toMatchObject([
    { level: 'error', cells: ['actor_rollout_ref/actor/optim/lr', '2e-06', '1e-06'] },
    { level: 'warning', cells: ['critic/model/use_remove_padding', 'False', null] },
  ])
})

const settingsIn = (text: string): LogSettingsReader['found'] => {
  const reader = new LogSettingsReader()
  for (const line of text.split('\n')) reader.take(line)
  return reader.found
}

describe('a value over many lines', () => {
  const whole = read(at('verl_debug.log'))

  it('is the same as on one line', () => {
    const [many, one] = [settingsIn(whole), settingsIn(read(at('verl_json.log')))]
    const sorted = (found: typeof many): readonly string[] =>
      [...flatSettings(found?.values ?? null)].map(([name, value]) => `${name} ${jsonText(value)}`).toSorted()
    expect(sorted(many)).toEqual(sorted(one))
    expect(sorted(many)).toHaveLength(27)
  })

  it('is none where the log was cut within it', () => {
    expect(settingsIn(whole.slice(0, whole.indexOf("'trainer'")))).toBe(null)
  })

  it('is never confused by other lines between its own', () => {
    const wanted = settingsIn(whole)
    const lines = whole.split('\n')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(lines.length), fc.stringMatching(/^[\w ]{1,10}[=!<>@]{1,3}.*$/)), {
          maxLength: 8,
        }),
        strays => {
          const mixed = [...lines]
          for (const [place, text] of strays) mixed.splice(place, 0, text)
          const found = settingsIn(mixed.join('\n'))
          expect(found && jsonText(found.values)).toBe(wanted && jsonText(wanted.values))
        },
      ),
    )
  })
})
