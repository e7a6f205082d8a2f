// One small transformer, dumped by msprobe on one rank and on ranks that shared it: runs of different layouts agree, and
// a fault that only the shared run has is found where it is.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/temporary.ts'

const run = (name: string): string => path.join(fixturesRoot(), 'ranks', name)

interface Answer {
  readonly counts: Readonly<Record<'rows' | 'equal' | 'noise' | 'differs' | 'incomparable', number>>
  readonly findings: readonly { readonly kind: string; readonly node: string }[]
}

async function compared(debug: string, bench: string, ...flags: readonly string[]): Promise<Answer> {
  const out = temporaryFolder()
  const {
    code,
    out: text,
    err,
  } = await cli(['compare', run(debug), run(bench), ...flags, '-o', out, '--json'])
  expect(code, err).toBe(0)
  return JSON.parse(text) as Answer
}

describe('the same run on other layouts', () => {
  it.each([
    ['tp2pp2', 'tp1', ['--tp', '2', '1', '--pp', '2', '1'], 2_500],
    ['tp2sp', 'tp1', ['--tp', '2', '1'], 2_500],
    ['pp2vpp2', 'tp1', ['--pp', '2', '1', '--vpp', '2', '1'], 2_600],
    ['tp2pp2', 'pp2vpp2', ['--tp', '2', '1', '--pp', '2', '2', '--vpp', '1', '2'], 2_500],
    ['tp1', 'tp2pp2', ['--tp', '1,2', '--pp', '1,2'], 2_500],
  ] as const)('%s against %s: nothing differs', async (debug, bench, flags, alike) => {
    const { counts } = await compared(debug, bench, ...flags)
    expect(counts.differs).toBe(0)
    expect(counts.equal + counts.noise).toBeGreaterThan(alike)
  })

  it('stages alone change no bit', async () => {
    const { counts } = await compared('pp2vpp2', 'tp1', '--pp', '2', '1', '--vpp', '2', '1')
    expect(counts).toMatchObject({ differs: 0, noise: 0 })
  })

  it('a bias that each rank adds before the sum is found at its addition', async () => {
    const { counts, findings } = await compared('tp2pp2_bias', 'tp1', '--tp', '2', '1', '--pp', '2', '1')
    expect(counts.differs).toBeGreaterThan(1_000)
    expect(findings[0]).toMatchObject({ kind: 'origin', node: 'Tensor.__add__.8.forward' })
  })
})

describe('how it is asked', () => {
  it('a compare.json holds the sizes of both sides', async () => {
    const folder = temporaryFolder()
    const json = path.join(folder, 'compare.json')
    writeFileSync(
      json,
      JSON.stringify({
        npu_path: path.join(run('tp2pp2'), 'step0'),
        bench_path: path.join(run('tp1'), 'step0'),
        parallel_merge: { npu: { rank_size: 4, tp: 2, pp: 2 }, bench: { rank_size: 1, tp: 1, pp: 1 } },
      }),
    )
    const { code, out, err } = await cli(['compare', '-i', json, '-o', folder, '--json'])
    expect(code, err).toBe(0)
    expect((JSON.parse(out) as Answer).counts.differs).toBe(0)
  })

  it.each([
    [['--tp', '3'], /ranks|rank/],
    [['--tp', '2', '1', '--rank_size', '8'], /4 ranks, 8 were said/],
    [['--order', 'tp-pp'], /--tp or --pp/],
    [['--tp', 'two'], /two/],
  ] as const)('%j is refused in one sentence', async (flags, said) => {
    const { code, err } = await cli(['compare', run('tp2pp2'), run('tp1'), ...flags, '-o', temporaryFolder()])
    expect(code).toBe(2)
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(err).toMatch(said)
  })

  it('rules of a file come first', async () => {
    const folder = temporaryFolder()
    const rules = path.join(folder, 'rules.yaml')
    writeFileSync(rules, 'linear_fc2:\n  parameters.weight: 0\n')
    const out = path.join(folder, 'out')
    const { code } = await cli([
      'compare',
      run('tp2sp'),
      run('tp1'),
      '--tp',
      '2',
      '1',
      '--shard_rules',
      rules,
      '-o',
      out,
      '--format',
      'csv',
    ])
    expect(code).toBe(0)
    const [csv] = readdirSync(out).filter(name => name.endsWith('.csv'))
    expect(readFileSync(path.join(out, csv ?? ''), 'utf8')).toMatch(
      /linear_fc2.*parameters\.weight.*"?\[32, 12\]/,
    )
  })
})

describe('graphs of ranks that were put together', () => {
  it('say of each value what it was made of, and meet those of the other layout', async () => {
    const out = temporaryFolder()
    const sizes = ['--tp', '2', '1', '--pp', '2', '1']
    const { code, err } = await cli(['graph', run('tp2pp2'), run('tp1'), ...sizes, '-o', out])
    expect(code, err).toBe(0)
    const [file = ''] = readdirSync(out)
    interface Node {
      readonly matched_node_link: readonly string[]
      readonly parallel_merge_info?: readonly string[]
    }
    const { NPU, Bench } = JSON.parse(readFileSync(path.join(out, file), 'utf8')) as Record<
      'NPU' | 'Bench',
      { readonly node: Readonly<Record<string, Node>> }
    >
    const nodes = Object.entries(NPU.node)
    const alone = nodes.filter(([, node]) => node.matched_node_link.length === 0).map(([id]) => id)
    expect(alone.filter(id => id.startsWith('Module.'))).toEqual([])
    // The loss over a shared vocabulary is made of other calls.
    expect(alone.length).toBeLessThan(nodes.length / 10)
    const split = nodes.find(([id]) => id.includes('linear_fc1.ColumnParallelLinear.forward.0'))?.[1]
    expect(split?.parallel_merge_info?.join()).toMatch(/weight: ranks 0, 1 along axis 0: Max = max/)
    // Layers are numbered through.
    expect(nodes.some(([id]) => id.includes('layers.3.'))).toBe(true)
    expect(Object.values(Bench.node).some(node => node.parallel_merge_info)).toBe(false)
  })

  it('stand in a database as well, of one side alone', async () => {
    const out = temporaryFolder()
    const { code, err } = await cli(['graph', run('tp2sp'), '--tp', '2', '-o', out, '--format', 'vis.db'])
    expect(code, err).toBe(0)
    const [file = ''] = readdirSync(out)
    expect(readFileSync(path.join(out, file)).includes('ranks 0, 1 along axis 0')).toBe(true)
  })
})
