// Ranks paired by hand: what is typed, and what then meets what.
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRankPairs } from '../../../main/engine/layout/rank-pairs.ts'
import { cli } from '../../support/cli.ts'
import { rankTrees } from '../../support/rank-trees.ts'
import { temporaryFolder } from '../../support/temporary.ts'

describe('what is typed', () => {
  it.each([
    ['0=4', [[0, 4]]],
    [
      '1-3=5-7, 0=0',
      [
        [1, 5],
        [2, 6],
        [3, 7],
        [0, 0],
      ],
    ],
    [
      '0-1=3',
      [
        [0, 3],
        [1, 3],
      ],
    ],
    [' ; ', []],
  ] as const)('%s', (text, pairs) => {
    expect([...readRankPairs(text)]).toEqual(pairs)
  })

  it.each(['0', '0=', 'a=b', '2-1=0-1', '0-2=5-6', '0=1 0=2', '0-9999999=0-9999999', '-1=0'])(
    '%s is refused',
    text => {
      expect(() => readRankPairs(text)).toThrow(/rank-pairs/)
    },
  )
})

interface Answer {
  readonly counts: { readonly differs: number }
  readonly units: readonly { readonly rank: number; readonly bench: string }[]
}

async function compared(debug: string, bench: string, pairs: string): Promise<Answer> {
  const { out, err, code } = await cli([
    'compare',
    debug,
    bench,
    '--rank_pairs',
    pairs,
    '-o',
    temporaryFolder(),
    '--json',
  ])
  expect(code, err).toBe(0)
  return JSON.parse(out) as Answer
}

describe('runs whose ranks do not correspond', () => {
  const fault = { rank: 2, step: 0, layer: 1 }

  it('meet as they were paired: the same faulty rank under another number', async () => {
    const { debug } = rankTrees({ folder: temporaryFolder(), steps: 1, ranks: 4, tensors: 70, fault })
    const turned = temporaryFolder()
    for (const [from, to] of [
      [0, 0],
      [1, 1],
      [2, 3],
      [3, 2],
    ]) {
      mkdirSync(path.join(turned, 'step0'), { recursive: true })
      cpSync(path.join(debug, 'step0', `rank${from}`), path.join(turned, 'step0', `rank${to}`), {
        recursive: true,
      })
    }
    expect((await compared(debug, turned, '0=0')).counts.differs).toBeGreaterThan(0)
    const { counts, units } = await compared(debug, turned, '2=3, 3=2')
    expect(counts.differs).toBe(0)
    expect(units.map(({ rank, bench }) => [rank, path.basename(path.dirname(bench))])).toEqual([
      [0, 'rank0'],
      [1, 'rank1'],
      [2, 'rank3'],
      [3, 'rank2'],
    ])
  })

  it('several may meet one; a rank that is not there is named', async () => {
    const { debug, bench } = rankTrees({ folder: temporaryFolder(), steps: 1, ranks: 3, tensors: 70 })
    const { units } = await compared(debug, bench, '0-2=1')
    expect(units.map(unit => path.basename(path.dirname(unit.bench)))).toEqual(['rank1', 'rank1', 'rank1'])
    const { code, err } = await cli(['compare', debug, bench, '--rank_pairs', '0=7', '-o', temporaryFolder()])
    expect([code, err.includes('has no rank 7')]).toEqual([2, true])
  })
})
