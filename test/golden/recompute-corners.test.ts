// Functions at their own corners, and small networks in 16 bits, as the real tool dumped them on a CPU.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DirectionAnswer } from '../../main/engine/model/index.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { openForRecompute } from '../support/recomputed.ts'

const answersOf = async (...names: readonly string[]): Promise<readonly DirectionAnswer[]> => {
  const folder = path.join(fixturesRoot(), 'next', 'recompute', ...names, 'step0', 'rank')
  return (await (await openForRecompute(folder)).recompute()).directions
}

const offIn = (answers: readonly DirectionAnswer[]): readonly string[] =>
  answers.flatMap(({ outputs }) =>
    outputs
      .filter(({ verdict }) => verdict !== 'pass')
      .map(({ item, verdict, note }) => `${item} ${verdict} ${note}`),
  )

/** Zero, the ends of ranges, whole numbers, halves, infinities and NaN; each function of one and of two tensors, with gradients. */
describe.each(['float32', 'bfloat16', 'float16'])('corners of functions in %s', dtype => {
  it('are no faults', async () => {
    const answers = await answersOf('corners', dtype)
    expect(offIn(answers)).toEqual([])
    expect(answers.filter(({ status }) => status === 'computed').length).toBeGreaterThan(700)
  })
})

describe('networks in 16 bits', () => {
  it('have no call that is off, but sums that PyTorch gathers in 16 bits, which are named', async () => {
    expect(offIn(await answersOf('half', 'unet'))).toEqual([])
    const sum = 'Tensor.__matmul__.0.forward.output.0 warning lowAccumulation'
    expect(offIn(await answersOf('half', 'gnn'))).toEqual([sum])
    expect(offIn(await answersOf('half', 'gnn-bfloat16'))).toEqual([sum])
  })
})
