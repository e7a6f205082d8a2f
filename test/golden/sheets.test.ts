// What surrounds runs, as the window shows it: packages, checkpoints and results of many ranks, what matters on top.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SessionId, SheetAsked, SheetsInfo } from '../../preload/contract/engine.ts'
import { setupText } from '../../preload/contract/words/setup.ts'
import { readSheets } from '../../main/engine/formats/index.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { allDone, never, watchedEngine, type Watched } from '../support/watched.ts'

const next = (...parts: readonly string[]): string => path.join(fixturesRoot(), 'next', ...parts)
const pack = (name: string): string => next('config', 'packages', name)

interface Opened {
  readonly watched: Watched
  readonly session: SessionId
  readonly info: SheetsInfo
}

async function opened(paths: readonly string[]): Promise<Opened> {
  const watched = watchedEngine()
  const { session, kind } = await watched.open(paths)
  expect(kind).toBe('sheets')
  await watched.until(session, allDone)
  return { watched, session, info: await watched.engine.sheets({ session, unit: 0 }, never) }
}

const everything: Omit<SheetAsked, 'sheet'> = { levels: [], text: '', sort: null }

async function rowsOf(
  { watched, session, info }: Opened,
  id: string,
  asked: Partial<SheetAsked> = {},
): Promise<readonly (readonly (string | number | null)[])[]> {
  const sheet = info.sheets.findIndex(one => one.id === id)
  const where = { session, unit: 0, first: 0, count: 400 }
  const { rows } = await watched.engine.sheetPage({ ...where, ...everything, ...asked, sheet }, never)
  return rows.map(({ level, cells }) => [level, ...cells])
}

describe('saved', () => {
  it('as csv the shown table, what matters first, as a workbook all of them', async () => {
    const { watched, session, info } = await opened([pack('c9f0cae6.zip'), pack('aaf2dbcf.zip')])
    const folder = temporaryFolder()
    const save = async (format: 'csv' | 'xlsx', sheet: number): Promise<string> => {
      const written = await watched.engine.exportSheets({ session, unit: 0, sheet, folder, format }, never)
      return written.ok ? written.value.paths[0]! : written.problem.code
    }
    const csv = readFileSync(await save('csv', 0), 'utf8').split('\n')
    expect(csv[0]).toContain('Matters,Step,Rank,Name,Only on,Max off by')
    const { counts } = info.sheets[0]!
    expect(csv.filter(line => line.startsWith('decides'))).toHaveLength(counts.error)
    const files = diskFiles()
    files.allow(folder)
    const sheets = await readSheets(files, await save('xlsx', 0), job())
    expect(sheets.map(({ name, length }) => [name, length])).toEqual(
      info.sheets.map(({ id, counts: { error, warning, note, pass } }) => [
        id,
        error + warning + note + pass,
      ]),
    )
  })
})

