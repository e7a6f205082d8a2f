// What dropped paths are said to be: real folder shapes, built empty on disk.
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { Candidate, formats } from '../../../main/engine/formats/index.ts'
import { dumpsIn, type Plan, planOf, shardOf } from '../../../main/engine/layout/index.ts'
import { Cancelled, job } from '../../../main/engine/work/index.ts'
import { tarBytes } from '../../support/archives.ts'
import { openPorts } from '../../support/plans.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'plumbline-detect-'))
})

function make(...files: string[]): void {
  for (const file of files) {
    const full = path.join(root, file)
    mkdirSync(path.dirname(full), { recursive: true })
    writeFileSync(full, '{}')
  }
}
const at = (...parts: string[]): string => path.join(root, ...parts)
const run = (...paths: string[]): Promise<Plan> =>
  planOf(
    paths.map(p => at(p)),
    { stacks: 'auto', ordered: false },
    openPorts(diskFiles()),
    job(),
  )
const refused = async (...paths: string[]): Promise<string> => {
  try {
    await run(...paths)
  } catch (error) {
    if (error instanceof Refusal) return error.problem.code
    throw error
  }
  return 'accepted'
}

describe('more than a pair', () => {
  it('of three dumps the third is left out, and said to be', async () => {
    make('npu/dump.json', 'gpu/dump.json', 'other/dump.json')
    const { debug, bench, problems } = await run('npu', 'gpu', 'other')
    expect([debug, bench]).toEqual([at('npu'), at('gpu')])
    expect(problems).toMatchObject([{ code: 'left-out', path: at('other'), severity: 'warning' }])
  })

  it('of a folder that holds both sides nothing else is taken', async () => {
    make('runs/npu/dump.json', 'runs/gpu/dump.json', 'other/dump.json')
    expect((await run('runs', 'other')).problems).toMatchObject([{ code: 'left-out', path: at('other') }])
  })

  it('beside a dump, what holds both sides is refused by what it is', async () => {
    make('npu/dump.json', 'runs/npu/dump.json', 'runs/gpu/dump.json', 'result.vis')
    expect([await refused('npu', 'runs'), await refused('npu', 'result.vis')]).toEqual([
      'several-dumps',
      'left-out',
    ])
  })

  it('a tensor file is no side of a dump', async () => {
    make('npu/dump.json', 'x.npy', 'y.npy')
    expect([
      await refused('npu', 'x.npy'),
      await refused('x.npy', 'npu'),
      await refused('x.npy', 'y.npy'),
    ]).toEqual(['formats-differ', 'formats-differ', 'accepted'])
  })

  it('a folder of many dumps is refused, and its dumps can be asked for', async () => {
    make('runs/a/dump.json', 'runs/b/step0/rank0/dump.json', 'runs/c/dump.json', 'runs/notes/x.txt')
    expect(await refused('runs')).toBe('several-dumps')
    expect(await dumpsIn(at('runs'), openPorts(diskFiles()), job())).toEqual(
      ['a', 'b', 'c'].map(name => at('runs', name)),
    )
  })

  it.each(['dump.tar.xz', 'dump.7z', 'dump.tar.zst', 'dump.json.gz'])('%s is to be unpacked', async name => {
    make(name)
    expect(await refused(name)).toBe('packed')
  })

  it('an archive is what it holds: a dump, both sides, or several dumps to choose from', async () => {
    const archive = (name: string, ...members: readonly string[]): void =>
      writeFileSync(at(name), tarBytes(members.map(name => ({ name, data: '{}' }))))
    archive('npu.tar', 'npu_dump/step0/rank0/dump.json', 'npu_dump/step0/rank1/dump.json')
    archive('gpu.tar', 'step0/rank0/dump.json', 'step0/rank1/dump.json')
    archive('both.tar', 'runs/gpu/dump.json', 'runs/npu/dump.json')
    archive('many.tar', 'a/dump.json', 'b/dump.json', 'c/dump.json')
    archive('links.tar', 'dump.json', '../x')
    const files = diskFiles(at('scratch'))
    const plan = (...names: readonly string[]): Promise<Plan> =>
      planOf(
        names.map(name => at(name)),
        { stacks: 'auto', ordered: false },
        openPorts(files),
        job(),
      )
    const pair = await plan('gpu.tar', 'npu.tar')
    expect([pair.debug, pair.bench, pair.units.map(({ debug }) => debug)]).toEqual([
      at('npu.tar'),
      at('gpu.tar'),
      [at('npu.tar/step0/rank0'), at('npu.tar/step0/rank1')],
    ])
    const { debug, bench } = await plan('both.tar')
    expect([debug, bench]).toEqual([at('both.tar/npu'), at('both.tar/gpu')])
    await expect(plan('many.tar')).rejects.toThrow('several-dumps')
    expect(await dumpsIn(at('many.tar'), openPorts(files), job())).toEqual(
      ['a', 'b', 'c'].map(name => at(`many.tar/${name}`)),
    )
    expect((await plan('many.tar/b')).debug).toBe(at('many.tar/b'))
    expect((await plan('links.tar')).problems.map(({ code }) => code)).toEqual(['archive-entries'])
    files.close()
  })
})

