// Tables of verdicts as studies: alone, two held against each other, and beside the dump of their calls.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SessionId, UnitAt } from '../../../preload/contract/engine.ts'
import { dumpFolder } from '../../support/dumps.ts'
import { fixturesRoot } from '../../support/fixtures.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { allDone, never, watchedEngine, type Watched } from '../../support/watched.ts'

const next = path.join(fixturesRoot(), 'next')
const detailsIn = (name: string, side: 'npu' | 'gpu'): string => {
  const folder = path.join(next, 'api_precision', name, side)
  return path.join(folder, readdirSync(folder).find(file => file.includes('details')) ?? '')
}
const everything = { states: [], by: 'api', group: null, text: '' } as const

async function opened(paths: readonly string[]): Promise<Watched & { readonly at: UnitAt }> {
  const watched = watchedEngine()
  const { session } = await watched.open(paths)
  await watched.until(session, allDone)
  return { ...watched, at: { session: session as SessionId, unit: 0 } }
}

describe('details of an NPU and of a GPU', () => {
  it('are judged, whichever was named first, and grouped with the failing first', async () => {
    const { engine, at } = await opened([detailsIn('real_1.2.2', 'gpu'), detailsIn('real_1.2.2', 'npu')])
    const [table] = await engine.verdicts(at, never)
    expect(table).toMatchObject({ holds: 'judged', generation: '1.2.2', joined: null })
    expect(table.paths.map(file => path.basename(path.dirname(file)))).toEqual(['npu', 'gpu'])
    const asked = { ...at, table: 0, first: 0, count: 10 }
    const all = await engine.verdictPage({ ...asked, filter: everything }, never)
    expect([all.total, all.states]).toEqual([table.rows, table.states])
    expect(all.lines.every(({ state }) => state === 'error')).toBe(true)
    const [worst] = all.groups
    const one = await engine.verdictPage({ ...asked, filter: { ...everything, group: worst.key } }, never)
    expect([one.total, one.states]).toEqual([worst.rows, worst.states])
    const standards = await engine.verdictPage({ ...asked, filter: { ...everything, by: 'standard' } }, never)
    expect(standards.groups.map(({ key }) => key)).toContain('benchmark')
    const failed = await engine.verdictPage(
      { ...asked, filter: { ...everything, states: ['pass'], text: 'LAYER_norm' } },
      never,
    )
    expect(failed.lines.every(({ name, state }) => name.includes('layer_norm') && state === 'pass')).toBe(
      true,
    )
    const detail = await engine.verdictDetail({ ...at, table: 0, row: all.lines[0].row }, never)
    expect(detail.checks[0]).toMatchObject({ counted: true, verdict: 'error' })
  })

  it('go by limits of somebody’s own, and by those of the rules again without them', async () => {
    const { engine, at } = await opened([detailsIn('real_1.2.2', 'npu'), detailsIn('real_1.2.2', 'gpu')])
    const [usual] = await engine.verdicts(at, never)
    expect(usual.judging).toMatchObject({ told: true, limits: { maxRelative: 10, thousandth: 0.999 } })
    const lenient = { smallShare: 1e9, rmse: 1e9, maxRelative: 1e9, meanRelative: 1e9 }
    const wish = { generation: null, limits: lenient }
    const [mine] = await engine.verdicts({ ...at, wish }, never)
    expect(mine.states.error).toBeLessThan(usual.states.error)
    const page = { ...at, table: 0, first: 0, count: 500, filter: { ...everything, by: 'standard' as const } }
    const failing = async (asked: typeof wish | null): Promise<number> => {
      const { groups } = await engine.verdictPage({ ...page, ...(asked && { wish: asked }) }, never)
      return groups.find(({ key }) => key === 'benchmark')?.states.error ?? 0
    }
    expect([await failing(wish), await failing(null)]).toEqual([0, usual.states.error - mine.states.error])
    expect((await engine.verdicts(at, never))[0].states).toEqual(usual.states)
  })

  it('that say nothing of their generation are of the one that is chosen; those that say it are not', async () => {
    const titles = readFileSync(detailsIn('real_26', 'npu'), 'utf8')
      .split(/\r?\n/)[0]
      .replace('\ufeff', '')
      .split(',')
    // Integers alone: both generations write them alike.
    const row = titles.map(
      title =>
        (
          ({
            'API Name': 'Torch.argmax.0.forward.output.0',
            'DEVICE Dtype': 'torch.int64',
            'Bench Dtype': 'torch.int64',
            Shape: '(2)',
            二进制一致错误率: '0.0',
            Status: 'pass',
          }) as Record<string, string>
        )[title] ?? ' ',
    )
    const write = (side: string): string => {
      const folder = path.join(temporaryFolder(), side)
      mkdirSync(folder)
      const file = path.join(folder, 'accuracy_checking_details_20260101000000.csv')
      writeFileSync(file, `${titles.join(',')}\r\n${row.join(',')}\r\n`)
      return file
    }
    const { engine, at } = await opened([write('npu'), write('gpu')])
    const told = async (generation: '1.2.2' | '26' | null) => {
      const [{ generation: found, judging }] = await engine.verdicts(
        { ...at, wish: { generation, limits: {} } },
        never,
      )
      return [found, judging?.told]
    }
    expect([await told(null), await told('1.2.2')]).toEqual([
      ['26', false],
      ['1.2.2', false],
    ])
    const real = await opened([detailsIn('real_26', 'npu'), detailsIn('real_26', 'gpu')])
    const wish = { generation: '1.2.2' as const, limits: {} }
    expect(await real.engine.verdicts({ ...real.at, wish }, never)).toMatchObject([
      { generation: '26', judging: { told: true } },
    ])
  })

  it('are found in a folder of results, of each kind the newest', async () => {
    const folder = temporaryFolder()
    for (const side of ['npu', 'gpu'] as const) {
      mkdirSync(path.join(folder, side))
      for (const stamp of ['20250101000000', '20260101000000']) {
        const to = path.join(folder, side, `accuracy_checking_details_${stamp}.csv`)
        copyFileSync(detailsIn('real_26', side), to)
      }
    }
    const { engine, at } = await opened([folder])
    const tables = await engine.verdicts(at, never)
    expect(tables).toHaveLength(1)
    expect(tables[0]).toMatchObject({ holds: 'judged', generation: '26' })
    expect(tables[0].paths.map(file => path.relative(folder, file))).toEqual([
      path.join('npu', 'accuracy_checking_details_20260101000000.csv'),
      path.join('gpu', 'accuracy_checking_details_20260101000000.csv'),
    ])
  })

  it('of two generations are refused with both names', async () => {
    const watched = watchedEngine()
    const { session } = await watched.open([detailsIn('real_1.2.2', 'npu'), detailsIn('real_26', 'gpu')])
    const { units } = await watched.until(session, info => info.units[0].state === 'failed')
    expect(units[0].failure?.code).toBe('precheck-mixed')
  })

  it('go by the rules that are asked for', async () => {
    const { engine, at, until } = await opened([detailsIn('real_26', 'npu'), detailsIn('real_26', 'gpu')])
    await engine.setOptions({ session: at.session, options: { rules: 'msprobe-26' } }, never)
    await until(at.session, allDone)
    expect((await engine.verdicts(at, never))[0].states.missing).toBe(0)
  })
})