describe('two packages of configuration', () => {
  it('begin with weights, then the environment with both values', async () => {
    const open = await opened([pack('c9f0cae6.zip'), pack('aaf2dbcf.zip')])
    expect(open.info.sheets.map(({ id }) => id)).toEqual([
      'weights',
      'dataset',
      'hyperparameters',
      'random',
      'env',
      'pip',
    ])
    expect(open.info.levels).toEqual({ error: 4, warning: 0, note: 0, pass: 0 })
    expect(await rowsOf(open, 'env')).toContainEqual(['error', 'HCCL_DETERMINISTIC', 'true', 'false'])
    expect(setupText('en', open.info.findings[0]!)).toBe(
      'The variable HCCL_DETERMINISTIC is true on the bench side and false on the debug side.',
    )
  })

  it('list weights with what differs on top, filtered and sorted as asked', async () => {
    const open = await opened([pack('c52d4e92.zip'), pack('3d80a721.zip')])
    const rows = await rowsOf(open, 'weights')
    expect(rows.map(([level]) => level)).toEqual([
      ...Array.from({ length: 3 }, () => 'error'),
      ...Array.from({ length: 9 }, () => 'warning'),
      ...Array.from({ length: 17 }, () => 'pass'),
    ])
    expect(rows[0]!.slice(0, 5)).toEqual(['error', 0, 0, 'layers.0.qkv.weight', ''])
    expect(rows[4]!.slice(0, 5)).toEqual(['warning', 0, 0, 'new.weight', 'debug'])
    const some = await rowsOf(open, 'weights', { levels: ['error'], text: 'HEAD' })
    expect(some.map(([, , , name]) => name)).toEqual(['head.weight'])
    const sorted = await rowsOf(open, 'weights', { levels: ['error'], sort: { column: 4, down: true } })
    expect(sorted.map(row => Number(row[5]).toFixed(3))).toEqual(['0.500', '0.000', '0.000'])
  })

  it('are read from folders as well as from zips', async () => {
    const folder = temporaryFolder()
    for (const [side, lr] of [
      ['a', 1e-4],
      ['b', 3e-4],
    ] as const) {
      const at = path.join(folder, side, 'hyperparameters')
      mkdirSync(at, { recursive: true })
      writeFileSync(
        path.join(at, 'hyperparameters_static.json'),
        JSON.stringify({ lr, 'api.token': side, layers: 3 }),
      )
    }
    const open = await opened([path.join(folder, 'a'), path.join(folder, 'b')])
    expect(await rowsOf(open, 'hyperparameters')).toEqual([
      ['error', 'api.token', '***', '***', ''],
      ['error', 'lr', '0.0003', '0.0001', ''],
    ])
  })

  it('say nothing alone, and say so', async () => {
    const watched = watchedEngine()
    const { session } = await watched.open([pack('aaf2dbcf.zip')])
    const { units } = await watched.until(session, ({ units: [unit] }) => unit?.state === 'failed')
    expect(units[0]!.failure?.code).toBe('sheets-alone')
  })
})

describe('results of several ranks', () => {
  const books = {
    'compare_result_rank0_20261119052153.xlsx': 'd84b993e.xlsx',
    'compare_result_rank1_20261119052154.xlsx': '36f140fd.xlsx',
    'compare_result_rank2_20261119052155.xlsx': '6cc406b4.xlsx',
    'compare_result_rank3_20261119052155.xlsx': '1d3f9af6.xlsx',
  }

  it('in a folder: metric after metric, the rank that is far from all others on top', async () => {
    const folder = temporaryFolder()
    for (const [name, file] of Object.entries(books))
      copyFileSync(next('merge', 'books', file), path.join(folder, name))
    // An older result of a rank, and what is none.
    copyFileSync(
      next('merge', 'books', 'd84b993e.xlsx'),
      path.join(folder, 'compare_result_rank3_20251119052155.xlsx'),
    )
    writeFileSync(path.join(folder, 'notes.txt'), '')
    const open = await opened([folder])
    expect(open.info.sheets.map(({ id }) => id)).toEqual([
      'Max diff',
      'Min diff',
      'Mean diff',
      'L2norm diff',
      'MaxRelativeErr',
      'MinRelativeErr',
      'MeanRelativeErr',
      'NormRelativeErr',
      'Requires_grad Consistent',
    ])
    expect(open.info.findings[0]).toMatchObject({ reason: 'rank-odd', facts: { rank: 'rank2' } })
    const [first] = await rowsOf(open, 'Max diff')
    expect(first!.map(cell => (typeof cell === 'number' ? Number(cell.toPrecision(4)) : cell))).toEqual([
      'warning',
      'Functional.gelu.1.forward.output.0',
      0,
      0,
      0.4081,
      0,
      0.4081,
    ])
    const told = (await open.watched.engine.session({ session: open.session }, never)).problems
    expect(told.map(({ code }) => code)).toContain('ranks-older')
  })

  it('in a merged workbook: its sheets', async () => {
    const file = path.join(temporaryFolder(), 'multi_ranks_compare_merge_20261119052249.xlsx')
    copyFileSync(next('merge', 'golden', 'collectives_26.xlsx'), file)
    const open = await opened([file])
    expect(open.info.sheets.map(({ id }) => id)).toEqual(['Max diff', 'L2norm diff', 'MeanRelativeErr'])
    const rows = await rowsOf(open, 'L2norm diff')
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.every(([, name]) => String(name).startsWith('Distributed.all_'))).toBe(true)
  })
})
