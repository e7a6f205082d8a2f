// Results of several ranks, merged per metric.
import {
  mergeConfig,
  mergeRanks,
  rankOfResult,
  type RankResult,
} from '../../../main/engine/study/table/merge.ts'
import { expect, test } from 'vitest'
import { cellTable, type PlainCell } from '../../../main/engine/formats/result-table/cell-table.ts'
import { typedColumn } from '../../../main/engine/study/table/typed-column.ts'
import { columnsOf } from '../../../main/engine/judge/columns.ts'
import type { Rules } from '../../../main/engine/model/index.ts'
import { Refusal, type Problem } from '../../../main/engine/model/problem.ts'

const columns = columnsOf('msprobe-1.2.2', 'statistics', { stack: false }).filter(column => !column.extra)
const result = (
  rank: number,
  rows: readonly (readonly [string, string | number, number | string])[],
): RankResult => ({
  rank,
  path: `/o/compare_result_rank${rank}-rank${rank}_20260101000000.xlsx`,
  ...cellTable(
    columns,
    rows.length,
    (row, column) =>
      (
        ({
          'NPU Name': rows[row]![0],
          'Max diff': rows[row]![1],
          'NPU max': rows[row]![2],
          'Bench max': 3.5,
        }) as Record<string, string | number>
      )[columns[column]!.title] ?? '',
  ),
})
const sheet = (results: RankResult[], yaml: string, rules: Rules = 'plumbline') => {
  const { sheets, problems } = mergeRanks(results, mergeConfig(yaml, '/c.yaml'), rules)
  return {
    names: sheets.map(one => one.name),
    problems,
    rows: sheets.map(one =>
      Array.from({ length: one.length }, (_, row) => one.columns.map((_, column) => one.text(row, column))),
    ),
  }
}

test('rows in order of first appearance, ranks side by side, texts replaced by both maxima', () => {
  const { rows, names } = sheet(
    [
      result(10, [
        ['Torch.add.0.forward.input.0', 'N/A', 7],
        ['Torch.mul.0.forward.input.0', 0.25, 1],
      ]),
      result(2, [
        ['Torch.mul.0.forward.input.0', 0.5, 1],
        ['Torch.addmm.0.forward.input.0', 9, 9],
      ]),
    ],
    'api: [Torch.mul, Torch.add]\ncompare_index: [Max diff]',
  )
  expect(names).toEqual(['Max diff'])
  expect(rows[0]).toEqual([
    ['Torch.mul.0.forward.input.0', '0.5', '0.25'],
    ['Torch.add.0.forward.input.0', '', 'NPU:7  Bench:3.5'],
  ])
})

test('without a list all metrics of the mode are merged; a missing API is a note', () => {
  const { names, problems } = sheet(
    [result(0, [['Torch.mul.0.forward.input.0', 1, 1]]), result(1, [['Torch.relu.0.forward.input.0', 1, 1]])],
    'api:\n- Torch.mul',
  )
  expect(names).toEqual([
    'Max diff',
    'Min diff',
    'Mean diff',
    'L2norm diff',
    'MaxRelativeErr',
    'MinRelativeErr',
    'MeanRelativeErr',
    'NormRelativeErr',
  ])
  expect(problems.map(p => [p.code, 'api' in p.facts && p.facts.api])).toEqual([
    ['merge-api-missing', 'Torch.mul'],
  ])
})