describe('a table beside the dump of its calls', () => {
  it('leads from its rows to the calls and back', async () => {
    const { engine, at } = await opened([
      path.join(next, 'recompute', 'wrong'),
      detailsIn('real_1.2.2', 'npu'),
    ])
    const { panes, beside, kind } = await engine.session({ session: at.session }, never)
    expect([kind, beside.length, panes.includes('precheck')]).toEqual(['single', 1, true])
    const [table] = await engine.verdicts(at, never)
    expect([table.joined, table.rows]).toEqual([103, 103])
    const detail = await engine.verdictDetail({ ...at, table: 0, row: 1 }, never)
    expect(detail.at?.debug).toBe(detail.name.replace(/\.output\.\d+$/, ''))
    const rows = await engine.verdictsOf({ ...at, at: detail.at ?? {} }, never)
    expect(rows.map(({ row }) => row)).toContain(1)
  })

  it('finds modules by their paths', async () => {
    const file = path.join(temporaryFolder(), 'report.csv')
    writeFileSync(
      file,
      'module_name,check_type,tensor_index,status,max_abs_diff,mean_abs_diff,max_rel_diff,shape,note\n' +
        'conv1,fwd_output,0,FAIL,1e-1,1e-2,1e0,"(1,)",\nnetwork.bn1,fwd_input,0,PASS,0,0,0,"(1,)",\nnone,fwd_output,0,PASS,0,0,0,"(1,)",\n',
    )
    const { engine, at } = await opened([dumpFolder('pt_lenet_none_statistics_mix'), file])
    expect((await engine.verdicts(at, never))[0]).toMatchObject({ holds: 'compiled', joined: 2 })
    const [end, whole, none] = await Promise.all(
      [0, 1, 2].map(row => engine.verdictDetail({ ...at, table: 0, row }, never)),
    )
    expect([end.at?.debug, whole.at?.debug, none.at]).toEqual([
      'Module.network.conv1.Conv2d.forward.0',
      'Module.network.bn1.BatchNorm2d.forward.0',
      null,
    ])
  })
})

it('finds both saved values of an output that failed', async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'accuracy_checking_result_20250101010101.csv')
  writeFileSync(
    file,
    'API name,Forward Test Success,Backward Test Success,Message\nTorch.mul.0,error,pass,\nTorch.add.0,pass,pass,\n',
  )
  const saved = path.join(folder, 'ut_error_data20250101010101')
  mkdirSync(saved)
  for (const name of [
    'Torch.mul.0.forward.input.0',
    'Torch.mul.0.forward.output.bench.0',
    'Torch.mul.0.forward.output.device.0',
    'Torch.mul.0.backward.output.device',
  ])
    writeFileSync(path.join(saved, `${name}.pt`), '')
  const { engine, at } = await opened([file])
  const rows = await Promise.all([0, 1].map(row => engine.verdictDetail({ ...at, table: 0, row }, never)))
  expect(
    rows.map(row =>
      row.saved.map(({ name, device, bench }) => [name, ...[device, bench].map(one => path.basename(one))]),
    ),
  ).toEqual([
    [
      [
        'Torch.mul.0.forward.output.0',
        'Torch.mul.0.forward.output.device.0.pt',
        'Torch.mul.0.forward.output.bench.0.pt',
      ],
    ],
    [],
  ])
})
