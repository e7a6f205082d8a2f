// Findings of several ranks and steps as one list.
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  adviseAcross,
  overallOf,
  type AdvisedUnit,
  type StandingUnit,
} from '../../../main/engine/advisor/across.ts'
import type { Advice, Finding } from '../../../preload/contract/engine.ts'
import { adviseFolders } from '../../support/advised.ts'
import { fixturesRoot } from '../../support/fixtures.ts'

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
  collectives,
  at: collectives * 10,
  of: 100,
  jump: Infinity,
})
const unit = (step: number, rank: number, ...findings: Finding[]): AdvisedUnit => ({
  step,
  rank,
  advice: { findings } as unknown as Advice,
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
    units.push({
      step: 0,
      rank,
      advice: { ...advice, findings: advice.findings.map(one => ({ ...one, rank })) },
    })
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

test('units stand together as far as they are known', () => {
  const known = (rank: number, differs: number, ...findings: Finding[]): StandingUnit => ({
    ...unit(0, rank, ...findings),
    state: 'done',
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
  expect(overallOf([known(0, 0), known(1, 3)])).toMatchObject({ first: 1, finding: null, differ: [1] })
})