test('one result is too few; no API is refused; other workbooks are skipped, or stop the reference', () => {
  expect(() => sheet([result(0, [])], 'api: [a]')).toThrow(Refusal)
  expect(() => mergeConfig('compare_index: []', '/c.yaml')).toThrow(Refusal)
  const problems: Problem[] = []
  expect(rankOfResult('/o/compare_result_rank3-rank3_20260101000000.xlsx', 'msprobe-1.2.2', problems)).toBe(3)
  expect(rankOfResult('/o/compare_result_rank-rank_20260101000000.xlsx', 'msprobe-1.2.2', problems)).toBe(
    null,
  )
  expect(rankOfResult('/o/other.xlsx', 'plumbline', problems)).toBe(null)
  expect(problems.length).toBe(2)
  expect(rankOfResult('/o/compare_result_rank3_20260101000000.xlsx', 'msprobe-26', problems)).toBe(3)
  expect(() => rankOfResult('/o/compare_result_rank3_20260101000000.xlsx', 'msprobe-1.2.2', [])).toThrow(
    Refusal,
  )
  expect(() => rankOfResult('/o/other.xlsx', 'msprobe-26', [])).toThrow(Refusal)
  expect(() =>
    rankOfResult('/o/compare_result_rank0-rank1_20260101000000.xlsx', 'msprobe-1.2.2', []),
  ).toThrow(Refusal)
})

test('a table of another kind is left out by our rules and stops the reference; msprobe 26 sorts names', () => {
  const rows = [
    ['Torch.mul.0.forward.input.0', 0.25, 1],
    ['Torch.mul.0.backward.input.0', 0.5, 1],
  ] as const
  const odd: RankResult = { ...result(2, rows), columns: columns.slice(1) }
  const three = [result(0, rows), result(1, rows), odd]
  const yaml = 'api: [Torch.mul]\ncompare_index: [Max diff]'
  expect(sheet(three, yaml).problems.map(({ code }) => code)).toEqual(['merge-unusable'])
  expect(() => sheet(three, yaml, 'msprobe-1.2.2')).toThrow(Refusal)
  const namesBy = (rules: Rules) => sheet(three.slice(0, 2), yaml, rules).rows[0]?.map(([name]) => name)
  expect(namesBy('msprobe-1.2.2')).toEqual(rows.map(([name]) => name))
  expect(namesBy('msprobe-26')).toEqual(rows.map(([name]) => name).toReversed())
})

test.each<[string, PlainCell[], PlainCell[], string[]]>([
  ['whole numbers', [7, 0, -3], [7, 0, -3], ['7', '0', '-3']],
  ['one with a fraction makes all floats', [7, 0.5], [7, 0.5], ['7.0', '0.5']],
  [
    'the shortest digits',
    [0.08110532164573669, 1e-7, 2],
    [0.0811053216457367, 1e-7, 2],
    ['0.0811053216457367', '1e-07', '2.0'],
  ],
  ['texts that spell numbers are numbers', ['0', '-1.5', '2e3'], [0, -1.5, 2000], ['0.0', '-1.5', '2000.0']],
  [
    'a text among them leaves all as they are',
    [7, 0.5, '0.10', 'N/A'],
    [7, 0.5, '0.10', 'N/A'],
    ['7', '0.5', '0.10', 'N/A'],
  ],
  ['nothing is a text', [7, ''], [7, ''], ['7', '']],
  ['truth values', [true, 'False'], [true, false], ['True', 'False']],
  ['truth values among texts', [true, 'False', 'N/A'], [true, 'False', 'N/A'], ['True', 'False', 'N/A']],
  ['larger than a double counts', [1e22, 'x'], [1e22, 'x'], ['10000000000000000000000', 'x']],
])('a column of %s', (_what, cells, become, printed) => {
  const table = cellTable(
    [{ id: 'a', title: 'a', numeric: true, extra: false }],
    cells.length,
    row => cells[row]!,
  )
  const column = typedColumn(table, 0)
  expect(cells.map((_, row) => column.cell(row))).toEqual(become)
  expect(cells.map((_, row) => column.printed(row))).toEqual(printed)
})

test('a configuration that is no yaml is named', () => {
  const refusal = (): unknown => {
    try {
      return mergeConfig('[', '/somewhere/config.yaml')
    } catch (error) {
      return error instanceof Refusal ? error.problem.path : error
    }
  }
  expect(refusal()).toBe('/somewhere/config.yaml')
})