describe('one dump', () => {
  it('finds its bench beside it, unless it is opened alone', async () => {
    make('npu_dump/dump.json', 'gpu_dump/dump.json')
    const plan = (alone: boolean): Promise<Plan> =>
      planOf([at('npu_dump')], { stacks: 'auto', ordered: false, alone }, openPorts(diskFiles()), job())
    expect([(await plan(false)).bench, (await plan(true)).bench]).toEqual([at('gpu_dump'), ''])
  })
})

describe('dump folders', () => {
  it('pairs steps and ranks by number, not by text order', async () => {
    for (const side of ['npu', 'gpu'])
      for (const step of ['step0', 'step10', 'step2'])
        for (const rank of ['rank0', 'rank10', 'rank2']) make(`${side}/${step}/${rank}/dump.json`)
    const found = await run('npu', 'gpu')
    expect(found.units.map(u => `${u.step}/${u.rank}`)).toEqual([
      '0/0',
      '0/2',
      '0/10',
      '2/0',
      '2/2',
      '2/10',
      '10/0',
      '10/2',
      '10/10',
    ])
    expect(found.units.every(u => u.bench.endsWith(path.basename(u.debug)))).toBe(true)
  })

  it('takes a rank folder, a step folder, a plain rank and a process folder', async () => {
    make('a/step0/rank/dump.json', 'b/step0/proc12/dump.json', 'c/dump.json')
    for (const [left, right] of [
      ['a', 'b'],
      ['a/step0', 'c'],
      ['a/step0/rank', 'b/step0/proc12'],
    ] as const) {
      const found = await run(left, right)
      expect(found.units.length).toBe(1)
    }
  })

  it('tells debug from bench by name whatever the order', async () => {
    make('gpu_dump/step0/rank/dump.json', 'npu_dump/step0/rank/dump.json')
    const found = await run('gpu_dump', 'npu_dump')
    expect(found.debug).toBe(at('npu_dump'))
  })

  it('guesses the bench beside a lone debug folder, and takes both from their parent', async () => {
    make('x/gpu_dump/step0/rank/dump.json', 'x/npu_dump/step0/rank/dump.json')
    const lone = await run('x/npu_dump')
    expect(lone.bench).toBe(at('x/gpu_dump'))
    const parent = await run('x')
    expect([parent.debug, parent.bench]).toEqual([at('x/npu_dump'), at('x/gpu_dump')])
  })

  it('takes a link for what it leads to, and passes one that leads out', async () => {
    make('real/step0/rank0/dump.json', 'b/step0/rank0/dump.json')
    symlinkSync(at('real'), at('linked'))
    symlinkSync(tmpdir(), at('real/step0/rank1'))
    const { units } = await run('linked', 'b')
    expect(units.map(unit => [unit.debug, unit.rank])).toEqual([[at('linked/step0/rank0'), 0]])
  })

  it('waits between folders, so that it can be cancelled', async () => {
    make('a/deep/er/x.png')
    const asked = { stacks: 'auto', ordered: false } as const
    const cancelled = job(AbortSignal.abort())
    await expect(planOf([at('a')], asked, openPorts(diskFiles()), cancelled)).rejects.toThrow(Cancelled)
  })

  it('says which rank has no partner and keeps the others', async () => {
    make(
      'a/step0/rank0/dump.json',
      'a/step0/rank1/dump.json',
      'b/step0/rank0/dump.json',
      'b/step0/rank2/dump.json',
    )
    const found = await run('a', 'b')
    expect(found.units.length).toBe(1)
    expect(found.problems.map(p => `${p.code} ${'rank' in p.facts && p.facts.rank}`)).toEqual([
      'rank-missing 1',
      'rank-missing 2',
    ])
  })
})

