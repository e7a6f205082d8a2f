// NaN and infinity looked for in many steps and ranks by any number of processes: shares and a merge are one run.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../../support/cli.ts'
import { rankTrees } from '../../support/rank-trees.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const { debug } = rankTrees({
  folder: path.join(temporaryFolder(), 'runs'),
  steps: 2,
  ranks: 3,
  tensors: 100,
  fault: { rank: 1, step: 1, layer: 1 },
})
/** The rank of a fault has files of its own: one of its calls goes bad. */
const dump = path.join(debug, 'step1', 'rank1', 'dump.json')
const text = readFileSync(dump, 'utf8')
const at = text.indexOf('"output"', text.indexOf('"Functional.'))
rmSync(dump)
writeFileSync(dump, text.slice(0, at) + text.slice(at).replace(/"Max": [^,]+/, '"Max": NaN'))
const bad = /"(Functional\.[^"]+)"/.exec(text)?.[1]

function filesIn(folder: string, below = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const entry of readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const place = path.join(below, entry.name)
    if (entry.isDirectory()) for (const [name, bytes] of filesIn(folder, place)) found.set(name, bytes)
    else found.set(place, readFileSync(path.join(folder, place), 'latin1'))
  }
  return found
}

const target = (): string => path.join(temporaryFolder(), 'dataset')
const check = (folder: string, ...flags: readonly string[]): ReturnType<typeof cli> =>
  cli(['overflow_check', '-i', debug, '-o', folder, ...flags])

async function whole(): Promise<string> {
  const folder = target()
  const { code, err } = await check(folder, '--format', 'dataset')
  expect(code, err).toBe(0)
  return folder
}

describe('overflow_check in shares', () => {
  it.each([1, 2, 4, 9])('%i of them and a merge write what one run writes, byte for byte', async of => {
    const folder = target()
    for (let index = of - 1; index >= 0; index--) {
      const { code, err } = await check(folder, '--shard', `${index}/${of}`)
      expect(code, err).toBe(0)
    }
    expect((await cli(['merge', folder])).code).toBe(0)
    expect(filesIn(folder)).toEqual(filesIn(await whole()))
  })

  it('names where it enters, as one run over the tree does', async () => {
    const { out } = await cli(['merge', await whole(), '--json'])
    const { overflow } = JSON.parse(out) as {
      readonly overflow: readonly {
        readonly step: number
        readonly abnormal: boolean
        readonly answer: { readonly origins: readonly { readonly rank: number; readonly op: string }[] }
      }[]
    }
    expect(overflow.map(({ step, abnormal }) => [step, abnormal])).toEqual([
      [0, false],
      [1, true],
    ])
    expect(overflow[1].answer.origins).toMatchObject([{ rank: 1, op: bad }])
    const direct = JSON.parse((await cli(['overflow_check', '-i', debug, '--json'])).out) as {
      readonly origins: readonly { readonly rank: number; readonly op: string }[]
    }
    expect(direct.origins.map(({ rank, op }) => [rank, op])).toEqual([[1, bad]])
  })

  it('takes its share from the batch system, leaves what is there, and makes again what was killed', async () => {
    const folder = target()
    const env = { SLURM_ARRAY_TASK_ID: '0', SLURM_ARRAY_TASK_COUNT: '2' }
    expect((await check(folder, '--shard', '0/2')).code).toBe(0)
    expect((await check(folder, '--shard', '1/2')).code).toBe(0)
    const unit = path.join(folder, 'step=1', 'rank=1')
    rmSync(path.join(unit, '_unit.json'))
    const { code, err } = await cli(['merge', folder])
    expect(code).toBe(2)
    expect(err).toContain('step 1 rank 1')
    const { out } = await cli(['overflow_check', '-i', debug, '-o', folder, '--format', 'dataset'], { env })
    expect(out).toContain('1 steps and ranks checked, 2 were there already')
    expect((await check(folder, '--shard', '1/2')).out).toContain('3 were there already')
    expect((await cli(['merge', folder])).code).toBe(0)
    expect(filesIn(folder)).toEqual(filesIn(await whole()))
  })

  it('refuses a record that was changed, and the folder of a comparison', async () => {
    const folder = await whole()
    writeFileSync(path.join(folder, 'step=1', 'rank=1', '_rank.json'), '{"version": 1}')
    const { code, err } = await cli(['merge', folder])
    expect(code).toBe(2)
    expect(err).toContain('_rank.json')
  })

  it('is asked in SQL', async () => {
    const sql = "select step, rank, node from rows where severity = 'critical'"
    const { out } = await cli(['query', await whole(), sql, '--format', 'csv'])
    expect(out).toContain(`1,1,${bad}`)
  })
})
