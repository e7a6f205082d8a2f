// Questions in SQL: what comes along is answered, and what a user types reaches nothing but the dataset.
import { existsSync, readdirSync, readFileSync, symlinkSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { beforeAll, describe, expect, it } from 'vitest'
import { openQuestionsOver, readDataset } from '../../../main/engine/dataset/index.ts'
import { diskFiles } from '../../../main/engine/io/index.ts'
import { builtInNames, builtInQueries, Refusal } from '../../../main/engine/model/index.ts'
import { cli } from '../../support/cli.ts'
import { rankTrees } from '../../support/rank-trees.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const folder = temporaryFolder()
const dataset = path.join(folder, 'dataset')
const secret = path.join(folder, 'secret.csv')

beforeAll(async () => {
  writeFileSync(secret, 'a\nsecret\n')
  const order = { folder: path.join(folder, 'runs'), steps: 2, ranks: 4, tensors: 100 }
  const { debug, bench } = rankTrees({ ...order, fault: { rank: 2, step: 1, layer: 1 } })
  await cli(['compare', debug, bench, '-o', dataset, '--format', 'dataset'])
})

const ask = (sql: string, ...more: readonly string[]): ReturnType<typeof cli> =>
  cli(['query', dataset, sql, '--format', 'csv', ...more])

describe('questions that come along', () => {
  it.each(builtInNames)('%s is answered', async name => {
    const { code, out } = await cli(['query', dataset, '--built-in', name])
    expect(code).toBe(0)
    expect(out).not.toBe('')
  })

  it('find the rank, step and call that was made wrong', async () => {
    const { out } = await cli(['query', dataset, '--built-in', 'first-differences', '--format', 'csv'])
    expect(out.split('\n')[1]).toMatch(/^1,2,Functional\.linear\.9\.forward,/)
    const odd = await cli(['query', dataset, '--built-in', 'by-layer', '--format', 'csv'])
    expect(odd.out).toMatch(/^1,8,54,/m)
    expect(odd.out).toMatch(/^0,8,0,0$/m)
  })

  it('answer the same before a merge as after it', async () => {
    const merged = path.join(dataset, '_nodes.parquet')
    const asked = (): Promise<string> =>
      ask('select * from nodes order by all').then(({ out }) => out.split('\n').toSorted().join('\n'))
    const after = await asked()
    const bytes = readFileSync(merged)
    rmSync(merged)
    expect(await asked()).toBe(after)
    writeFileSync(merged, bytes)
  })
})

describe('the three formats', () => {
  const sql = 'select step, rank, node, level, differs > 0 as wrong from nodes where layer = 1 order by all'

  it('hold the same rows', async () => {
    const file = (name: string): string => path.join(folder, name)
    for (const name of ['a.csv', 'a.json', 'a.parquet']) {
      const { code } = await cli(['query', dataset, sql, '-o', file(name)])
      expect(code).toBe(0)
    }
    const csv = readFileSync(file('a.csv'), 'utf8').trimEnd().split('\n')
    const json = JSON.parse(readFileSync(file('a.json'), 'utf8')) as Record<string, unknown>[]
    const bytes = readFileSync(file('a.parquet'))
    const rows = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    })
    expect(csv[0]).toBe('step,rank,node,level,wrong')
    expect(json.length).toBe(csv.length - 1)
    expect(rows.length).toBe(json.length)
    for (const [i, row] of json.entries()) {
      expect(csv[i + 1]).toBe(Object.values(row).join(','))
      expect(Object.values(rows[i] ?? {}).map(String)).toEqual(Object.values(row).map(String))
    }
  })
})

