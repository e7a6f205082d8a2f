// Spreadsheets: read back by a reader that shares no code with the writer, and byte checks of what readers
// forgive.
import fc from 'fast-check'
import { unzipSync } from 'fflate'
import { readXlsx } from 'hucre'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openOutput } from '../../../main/engine/io/output.ts'
import { job } from '../../../main/engine/work/job.ts'
import { g16 } from '../../../main/engine/python/numpy.ts'
import { slices, type Table } from '../../../main/engine/report/table.ts'
import { escaped, letter, writeXlsx } from '../../../main/engine/report/xlsx.ts'
import { tableOf } from '../../support/table.ts'

async function written(table: Table, extras = true, truths = false): Promise<Uint8Array> {
  const output = openOutput(mkdtempSync(path.join(tmpdir(), 'plumbline-xlsx-')))
  await writeXlsx(
    [{ name: 'Sheet', table, from: 0, to: table.length, truths }],
    output.create('a.xlsx'),
    extras,
    job(),
  )
  const [file] = output.commit()
  return readFileSync(file)
}
/** `%.16g` by whole numbers of any size. */
function slowG16(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const exact = Math.abs(value).toPrecision(100) // oxlint-disable-line number-arg-out-of-range -- 100 is the most that is allowed
  const [mantissa, power = '0'] = exact.split('e')
  const digits = mantissa.replace('.', '').replace(/^0+/, '')
  let exponent = mantissa.startsWith('0.')
    ? -(/^0\.(0*)/.exec(mantissa)?.[1].length ?? 0) - 1
    : mantissa.indexOf('.') < 0
      ? mantissa.length - 1
      : mantissa.indexOf('.') - 1
  exponent += Number(power)
  const half = 10n ** BigInt(digits.length - 16)
  let head = BigInt(digits) / half
  const rest = (BigInt(digits) % half) * 2n
  if (rest > half || (rest === half && head % 2n === 1n)) head++
  let text = String(head)
  if (text.length > 16) {
    text = text.slice(0, 16)
    exponent++
  }
  const sign = value < 0 ? '-' : ''
  const short = text.replace(/0+$/, '')
  if (exponent < -4 || exponent >= 16)
    return `${sign}${short[0]}${short.length > 1 ? `.${short.slice(1)}` : ''}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${short}`
  return (
    sign + text.slice(0, exponent + 1) + (short.length > exponent + 1 ? `.${short.slice(exponent + 1)}` : '')
  )
}

const sheetXml = (bytes: Uint8Array): string =>
  new TextDecoder().decode(unzipSync(bytes)['xl/worksheets/sheet1.xml'])
const readBack = async (bytes: Uint8Array): Promise<unknown[][]> => (await readXlsx(bytes)).sheets[0].rows

