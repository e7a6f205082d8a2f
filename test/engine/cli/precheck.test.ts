// Command lines of the pre-check: as each generation takes them, and what has to be seen to.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../../support/cli.ts'
import { dumpFolder } from '../../support/dumps.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const pytorch = path.join(dumpFolder('pt_lenet_none_tensor_mix'), 'step0', 'rank', 'dump.json')
const mindspore = path.join(dumpFolder('ms_lenet_half_statistics_L1'), 'step0', 'rank', 'dump.json')

interface Plan {
  readonly commands: Readonly<Record<'npu' | 'gpu' | 'compare', string | null>>
  readonly config: unknown
  readonly checks: readonly { readonly id: string; readonly holds: boolean | null }[]
}
const plan = async (...words: string[]): Promise<Plan> => {
  const { code, out, err } = await cli([...words, '--json'])
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out) as Plan
}
const held = ({ checks }: Plan): Record<string, boolean | null> =>
  Object.fromEntries(checks.map(({ id, holds }) => [id, holds]))

describe('the command line', () => {
  it('of 1.2.2 names the framework in front and the filter behind', async () => {
    const { commands, config } = await plan('run_ut', '-api_info', pytorch, '-o', 'my out', '-f', '-d', '3')
    expect(commands.npu).toBe(`msprobe -f pytorch run_ut -api_info ${pytorch} -o 'my out' -d 3 -f`)
    expect(commands.gpu).toBe(commands.npu)
    expect(commands.compare).toMatch(/^msprobe -f pytorch api_precision_compare -npu /)
    expect(config).toBeNull()
  })

  it('of 26 names none, and takes lists from a configuration', async () => {
    const { commands, config } = await plan(
      'multi_acc_check',
      '-api_info',
      pytorch,
      '-d',
      '0,2-3',
      '-n',
      '16',
      '-save_error_data',
      '--white-list',
      'relu,matmul',
      '--black-list',
      'add',
    )
    expect(commands.npu).toBe(
      `msprobe multi_acc_check -api_info ${pytorch} -save_error_data -d 0 2 3 -n 16 -config ./config.json`,
    )
    expect(config).toEqual({
      task: 'acc_check',
      acc_check: { white_list: ['relu', 'matmul'], black_list: ['add'], error_data_path: './' },
    })
  })

  it('of MindSpore has no GPU to compare with', async () => {
    const { commands } = await plan('run_ut', '-api_info', mindspore, '-o', 'out', '-j', '-f')
    expect(commands).toEqual({
      npu: `msprobe -f mindspore run_ut -api_info ${mindspore} -o out`,
      gpu: null,
      compare: null,
    })
  })
})

describe('the checklist', () => {
  it('tells what the dump shows and leaves open what it does not', async () => {
    expect(held(await plan('run_ut', '-api_info', pytorch))).toEqual({
      level: false,
      inputs: true,
      framework: true,
      mode: null,
      copy: null,
      generation: null,
    })
    expect(held(await plan('acc_check', '-api_info', mindspore))).toMatchObject({
      level: true,
      inputs: false,
    })
  })

  it('names what the tool would take without a word', async () => {
    const renamed = await plan('run_ut', '-api_info', pytorch, '-csv_path', 'a/result.csv', '-d', '0-1')
    expect(held(renamed)).toMatchObject({ resume: false, device: false })
    const kept = 'a/accuracy_checking_result_20250101010101.csv'
    expect(held(await plan('run_ut', '-api_info', pytorch, '-csv_path', kept))).toMatchObject({
      resume: true,
    })
  })

  it('is read by people', async () => {
    const { out } = await cli(['multi_run_ut', '-api_info', pytorch, '--white-list', 'relu', '--lang', 'zh'])
    expect(out).toContain('[!] dump 的 level 为 L1')
    expect(out).toContain('"white_list"')
  })
})

it.each([[''], ['\n\n']])(
  'a table that is %j is called empty, not the result of another command',
  async text => {
    const file = path.join(temporaryFolder(), 'accuracy_checking_details_20260101000000.csv')
    writeFileSync(file, text)
    const { code, err } = await cli([
      'api_precision_compare',
      '-npu',
      file,
      '-gpu',
      file,
      '-o',
      temporaryFolder(),
    ])
    expect(code).toBe(2)
    expect(err).toMatch(/is empty, or no table of values between commas\./)
  },
)

it('a call that cannot be a script says in words why', async () => {
  const dump = path.join(dumpFolder('ms_lenet_half_tensor_L1'), 'step0', 'rank')
  const { err } = await cli([
    'recompute',
    dump,
    '--repro',
    'Primitive.conv2d.Conv2D.0',
    '-o',
    temporaryFolder(),
  ])
  expect(err).toMatch(/\(attributes of the primitive are not in the dump\)/)
})
