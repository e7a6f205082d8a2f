// Many steps and ranks as one dataset, by any number of processes: what is there is whole, what is missing is named.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../../support/cli.ts'
import { rankTrees } from '../../support/rank-trees.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const runs = rankTrees({
  folder: path.join(temporaryFolder(), 'runs'),
  steps: 2,
  ranks: 3,
  tensors: 100,
  fault: { rank: 1, step: 1, layer: 1 },
})
const both = [runs.debug, runs.bench]

/** Every file below a folder with its bytes. */
function filesIn(folder: string, below = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const entry of readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const at = path.join(below, entry.name)
    if (entry.isDirectory()) for (const [name, bytes] of filesIn(folder, at)) found.set(name, bytes)
    else found.set(at, readFileSync(path.join(folder, at), 'latin1'))
  }
  return found
}

const target = (): string => path.join(temporaryFolder(), 'dataset')
const share = (folder: string, text: string, sides: readonly string[] = both): ReturnType<typeof cli> =>
  cli(['compare', ...sides, '-o', folder, '--shard', text])

async function whole(): Promise<string> {
  const folder = target()
  expect((await cli(['compare', ...both, '-o', folder, '--format', 'dataset'])).code).toBe(0)
  return folder
}

const unit = (step: number, rank: number): string => path.join(`step=${step}`, `rank=${rank}`)

