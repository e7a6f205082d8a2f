// Results of the pre-check and of the free benchmark opened as tables: states as the files have them, and why.
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsv } from '../../main/engine/formats/result-table/csv.ts'
import { toldKindOf } from '../../main/engine/formats/result-table/told-columns.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import {
  detailsOf,
  generationOf,
  judgedVerdicts,
  PrecisionCompare,
  verdictsOf,
} from '../../main/engine/precheck/index.ts'
import { standardTexts } from '../../main/engine/precheck/standards.ts'
import { job } from '../../main/engine/work/job.ts'
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

const readOf = async (file: string) => {
  const verdicts = verdictsOf(await tableAt(file))
  if (!verdicts) throw new Error('no table of verdicts')
  return verdicts
}

test.each(['real_1.2.2', 'odd_12'])('%s: the result of a compare opens by call', async name => {
  const folder = path.join(cases, name, 'golden')
  const file = readdirSync(folder).find(one => one.includes('result')) ?? ''
  const table = await tableAt(path.join(folder, file))
  const told = verdictsOf(table)
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
])('%s/%s: the states are those of the file, in its own words', async (name, side, title) => {
  const table = await tableAt(fileIn(name, side))
  const at = table.columns.findIndex(column => column.title === title)
  const told = await readOf(fileIn(name, side))
  for (let row = 0; row < table.length; row++) {
    const status = table.text(row, at).toLowerCase()
    expect([row, told.state(row)]).toEqual([
      row,
      ['pass', 'warning', 'error'].includes(status) ? status : 'skip',
    ])
  }
})

test.each(['real_1.2.2', 'real_26', 'limits_12', 'limits_26', 'levels_26', 'dtypes_12', 'fp8_26'])(
  '%s: details of both sides opened together are judged as the command judges them',
  async name => {
    const asked = name.endsWith('26') ? 'msprobe-26' : 'msprobe-1.2.2'
    const details = [
      detailsOf(await tableAt(fileIn(name, 'npu'))),
      detailsOf(await tableAt(fileIn(name, 'gpu'))),
    ]
    const judged = judgedVerdicts(details[0], details[1], asked)
    const golden = await tableAt(fileIn(name, 'golden'))
    const [at, method] = ['比对结果', '比对算法'].map(title =>
      golden.columns.findIndex(column => column.title === title),
    )
    expect(judged.length).toBe(golden.length)
    for (let row = 0; row < judged.length; row++) {
      expect([judged.name(row), judged.status(row)]).toEqual([golden.text(row, 0), golden.text(row, at)])
      const standard = judged.standard(row)
      expect(standard === null ? '' : standardTexts[standard]).toBe(golden.text(row, method).trim())
      // Whatever failed names a number that did not keep to its limit, or no number at all.
      const [check] = judged.checks(row)
      if (judged.state(row) === 'error')
        expect([row, check?.counted, check?.verdict]).toEqual([row, true, 'error'])
    }
  },
)

test('a limit says what has to keep to it', async () => {
  const judged = judgedVerdicts(
    detailsOf(await tableAt(fileIn('limits_12', 'npu'))),
    detailsOf(await tableAt(fileIn('limits_12', 'gpu'))),
    'plumbline',
  )
  for (let row = 0; row < judged.length; row++)
    for (const { metric, limit, npu, ratio, verdict, odd } of judged.checks(row)) {
      if (!limit || verdict === '' || odd || metric === 'ulpShare') continue
      const value = (limit.of === 'ratio' ? ratio : npu) ?? NaN
      const holds = {
        '≤': value <= limit.value,
        '>': value > limit.value,
        '<': value < limit.value,
        '≥': value >= limit.value,
      }
      expect([row, metric, holds[limit.sign]]).toEqual([row, metric, true])
      expect([row, metric, '≤≥'.includes(limit.sign)]).toEqual([row, metric, verdict === 'pass'])
    }
})

test('details of two generations are not judged by each other', async () => {
  const [old, young] = [
    detailsOf(await tableAt(fileIn('real_1.2.2', 'npu'))),
    detailsOf(await tableAt(fileIn('real_26', 'gpu'))),
  ]
  expect(() => judgedVerdicts(old, young, 'plumbline')).toThrow(/precheck-mixed/)
})

