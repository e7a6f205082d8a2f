// What people have beside good files of values over steps: said once and plainly, and the rest is shown.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSqlite } from '../../main/engine/io/index.ts'
import { type Sink } from '../../main/engine/io/output.ts'
import { CellKind, type SeriesInfo, type SeriesMap } from '../../preload/contract/engine.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { never, watchedEngine } from '../support/watched.ts'

type Tree = Readonly<Record<string, string | Uint8Array>>

function folderOf(tree: Tree): string {
  const root = path.join(temporaryFolder(), 'run')
  for (const [name, content] of Object.entries(tree)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), content)
  }
  return root
}

interface Opened {
  readonly info: SeriesInfo | null
  /** Severity and code of all that was said. */
  readonly told: readonly string[]
  readonly failed: string
  map(metric: number, stat: string): Promise<SeriesMap>
}

const wholePicture = {
  view: 'debug',
  fixed: 'rank',
  at: 0,
  target: '',
  columns: 50,
  rows: 50,
  window: null,
  tags: [],
  search: '',
} as const

async function opened(...paths: readonly string[]): Promise<Opened> {
  const { engine, open } = watchedEngine()
  const { session } = await open(paths)
  const at = { session, unit: 0 }
  const info = await engine.series(at, never).catch(() => null)
  const { problems, units } = await engine.session({ session }, never)
  return {
    info,
    told: problems.map(({ severity, code }) => `${severity} ${code}`),
    failed: units[0]?.failure?.code ?? '',
    map: (metric, stat) => engine.seriesMap({ ...at, ...wholePicture, metric, stat }, never),
  }
}

const header = 'param_name,max,min,norm,shape\n'
const row = (name: string, norm: string): string => `${name},1,-1,${norm},"[4, 5]"\n`
const monitor = 'Dec03_21-34-40-rank0-1a2b3c4d'
const lines = (...of: readonly string[]): string => `vpp_stage,name,step,norm\n${of.join('\n')}\n`

describe('gradients', () => {
  it('rows, steps and ranks on one side only leave the others to be compared', async () => {
    const debug = folderOf({
      'rank0/grad_summary_0.csv': header + row('a', '1') + row('mine', '2'),
      'rank0/grad_summary_1.csv': header + row('a', '1'),
      'rank1/grad_summary_0.csv': header + row('a', '1'),
    })
    const bench = folderOf({ 'rank0/grad_summary_0.csv': header + row('a', '1') + row('theirs', '2') })
    const { info, told } = await opened(debug, bench)
    expect(info?.metrics.map(({ both, targets }) => [both, targets])).toEqual([[true, 3]])
    expect(told.every(one => !one.startsWith('error'))).toBe(true)
    expect(told.length).toBeGreaterThanOrEqual(3)
  })

  it('`nan` and `inf` as texts are shown as what they are', async () => {
    const { info, map, told } = await opened(
      folderOf({
        'rank0/grad_summary_0.csv': header + row('a', 'nan') + row('b', '-inf') + row('c', 'NaN'),
        'rank0/grad_summary_1.csv': header + row('a', '1') + row('b', '2') + row('c', ''),
      }),
    )
    expect([info?.metrics.length, told]).toEqual([1, []])
    const { kinds } = await map(0, 'norm')
    expect([...kinds]).toEqual([
      CellKind.nan,
      CellKind.number,
      CellKind.minusInf,
      CellKind.number,
      CellKind.nan,
      CellKind.none,
    ])
  })

  it('a last line that was cut is left out and said', async () => {
    const { info, told } = await opened(
      folderOf({ 'rank0/grad_summary_0.csv': `${header}${row('a', '1')}b,1,-` }),
    )
    expect([info?.metrics[0]?.targets, told]).toEqual([1, ['warning series-cut']])
  })

  it('folders and files of other tools between are passed over', async () => {
    const { info, told } = await opened(
      folderOf({
        'rank0/grad_summary_0.csv': header + row('a', '1'),
        'rank0/grad_summary_final.csv': 'x',
        'rank0/Dump/step_finish': '',
        'rank/notes.txt': 'x',
        'rank_0/x.csv': 'a,b\n1,2\n',
        'profiling/PROF_1/host/x.json': '{}',
        'kernel_meta/a.o': 'x',
        '.ipynb_checkpoints/grad_summary_0.csv': header,
      }),
    )
    expect([info?.metrics[0]?.targets, info?.metrics[0]?.ranks, told]).toEqual([
      1,
      [0],
      // What a run leaves beside its results until it ends.
      ['note grad-running'],
    ])
  })
})

