// Behind a choice that rounding turned: rows that chose alike tell a fault from what the flip alone makes.
import { expect, test } from 'vitest'
import { advise } from '../../../main/engine/advisor/advise.ts'
import { itemName, type Side } from '../../../main/engine/model/index.ts'
import { job } from '../../../main/engine/work/job.ts'
import { compareIn } from '../../support/twins.ts'

type Rows = readonly (readonly number[])[]
const rows = 8
const width = 6

const made = (seed: number, off = 0): Rows =>
  Array.from({ length: rows }, (_, row) =>
    Array.from(
      { length: width },
      (_, k) => Math.sin(seed + 1.7 * row + 0.61 * k * k) * (1 + off * (1 + 0.1 * Math.cos(k + row))),
    ),
  )
const otherwise = (values: Rows, row: number): Rows =>
  values.map((own, at) => (at === row ? own.map((_, k) => 0.8 * Math.cos(9 + k)) : own))

const told = (values: Rows, dtype: string): unknown => {
  const all = values.flat()
  return {
    type: 'torch.Tensor',
    dtype: `torch.${dtype}`,
    shape: [values.length, values[0]?.length ?? 0],
    Max: Math.max(...all),
    Min: Math.min(...all),
    Mean: all.reduce((sum, one) => sum + one, 0) / all.length,
    Norm: Math.hypot(...all),
    requires_grad: false,
  }
}

interface Call {
  readonly reads: readonly Rows[]
  readonly gives: readonly Rows[]
}

/** Products of equal inputs, a router whose row 3 is as near as rounding, and what is made of its choice. */
function network(noise: number, turned: boolean, fault: number): Readonly<Record<string, Call>> {
  const flip = (values: Rows): Rows => (turned ? otherwise(values, 3) : values)
  const scores = made(5, noise).map((own, row) =>
    row === 3 ? own.map((_, k) => (k === 1 ? 2.00001 + 10 * noise : k === 2 ? 2.00001 : 0.1)) : own,
  )
  const chosen = scores.map(own => [own.indexOf(Math.max(...own))])
  const index = chosen.map((own, row) => (row === 3 && turned ? [1] : row === 3 ? [2] : own))
  const values = index.map(([at = 0], row) => [scores[row]?.[at] ?? 0])
  const [mixed, bent] = [flip(made(30, noise)), flip(made(31, noise))]
  const [out, last] = [flip(made(32, noise + fault)), flip(made(33, noise + fault))]
  return {
    ...Object.fromEntries(
      Array.from({ length: 6 }, (_, k): [string, Call] => [
        `Functional.linear.${k}.forward`,
        { reads: [made(10 + k), made(50 + k)], gives: [made(20 + k, noise)] },
      ]),
    ),
    'Functional.softmax.0.forward': { reads: [made(25, noise)], gives: [scores] },
    'Torch.topk.0.forward': { reads: [scores], gives: [values, index] },
    'Tensor.__mul__.0.forward': { reads: [made(25, noise), index], gives: [mixed] },
    'Functional.gelu.0.forward': { reads: [mixed], gives: [bent] },
    'Functional.linear.6.forward': { reads: [bent, made(60)], gives: [out] },
    'Functional.gelu.1.forward': { reads: [out], gives: [last] },
  }
}

async function said(
  debug: Readonly<Record<string, Call>>,
  bench: Readonly<Record<string, Call>>,
): Promise<string> {
  const dtypeOf = (values: Rows): string => (values.flat().every(Number.isInteger) ? 'int64' : 'float32')
  const text = (calls: Readonly<Record<string, Call>>): string =>
    JSON.stringify({
      task: 'statistics',
      level: 'L1',
      framework: 'pytorch',
      dump_data_dir: null,
      data: Object.fromEntries(
        Object.entries(calls).map(([name, { reads, gives }]) => [
          name,
          {
            input_args: reads.map(values => told(values, dtypeOf(values))),
            input_kwargs: {},
            output: gives.map(values => told(values, dtypeOf(values))),
          },
        ]),
      ),
    })
  const content = { '/debug/dump.json': text(debug), '/bench/dump.json': text(bench) }
  const comparison = await compareIn(content, '/debug', '/bench')
  const readTensor = (side: Side, item: number): Promise<Float64Array | null> => {
    const [, call = '', of, at] =
      /^(.*forward)\.(input|output)\.(\d+)$/.exec(itemName(comparison[side], item)) ?? []
    const known = (side === 'debug' ? debug : bench)[call]
    const values = (of === 'input' ? known?.reads : known?.gives)?.[Number(at)]
    return Promise.resolve(values ? Float64Array.from(values.flat()) : null)
  }
  const { advice } = await advise({ comparison, readTensor }, job())
  expect(advice.flips).toMatchObject([{ node: 'Torch.topk.0.forward', by: 'margin', flipped: 1, of: rows }])
  return advice.findings.map(({ kind, node }) => `${kind} ${node}`)[0] ?? 'nothing'
}

test('what only follows from a flip is no finding; rows that chose alike and disagree are', async () => {
  const healthy = network(0, false, 0)
  expect(await said(network(2e-7, true, 0), healthy)).toBe('nothing')
  expect(await said(network(2e-7, true, 0.02), healthy)).toBe('origin Functional.linear.6.forward')
})
