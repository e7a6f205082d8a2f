// What one door does with two dumps, the other does: names of results, the bench beside a lone dump, stacks.
import { cpSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { dumpFolder, ranks } from '../support/dumps.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { allDone, never, watchedEngine } from '../support/watched.ts'

const namesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .map(name => name.replace(/_\d{14}/, ''))
    .toSorted()

async function writtenInWindow(paths: readonly string[]): Promise<readonly string[]> {
  const { engine, open, until } = watchedEngine()
  const { session, units } = await open(paths)
  await until(session, allDone)
  const folder = temporaryFolder()
  for (const { unit } of units) {
    const written = await engine.write({ session, unit, format: 'csv', folder, language: 'en' }, never)
    if (!written.ok) throw new Error(JSON.stringify(written.problem))
  }
  await engine.close({ session }, never)
  return namesIn(folder)
}

async function writtenByCommand(paths: readonly string[]): Promise<readonly string[]> {
  const folder = temporaryFolder()
  const { code, err } = await cli(['compare', ...paths, '-c', '--format', 'csv', '-o', folder])
  if (code !== 0) throw new Error(err)
  return namesIn(folder)
}

const one = ['pt_lenet_w_conv2_statistics_mix', 'pt_lenet_none_statistics_mix'].map(dumpFolder)

describe('result files', () => {
  it.each([
    ['of several ranks', () => ranks(3)],
    ['of one rank', () => ranks(1)],
    ['of a dump without rank folder names', () => one],
  ])('%s are named alike by window and command line', async (_, dumps) => {
    const paths = dumps()
    const names = await writtenInWindow(paths)
    expect(names).toEqual(await writtenByCommand(paths))
    expect(names.length).toBeGreaterThan(0)
  })
})

describe('a lone debug dump', () => {
  it('meets the bench beside it at both doors', async () => {
    const folder = temporaryFolder()
    const [debug, bench] = ['npu_dump', 'bench_dump'].map(name => path.join(folder, name))
    one.forEach((dump, i) => cpSync(dump, i === 0 ? debug : bench, { recursive: true }))
    const { engine, open, until } = watchedEngine()
    const { session } = await open([debug])
    const {
      units: [unit],
    } = await until(session, allDone)
    await engine.close({ session }, never)
    const ran = await cli(['advise', debug, '-o', temporaryFolder(), '--json'])
    const {
      units: [same],
    } = JSON.parse(ran.out) as {
      units: readonly { readonly bench: string; readonly counts: { readonly rows: number } }[]
    }
    expect([path.dirname(same.bench), same.counts.rows]).toEqual([unit.dirs[1], unit.rows])
  })
})
