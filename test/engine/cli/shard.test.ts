// Shares of a run: together they are the run, file by file and unit by unit.
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../../support/cli.ts'
import { dumpFolder, ranks } from '../../support/dumps.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** Names without their time, and what stands in the files. */
const filesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map(name => [name.replace(/_\d{14}/, ''), readFileSync(path.join(folder, name), 'utf8')]),
  )

const ok = async (...words: readonly string[]): Promise<string> => {
  const { code, out, err } = await cli(words)
  if (code !== 0) throw new Error(err)
  return out
}

const shares = ['0/3', '1/3', '2/3']

interface Summary {
  readonly units: readonly { readonly rank: number }[]
}

describe('shares of compare', () => {
  it('write together what one run writes, under the same names', async () => {
    const [debug, bench] = ranks(5)
    const [whole, parts] = [temporaryFolder(), temporaryFolder()]
    const run = (out: string, ...more: readonly string[]): Promise<string> =>
      ok('compare', debug, bench, '-o', out, '--format', 'csv', ...more)
    await run(whole)
    for (const share of shares) await run(parts, '--shard', share)
    expect(Object.keys(filesIn(parts))).toHaveLength(10)
    expect(filesIn(parts)).toEqual(filesIn(whole))
  })

  // With one unit left a name without rank would be that of a run with one rank.
  it('of a single unit are named as the whole has it', async () => {
    const [debug, bench] = ranks(2)
    const out = temporaryFolder()
    await ok('compare', debug, bench, '-o', out, '-c', '--format', 'csv', '--shard', '1/2')
    expect(Object.keys(filesIn(out))).toEqual(['compare_result_rank1-rank1.csv'])
  })

  it('that have nothing to do say so and write nothing', async () => {
    const [debug, bench] = ranks(2)
    const out = temporaryFolder()
    const { code, err } = await cli(['compare', debug, bench, '-o', out, '--shard', '2/3'])
    expect([code, readdirSync(out)]).toEqual([0, []])
    expect(err).toContain('more shares than steps and ranks (2)')
  })
})

describe('shares of advise', () => {
  it('name each rank once', async () => {
    const [debug, bench] = ranks(4)
    const units = async (...more: readonly string[]): Promise<Summary['units']> =>
      (JSON.parse(await ok('advise', debug, bench, '--json', ...more)) as Summary).units
    const parts = []
    for (const share of shares) parts.push(...(await units('--shard', share)))
    expect(parts.toSorted((a, b) => a.rank - b.rank)).toEqual(await units())
  })
})

describe('shares of graph', () => {
  it('hold whole steps and write what one run writes', async () => {
    const [whole, parts] = [temporaryFolder(), temporaryFolder()]
    const [debug, bench] = ['pt_lenet_w_conv2_statistics_mix', 'pt_lenet_none_statistics_mix'].map(name => {
      const root = temporaryFolder()
      for (const step of ['step0', 'step1', 'step2'])
        for (const rank of ['rank0', 'rank1'])
          cpSync(path.join(dumpFolder(name), 'step0', 'rank'), path.join(root, step, rank), {
            recursive: true,
          })
      return root
    })
    await ok('graph', debug, bench, '-o', whole)
    for (const share of ['0/2', '1/2']) await ok('graph', debug, bench, '-o', parts, '--shard', share)
    expect(Object.keys(filesIn(parts))).toHaveLength(6)
    expect(filesIn(parts)).toEqual(filesIn(whole))
    expect((await cli(['graph', debug, bench, '--format', 'vis.db', '--shard', '0/2'])).code).toBe(2)
  })
})

describe('steps and ranks', () => {
  it('can be chosen by number, and keep the names of the whole', async () => {
    const [debug, bench] = ranks(5)
    const out = temporaryFolder()
    await ok('compare', debug, bench, '-o', out, '-c', '--format', 'csv', '--rank', '0,2-3')
    expect(Object.keys(filesIn(out))).toEqual([0, 2, 3].map(n => `compare_result_rank${n}-rank${n}.csv`))
  })

  it('that are not there are said, with exit code 2', async () => {
    const [debug, bench] = ranks(2)
    const { code, err } = await cli(['compare', debug, bench, '--rank', '7'])
    expect(code).toBe(2)
    expect(err).toContain('Check --step and --rank')
  })
})