describe('shards of a dataset', () => {
  it.each([1, 2, 4, 9])('%i of them and a merge write what one run writes, byte for byte', async of => {
    const folder = target()
    for (let index = of - 1; index >= 0; index--) expect((await share(folder, `${index}/${of}`)).code).toBe(0)
    expect((await cli(['merge', folder])).code).toBe(0)
    expect(filesIn(folder)).toEqual(filesIn(await whole()))
  })

  it('names what is missing and the share that did not end; running it again mends that and leaves the rest', async () => {
    const folder = target()
    await share(folder, '0/2')
    await share(folder, '1/2')
    // As a killed process leaves it: begun, a unit half written, another not at all.
    const begun = { index: 1, of: 2, begun: '2026-01-01T00:00:00.000Z', ended: null }
    writeFileSync(path.join(folder, '_shares', '1-of-2.json'), JSON.stringify(begun))
    rmSync(path.join(folder, unit(0, 1), '_unit.json'))
    rmSync(path.join(folder, unit(1, 2)), { recursive: true })
    writeFileSync(path.join(folder, unit(0, 1), '.part.parquet.0000-1-1-1.part'), 'PAR1')

    const { code, err } = await cli(['merge', folder])
    expect(code).toBe(2)
    expect(err).toContain('2 steps and ranks are missing (step 0 rank 1; step 1 rank 2)')
    expect(err).toContain('Share 1/2')
    expect(err).toContain('has not ended')

    const kept = path.join(folder, unit(1, 0), 'part.parquet')
    const before = statSync(kept)
    expect((await share(folder, '1/2')).out).toContain('1 were there already')
    expect(statSync(kept).ino).toBe(before.ino)
    expect((await cli(['merge', folder])).code).toBe(0)
    rmSync(path.join(folder, unit(0, 1), '.part.parquet.0000-1-1-1.part'))
    expect(filesIn(folder)).toEqual(filesIn(await whole()))
  })

  it('lets two write the same parts at the same time', async () => {
    const folder = target()
    const both = await Promise.all([share(folder, '0/1'), share(folder, '0/1'), share(folder, '1/2')])
    expect(both.map(({ code }) => code)).toEqual([0, 0, 0])
    expect((await cli(['merge', folder])).code).toBe(0)
    expect(filesIn(folder)).toEqual(filesIn(await whole()))
  })

  it('makes a part again that is of another run than its record', async () => {
    const folder = await whole()
    writeFileSync(path.join(folder, unit(0, 0), 'part.parquet'), 'cut short')
    const { code, err } = await cli(['merge', folder])
    expect(code).toBe(2)
    expect(err).toContain('of different runs')
    expect((await share(folder, '0/1')).out).toContain('1 steps and ranks compared, 5 were there already')
    expect((await cli(['merge', folder])).code).toBe(0)
  })

  it('makes a unit again whose dump is another one now', async () => {
    const folder = temporaryFolder()
    const debug = path.join(folder, 'debug')
    cpSync(runs.debug, debug, { recursive: true })
    const dataset = path.join(folder, 'dataset')
    await share(dataset, '0/1', [debug, runs.bench])
    const dump = path.join(debug, 'step0', 'rank0', 'dump.json')
    writeFileSync(dump, `${readFileSync(dump, 'utf8')}\n`)
    expect((await share(dataset, '0/1', [debug, runs.bench])).out).toContain(
      '1 steps and ranks compared, 5 were there already',
    )
  })

  it('tells of a rank that cannot be read, and has the others', async () => {
    const folder = temporaryFolder()
    const debug = path.join(folder, 'debug')
    cpSync(runs.debug, debug, { recursive: true })
    writeFileSync(path.join(debug, 'step1', 'rank2', 'dump.json'), '{"task": "stat')
    const dataset = path.join(folder, 'dataset')
    const { code } = await cli(['compare', debug, runs.bench, '-o', dataset, '--format', 'dataset'])
    expect(code).toBe(2)
    const { code: merged, out, err } = await cli(['merge', dataset])
    expect(merged).toBe(2)
    expect(out).toContain('6 steps and ranks: 5 compared, 1 could not be, 0 missing')
    expect(err).not.toContain('missing')
    const asked = await cli(['query', dataset, '--built-in', 'not-there', '--format', 'csv'])
    expect(asked.out).toMatch(/^1,2,failed,/m)
  })

  it('has what both sides have where steps or ranks are on one side only', async () => {
    const folder = temporaryFolder()
    const debug = path.join(folder, 'debug')
    cpSync(runs.debug, debug, { recursive: true })
    rmSync(path.join(debug, 'step0', 'rank0'), { recursive: true })
    mkdirSync(path.join(debug, 'step7', 'rank0'), { recursive: true })
    cpSync(path.join(debug, 'step1', 'rank0'), path.join(debug, 'step7', 'rank0'), { recursive: true })
    const dataset = path.join(folder, 'dataset')
    const { err } = await cli(['compare', debug, runs.bench, '-o', dataset, '--format', 'dataset'])
    expect(err).toContain('rank 0')
    const { out } = await cli(['query', dataset, 'select count(*) as n from units', '--format', 'csv'])
    expect(out).toBe('n\n5\n')
  })

  it('refuses a folder that holds another comparison, and one that is none', async () => {
    const folder = await whole()
    const { code, err } = await cli([
      'compare',
      ...both,
      '-o',
      folder,
      '--shard',
      '0/2',
      '--rules',
      'msprobe-26',
    ])
    expect(code).toBe(2)
    expect(err).toContain('another comparison (rules differs)')
    const none = await cli(['merge', temporaryFolder()])
    expect(none.code).toBe(2)
    expect(none.err).toContain('is no dataset')
  })

  it('takes the share from Slurm and from Kubernetes, and says so', async () => {
    const slurm = {
      SLURM_ARRAY_TASK_ID: '14',
      SLURM_ARRAY_TASK_COUNT: '3',
      SLURM_ARRAY_TASK_MIN: '10',
      SLURM_ARRAY_TASK_STEP: '2',
    }
    const folder = target()
    const asked = ['compare', ...both, '-o', folder, '--format', 'dataset']
    const told = await cli(asked, { env: { LANG: 'en_US.UTF-8', ...slurm } })
    expect(told.err).toContain('share 2 of 3 (counted from 0), as SLURM_ARRAY_TASK_ID says')
    expect(existsSync(path.join(folder, unit(0, 2)))).toBe(true)
    expect(existsSync(path.join(folder, unit(0, 0)))).toBe(false)
    const job = { JOB_COMPLETION_INDEX: '0', JOB_COMPLETIONS: '3' }
    await cli(asked, { env: { LANG: 'en_US.UTF-8', ...job } })
    expect(existsSync(path.join(folder, unit(0, 0)))).toBe(true)
    const alone = await cli(asked, { env: { LANG: 'en_US.UTF-8', JOB_COMPLETION_INDEX: '0' } })
    expect(alone.code).toBe(2)
    expect(alone.err).toContain('type --shard i/n')
  })

  it('holds findings alone for advise', async () => {
    const folder = target()
    for (const text of ['0/2', '1/2'])
      expect((await cli(['advise', ...both, '-o', folder, '--shard', text])).code).toBe(0)
    const { code, out } = await cli(['merge', folder])
    expect(code).toBe(0)
    expect(out).toContain('origin: Functional.linear.9.forward (step 1, rank 1)')
    expect([...filesIn(folder).keys()].some(name => name.endsWith('part.parquet'))).toBe(false)
    const asked = await cli([
      'query',
      folder,
      'select kind, node, rank from findings where place = 0',
      '--format',
      'csv',
    ])
    expect(asked.out).toContain('origin,Functional.linear.9.forward,1')
  })
})