describe('other things', () => {
  it('knows files by what they are', async () => {
    const formatOf = async (name: string): Promise<string | undefined> => {
      make(name)
      const files = diskFiles()
      files.allow(root)
      for (const format of formats)
        if (await format.find(new Candidate(files, at(name), 'file'), job())) return format.id
      return undefined
    }
    expect(await formatOf('r.vis')).toBe('graph-file')
    expect(await formatOf('r.vis.db')).toBe('graph-file')
    expect(await formatOf('compare_result_1.xlsx')).toBe('result-table')
    expect(await formatOf('compare_result_1.csv')).toBe('result-table')
    expect(await formatOf('a.npy')).toBe('tensors')
    expect(await formatOf('my_dump.json')).toBe('msprobe')
    expect(await formatOf('photo.png')).toBeUndefined()
    make('layer.yaml')
    expect(await refused('layer.yaml')).toBe('mapping-alone')
  })

  it('meets two tensors whatever they are called', async () => {
    make('a.npy', 'b.npy')
    const { holds, units } = await run('a.npy', 'b.npy')
    expect([holds, units.map(unit => [unit.places.debug.path, unit.places.bench?.path])]).toEqual([
      'dump',
      [[at('a.npy'), at('b.npy')]],
    ])
  })

  it('knows trees of static graphs, and plans them without reading them', async () => {
    for (const side of ['a', 'b'])
      make(`${side}/rank_1/net/0/3/statistic.csv`, `${side}/rank_0/net/0/3/x.npy`)
    make('b/rank_2/net/0/3/x.npy')
    const { holds, units, problems } = await run('a', 'b')
    expect([holds, units.map(unit => [unit.rank, unit.step]), problems]).toEqual([
      'kernels',
      [
        [0, 3],
        [1, 3],
      ],
      [],
    ])
  })

  it('is plain data, and its shares are the whole', async () => {
    for (const side of ['npu', 'gpu'])
      for (const rank of [0, 1, 2, 3, 4]) make(`${side}/step0/rank${rank}/dump.json`)
    const plan = await run('npu', 'gpu')
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
    expect(structuredClone(plan)).toEqual(plan)
    const shares = [0, 1, 2].flatMap(i => shardOf(plan, { index: i, of: 3 }).units)
    expect(shares.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))).toEqual(plan.units)
  })

  it('reads compare.json relative to itself', async () => {
    make('a/step0/rank/dump.json', 'b/step0/rank/dump.json', 'cases/x/compare.json')
    writeFileSync(
      at('cases/x/compare.json'),
      JSON.stringify({
        npu_path: '../../a/step0/rank/dump.json',
        bench_path: '../../b/step0/rank/dump.json',
      }),
    )
    const found = await run('cases/x/compare.json')
    expect(found.units[0]?.debug).toBe(at('a/step0/rank'))
    make('k/rank_0/net/0/1/x.npy')
    writeFileSync(
      at('cases/x/compare.json'),
      JSON.stringify({ npu_path: '../../k', bench_path: '../../k', rank_id: [] }),
    )
    expect((await run('cases/x/compare.json')).holds).toBe('kernels')
    writeFileSync(at('cases/x/compare.json'), JSON.stringify({ npu_path: '../../a' }))
    const alone = await run('cases/x/compare.json')
    expect([alone.bench, alone.units.length]).toEqual(['', 1])
  })

  it('refuses what is none of it, with a reason', async () => {
    make('photo/a.png', 'a/step0/rank/dump.json', 'bad.json')
    expect(await refused('photo')).toBe('not-a-dump')
    expect(await refused('photo/a.png')).toBe('unknown-file')
    expect(await refused('missing')).toBe('not-found')
    expect(await refused('a', 'a')).toBe('same-folder-twice')
    expect(await refused('bad.json')).toBe('unknown-file')
  })
})
