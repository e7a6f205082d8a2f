// Two tensors and the summary of a full-net compare against what precision_tool answers.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { cli } from '../support/cli.ts'

const root = path.join(import.meta.dirname, '../fixtures/tf')
const net = path.join(root, 'net')
const expected = path.join(root, 'expected')
const json = (name: string): unknown => JSON.parse(readFileSync(path.join(expected, name), 'utf8'))
const answer = async (...words: readonly string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await cli(['tf', net, ...words, '--json'])).out) as Record<string, unknown>

const pairs = [
  [
    'relu',
    'Conv2D.LeNet_conv1_Conv2DLeNet_conv1_Relu.4.5.1620612694000300.output.0.2x3x3x5.npy',
    'conv1_Relu',
  ],
  ['matmul', 'MatMulV2.LeNet_fc_MatMul.7.5.1620612694000500.output.0.2x20.npy', 'fc_MatMul'],
] as const

describe('cp', () => {
  test.each(pairs)('%s', async (name, left, right) => {
    const wanted = (json('cp.json') as Record<string, Record<string, unknown>>)[name]
    const found = await answer(
      'cp',
      path.join(expected, 'convert', left),
      path.join(net, `precision_data/tf/dump/LeNet_${right}.0.1620612600000000.npy`),
    )
    const { first_errors: first, CosSim, ...rest } = wanted
    expect(found).toMatchObject(rest)
    expect(found.CosSim).toBeCloseTo(CosSim as number, 6)
    expect((found.errors as number[][]).map(([index]) => index)).toEqual((first as number[]).slice(0, 20))
  })
})

test('vcs', async () => {
  const found = await answer('vcs', '-f', path.join(expected, 'vector_compare/result.csv'), '-c', '0.98')
  const tool = json('precision_tool.json') as Record<string, unknown>
  expect(found.errors).toMatchObject(tool['vcs -c 0.98 -l 2'] as object)
  expect(found.first).toMatchObject({ op: 'LeNet/fc/MatMul', suspected: true, notCompared: [0] })
  const { out } = await cli(['tf', net, 'vcs', '-f', path.join(expected, 'vector_compare/result.csv')])
  expect(out).toContain('first error (suspected): LeNet/fc/MatMul')
})