describe('monitors', () => {
  it('a header that was appended with other columns holds from there on', async () => {
    const text = `${lines('0,w,0,1')}vpp_stage,name,step,min,norm\n0,w,1,-2,3\n`
    const { info, told } = await opened(folderOf({ [`${monitor}/grad_reduced_0-9.csv`]: text }))
    expect(info?.metrics.map(({ stats, steps }) => [stats, steps])).toEqual([
      [
        ['norm', 'min'],
        [0, 1],
      ],
    ])
    expect(told).toEqual([])
  })

  it('several folders of one rank are several runs, of which one is chosen', async () => {
    const { info } = await opened(
      folderOf({
        [`${monitor}/grad_reduced_0-0.csv`]: lines('0,w,0,1'),
        'Dec04_09-00-00-rank0-99999999/grad_reduced_0-0.csv': lines('0,w,0,2'),
        'tensorboard/events.out': 'x',
      }),
    )
    expect(info?.metrics.map(({ run }) => run)).toEqual([1, 2])
  })

  it('a folder without a monitor in it is said to be none', async () => {
    const { open } = watchedEngine()
    await expect(open([folderOf({ 'rank_0/readme.csv': 'a\n' })])).rejects.toThrow(/not-a-dump|unknown/)
  })
})

// ---------------------------------------- databases

function database(...sql: readonly string[]): string {
  const made = createSqlite()
  for (const one of sql) made.exec(one)
  const pieces: Uint8Array[] = []
  made.finish({ path: '', write: (bytes: Uint8Array) => void pieces.push(bytes.slice()) } as unknown as Sink)
  const file = path.join(temporaryFolder(), 'dump_data.trend.db')
  writeFileSync(file, Buffer.concat(pieces))
  return file
}

const tables = [
  'CREATE TABLE monitoring_targets (target_id INTEGER PRIMARY KEY, target_name TEXT, vpp_stage INTEGER, micro_step INTEGER)',
  'CREATE TABLE monitoring_metrics (metric_id INTEGER PRIMARY KEY, metric_name TEXT)',
  'CREATE TABLE monitoring_tags (tag_id INTEGER PRIMARY KEY, tag_name TEXT, category TEXT, metric_id INTEGER)',
  'CREATE TABLE tag_target_mapping (tag_id INTEGER, target_id INTEGER, PRIMARY KEY (tag_id, target_id))',
  'CREATE TABLE trend_data (rank INTEGER, step INTEGER, target_id INTEGER, metric_id INTEGER, norm REAL, PRIMARY KEY (rank, step, target_id, metric_id)) WITHOUT ROWID',
]
const rows = [
  "INSERT INTO monitoring_targets VALUES (1, 'a.b', 0, 0)",
  "INSERT INTO monitoring_metrics VALUES (1, 'forward')",
  'INSERT INTO trend_data VALUES (0, 0, 1, 1, 2.5), (0, 1, 1, 1, 1000000001), (0, 2, 1, 1, NULL)',
]

describe('trend databases', () => {
  it('an empty one is said to be empty', async () => {
    expect((await opened(database(...tables))).failed).toBe('trend-empty')
  })

  it('one of another version is read as far as it is known', async () => {
    const version = ['CREATE TABLE schema_version (v TEXT)', "INSERT INTO schema_version VALUES ('9.0')"]
    const wider = tables.map(sql => sql.replace('norm REAL', 'norm REAL, kurtosis REAL'))
    const { info, map } = await opened(
      database(...wider, ...version, ...rows.map(sql => sql.replace(/(\(0, \d, 1, 1, [\w.]+)\)/g, '$1, 7)'))),
    )
    expect(info?.metrics.map(({ name, stats }) => [name, stats])).toEqual([['forward', ['norm', 'kurtosis']]])
    const { kinds } = await map(0, 'norm')
    expect([...kinds]).toEqual([CellKind.number, CellKind.inf, CellKind.none])
  })

  it('one whose tables are others is said to be no such database, and what it lacks', async () => {
    const failed = await opened(database('CREATE TABLE t (a INTEGER)', 'INSERT INTO t VALUES (1)'))
    expect(failed.failed).toBe('trend-invalid')
  })
})
