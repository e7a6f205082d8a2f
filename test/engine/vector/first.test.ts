// Errors and the first error of results of all ages.
import { describe, expect, test } from 'vitest'
import { cellTable, titled } from '../../../main/engine/formats/result-table/cell-table.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'
import type { Table } from '../../../main/engine/model/table.ts'
import { summaryOf } from '../../../main/engine/vector/first.ts'

const now = [
  'Index',
  'OpType',
  'NPUDump',
  'DataType',
  'GroundTruth',
  'DataType',
  'TensorIndex',
  'CosineSimilarity',
]

type Row = readonly [index: number, type: string, tensor: string, cosine: number | string]

function tableOf(rows: readonly Row[], titles = now): Table {
  const cells = rows.map(([index, type, tensor, cosine]) => {
    const op = tensor.split(':')[0]
    return [index, type, op, 'float16', op, 'float32', tensor, cosine]
  })
  return cellTable(titled(titles), rows.length, (row, column) => cells[row][column])
}
const found = (...rows: readonly Row[]) => summaryOf(tableOf(rows), 0.98)

describe('the first error', () => {
  test('has inputs that agree and an output that does not', () => {
    const { errors, first } = found(
      [0, 'Data', 'x:output:0', 1],
      [1, 'Conv2D', 'a:input:0', 0.999],
      [1, 'Conv2D', 'a:output:0', 0.5],
      [2, 'Relu', 'b:input:0', 0.5],
      [2, 'Relu', 'b:output:0', 0.4],
    )
    expect(errors.map(({ index, op, carried }) => [index, op, carried])).toEqual([
      [1, 'a', false],
      [2, 'b', true],
    ])
    expect(first).toMatchObject({ op: 'a', input: [0.999], output: [0.5], unknown: [] })
  })

  test('is suspected where an input was not compared', () => {
    expect(
      found([1, 'A', 'a:input:0', 'NaN'], [1, 'A', 'a:input:1', 1], [1, 'A', 'a:output:0', 0.98]).first,
    ).toMatchObject({ op: 'a', unknown: [0] })
  })

  test('is told to be unsure where nothing of what it reads is there', () => {
    expect(found([1, 'A', 'a:output:0', 0.2]).inputsUnseen).toBe(true)
    expect(found([1, 'Constant', 'a:output:0', 0.2]).inputsUnseen).toBe(false)
    expect(found([1, 'A', 'a:input:0', 1], [1, 'A', 'a:output:0', 0.2]).inputsUnseen).toBe(false)
  })

  test('is not the op with the lowest row but with the lowest index', () => {
    expect(found([5, 'A', 'late:output:0', 0], [2, 'A', 'early:output:0', 0]).first?.op).toBe('early')
  })

  test('is none where NaN stands, or where every wrong op was handed its error', () => {
    expect(found([1, 'A', 'a:output:0', 'NaN'])).toMatchObject({ errors: [], first: null, compared: 0 })
    expect(found([1, 'A', 'a:input:0', 0.1], [1, 'A', 'a:output:0', 0.1])).toMatchObject({ first: null })
  })

  test('data that differs is told', () => {
    expect(found([0, 'Data', 'x:output:0', 0.2]).differingInputs).toEqual(['x'])
    // An argument of a sub-graph is handed what is wrong already.
    const later = found([0, 'A', 'a:output:0', 0.2], [1, 'Data', 'arg:output:0', 0.2])
    expect(later.differingInputs).toEqual([])
  })
})

test('rows are keyed by their numbers, whatever their order, and names may hold colons', () => {
  const { first } = found(
    [1, 'A', 's:a:output:1', 0.5],
    [1, 'A', 's:a:output:0', 1],
    [1, 'A', 's:a:input:0', 1],
    [1, 'A', 'NaN', 'NaN'],
  )
  expect(first).toMatchObject({ op: 's:a', output: [1, 0.5] })
})

test('older titles are understood, other tables refused', () => {
  const old = ['Index', 'Kind', 'LeftOp', 'D', 'RightOp', 'D', 'TensorIndex', 'CosineSimilarity']
  expect(summaryOf(tableOf([[3, 'A', 'a:output:0', 0]], old), 0.98).first).toMatchObject({
    index: 3,
    npu: 'a',
  })
  expect(() => summaryOf(tableOf([], now.with(7, 'Cosine')), 0.98, 'x.csv')).toThrow(Refusal)
})
