// One run of four real ranks (tp 2, dp 2, its blocks recomputed), dumped by msprobe 1.2.2 on gloo, healthy and with one fault on
// one rank: without another run to compare with, what should be the same is held against each other.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ReplicasAnswer } from '../../main/engine/model/index.ts'
import { cli } from '../support/cli.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/temporary.ts'

const run = (name: string): string => path.join(fixturesRoot(), 'ranks', name)

async function heldSteps(folder: string, ...flags: readonly string[]): Promise<readonly ReplicasAnswer[]> {
  const { code, out, err } = await cli(['advise', folder, ...flags, '--json'])
  expect(code, err).toBe(0)
  return (JSON.parse(out) as { readonly ranks: readonly ReplicasAnswer[] }).ranks
}

async function held(folder: string, ...flags: readonly string[]): Promise<ReplicasAnswer> {
  const [only, ...more] = await heldSteps(folder, ...flags)
  expect(more).toEqual([])
  return only
}

describe('the ranks of one run', () => {
  it('of a healthy one agree wherever they should, and their groups tell how they share the model', async () => {
    const { findings, compared, topology, copiesBy } = await held(run('copies'))
    expect(findings).toEqual([])
    expect(topology).toMatchObject({ tp: 2, dp: 2, pp: 1, order: 'tp-cp-ep-dp-pp' })
    expect(copiesBy).toBe('groups')
    expect(compared).toEqual({ parameters: 46, collectives: 64, calls: 202, recomputed: 60 })
  })

  it.each([
    ['copies_call', 'call', 'Functional.layer_norm.1.forward', [2, 3]],
    ['copies_recompute', 'recomputed-input', 'Module.layers.1.down.RowParallelLinear.forward.1', [1]],
    ['copies_weight', 'parameter', 'Module.layers.1.down.RowParallelLinear.forward.0', [1, 3]],
    ['copies_between_L0', 'overwritten', 'Module.layers.1.up.ColumnParallelLinear.forward.0', [2]],
  ] as const)('%s: %s', async (name, kind, op, ranks) => {
    const { findings } = await held(run(name))
    expect(findings[0]).toMatchObject({ kind, op, ranks, rounding: false })
  })

  it('recomputed on a rank whose partner recomputed something else are not called wrong', async () => {
    const { findings } = await held(run('copies_recompute'))
    expect(findings).toHaveLength(1)
  })

  it('are copies where a layout says so, whatever they hold', async () => {
    const { findings, copiesBy } = await held(run('copies'), '--tp', '1')
    expect(copiesBy).toBe('layout')
    expect(findings[0]).toMatchObject({ kind: 'parameter', item: 'parameters.weight' })
    expect((await held(run('copies'), '--tp', '2')).findings).toEqual([])
  })

  it('said in words, and by the exit code', async () => {
    const { code, out, err } = await cli(['advise', run('copies_weight'), '--fail-on', 'error'])
    expect(code).toBe(1)
    expect(out).toContain('parameters.weight differs between ranks 1, 3, which hold copies')
    expect(err).toContain('Held against each other on 4 ranks')
    expect((await cli(['advise', run('copies'), '--fail-on', 'warning'])).code).toBe(0)
  })
})

describe('other healthy runs', () => {
  it.each([
    ['dumps/pt_tp_4ranks_none', {}, 1],
    ['dumps/ms_lenet_4ranks_none', {}, 0],
    ['ranks/tp2pp2', { tp: 2, pp: 2, dp: 1 }, 10],
    ['ranks/tp2sp', { tp: 2, pp: 1, dp: 1 }, 10],
    ['ranks/pp2vpp2', { pp: 2, tp: 1, dp: 1 }, 0],
  ] as const)('%s: nothing is told of it', async (name, layout, calls) => {
    for (const { findings, topology, compared } of await heldSteps(path.join(fixturesRoot(), name))) {
      expect(findings).toEqual([])
      expect(topology ?? {}).toMatchObject(layout)
      expect(compared.calls).toBeGreaterThanOrEqual(calls)
    }
  })
})

describe('bad input', () => {
  const copied = (): string => {
    const folder = path.join(temporaryFolder(), 'run')
    cpSync(run('copies'), folder, { recursive: true })
    return folder
  }

  it('a rank that is missing leaves the others, and no claim of a layout', async () => {
    const folder = copied()
    rmSync(path.join(folder, 'step0', 'rank3'), { recursive: true })
    const { findings, topology, compared } = await held(folder)
    expect(findings).toEqual([])
    expect(topology).toBeNull()
    expect(compared.calls).toBeGreaterThan(50)
  })

  it('a rank that cannot be read costs that rank only', async () => {
    const folder = copied()
    writeFileSync(path.join(folder, 'step0', 'rank1', 'dump.json'), 'x')
    expect((await held(folder)).findings).toEqual([])
  })

  it('a rank that was cut has nothing to be held against', async () => {
    const folder = copied()
    const dump = path.join(folder, 'step0', 'rank2', 'dump.json')
    const text = readFileSync(dump, 'utf8')
    writeFileSync(dump, text.slice(0, text.length / 2))
    const { findings } = await held(folder)
    expect(findings.filter(({ kind }) => kind !== 'calls')).toEqual([])
  })

  it('sizes that do not fit are refused', async () => {
    const { code, err } = await cli(['advise', run('copies'), '--tp', '3'])
    expect(code).toBe(2)
    expect(err).toContain('tp')
  })
})
