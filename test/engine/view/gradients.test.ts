// Gradients of parameters belong to the call of their module: in its detail, and among its rows.
import { expect, test } from 'vitest'
import { compareDumps } from '../../../main/engine/study/pair/compare.ts'
import { emptyMeasured } from '../../../main/engine/measure/metrics.ts'
import { defaultThresholds } from '../../../main/engine/rules/thresholds.ts'
import { lookupIn } from '../../../main/engine/view/lookup.ts'
import { nodeDetail } from '../../../main/engine/view/node.ts'
import { rowIndex } from '../../../main/engine/view/rows.ts'
import { job } from '../../../main/engine/work/job.ts'
import type { Comparison } from '../../../main/engine/model/comparison.ts'
import { drawn, tensor } from '../../support/dump-text.ts'

const fc = 'Cell.net.fc.Dense'
const net = 'Cell.net.Net'
const leaf = tensor('Float32', [4], ['1.0', '-1.0', '0.0', '2.0'])

async function compared(backward: boolean): Promise<Comparison> {
  const dump = () =>
    drawn(
      {
        [`${fc}.forward.0`]: { input_args: `[${leaf}]`, output: `[${leaf}]` },
        ...(backward && { [`${fc}.backward.0`]: { input: `[${leaf}]`, output: `[${leaf}]` } }),
        [`${fc}.parameters_grad`]: { weight: `[${leaf}]`, bias: `[${leaf}]` },
      },
      {
        construct: {
          [`${fc}.forward.0`]: `${net}.forward.0`,
          [`${net}.forward.0`]: null,
          ...(backward && { [`${fc}.backward.0`]: `${net}.backward.0`, [`${net}.backward.0`]: null }),
        },
      },
    )
  return compareDumps(
    await dump(),
    await dump(),
    {
      rules: 'plumbline',
      engine: 'mindspore',
      fuzzy: false,
      mapping: {},
      stack: false,
      thresholds: defaultThresholds,
    },
    { job: job(), measure: pairs => Promise.resolve(emptyMeasured(pairs.length)) },
  )
}

const partsOf = (comparison: Comparison, debug: string): readonly string[] =>
  nodeDetail(
    comparison,
    lookupIn(comparison),
    { debug },
    { path: () => [], links: () => [], whyUnmatched: () => [], tensorFile: () => '', reason: () => null },
  ).items.map(({ part, row, bench }) => `${part} ${row} ${bench ? 'paired' : 'alone'}`)

const rowsBelow = async (comparison: Comparison, debug: string): Promise<number[]> => [
  ...(await rowIndex(comparison).order({ show: [], quick: '', columns: [], node: { debug } }, [], job()))
    .rows,
]

test('the last backward call of a module has them, once, with their rows', async () => {
  const comparison = await compared(true)
  const rows = await rowsBelow(comparison, `${fc}.backward.0`)
  expect(rows).toHaveLength(4)
  expect(partsOf(comparison, `${fc}.backward.0`)).toEqual([
    expect.stringMatching(/^input \d paired/),
    expect.stringMatching(/^output \d paired/),
    expect.stringMatching(/^parameters_grad \d paired/),
    expect.stringMatching(/^parameters_grad \d paired/),
  ])
  expect(partsOf(comparison, `${fc}.forward.0`)).toHaveLength(2)
  expect(await rowsBelow(comparison, `${net}.backward.0`)).toEqual(rows)
  expect(await rowsBelow(comparison, `${net}.forward.0`)).toHaveLength(2)
})

test('without a backward pass the first forward call has them', async () => {
  const comparison = await compared(false)
  expect(partsOf(comparison, `${fc}.forward.0`)).toHaveLength(4)
  expect(await rowsBelow(comparison, `${net}.forward.0`)).toHaveLength(4)
})
