// Results of the pre-check and of the free benchmark opened as tables: states as the files have them, and why.
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsv } from '../../main/engine/formats/result-table/csv.ts'
import { toldKindOf } from '../../main/engine/formats/result-table/told-columns.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { reasonOf } from '../../main/engine/judge/index.ts'
import { RowState, rowStates } from '../../main/engine/model/names.ts'
import { detailsOf, generationOf, PrecisionCompare, toldTableOf } from '../../main/engine/precheck/index.ts'
import { judgedTable } from '../../main/engine/study/table/judged.ts'
import { job } from '../../main/engine/work/job.ts'
import { reasonText } from '../../preload/contract/words/reason.ts'
import { fixturesRoot } from '../support/fixtures.ts'

const cases = path.join(fixturesRoot(), 'next', 'api_precision')
const fileIn = (...at: string[]): string => {
  const folder = path.join(cases, ...at)
  const name = readdirSync(folder).find(file => file.includes('details'))
  return path.join(folder, name ?? '')
}
async function tableAt(file: string) {
  const files = diskFiles()
  files.allow(file)
  return readCsv(files, file, job())
}
const temporary = (text: string): string => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'plumbline-told-')), 'table.csv')
  writeFileSync(file, text)
  return file
}

test.each(['real_1.2.2', 'odd_12'])('%s: the result of a compare opens by call', async name => {
  const folder = path.join(cases, name, 'golden')
  const file = readdirSync(folder).find(one => one.includes('result')) ?? ''
  const table = await tableAt(path.join(folder, file))
  const told = toldTableOf(table)
  expect(told?.length).toBe(table.length)
  for (let row = 0; row < table.length; row++) {
    const said = [1, 2].map(at => table.text(row, at).trim())
    expect(told?.status(row)).toBe(
      said.includes('error')
        ? 'error'
        : (said.find(text => text === 'pass') ?? said.find(text => text !== '') ?? ''),
    )
  }
})

test.each([
  ['real_1.2.2', 'npu', 'Status'],
  ['real_26', 'npu', 'Status'],
  ['real_26', 'golden', '比对结果'],
  ['dtypes_12', 'golden', '比对结果'],
])('%s/%s: the states are those of the file', async (name, side, title) => {
  const table = await tableAt(fileIn(name, side))
  const at = table.columns.findIndex(column => column.title === title)
  const { state, length } = await judgedTable(table, 'plumbline', job())
  expect(length).toBe(table.length)
  for (let row = 0; row < length; row++) {
    const status = table.text(row, at).toLowerCase()
    const { incomparable, differs, noise } = RowState
    const wanted = { pass: noise, warning: differs, error: differs }[status] ?? incomparable
    expect([row, status, rowStates[state[row]]]).toEqual([row, status, rowStates[wanted]])
  }
})

test('a row says by which number and limit its status came about', async () => {
  const rows = await judgedTable(await tableAt(fileIn('real_1.2.2', 'npu')), 'plumbline', job())
  const reason = reasonOf(rows, 0, 0)
  expect(reason.code).toBe('told')
  expect(reason.facts.status).toBe('pass')
  expect(reasonText('en', reason)).toMatch(
    /^The file says pass\. largest absolute error 0\.00010871887207 < 0\.001; Max abs error/,
  )
  expect(reasonText('zh', reason)).toContain('最大绝对误差 0.00010871887207 < 0.001')
})

test('a row of a compare lists its numbers with their verdicts', async () => {
  const table = toldTableOf(await tableAt(fileIn('limits_12', 'golden')))
  expect(table?.grounds(3)).toEqual({
    checks: [{ metric: 'binary', isRatio: false, value: '0.04', limit: null, verdict: 'error' }],
    standard: 'binary',
    texts: [],
  })
})

