// Findings of several ranks and steps as one list.
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  adviseAcross,
  overallOf,
  type AdvisedUnit,
  type StandingUnit,
} from '../../../main/engine/advisor/across.ts'
import { advise } from '../../../main/engine/advisor/advise.ts'
import { job } from '../../../main/engine/work/job.ts'
import type { Advice, Finding } from '../../../preload/contract/engine.ts'
import { adviseFiles, adviseFolders } from '../../support/advised.ts'
import { drawn, tensor, type Ops } from '../../support/dump-text.ts'
import { makePair } from '../../support/faults/index.ts'
import { fixturesRoot } from '../../support/fixtures.ts'
import { paired } from '../../support/graphs.ts'

const finding = (
  kind: 'communication' | 'different-weights' | 'origin' | 'not-decidable',
  node: string,
  rank: number,
  collectives: number,
  step = 0,
): Finding => ({
  ...(kind === 'not-decidable' ? { kind, variant: 'unknown', facts: {} } : { kind, variant: '', facts: {} }),
  node,
  side: 'debug',
  partner: '',
  step,
  rank,
  rows: [],
  explains: { rows: 0, of: 0, by: 'none' },
  evidence: [],
  proof: [],
  hints: [],
  made: null,
  collectives,
  at: collectives * 10,
  of: 100,
  jump: Infinity,
})
const unit = (step: number, rank: number, ...findings: Finding[]): AdvisedUnit => ({
  step,
  rank,
  advice: { findings, transfers: [] } as unknown as Advice,
})

const onRank = (rank: number, advice: Advice): AdvisedUnit => ({
  step: 0,
  rank,
  advice: { ...advice, findings: advice.findings.map(one => ({ ...one, rank })) },
})

test('an error that only grew on one rank gives way to what was found on another', () => {
  const grown: Finding = {
    ...finding('origin', 'Distributed.all_reduce.9.forward', 0, 0),
    kind: 'growth',
    variant: '',
    facts: { last: 0.1 },
    jump: 0,
  }
  const merged = adviseAcross([
    unit(0, 0, grown),
    unit(0, 1, finding('different-weights', 'Functional.layer_norm.1.forward', 1, 2)),
  ])
  expect(merged.map(({ kind, rank }) => [kind, rank])).toEqual([
    ['different-weights', 1],
    ['growth', 0],
  ])
})

test('what a collective passed on points to the rank where it began', () => {
  const merged = adviseAcross([
    unit(0, 0, finding('communication', 'Distributed.all_reduce.1.forward', 0, 1)),
    unit(0, 1, finding('communication', 'Distributed.all_reduce.1.forward', 1, 1)),
    unit(0, 2, finding('different-weights', 'Functional.linear.2.forward', 2, 1)),
  ])
  expect(merged.map(one => [one.node, one.rank])).toEqual([['Functional.linear.2.forward', 2]])
})

test('a collective that breaks first on all ranks is the origin itself, once', () => {
  const merged = adviseAcross(
    [0, 1, 2].map(rank =>
      unit(0, rank, finding('communication', 'Distributed.all_reduce.1.forward', rank, 1)),
    ),
  )
  expect(merged).toHaveLength(1)
  expect(merged[0].ranks).toBe('0, 1, 2')
})

test('equal findings of several ranks and steps are one; the first step comes first', () => {
  const merged = adviseAcross([
    unit(1, 0, finding('origin', 'b', 0, 0, 1)),
    unit(0, 0, finding('origin', 'a', 0, 0)),
    unit(0, 1, finding('origin', 'a', 1, 0)),
    unit(1, 1, finding('origin', 'a', 1, 0, 1)),
  ])
  expect(merged.map(one => [one.node, one.step, one.ranks, one.steps])).toEqual([
    ['a', 0, '0, 1', '0, 1'],
    ['b', 1, undefined, undefined],
  ])
})

test('what cannot be decided on one rank stands behind what another rank shows', () => {
  expect(
    adviseAcross([
      unit(0, 0, finding('not-decidable', '', 0, 0)),
      unit(0, 1, finding('origin', 'a', 1, 3)),
    ])[0].node,
  ).toBe('a')
})

test('a real run over four ranks: the rank and the layer', async () => {
  const root = path.join(fixturesRoot(), 'dumps')
  const units: AdvisedUnit[] = []
  for (const rank of [0, 1, 2, 3]) {
    const { advice } = await adviseFolders(
      path.join(root, 'pt_tp_4ranks_rank2_w', 'step0', `rank${rank}`),
      path.join(root, 'pt_tp_4ranks_none', 'step0', `rank${rank}`),
    )
    units.push(onRank(rank, advice))
  }
  const [head] = adviseAcross(units)
  expect([head.kind, head.rank, head.node]).toEqual(['different-weights', 2, 'Functional.linear.2.forward'])
})

const evident = (of: Finding, level: number, jump: number): Finding => ({
  ...of,
  jump,
  evidence: [
    { row: 0, label: `${of.node}.output.0`, metric: 'norm', state: 'differs', debug: '', bench: '', level },
  ],
})

