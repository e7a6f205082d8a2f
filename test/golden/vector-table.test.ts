// A result of msaccucmp's full-net compare opened like any finished table: rows, states and where the error enters.
import path from 'node:path'
import { expect, test } from 'vitest'
import { readCsv } from '../../main/engine/formats/result-table/csv.ts'
import { openTable } from '../../main/engine/formats/result-table/result-table.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { RowState } from '../../main/engine/model/names.ts'
import { judgedTable } from '../../main/engine/study/table/judged.ts'
import { job } from '../../main/engine/work/job.ts'
import { cli } from '../support/cli.ts'

const file = path.join(import.meta.dirname, '../fixtures/tf/expected/vector_compare/result.csv')

async function read() {
  const files = diskFiles()
  files.allow(file)
  return readCsv(files, file, job())
}

test('each row of a tensor is an item of both sides, with the numbers of the table', async () => {
  const { debug, bench, benchItem, cell, mode } = openTable(await read())
  const names = Array.from({ length: debug.items.length }, (_, item) =>
    debug.texts.get(debug.items.name[item]),
  )
  expect(mode).toBe('tensor')
  expect(names).toEqual([
    'input.output.0',
    ...['input.0', 'input.1', 'output.0'].map(part => `LeNet/conv1/Conv2DLeNet/conv1/Relu.${part}`),
    ...['input.0', 'input.1', 'output.0'].map(part => `LeNet/fc/MatMul.${part}`),
    ...['input.0', 'output.0'].map(part => `LeNet/Softmax.${part}`),
  ])
  expect([...benchItem]).toEqual(names.map((_, item) => item))
  expect(debug.texts.get(debug.items.dtype[1])).toBe('float16')
  expect(bench.texts.get(bench.items.dtype[1])).toBe('float32')
  expect(debug.texts.get(debug.items.shape[3])).toBe('[2,3,3,5]')
  expect([cell(6, 'Cosine'), cell(6, 'MaxAbsErr'), cell(6, 'One Thousandth Err Ratio')]).toEqual([
    0.103606,
    19.515625,
    '',
  ])
})

test('states follow the table: what was not compared is not called equal', async () => {
  const { state } = await judgedTable(await read(), 'plumbline', job())
  const { noise, differs, incomparable } = RowState
  expect([...state]).toEqual([noise, noise, noise, noise, incomparable, noise, differs, differs, differs])
})

test('the advisor names where the error enters', async () => {
  const { out } = await cli(['advise', file, '--json'])
  const { findings } = JSON.parse(out) as {
    findings: { kind: string; node: string; hints: unknown[]; evidence: object[] }[]
  }
  expect(findings[0]).toMatchObject({
    kind: 'origin',
    variant: 'partly',
    node: 'LeNet/fc/MatMul',
    facts: { item: 'input.0' },
    // The compiler's types are no cause, and no proof.
    hints: [],
    evidence: [
      { label: 'LeNet/fc/MatMul.output.0', state: 'differs', metric: 'cosine', debug: '0.103606', bench: '' },
      { label: 'LeNet/fc/MatMul.input.1', state: 'noise', metric: 'cosine', debug: '1', bench: '' },
    ],
  })
  const told = await cli(['advise', file])
  expect(told.out).toContain('row 7: LeNet/fc/MatMul.output.0, cosine similarity: 0.103606')
  expect(told.out).not.toContain('data type')
})
