// Verbs that work on one dump take the folder around it, and say which to give where there are several.
import path from 'node:path'
import { expect, test } from 'vitest'
import { cli } from '../../support/cli.ts'
import { fixturesRoot } from '../../support/fixtures.ts'

const at = (...names: string[]): string => path.join(fixturesRoot(), ...names)

test('a run of one dump is that dump', async () => {
  const run = at('dumps', 'pt_lenet_none_tensor_mix')
  const asked = ['--only', 'relu', '--json']
  const calls = async (folder: string): Promise<unknown> => {
    const { code, out } = await cli(['recompute', folder, ...asked])
    expect(code).toBe(0)
    return (JSON.parse(out) as { calls: unknown }).calls
  }
  expect(await calls(run)).toEqual(await calls(path.join(run, 'step0', 'rank')))
})

test('of several dumps one has to be given', async () => {
  const { code, err } = await cli(['recompute', at('next', 'overflow', 'origin_eight')])
  expect(code).toBe(2)
  expect(err).toMatch(/holds 8 dumps.*rank0/)
})