describe('what a user types', () => {
  const part = (): string => path.join(dataset, 'step=0', 'rank=0', 'part.parquet')
  const tries: readonly (readonly [string, () => string])[] = [
    ['reads another file', () => `select * from read_csv('${secret}')`],
    ['reads another file by its name', () => `select * from '${secret}'`],
    ['reads a text', () => `select * from read_text('${secret}')`],
    ['reads a blob', () => `select * from read_blob('${secret}')`],
    ['sniffs', () => `select * from sniff_csv('${secret}')`],
    ['lists a folder', () => `select * from glob('${folder}/*')`],
    ['leaves the dataset by dots', () => `select * from read_text('${dataset}/step=0/../../secret.csv')`],
    ['copies out', () => `copy (select 1) to '${folder}/out.csv'`],
    ['copies over a part', () => `copy (select 1) to '${part()}' (format parquet)`],
    [
      'copies over a part, in place',
      () => `copy (select 1) to '${part()}' (format parquet, use_tmp_file false)`,
    ],
    [
      'copies in an explanation',
      () => `explain analyze copy (select 1) to '${part()}' (format parquet, use_tmp_file false)`,
    ],
    ['copies from', () => `create table t as select 1 as a; copy t from '${secret}'`],
    ['attaches', () => `attach '${folder}/other.duckdb'`],
    ['installs', () => 'install httpfs'],
    ['loads', () => 'load httpfs'],
    ['reads the network', () => "select * from read_csv('https://example.com/a.csv')"],
    ['sets', () => "set memory_limit = '99GB'"],
    ['opens access', () => 'set enable_external_access = true'],
    ['resets', () => 'reset enable_external_access'],
    ['sets by a pragma', () => 'pragma enable_external_access = true'],
    ['makes a table', () => 'create table t (a int)'],
    ['makes a secret', () => 'create secret s (type s3)'],
    ['makes a macro', () => 'create macro f(a) as a'],
    ['drops', () => 'drop view nodes'],
    ['inserts', () => 'insert into units (step) values (1)'],
    ['updates', () => 'update units set step = 1'],
    ['deletes', () => 'delete from units'],
    ['asks the environment', () => "select getenv('HOME')"],
    ['exports', () => `export database '${folder}/all'`],
    ['imports', () => `import database '${folder}'`],
    ['calls', () => 'call pragma_version()'],
    ['begins', () => 'begin transaction'],
    ['prepares', () => 'prepare p as select 1'],
    ['asks twice', () => 'select 1; select 2'],
    [
      'logs into a file',
      () => `select * from enable_logging(storage = 'file', storage_path = '${folder}/log')`,
    ],
    ['logs, by the whole name', () => 'select * from system.main.enable_logging()'],
    ['asks a text', () => "select * from query('select ' || '1')"],
    ['asks in a subquery', () => 'select (select count(*) from DUCKDB_SETTINGS())'],
    ['asks nothing', () => ''],
  ]

  it.each(tries)('%s, and is refused', async (_, sql) => {
    const before = readdirSync(folder).toSorted()
    const bytes = readFileSync(part())
    const { code, out, err } = await ask(sql())
    expect(code).toBe(2)
    expect(out + err).not.toContain('secret\n')
    expect(err).not.toBe('')
    expect(readdirSync(folder).toSorted()).toEqual(before)
    expect(readFileSync(part())).toEqual(bytes)
  })

  it('cannot leave by a link in the dataset', async () => {
    const link = path.join(dataset, 'step=0', 'link.csv')
    symlinkSync(secret, link)
    expect((await ask(`select * from read_csv('${link}')`)).code).toBe(2)
    rmSync(link)
  })

  it('spoils nothing for the next question', async () => {
    const files = diskFiles()
    const questions = await openQuestionsOver(files, readDataset(files, dataset))
    for (const [, sql] of tries) {
      try {
        for await (const _ of (await questions.ask(sql())).pieces);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal)
      }
    }
    for (const name of builtInNames) {
      const { columns, pieces } = await questions.ask(builtInQueries[name])
      expect(columns.length).toBeGreaterThan(0)
      for await (const _ of pieces);
    }
    questions.close()
    files.close()
    expect(existsSync(path.join(folder, 'log'))).toBe(false)
  })

  it('is told what is wrong in one sentence', async () => {
    expect((await ask('selec 1')).err).toContain('syntax error at or near "selec"')
    expect((await ask('delete from units')).err).toContain('Only a SELECT')
    expect((await ask('select 1; select 2')).err).toContain('2 statements')
  })
})
