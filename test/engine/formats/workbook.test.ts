// Workbooks of any writer become cells; workbooks made to exhaust the reader are refused or read within bounds.
import { zipSync } from 'fflate'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSheet } from '../../../main/engine/formats/index.ts'
import { Refusal, type Table } from '../../../main/engine/model/index.ts'
import { job } from '../../../main/engine/work/job.ts'
import { memoryFiles } from '../../support/memory-files.ts'

const encoder = new TextEncoder()

const sheet = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
const head =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1" t="inlineStr"><is><t>b</t></is></c></row>'

function workbook(xml: string, shared?: string): Uint8Array {
  const members: Record<string, Uint8Array> = { 'xl/worksheets/sheet1.xml': encoder.encode(xml) }
  if (shared !== undefined) members['xl/sharedStrings.xml'] = encoder.encode(shared)
  return zipSync(members, { level: 1 })
}

const read = async (bytes: Uint8Array): Promise<Table> =>
  readSheet(memoryFiles({ '/a.xlsx': bytes }), '/a.xlsx', job())

const cellsOf = (table: Table): string[][] =>
  Array.from({ length: table.length }, (_, row) => table.columns.map((_, column) => table.text(row, column)))

const refusalOf = async (bytes: Uint8Array): Promise<string> => {
  try {
    await read(bytes)
    return 'read'
  } catch (error) {
    if (error instanceof Refusal) return error.problem.code
    throw error
  }
}

describe('cells of a workbook', () => {
  it('reads shared, inline and rich texts, numbers, truth values and gaps', async () => {
    const table = await read(
      workbook(
        sheet(
          `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>c</t></is></c></row>
           <row r="2"><c r="A2"><v>1.5</v></c><c r="C2" t="b"><v>1</v></c></row>
           <row r="3"><c t="s"><v>2</v></c><c t="str"><v>x &amp; y</v></c><c><v>nan</v></c></row>
           <row r="4"/>`,
        ),
        `<sst><si><t>first</t></si><si><r><t>se</t></r><r><t>cond</t></r><rPh sb="0"><t>reading</t></rPh></si>
         <si><t xml:space="preserve"> a_x000A_b&#x41;</t></si></sst>`,
      ),
    )
    expect(table.columns.map(column => column.title)).toEqual(['first', 'second', 'c'])
    expect(cellsOf(table)).toEqual([
      ['1.5', '', 'True'],
      [' a\nbA', 'x & y', 'nan'],
      ['', '', ''],
    ])
  })

  it('reads tags with a prefix, as some writers put before all of them', async () => {
    const table = await read(
      workbook(
        '<x:worksheet xmlns:x="u"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c></x:row><x:row r="2"><x:c r="A2"><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>',
      ),
    )
    expect(cellsOf(table)).toEqual([['7']])
  })

  it('gives back any text that is written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', '<', '&', '"', '\u20ac', '_', '\ud83d\ude00', ' ') }),
        async text => {
          const spelled = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
          const table = await read(
            workbook(sheet(`${head}<row r="2"><c r="A2" t="inlineStr"><is><t>${spelled}</t></is></c></row>`)),
          )
          expect(table.text(0, 0)).toBe(text)
        },
      ),
      { numRuns: 50 },
    )
  })
})

const many = 1_000_000

describe('workbooks made to exhaust the reader', () => {
  it.each([
    ['si', workbook(sheet(head), `<sst>${'<si>'.repeat(many)}`)],
    ['rPh', workbook(sheet(head), `<sst><si>${'<rPh>'.repeat(many)}</si></sst>`)],
    ['c', workbook(sheet(`${head}<row r="2">${'<c>'.repeat(many)}</row>`))],
    ['t', workbook(sheet(`${head}<row r="2"><c t="inlineStr">${'<t>'.repeat(many)}</c></row>`))],
    ['v', workbook(sheet(`${head}<row r="2"><c>${'<v>'.repeat(many)}</c></row>`))],
  ])('refuses <%s> that is opened a million times and never closed', async (_, bytes) => {
    expect(await refusalOf(bytes)).toBe('xlsx-invalid')
  })

  it('refuses a text of a hundred megabytes, in a tag as well', async () => {
    const long = 'a'.repeat(100_000_000)
    expect(await refusalOf(workbook(sheet(head), `<sst><si><t>${long}</t></si></sst>`))).toBe('xlsx-invalid')
    expect(await refusalOf(workbook(sheet(`${head}<row r="2"><c r="${long}"/></row>`)))).toBe('xlsx-invalid')
  })

  it('takes no room for columns that have no title', async () => {
    const rows = Array.from(
      { length: 100_000 },
      (_, i) => `<row r="${i + 2}"><c r="XFD${i + 2}"><v>1</v></c></row>`,
    )
    const table = await read(workbook(sheet(head + rows.join(''))))
    expect(table.length).toBe(100_000)
    expect(table.columns.length).toBe(2)
  })

  it('keeps half a million equal texts as one', async () => {
    const table = await read(
      workbook(
        sheet(`${head}<row r="2"><c r="A2" t="s"><v>499999</v></c></row>`),
        `<sst>${'<si><t>same</t></si>'.repeat(500_000)}</sst>`,
      ),
    )
    expect(cellsOf(table)).toEqual([['same', '']])
  })

  it.each([
    ['no sheet', zipSync({ 'xl/workbook.xml': encoder.encode('<a/>') })],
    ['a cut sheet', workbook(sheet(head).slice(0, -20))],
    ['a document type', workbook(`<!DOCTYPE a [<!ENTITY b "c">]>${sheet(head)}`)],
    ['no rows', workbook(sheet(''))],
  ])('refuses %s', async (_, bytes) => {
    expect(await refusalOf(bytes)).toBe('xlsx-invalid')
  })
})