test('a row says by which number and limit its status came about', async () => {
  const told = await readOf(fileIn('real_1.2.2', 'npu'))
  expect(told.checks(0)[0]).toMatchObject({
    metric: 'maxAbsolute',
    npu: 0.00010871887207,
    limit: { of: 'npu', sign: '<', value: 0.001 },
    verdict: 'pass',
    counted: true,
  })
  expect(told.texts(0)[0]).toMatch(/^Max abs error/)
  expect(told.generation).toBe('1.2.2')
})

test('a row of a compare lists its numbers with their verdicts', async () => {
  const told = await readOf(fileIn('limits_12', 'golden'))
  expect([told.standard(3), told.checks(3), told.texts(3)]).toMatchObject([
    'binary',
    [{ metric: 'binary', npu: 0.04, ratio: null, limit: null, verdict: 'error', counted: true }],
    [],
  ])
})

test('the free benchmark lists what deviated', async () => {
  const told = await readOf(
    temporary(
      'rank,pert_mode,stage,step,api_name,max_rel,dtype,shape,output_index\n' +
        '0,improve_precision,forward,1,Torch.matmul.0,1.002,torch.float16,"torch.Size([2, 3])",0\n',
    ),
  )
  expect([told.name(0), told.api(0), told.call(0), told.types(0), told.state(0)]).toEqual([
    'Torch.matmul.0.forward.output.0',
    'matmul',
    { is: 'call', name: 'Torch.matmul.0', direction: 'forward' },
    { device: 'torch.float16', bench: 'torch.float16', shape: 'torch.Size([2, 3])' },
    'error',
  ])
  expect([told.checks(0), told.texts(0)]).toMatchObject([
    [{ metric: 'maxRelative', npu: 1.002 }],
    ['pert_mode: improve_precision', 'rank: 0', 'step: 1'],
  ])
})

test('the check of compiled modules speaks of modules', async () => {
  const told = await readOf(
    temporary(
      'module_name,check_type,tensor_index,status,max_abs_diff,mean_abs_diff,max_rel_diff,shape,note\n' +
        'LOSS,loss,0,FAIL,1.5e-01,N/A,N/A,eager=1.0 compiled=1.15,\n' +
        'layer1.0.conv1,fwd_output,0,PASS,1.2e-06,1e-07,2e-04,"(2, 3)",\n' +
        'layer1.0.conv1,grad_input,0,FAIL,3.0e-01,1e-02,2.0e+00,"(2, 3)",\n' +
        'head,note,0,WARN,,,,,MISSING_fwd_in_compiled\n' +
        'body,note,0,SKIP,,,,,IGNORED\n',
    ),
  )
  expect(Array.from({ length: 5 }, (_, row) => told.state(row))).toEqual([
    'error',
    'pass',
    'error',
    'warning',
    'skip',
  ])
  expect([told.call(0), told.call(2), told.api(2), told.texts(3)]).toEqual([
    null,
    { is: 'module', path: 'layer1.0.conv1', direction: 'backward' },
    'grad_input',
    ['MISSING_fwd_in_compiled'],
  ])
  expect(told.checks(2)).toMatchObject([
    { metric: 'maxAbsolute', npu: 0.3 },
    { metric: 'meanAbsolute', npu: 0.01 },
    { metric: 'maxRelative', npu: 2 },
  ])
  expect(told.checks(3)).toEqual([])
})

test('a result counts the worse of both directions, whatever the length of its rows', async () => {
  const told = await readOf(
    temporary(
      'API name,Forward Test Success,Backward Test Success,Message\n' +
        'Torch.add.0,pass,error,"Max\nerror"\n' +
        'Torch.mul.0,Warning, \n' +
        'Torch.sub.0,pass, ,,"File a.py, line 1"\n' +
        'Torch.sort.0,SKIP,SKIP,no support\n' +
        'Torch.neg.0, , ,\n',
    ),
  )
  expect(Array.from({ length: told.length }, (_, row) => told.state(row))).toEqual([
    'error',
    'warning',
    'pass',
    'skip',
    'skip',
  ])
  expect([told.texts(0), told.status(1), told.reason(3), told.reason(4)]).toEqual([
    ['Forward Test Success: pass', 'Backward Test Success: error', 'Max\nerror'],
    'Warning',
    null,
    { why: 'empty' },
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
