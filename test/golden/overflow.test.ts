// Where NaN and infinity enter: the planted origins, msprobe 1.2.2's classes and the file that msprobe 26 writes.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = path.join(fixturesRoot(), 'next', 'overflow')
const cases = readdirSync(root)
const origins = cases.filter(name => name.startsWith('origin_'))

type Loose = Record<string, unknown>

/** Python's tokens as texts, so that JSON.parse takes them. */
const parse = (text: string): unknown =>
  JSON.parse(text.replaceAll(/(?<=[[:,\s])(-?Infinity|NaN)(?=[\],}\s])/g, '"$1"'))
const read = (...names: string[]): unknown => parse(readFileSync(path.join(root, ...names), 'utf8'))

async function answered(words: readonly string[]): Promise<Loose> {
  const { code, out } = await cli([...words, '--json'])
  expect(code).toBe(0)
  return JSON.parse(out) as Loose
}

it.each(cases.filter(name => name.startsWith('classes_')))('%s: the classes of msprobe 1.2.2', async name => {
  const [rank] = readdirSync(path.join(root, name, 'step0'))
  const dump = path.join(root, name, 'step0', rank ?? '', 'dump.json')
  const { ops } = await answered(['overflow_check', '-i', dump, '--classes', '--rules', 'msprobe-1.2.2'])
  const wanted = read(name, 'anomalies.json') as Loose[]
  expect(ops).toEqual(
    wanted.map(({ api, scene, level, kept_after_filter }) => ({ api, scene, level, kept_after_filter })),
  )
})

describe.each(origins)('%s', name => {
  const step = path.join(root, name, 'step0')

  it('names what was planted, the earliest first, and nothing else', async () => {
    const { origins: found } = await answered(['overflow_check', '-i', step, '-o', temporaryFolder()])
    const have = (found as { rank: number; op: string }[]).map(({ rank, op }) => [rank, op])
    const { origins: planted } = read(name, 'truth.json') as { origins: [number | number[], string][] }
    const met = have.map(([rank, op]) =>
      planted.find(
        ([ranks, call]) =>
          [ranks].flat().includes(rank as number) && (op === call || String(op).startsWith(`${call}.`)),
      ),
    )
    expect(met).toEqual(planted)
  })

  it('writes what msprobe 26 writes', async () => {
    const folder = temporaryFolder()
    const { code } = await cli(['overflow_check', '-i', step, '-o', folder, '--rules', 'msprobe-26'])
    const golden = path.join(root, name, 'anomaly.json')
    const [file] = readdirSync(folder)
    // It takes PyTorch with stacks only.
    expect(code).toBe(['origin_mindspore', 'origin_no_stack'].includes(name) ? 2 : 0)
    expect(file !== undefined).toBe(existsSync(golden))
    if (file !== undefined)
      expect(parse(readFileSync(path.join(folder, file), 'utf8'))).toEqual(read(name, 'anomaly.json'))
  })
})

// Sixty steps with random groups, roots and pairs. Of what is as early the tool names any: `named.json` holds all it ever named.
it.each(cases.filter(name => name.startsWith('random_')))('%s: a call that msprobe 26 names', async name => {
  const folder = temporaryFolder()
  await cli(['overflow_check', '-i', path.join(root, name, 'step0'), '-o', folder, '--rules', 'msprobe-26'])
  const [file] = readdirSync(folder)
  const written = file === undefined ? {} : (parse(readFileSync(path.join(folder, file), 'utf8')) as Loose)
  const mine = Object.entries(written)
    .sort()
    .flatMap(([rank, calls]) =>
      (calls as { op_name: string }[]).map(({ op_name: op }) => [Number(rank.slice('rank_'.length)), op]),
    )
  expect(read(name, 'named.json')).toContainEqual(mine)
})
