// Trend databases: the content that msprobe 26 writes, the pictures made of it, and files of other tools.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = path.join(fixturesRoot(), 'next', 'database')
const folders = readdirSync(root).sort()

interface Golden {
  readonly stats: readonly string[]
  readonly targets: readonly unknown[]
  readonly tags: readonly unknown[]
  readonly mapping: readonly unknown[]
  readonly trend: readonly (readonly unknown[])[]
  readonly global_stats: readonly Readonly<Record<string, unknown>>[]
}

const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const asSet = (rows: readonly unknown[]): readonly string[] => rows.map(row => JSON.stringify(row)).sort()

const queries = {
  targets: 'SELECT target_name, vpp_stage, micro_step FROM monitoring_targets',
  tags: 'SELECT tag_name, category, metric_name FROM monitoring_tags JOIN monitoring_metrics USING (metric_id)',
  mapping: `SELECT tag_name, category, metric_name, target_name, vpp_stage, micro_step FROM tag_target_mapping
    JOIN monitoring_tags USING (tag_id) JOIN monitoring_metrics USING (metric_id) JOIN monitoring_targets USING (target_id)`,
} as const

function told(file: string, stats: readonly string[]): Golden {
  const database = new sqlite.Database(file, { readOnly: true })
  const rows = (sql: string): readonly (readonly unknown[])[] =>
    database.all(sql).map(row => Object.values(row))
  try {
    return {
      stats,
      targets: rows(queries.targets),
      tags: rows(queries.tags),
      mapping: rows(queries.mapping),
      trend: rows(`SELECT rank, step, target_name, vpp_stage, micro_step, metric_name, ${stats.join(', ')}
        FROM trend_data JOIN monitoring_targets USING (target_id) JOIN monitoring_metrics USING (metric_id)`),
      global_stats: database.all('SELECT * FROM global_stats'),
    }
  } finally {
    database.close()
  }
}

/** Statistics of a metric in any order. */
const globals = (rows: Golden['global_stats']): unknown =>
  Object.entries(rows.at(-1) ?? {})
    .map(([name, value]) => [name, typeof value === 'string' ? value.split(',').sort() : value])
    .sort()

async function written(name: string): Promise<{ readonly code: number; readonly out: string }> {
  const folder = path.join(root, name)
  const { command } = json(path.join(folder, 'case.json')) as { readonly command: readonly string[] }
  const words = command.slice(3).map(word => (word.startsWith('./') ? path.join(folder, word) : word))
  const out = temporaryFolder()
  const { code } = await cli(['data2db', '--db', out, ...words, '--rules', 'msprobe-26'])
  return { code, out }
}

const goldensOf = (name: string): readonly string[] => {
  const folder = path.join(root, name, 'golden')
  return existsSync(folder) ? readdirSync(folder).filter(file => file.endsWith('.trend.json')) : []
}

describe('databases as msprobe writes them', () => {
  it.each(folders.filter(name => goldensOf(name).length > 0))('%s', async name => {
    const { code, out } = await written(name)
    expect(code).toBe(0)
    for (const file of goldensOf(name)) {
      const golden = json(path.join(root, name, 'golden', file)) as Golden
      const mine = told(path.join(out, file.replace(/json$/, 'db')), golden.stats)
      for (const part of ['targets', 'tags', 'mapping', 'trend'] as const)
        expect(asSet(mine[part])).toEqual(asSet(golden[part]))
      expect(globals(mine.global_stats)).toEqual(globals(golden.global_stats))
    }
  })

  it('says that there is nothing to import', async () => {
    const { code, out } = await written('nothing')
    expect(code).toBe(2)
    expect(readdirSync(out)).toEqual([])
  })
})

describe('trend', () => {
  const asked = ['--metric', 'grad_reduced', '--stat', 'norm'] as const

  it('answers with what stands at a step, at a rank, of a module and behind a tag', async () => {
    const { out } = await written('monitor')
    const file = path.join(out, 'monitor_data.trend.db')
    const cells = async (...words: readonly string[]): Promise<readonly { x: number; y: unknown }[]> =>
      JSON.parse((await cli(['trend', file, ...asked, ...words, '--json'])).out).cells
    const [first] = await cells('--step', '0')
    expect(first.y).toMatch(/^0_module\..+_0$/)
    expect(new Set((await cells('--step', '0')).map(({ x }) => x))).toEqual(new Set([0, 1]))
    expect(new Set((await cells('--rank', '1')).map(({ x }) => x))).toEqual(new Set([0, 1, 2, 3]))
    expect(await cells('--module', String(first.y))).toHaveLength(8)
    const tagged = await cells('--step', '0', '--tag', 'layers.0', '--tag', 'bias')
    expect(tagged.map(({ y }) => y)).toEqual([
      '0_module.layers.0.norm.bias_0',
      '0_module.layers.0.norm.bias_0',
    ])
  })

  it('says what a database lacks, and what is none', async () => {
    const { out } = await written('monitor')
    const file = path.join(out, 'monitor_data.trend.db')
    const other = await cli(['trend', file, '--metric', 'forward', '--stat', 'norm', '--step', '0'])
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('grad_reduced')])
    const both = await cli(['trend', file, ...asked, '--step', '0', '--rank', '0'])
    expect(both.code).toBe(2)
    const bytes = readFileSync(file)
    const folder = path.join(out, 'broken')
    mkdirSync(folder)
    for (const [name, content] of [
      ['empty', Buffer.alloc(0)],
      ['text', Buffer.from('rank,step\n'.repeat(100))],
      ['cut', bytes.subarray(0, bytes.length >> 1)],
      ['head', bytes.subarray(0, 4096)],
    ] as const) {
      const broken = path.join(folder, `${name}.trend.db`)
      writeFileSync(broken, content)
      const { code, err } = await cli(['trend', broken, ...asked, '--step', '0'])
      expect([name, code, err]).toEqual([name, 2, expect.stringContaining('trend database')])
    }
  })
})
