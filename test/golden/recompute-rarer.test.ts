// Layers, losses, distances and samplings that few networks call: as PyTorch itself computed them, in doubles and in 16 bits.
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { NdArray } from '../../main/engine/recompute/array.ts'
import type { Visit } from '../../main/engine/recompute/call.ts'
import { asStored } from '../../main/engine/recompute/ties.ts'
import { judge } from '../../main/engine/recompute/verdict.ts'
import type { DirectionAnswer } from '../../main/engine/model/index.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { openForRecompute, visitResults } from '../support/recomputed.ts'

const folderOf = (dtype: string): string =>
  path.join(fixturesRoot(), 'next', 'recompute', 'rarer', dtype, 'step0', 'rank')

/** One element further off than rounding takes any: by a third, or by one where it is nothing. */
function madeWrong(stored: NdArray, at: number): NdArray {
  const data = stored.data.slice()
  data[at] = data[at] === 0 ? 1 : data[at] * 1.3
  return { ...stored, data: stored.dtype === 'bool' ? data.map(x => Number(x === 0)) : data }
}

/** The largest element, which no bound of its neighbours hides. */
const largestAt = ({ data }: NdArray): number =>
  data.reduce((best, x, i) => (Math.abs(x) > Math.abs(data[best]) ? i : best), 0)

const kinds = (answers: readonly DirectionAnswer[]): readonly string[] =>
  [
    ...new Set(
      answers
        .filter(({ status }) => status === 'skipped')
        .map(({ call, direction, reason }) => `${call.replace(/\.\d+$/, '')} ${direction} ${reason}`),
    ),
  ].sort()

describe.each(['float64', 'float16', 'bfloat16'])('%s', dtype => {
  let answers: readonly DirectionAnswer[] = []
  beforeAll(async () => {
    answers = (await (await openForRecompute(folderOf(dtype))).recompute()).directions
  })

  it('has no call that is off', () => {
    const off = answers
      .flatMap(({ outputs }) => outputs)
      .filter(({ verdict }) => verdict !== 'pass')
      .map(({ item, verdict, ratio }) => `${item} ${verdict} ${ratio}`)
    expect(off).toEqual([])
    expect(answers.length).toBeGreaterThan(200)
  })

  it('finds every result that is made wrong', async () => {
    const missed: string[] = []
    let count = 0
    const visit: Visit = ({ answer, outcome, stored }) => {
      if (stored.data.length === 0 || !Number.isFinite(stored.data[largestAt(stored)])) return
      const wrong = madeWrong(stored, largestAt(stored))
      count++
      if (judge(asStored(outcome, wrong), wrong).verdict === 'pass') missed.push(answer.item)
    }
    await visitResults(folderOf(dtype), visit)
    expect(missed).toEqual([])
    expect(count).toBeGreaterThan(200)
  })
})

it('comes to the doubles of PyTorch', async () => {
  const far: string[] = []
  await visitResults(folderOf('float64'), ({ answer, outcome, stored }) => {
    const exact = asStored(outcome, stored).values.data
    const size = exact.reduce((most, x) => Math.max(most, Number.isFinite(x) ? Math.abs(x) : 0), 0)
    const off = exact.some((x, i) => Math.abs(x - stored.data[i]) > 1e-12 * size)
    if (off) far.push(answer.item)
  })
  expect(far).toEqual([])
})

it('says of each kind that is left out why', async () => {
  const { recompute } = await openForRecompute(folderOf('float64'))
  expect(kinds((await recompute()).directions)).toMatchInlineSnapshot(`
    [
      "Functional.conv_tbc backward unsupported",
      "Functional.conv_tbc forward unsupported",
      "Functional.multilabel_margin_loss backward inner",
      "Tensor.abs backward inner",
      "Tensor.corrcoef backward unsupported",
      "Tensor.corrcoef forward unsupported",
      "Tensor.sum_to_size backward inner",
      "Torch.cartesian_prod backward unsupported",
      "Torch.cartesian_prod forward unsupported",
      "Torch.combinations backward unsupported",
      "Torch.combinations forward unsupported",
      "Torch.cov backward unsupported",
      "Torch.cov forward unsupported",
      "Torch.igamma forward unsupported",
      "Torch.ldexp backward inner",
      "Torch.linalg.matrix_power backward inner",
      "Torch.logcumsumexp backward inner",
      "Torch.logdet backward inner",
      "Torch.mode forward unsupported",
      "Torch.mvlgamma backward unsupported",
      "Torch.mvlgamma forward unsupported",
      "Torch.polygamma backward unsupported",
      "Torch.polygamma forward unsupported",
      "Torch.renorm backward unsupported",
      "Torch.renorm forward unsupported",
      "Torch.stft backward unsupported",
      "Torch.stft forward unsupported",
      "Torch.vander backward inner",
    ]
  `)
})