describe('xlsx', () => {
  it('gives another reader the same cells', async () => {
    const table = tableOf(
      ['NPU Name', 'Max diff', 'Result'],
      [
        ['Torch.add.0.forward.input.0', 0.1 + 0.2, 'pass'],
        ['Torch.add.0.forward.output.0', -1e-5, ''],
        ['中文 <b> & "q" \'s\' 😀', 2 ** 53, ' padded '],
        ['two\nlines\tand a tab', Infinity, null],
      ],
    )
    expect(await readBack(await written(table))).toEqual([
      ['NPU Name', 'Max diff', 'Result'],
      ['Torch.add.0.forward.input.0', 0.3, 'pass'],
      ['Torch.add.0.forward.output.0', -1e-5, ''],
      ['中文 <b> & "q" \'s\' 😀', 9007199254740992, ' padded '],
      ['two\nlines\tand a tab', 'inf\t', 'None'],
    ])
  })

  it('writes truth values as such where they are wanted, else as texts', async () => {
    const table = tableOf(
      ['equal', 'other'],
      [
        [true, 1],
        [false, null],
      ],
    )
    expect(await readBack(await written(table, true, true))).toEqual([
      ['equal', 'other'],
      [true, 1],
      [false, 'None'],
    ])
    expect(await readBack(await written(table))).toEqual([
      ['equal', 'other'],
      ['True', 1],
      ['False', 'None'],
    ])
  })

  it('writes formula-like texts as texts that stay texts', async () => {
    const xml = sheetXml(
      await written(
        tableOf(
          ['=A1', 'b'],
          [
            ['=1+1', '+1'],
            ['-cmd|x', '@SUM(A1)'],
          ],
        ),
      ),
    )
    expect(xml).not.toContain('<f>')
    for (const text of ['=1+1', '+1', '-cmd|x', '@SUM(A1)'])
      expect(xml).toContain(`s="3" t="inlineStr"><is><t>${text}</t>`)
  })

  it('fills whole rows and keeps the fill of formula-like texts', async () => {
    const bytes = await written(
      tableOf(
        ['a', 'b'],
        [
          ['x', 1],
          ['-inf\t', 2],
        ],
        [1, 2],
      ),
    )
    const xml = sheetXml(bytes)
    expect(xml).toContain('<c r="A2" s="1" t="inlineStr"')
    expect(xml).toContain('<c r="B2" s="1">')
    expect(xml).toContain('<c r="A3" s="5" t="inlineStr"')
    const book = await readXlsx(bytes, { readStyles: true })
    const looks = [...(book.sheets[0].cells ?? new Map())].map(
      ([at, cell]) => `${at} ${/"rgb":"(\w+)"/.exec(JSON.stringify(cell.style))?.[1]}`,
    )
    expect(looks).toEqual(['1,0 FFFF00', '1,1 FFFF00', '2,0 FF0000', '2,1 FF0000'])
  })

  it('carries characters that XML cannot hold as spreadsheets write them', () => {
    expect(escaped('a\u0001b\ud800c\uffff')).toBe('a_x0001_b_xD800_c_xFFFF_')
    expect(escaped('_x0041_ stays')).toBe('_x005F_x0041_ stays')
    expect(escaped('a\r\nb')).toBe('a&#13;\nb')
    expect(escaped('x'.repeat(40_000))).toHaveLength(32_767)
  })

  it('survives every text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { minLength: 1, maxLength: 8 }),
        async texts => {
          const rows = await readBack(
            await written(
              tableOf(
                ['t'],
                texts.map(t => [t]),
              ),
            ),
          )
          expect(rows).toHaveLength(texts.length + 1)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('leaves our own columns out on request', async () => {
    expect(await readBack(await written(tableOf(['a', 'why*'], [['x', 'y']]), false))).toEqual([['a'], ['x']])
  })

  it('writes more rows than one buffer holds', async () => {
    const table = {
      ...tableOf(['n', 'v'], [['', 1]]),
      length: 30_000,
      fill: new Uint8Array(30_000),
      text: (row: number) => `row ${row} ${'x'.repeat(row % 90)}`,
      kind: (_: number, c: number) => (c ? (3 as const) : (5 as const)),
      number: (row: number) => row / 7,
    }
    const rows = await readBack(await written(table))
    expect(rows).toHaveLength(30_001)
    expect(rows[29_999]).toEqual([
      `row 29998 ${'x'.repeat(29_998 % 90)}`,
      Number((29_998 / 7).toPrecision(16)),
    ])
  })

  it('leaves nothing when it is cancelled', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-xlsx-'))
    const output = openOutput(path.join(folder, 'deep', 'er'))
    const stop = new AbortController()
    const table = {
      ...tableOf(['n'], [['a']]),
      length: 100_000,
      fill: new Uint8Array(100_000),
      text: (row: number) => {
        if (row === 5000) stop.abort()
        return `row ${row}`
      },
    }
    await expect(
      writeXlsx(
        [{ name: 'Sheet', table: { ...table, kind: () => 5 }, from: 0, to: table.length }],
        output.create('a.xlsx'),
        true,
        job(stop.signal),
      ),
    ).rejects.toThrow('cancelled')
    output.abandon()
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('numbers with 16 digits', () => {
  it.each([
    [0.1 + 0.2, '0.3'],
    [1e-5, '1e-05'],
    [1.5e-5, '1.5e-05'],
    [0.0001, '0.0001'],
    [1e16, '1e+16'],
    [123456789012345680, '1.234567890123457e+17'],
    [1e15, '1000000000000000'],
    [8.3, '8.300000000000001'],
    [-0, '-0'],
    [5e-324, '4.940656458412465e-324'],
    [1e100, '1e+100'],
    [2.5, '2.5'],
    [100, '100'],
    [-12345.678, '-12345.678'],
    [1.23e-7, '1.23e-07'],
    [0.000012345678901234568, '1.234567890123457e-05'],
    [9007199254740992, '9007199254740992'],
  ])('%d is %s', (value, text) => expect(g16(value)).toBe(text))

  it('are what exact arithmetic gives, ties to even', () => {
    const dyadic = fc.tuple(fc.integer(), fc.integer({ min: -80, max: 40 })).map(([a, e]) => a * 2 ** e)
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.float({ noNaN: true, noDefaultInfinity: true }),
          dyadic,
        ),
        value => {
          expect(g16(value)).toBe(slowG16(value))
        },
      ),
    )
  })
})

describe('long tables', () => {
  it('are halved until each part fits below a header', () => {
    expect(slices(1_048_575)).toEqual([[0, 1_048_575]])
    expect(slices(1_048_576)).toEqual([
      [0, 524_288],
      [524_288, 1_048_576],
    ])
    expect(slices(3_000_001).map(([a, b]) => b - a)).toEqual([750_000, 750_000, 750_000, 750_001])
    expect(slices(0)).toEqual([[0, 0]])
  })

  it('name columns as spreadsheets do', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(letter)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA'])
  })
})
