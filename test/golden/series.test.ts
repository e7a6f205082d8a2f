// Gradients and monitors: what msprobe answers, byte for byte, and what holds where it stops.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = fixturesRoot()
const casesIn = (area: string): readonly string[] => readdirSync(path.join(root, 'next', area)).sort()
const readCase = (
  folder: string,
): { readonly expect: string; readonly command: string[]; readonly tool: string } =>
  JSON.parse(readFileSync(path.join(folder, 'case.json'), 'utf8'))
const rulesOf = (tool: string): string => (tool.endsWith(' 1.2.2') ? 'msprobe-1.2.2' : 'msprobe-26')

async function sameFiles(golden: string, sides: readonly [string, string]): Promise<void> {
  const out = temporaryFolder()
  const { code } = await cli(['grad_compare', ...sides, '-o', out, '--rules', 'msprobe-1.2.2'])
  expect(code).toBe(0)
  expect(readdirSync(out).sort()).toEqual(readdirSync(golden).sort())
  for (const rank of readdirSync(golden)) {
    const [mine, theirs] = [out, golden].map(folder =>
      readFileSync(path.join(folder, rank, 'similarities.csv'), 'utf8').replaceAll('\r\n', '\n'),
    )
    expect(mine).toBe(theirs)
  }
}

describe('gradients that msprobe compares', () => {
  const real: readonly (readonly [string, string, string])[] = [
    ['lenet_same', 'pt_lenet_none_L2', 'pt_lenet_none_L2'],
    ['lenet_w_conv2', 'pt_lenet_w_conv2_L2', 'pt_lenet_none_L2'],
    ['tr_w_qkv1', 'pt_tr_w_qkv1_L1', 'pt_tr_none_L1'],
  ]
  it.each(real)('%s', async (name, a, b) => {
    const grad = path.join(root, 'grad')
    await sameFiles(path.join(grad, name, 'golden'), [path.join(grad, a), path.join(grad, b)])
  })

  const folders = casesIn('gradients').map(name => path.join(root, 'next', 'gradients', name))
  const compared = folders.filter(folder => readCase(folder).expect === 'files')
  it.each(compared)('%s', async folder => {
    await sameFiles(path.join(folder, 'golden'), [path.join(folder, 'a'), path.join(folder, 'b')])
  })
})

/** Shape and elements of an npy file of signs; null where it is none. */
function signsIn(file: string): { readonly shape: string; readonly values: Buffer } | null {
  if (!existsSync(file)) return null
  const bytes = readFileSync(file)
  const from = 10 + bytes.readUInt16LE(8)
  const header = bytes.toString('latin1', 10, from)
  const shape = /'shape': (\([^)]*\))/.exec(header)?.[1] ?? ''
  return header.includes("'|b1'") ? { shape, values: bytes.subarray(from) } : null
}

function similarityOf(folder: string, at: string): number | null {
  const [a, b] = ['a', 'b'].map(side => signsIn(path.join(folder, side, at)))
  if (!a || !b || a.shape !== b.shape) return null
  return a.values.filter((value, i) => value === b.values[i]).length / a.values.length
}

describe('gradients where msprobe stops', () => {
  const cases: readonly (readonly [string, number])[] = [
    ['file_missing', 1],
    ['graph_header', 0],
    ['not_bool', 1],
    ['rank_without_number', 0],
    ['shape_differs', 1],
    ['shapes_differ', -1],
  ]
  it.each(cases)('%s is compared as far as it goes', async (name, empty) => {
    const folder = path.join(root, 'next', 'gradients', name)
    const sides = [path.join(folder, 'a'), path.join(folder, 'b')]
    const { code, out } = await cli(['grad_compare', ...sides, '-o', temporaryFolder(), '--json'])
    expect(code).toBe(0)
    const { ranks, problems } = JSON.parse(out)
    const below = readdirSync(sides[0]).find(entry => entry.startsWith('rank')) ?? ''
    let gaps = 0
    for (const { name: param, similarities } of ranks[0].params)
      for (const [i, step] of ranks[0].steps.entries()) {
        const want = similarityOf(folder, path.join(below, `step${step}`, `${param}.npy`))
        if (want === null) gaps++
        expect(similarities[i], `${param} at ${step}`).toBe(want)
      }
    expect(ranks[0].params.length).toBeGreaterThan(5)
    if (empty >= 0) expect(gaps).toBe(empty)
    expect(problems.length > 0).toBe(gaps > 0)
    const strict = await cli(['grad_compare', ...sides, '-o', temporaryFolder(), '--rules', 'msprobe-1.2.2'])
    expect(strict.code).toBe(2)
  })

  it('finds two runs without signs equal by their md5, and says that it had no more', async () => {
    const folder = path.join(root, 'next', 'gradients', 'l0')
    const sides = [path.join(folder, 'a'), path.join(folder, 'b')]
    const { code, out } = await cli(['grad_compare', ...sides, '-o', temporaryFolder(), '--json'])
    const { ranks, differences, problems } = JSON.parse(out)
    expect(code).toBe(0)
    expect(ranks).toMatchObject([{ rank: 0, steps: [] }])
    expect(differences).toEqual([])
    expect(problems).toHaveLength(1)
  })
})

describe('monitors', () => {
  const folders = casesIn('monitor').map(name => path.join(root, 'next', 'monitor', name))
  it.each(folders.filter(folder => path.basename(folder).startsWith('rank_')))('%s', async folder => {
    const { command, tool } = readCase(folder)
    const out = temporaryFolder()
    const asked = command.slice(6)
    const { code } = await cli([
      'anomaly_analyse',
      '-d',
      path.join(folder, 'in'),
      '-o',
      out,
      ...asked,
      '--rules',
      rulesOf(tool),
    ])
    const [mine, theirs] = [out, path.join(folder, 'golden')].map(at =>
      readFileSync(path.join(at, 'anomaly_analyse.json'), 'utf8'),
    )
    expect(code).toBe(0)
    expect(mine).toBe(theirs)
  })

  it.each(folders.filter(folder => path.basename(folder).startsWith('alerts_')))('%s', async folder => {
    const words = ['--alert', path.join(folder, 'rules.json'), '--rules', rulesOf(readCase(folder).tool)]
    const { code, out } = await cli(['monitor', path.join(folder, 'in'), ...words, '--json'])
    expect(code).toBe(0)
    const want = JSON.parse(readFileSync(path.join(folder, 'golden', 'alerts.json'), 'utf8'))
    const { alerts } = JSON.parse(out)
    expect(alerts).toHaveLength(want.length)
    expect(alerts).toMatchObject(want)
  })
})
