// Checkpoints of parallel ranks compared as msprobe 26 does it, and by our own rules.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/temporary.ts'

type Numbers = Readonly<Record<'l2' | 'cos' | 'numel' | 'shape', unknown>>
interface Case {
  readonly name: string
  readonly refused: boolean
  readonly sides: readonly [string, string]
  readonly golden?: Readonly<Record<string, Numbers>>
}

/** Python writes NaN as it is. */
const parsed = (text: string): unknown => JSON.parse(text.replaceAll(/\bNaN\b/g, '"NaN"'))

const root = path.join(fixturesRoot(), 'next', 'checkpoint')
const cases = parsed(readFileSync(path.join(root, 'cases.json'), 'utf8')) as readonly Case[]
const sidesOf = ({ name, sides }: Case): string[] => sides.map(side => path.join(root, 'runs', name, side))

describe.each(cases)('$name', one => {
  it(one.refused ? 'is refused' : 'has the numbers of msprobe 26', async () => {
    const file = path.join(temporaryFolder(), 'out.json')
    const words = ['config_check', '-c', ...sidesOf(one), '-o', file, '--rules', 'msprobe-26']
    const { code, err } = await cli(words)
    if (one.refused) {
      expect([code, err === '', existsSync(file)]).toEqual([2, false, false])
      return
    }
    expect(code).toBe(0)
    const mine = parsed(readFileSync(file, 'utf8')) as Readonly<Record<string, Numbers>>
    expect(Object.keys(mine).toSorted()).toEqual(Object.keys(one.golden ?? {}).toSorted())
    for (const [name, wanted] of Object.entries(one.golden ?? {})) {
      const { numel, shape, l2, cos } = mine[name]!
      expect([name, numel, shape]).toEqual([name, wanted.numel, wanted.shape])
      expect(Object.keys(mine[name]!)).toEqual(['l2', 'cos', 'numel', 'shape'])
      // The tool sums in single precision.
      for (const [mine, theirs] of [
        [l2, wanted.l2],
        [cos, wanted.cos],
      ])
        if (typeof theirs === 'number')
          expect(Math.abs(Number(mine) - theirs)).toBeLessThan(2e-4 * Math.abs(theirs) + 1e-5)
        else expect(mine).toBe(theirs)
    }
  })
})

it('an existing file is not written over', async () => {
  const folder = path.join(root, 'runs', 'same')
  const words = ['-c', path.join(folder, 'a'), path.join(folder, 'b'), '-o', path.join(root, 'cases.json')]
  const { code, err } = await cli(['config_check', ...words])
  expect([code, err.includes('exists already')]).toEqual([2, true])
})

it.each([
  ['same', 0, 'pass'],
  ['noise', 1, 'error'],
  ['one_sided', 1, 'error'],
])('%s: our own answer', async (name, exit, verdict) => {
  const one = cases.find(other => other.name === name)
  const file = path.join(temporaryFolder(), 'out.json')
  const words = ['config_check', '-c', ...(one ? sidesOf(one) : []), '-o', file, '--fail-on', 'error']
  const { code, out } = await cli([...words, '--json'])
  const answer = JSON.parse(out) as { verdict: string; benchOnly: readonly string[] }
  expect([code, answer.verdict, answer.benchOnly.length > 0]).toEqual([exit, verdict, name === 'one_sided'])
})
