// Parquet from the inside: what is compressed reads back, and so does a column of anything.
import fc from 'fast-check'
import { parquetReadObjects, snappyUncompress } from 'hyparquet'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openOutput } from '../../../main/engine/io/output.ts'
import { TextPool } from '../../../main/engine/model/columns.ts'
import { writeParquet } from '../../../main/engine/report/columnar.ts'
import {
  IntValues,
  NumberValues,
  ParquetFile,
  type ParquetField,
  TextValues,
} from '../../../main/engine/report/parquet.ts'
import { Snappy } from '../../../main/engine/report/snappy.ts'
import { job } from '../../../main/engine/work/job.ts'
import { tableOf } from '../../support/table.ts'

const read = (bytes: Uint8Array): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({
    file: {
      byteLength: bytes.length,
      slice: (from, to) => Promise.resolve(new Uint8Array(bytes.subarray(from, to)).slice().buffer),
    },
  })

function written(
  fields: readonly ParquetField[],
  put: (file: ParquetFile) => void,
): Promise<Record<string, unknown>[]> {
  const parts: Uint8Array[] = []
  const file = new ParquetFile(bytes => parts.push(bytes.slice()), fields, { made: 'here' })
  put(file)
  file.end()
  return read(Buffer.concat(parts))
}

describe('snappy', () => {
  const snappy = new Snappy()
  const back = (bytes: Uint8Array): Uint8Array => {
    const out = new Uint8Array(bytes.length)
    snappyUncompress(snappy.compress(bytes).slice(), out)
    return out
  }

  it('gives back any bytes', () => {
    const piece = fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.nat(300))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
        const bytes = Buffer.concat(
          pieces.flatMap(([piece, times]) => Array.from({ length: times }, () => piece)),
        )
        expect(back(bytes)).toEqual(new Uint8Array(bytes))
      }),
    )
  })

  it('gives back what is longer than a block, whether it repeats or not', () => {
    let state = 1
    const wild = Uint8Array.from({ length: 300_001 }, () => (state = Math.imul(state, 48271) >>> 0) >>> 13)
    expect(back(wild)).toEqual(wild)
    const alike = new Uint8Array(300_001).fill(7)
    expect(back(alike)).toEqual(alike)
    expect(snappy.compress(alike).length).toBeLessThan(20_000)
  })
})

describe('columns of parquet', () => {
  const any = fc.option(
    fc.oneof(
      fc.double(),
      fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 5e-324),
      fc.integer({ min: 0, max: 3 }),
    ),
  )
  it('hold any numbers, or none, over several groups', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(any, { minLength: 1, maxLength: 200 }), { maxLength: 3 }),
        async groups => {
          const values = new NumberValues(200)
          const rows = await written([{ name: 'a', type: 'double', optional: true }], file => {
            for (const group of groups) {
              values.begin()
              for (const value of group)
                if (value === null) values.none()
                else values.number(value)
              file.add(file.group(group.length), 0, values)
            }
          })
          expect(rows.map(row => row['a'])).toEqual(groups.flat())
        },
      ),
    )
  })

  it('hold any texts, of a pool or not, and shares', async () => {
    const pool = new TextPool()
    const cell = fc.oneof(
      fc.constant(null),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('N/A', '', '中文', 'a'.repeat(5000)),
      fc.record({ code: fc.string() }),
      fc.record({ share: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 100 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 100 }), async cells => {
        const values = new TextValues(100)
        values.begin()
        for (const one of cells)
          if (one === null) values.none()
          else if (typeof one === 'string') values.text(one)
          else if ('code' in one) values.code(pool, pool.add(one.code))
          else values.percent(one.share)
        const rows = await written([{ name: 'a', type: 'text', optional: true }], file =>
          file.add(file.group(cells.length), 0, values),
        )
        expect(rows).toHaveLength(cells.length)
        for (const [i, one] of cells.entries()) {
          const found = rows[i]['a']
          if (one === null || typeof one === 'string') expect(found).toBe(one)
          else if ('code' in one) expect(found).toBe(one.code)
          else expect(Number(String(found).replace('%', ''))).toBe(one.share)
        }
      }),
    )
  })

  it('may come late, and must come', async () => {
    const fields: ParquetField[] = [
      { name: 'first', type: 'int', optional: false },
      { name: 'late', type: 'int', optional: true },
    ]
    const values = new IntValues(10)
    const column = (from: number): IntValues => {
      values.begin()
      for (let i = 0; i < 10; i++) values.number(from + i)
      return values
    }
    const rows = await written(fields, file => {
      for (const group of [0, 1]) file.add(file.group(10), 0, column(group * 10))
      for (const group of [0, 1]) file.add(group, 1, column(100 + group * 10))
    })
    expect(rows).toEqual(Array.from({ length: 20 }, (_, i) => ({ first: i, late: 100 + i })))
    await expect(async () => written(fields, file => file.add(file.group(10), 0, column(0)))).rejects.toThrow(
      'late was not written',
    )
  })
})

describe('a table in parquet', () => {
  it('takes its states when they are there', async () => {
    const table = tableOf(['name'], [['a'], ['b']])
    const states = { state: Uint8Array.of(2, 3), level: Float64Array.of(0.25, 1) }
    const judged = new Promise<typeof states>(resolve => {
      setTimeout(() => resolve(states), 1)
    })
    const output = openOutput(mkdtempSync(path.join(tmpdir(), 'plumbline-parquet-')))
    await writeParquet(table, output.create('a'), {}, job(), { judged })
    expect(await read(readFileSync(output.commit()[0]))).toMatchObject([
      { name: 'a', state: 'noise', level: 0.25 },
      { name: 'b', state: 'differs', level: 1 },
    ])
  })
})
