// Comma separated text, Arrow and Parquet: read back by other readers.
import { tableFromIPC } from 'apache-arrow'
import { parquetReadObjects } from 'hyparquet'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openOutput, type Sink } from '../../../main/engine/io/output.ts'
import { job } from '../../../main/engine/work/job.ts'
import { writeArrow, writeParquet } from '../../../main/engine/report/columnar.ts'
import { writeCsv } from '../../../main/engine/report/csv.ts'
import { tableOf } from '../../support/table.ts'

async function file(write: (sink: Sink) => Promise<void>): Promise<Buffer> {
  const output = openOutput(mkdtempSync(path.join(tmpdir(), 'plumbline-text-')))
  await write(output.create('a'))
  return readFileSync(output.commit()[0])
}
const csv = async (rows: Parameters<typeof tableOf>[1], inert = true): Promise<string> =>
  String(
    await file(sink =>
      writeCsv(tableOf(['NPU Name', 'Max diff', 'why*'], rows), sink, { extras: false, inert }, job()),
    ),
  )

const mixed = () =>
  tableOf(
    ['name', 'diff', 'note*'],
    [
      ['a', 0.5, 'x'],
      ['b', 'N/A', ''],
      ['c', Infinity, '中'],
      ['d', NaN, 'y'],
    ],
    [0, 1, 2, 0],
  )

const readParquet = async (bytes: Buffer): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({
    file: {
      byteLength: bytes.length,
      slice: (from, to) => Promise.resolve(new Uint8Array(bytes.subarray(from, to)).slice().buffer),
    },
  })

describe('csv', () => {
  it('holds the texts of the spreadsheet', async () => {
    expect(
      await csv([
        ['a,b', 0.1 + 0.2, 'ours'],
        ['say "hi"', 'Nan', ''],
        ['two\nlines', -Infinity, ''],
        ['c', 1e-5, ''],
        ['d', null, ''],
      ]),
    ).toBe('NPU Name,Max diff\n"a,b",0.3\n"say ""hi""",Nan\n"two\nlines",-inf\t\nc,1e-05\nd,None\n')
  })

  it('makes formulas inert unless told not to', async () => {
    const hostile = ['=1+1', '+cmd', '@SUM(A1)', '-2+3+cmd|x!A0', '\tx'].map(text => [text, 1, ''])
    expect(await csv(hostile)).toBe(
      "NPU Name,Max diff\n'=1+1,1\n'+cmd,1\n'@SUM(A1),1\n'-2+3+cmd|x!A0,1\n'\tx,1\n",
    )
    expect(await csv([['=1+1', 1, '']], false)).toBe('NPU Name,Max diff\n=1+1,1\n')
    expect(
      await csv([
        ['-1', -3, ''],
        ['-inf\t', '-5.0%', ''],
      ]),
    ).toBe('NPU Name,Max diff\n-1,-3\n-inf\t,-5.0%\n')
  })
})

describe('arrow', () => {
  it('keeps numbers as numbers and other texts beside them', async () => {
    const table = tableFromIPC(await file(sink => writeArrow(mixed(), sink, { rules: 'plumbline' }, job())))
    expect(table.schema.fields.map(f => `${f.name}: ${f.type}`)).toEqual([
      'row: Int32',
      'name: Utf8',
      'diff: Float64',
      'diffText: Utf8',
      'note: Utf8',
      'state: Utf8',
      'fill: Utf8',
      'level: Float64',
    ])
    expect(table.schema.metadata.get('rules')).toBe('plumbline')
    expect(table.schema.fields[2].metadata.get('title')).toBe('diff')
    expect(table.toArray().map(row => [row?.name, row?.diff, row?.diffText, row?.fill])).toEqual([
      ['a', 0.5, null, ''],
      ['b', null, 'N/A', 'yellow'],
      ['c', Infinity, null, 'red'],
      ['d', NaN, null, ''],
    ])
  })

  it('writes many batches', async () => {
    const table = {
      ...mixed(),
      length: 40_000,
      fill: new Uint8Array(40_000),
      state: new Uint8Array(40_000).fill(1),
      level: new Float64Array(40_000),
      kind: (r: number, c: number) => mixed().kind(r % 4, c),
      text: (r: number) => `row ${r}`,
      number: (r: number) => r,
    }
    const read = tableFromIPC(
      await file(sink => writeArrow({ ...table, kind: (_, c) => (c === 1 ? 2 : 5) }, sink, {}, job())),
    )
    expect(read.numRows).toBe(40_000)
    expect(read.get(39_999)?.toJSON()).toMatchObject({
      row: 39_999,
      diff: 39_999,
      name: 'row 39999',
      state: 'equal',
      level: 0,
    })
  })

  it('writes a table without rows', async () => {
    const none = tableOf(['a'], [])
    expect(tableFromIPC(await file(sink => writeArrow(none, sink, {}, job()))).numRows).toBe(0)
  })
})

describe('parquet', () => {
  it('holds the same columns as arrow', async () => {
    expect(
      await readParquet(await file(sink => writeParquet(mixed(), sink, { rules: 'plumbline' }, job()))),
    ).toEqual([
      {
        row: 0,
        name: 'a',
        diff: 0.5,
        diffText: null,
        note: 'x',
        state: 'incomparable',
        fill: '',
        level: null,
      },
      {
        row: 1,
        name: 'b',
        diff: null,
        diffText: 'N/A',
        note: '',
        state: 'incomparable',
        fill: 'yellow',
        level: null,
      },
      {
        row: 2,
        name: 'c',
        diff: Infinity,
        diffText: null,
        note: '中',
        state: 'incomparable',
        fill: 'red',
        level: null,
      },
      {
        row: 3,
        name: 'd',
        diff: NaN,
        diffText: null,
        note: 'y',
        state: 'incomparable',
        fill: '',
        level: null,
      },
    ])
  })

  it('writes many row groups', async () => {
    const base = mixed()
    const table = {
      ...base,
      length: 40_000,
      fill: new Uint8Array(40_000),
      state: new Uint8Array(40_000),
      level: new Float64Array(40_000),
      kind: (_: number, c: number) => (c === 1 ? (2 as const) : (5 as const)),
      text: (r: number) => `row ${r}`,
      number: (r: number) => r,
    }
    const rows = await readParquet(await file(sink => writeParquet(table, sink, {}, job())))
    expect(rows).toHaveLength(40_000)
    expect(rows[39_999]).toMatchObject({ row: 39_999, diff: 39_999, name: 'row 39999' })
  })
})