test('rounding of one rank gives way to a plain fault of another', () => {
  const rounding = evident(finding('origin', 'part_a.col', 0, 0), 2e-4, 30)
  const fault = evident(finding('origin', 'part_a.norm', 1, 1), 0.13, 4000)
  expect(adviseAcross([unit(0, 0, rounding), unit(0, 1, fault)]).map(one => one.node)).toEqual([
    'part_a.norm',
    'part_a.col',
  ])
  const plain = evident(rounding, 0.05, 200)
  expect(adviseAcross([unit(0, 0, plain), unit(0, 1, fault)])[0].node).toBe('part_a.col')
})

test('so it does where the advisor itself has looked: a product in reduced precision beside a wrong result', async () => {
  const units: AdvisedUnit[] = []
  for (const [rank, kind, seed] of [
    [0, 'silent cast', 0],
    [1, 'small wrong result', 2],
  ] as const) {
    const pair = makePair({
      kind,
      model: 'mixer',
      task: 'statistics',
      level: 'mix',
      debug: 'pt',
      bench: 'pt',
      noise: 'one side',
      seed,
    })
    const { advice, right } = await adviseFiles(pair!)
    expect(right).toBe(true)
    units.push(onRank(rank, advice))
  }
  const alone = units.map(({ advice }) => advice.findings[0]!.node)
  expect(adviseAcross(units.slice(0, 1))[0]!.node).toBe(alone[0])
  // It stands later in the run, and on a later rank.
  expect(adviseAcross(units).map(one => [one.rank, one.node])).toEqual([
    [1, alone[1]],
    [0, alone[0]],
  ])
})

test('NaN that one rank makes and a collective passes on points to that rank', async () => {
  const numbers = (...values: readonly string[]): string => tensor('Float32', [4, 8], values)
  const [a, sum, weight, good] = [
    numbers('1.5', '-1.5', '0.25', '3.5'),
    numbers('4.5', '-5.5', '0.75', '9.5'),
    numbers('0.5', '-0.5', '0.125', '1.5'),
    numbers('2.5', '-2.5', '0.5', '7.5'),
  ]
  const none = numbers('NaN', 'NaN', 'NaN', 'NaN')
  const run = (made: string, reduced: string): Ops => ({
    'Mint.matmul.0.forward': { input_args: `[${a}, ${weight}]`, output: `[${made}]` },
    'Distributed.all_reduce.0.forward': { input_args: `[${made}]`, output: `[${reduced}]` },
    'Mint.sum.0.forward': { input_args: `[${reduced}]`, output: `[${reduced}]` },
  })
  const bench = await drawn(run(good, sum))
  const units: AdvisedUnit[] = []
  for (const rank of [0, 1, 2, 3]) {
    const debug = await drawn(run(rank === 2 ? none : good, none))
    const { comparison } = await paired(debug, bench, { engine: 'mindspore' })
    units.push(onRank(rank, (await advise({ comparison, rank }, job())).advice))
  }
  expect(units.map(({ advice: { findings } }) => findings[0]!.kind)).toEqual([
    'communication',
    'communication',
    'nan',
    'communication',
  ])
  const found = adviseAcross(units)
  expect(found[0]).toMatchObject({ kind: 'nan', rank: 2, node: 'Mint.matmul.0.forward' })
  // The others only received it.
  expect(new Set(found.map(one => one.rank))).toEqual(new Set([2]))
})

test('units stand together as far as they are known', () => {
  const known = (rank: number, differs: number, ...findings: Finding[]): StandingUnit => ({
    ...unit(0, rank, ...findings),
    state: 'done',
    aside: false,
    differs,
    worst: differs > 0 ? 0.5 : 0,
  })
  const units = [
    known(0, 0),
    known(1, 7, finding('origin', 'a', 1, 0)),
    known(2, 0, finding('not-decidable', '', 2, 0)),
    { ...known(3, 0), state: 'reading', advice: null } as const,
    { ...known(4, 0), state: 'failed', advice: null } as const,
  ]
  expect(overallOf(units)).toMatchObject({
    first: 1,
    finding: { node: 'a' },
    agree: [0],
    differ: [1],
    undecided: [2],
    coming: [3],
    failed: [4],
  })
  expect(overallOf([known(0, 0), known(1, 0)])).toMatchObject({ first: null, agree: [0, 1] })
  // Two graphs of one rank.
  const second = known(1, 3, finding('origin', 'b', 1, 0))
  expect(overallOf([known(1, 0), second])).toMatchObject({ first: 1, finding: { node: 'b' } })
  expect(overallOf([known(0, 0), known(1, 3)])).toMatchObject({ first: 1, finding: null, differ: [1] })
  // Another run is told of, and nobody begins there.
  const other = { ...known(1, 3, finding('origin', 'c', 1, 0)), aside: true }
  expect(overallOf([known(0, 0), other])).toMatchObject({ first: 1, start: null, differ: [1] })
  expect(overallOf([known(0, 2), other])).toMatchObject({ first: 1, start: 0 })
})
