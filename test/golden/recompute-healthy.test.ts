// Healthy calls of two networks, dumped by the real tool on a CPU: none is off, under autocast and in place neither.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DirectionAnswer } from '../../main/engine/model/index.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { openForRecompute } from '../support/recomputed.ts'

const answersOf = async (name: string): Promise<readonly DirectionAnswer[]> => {
  const folder = path.join(fixturesRoot(), 'next', 'recompute', name, 'step0', 'rank')
  return (await (await openForRecompute(folder)).recompute()).directions
}

/** Its products are rounded to 16 bits inside, its result is a float32. */
const rounded = 'Functional.bilinear.0.forward.output.0'

describe.each([
  ['autocast', 60, []],
  // In place, the hook saw the gradient of what the call had left there.
  ['layers', 60, ['Functional.tanhshrink.0 backward inner']],
] as const)('%s', (name, least, skipped) => {
  it('has no call that is off', async () => {
    const answers = await answersOf(name)
    const off = answers.flatMap(({ outputs }) =>
      outputs
        .filter(
          ({ item, verdict, note }) =>
            verdict !== 'pass' && !(item === rounded && verdict === 'warning' && note !== ''),
        )
        .map(({ item, verdict, note, ratio }) => `${item} ${verdict} ${note} ${ratio}`),
    )
    expect(off).toEqual([])
    expect(
      answers
        .filter(({ status }) => status === 'skipped')
        .map(({ call, direction, reason }) => `${call} ${direction} ${reason}`),
    ).toEqual(skipped)
    expect(answers.length).toBeGreaterThan(least)
  })
})
