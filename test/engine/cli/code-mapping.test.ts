// code_mapping as it is typed: the csv beside the dump, JSON for programs, and what it refuses.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseCsv } from 'hucre'
import { beforeEach, expect, it } from 'vitest'
import { cli } from '../../support/cli.ts'
import { irText } from '../../support/ir-text.ts'
import { temporaryFolder } from '../../support/temporary.ts'

let folder = ''
const put = (name: string, content: string): string => {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}
const csvOf = (out: string): unknown[][] => parseCsv(readFileSync(JSON.parse(out).files[0], 'utf8'))

let ir = ''
beforeEach(() => {
  folder = temporaryFolder()
  const lines = ['In file /m/net.py:10/  y = self.fc(x)/', 'In file /m/train.py:3/  net(x)/']
  ir = put('net.ir', irText([{ op: 'MatMul', scope: 'Default/net-Net/fc-Dense', lines }]))
})
const run = (dump: string, ...more: string[]): ReturnType<typeof cli> =>
  cli(
    ['-f', 'mindspore', 'code_mapping', '--ir', ir, '--dump_data', dump].concat(
      ['--output', path.join(folder, 'out'), '--lang', 'en'],
      more,
    ),
  )

const kernel = 'Default_net-Net_fc-Dense_MatMul-op1'
const stack = 'In file /m/net.py:10/  y = self.fc(x)\nIn file /m/train.py:3/  net(x)'

it('writes a row per npy file', async () => {
  const file = put(`dump/MatMul.${kernel}.1.0.9.output.0.DefaultFormat.npy`, '')
  const { code, out } = await run(path.dirname(file), '--json')
  expect(code).toBe(0)
  expect(csvOf(out)).toEqual([
    ['File Path', 'Code Stacks', 'Scope Name'],
    [file, stack, 'Default/net-Net/fc-Dense'],
  ])
  expect(JSON.parse(out)).toMatchObject({
    kind: 'tensors',
    kernels: [{ name: kernel, scope: 'Default/net-Net/fc-Dense', stacks: [stack.split('\n')] }],
    counts: { rows: 1, kernels: 1, mapped: 1, missing: 0, unnamed: 0 },
  })
})

it('leaves a statistic.csv as it is', async () => {
  const text = `Op Type,Op Name,IO\nMatMul,${kernel},input\nCast,elsewhere,input\n`
  const file = put('dump/statistic.csv', text)
  const { out } = await run(path.dirname(file), '--json')
  expect(csvOf(out)).toEqual([
    ['File Path', 'Op Name', 'Code Stacks', 'Scope Name'],
    [file, kernel, stack, 'Default/net-Net/fc-Dense'],
    [file, 'elsewhere', '', ''],
  ])
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect((await run(path.dirname(file))).err).toContain('No lines of source: elsewhere')
})

it('says what is wrong in one sentence, with exit code 2', async () => {
  const dump = path.dirname(put(`dump/MatMul.${kernel}.1.0.9.output.0.DefaultFormat.npy`, ''))
  ir = put('other.ir', 'no nodes here')
  const { code, err } = await run(dump)
  expect([code, err]).toEqual([2, expect.stringContaining('is no IR text of MindSpore')])
  expect((await run(path.join(folder, 'nowhere'))).code).toBe(2)
  const torch = await cli(['-f', 'pytorch', 'code_mapping', '--ir', ir, '--dump_data', dump])
  expect([torch.code, torch.err]).toEqual([2, expect.stringContaining('-f mindspore')])
  const inside = await run(dump, '--output', path.join(dump, 'out'))
  expect(inside.code).toBe(2)
})