test('the free benchmark lists what deviated', async () => {
  const file = temporary(
    'rank,pert_mode,stage,step,api_name,max_rel,dtype,shape,output_index\n' +
      '0,improve_precision,forward,1,Torch.matmul.0,1.002,torch.float16,"torch.Size([2, 3])",0\n',
  )
  const told = toldTableOf(await tableAt(file))
  expect(told?.item(0)).toEqual({
    name: 'Torch.matmul.0.forward.output.0',
    debugType: 'torch.float16',
    benchType: 'torch.float16',
    shape: 'torch.Size([2, 3])',
  })
  expect([told?.state(0), told?.grounds(0), told?.number(0, 'MaxRelativeErr')]).toEqual([
    RowState.differs,
    {
      checks: [{ metric: 'maxRelative', isRatio: false, value: '1.002', limit: null, verdict: '' }],
      standard: null,
      texts: ['improve_precision'],
    },
    1.002,
  ])
})

test('a result counts the worse of both directions, whatever the length of its rows', async () => {
  const file = temporary(
    'API name,Forward Test Success,Backward Test Success,Message\n' +
      'Torch.add.0,pass,error,"Max\nerror"\n' +
      'Torch.mul.0,Warning, \n' +
      'Torch.sub.0,pass, ,,"File a.py, line 1"\n' +
      'Torch.sort.0,SKIP,SKIP,no support\n' +
      'Torch.neg.0, , ,\n',
  )
  const rows = await judgedTable(await tableAt(file), 'plumbline', job())
  const { differs, noise, incomparable } = RowState
  expect(Array.from(rows.state.subarray(0, rows.length))).toEqual([
    differs,
    differs,
    noise,
    incomparable,
    incomparable,
  ])
  expect(Array.from({ length: rows.length }, (_, row) => reasonText('en', reasonOf(rows, row, 0)))).toEqual([
    'The file says error. Forward Test Success: pass; Backward Test Success: error; Max\nerror',
    'The file says Warning. Forward Test Success: Warning',
    'The file says pass. Forward Test Success: pass',
    'The file says SKIP. Forward Test Success: SKIP; Backward Test Success: SKIP; no support',
    'The file has no result here.',
  ])
})

test('other tables say nothing of their rows', () => {
  expect(toldKindOf(['NPU Name', 'Bench Name', 'Cosine'])).toBeNull()
})

test('ragged rows and odd cells never end in anything but an answer', async () => {
  const titles = (await tableAt(fileIn('one_12', 'npu'))).columns.map(({ title }) => title)
  const cell = fc.oneof(
    fc.constantFrom(
      ' ',
      '',
      'nan',
      'inf',
      '-inf',
      '0',
      '1e400',
      '0x10',
      'torch.float16',
      'torch.float32',
      '(0,)',
    ),
    fc.constantFrom(
      'Torch.mul.0.forward.output.0',
      'Torch.relu.1.backward.output.0',
      'a.b',
      '....',
      '"x\ny"',
    ),
    fc.string({ maxLength: 12 }).map(text => text.replace(/[\r\n",]/g, '')),
  )
  const rows = fc.array(fc.array(cell, { maxLength: titles.length + 3 }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(rows, async lines => {
      const text = [titles, ...lines].map(line => line.join(',')).join('\r\n')
      const details = detailsOf(await tableAt(temporary(text)))
      for (const generation of ['1.2.2', '26'] as const)
        for (const exact of [true, false]) {
          const names = new Set<string>()
          let isTwice = false
          for (let row = 0; row < details.length; row++) {
            isTwice ||= names.has(details.fact(row, 'name'))
            names.add(details.fact(row, 'name'))
          }
          if (isTwice) continue
          const compare = new PrecisionCompare(details, details, { generation, exact })
          for (let row = 0; row < compare.length; row++)
            expect([
              compare.judgement(row) !== null,
              compare.reason(row) !== '' || compare.outcome(row) === 'SKIP',
            ]).toContain(true)
        }
      try {
        generationOf(details)
      } catch (error) {
        expect(String(error)).toContain('precheck-mixed-file')
      }
    }),
    { numRuns: 150 },
  )
})
