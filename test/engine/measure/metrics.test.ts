// The table of metrics: every row has its words, its column in each generation's table, and a place of its own.
import { expect, test } from 'vitest'
import { columnsOf } from '../../../main/engine/judge/columns.ts'
import { metrics, sharedMeasured, bytesPerPair } from '../../../main/engine/measure/metrics.ts'
import { en, zh } from '../../../preload/contract/words/metrics.ts'

test('every metric has a short name and a sentence in both languages', () => {
  const keys = metrics.flatMap(({ id }) => [`column.${id}`, `metric.${id}`])
  for (const words of [en, zh]) expect(keys.filter(key => !(key in words))).toEqual([])
})

test('every metric is a column of the tensor tables, under its title, as an extra one where msprobe lacks it', () => {
  const shown = (columns: ReturnType<typeof columnsOf>): unknown[] =>
    metrics.map(({ id }) => {
      const column = columns.find(one => one.id === id)
      return [column?.title, column?.numeric, column?.extra]
    })
  expect(shown(columnsOf('msprobe-1.2.2', 'tensor', { stack: false }))).toEqual(
    metrics.map(({ title, since }) => [title, true, since !== 'msprobe-1.2.2']),
  )
  expect(shown(columnsOf('msprobe-26', 'tensor', { stack: false }))).toEqual(
    metrics.map(({ title, since }) => [title, true, since === null]),
  )
})

test('columns over one shared block do not overlap', () => {
  const length = 3
  const measured = sharedMeasured(new SharedArrayBuffer(length * bytesPerPair), length)
  metrics.forEach(({ id }, i) => measured[id].fill(i + 1))
  measured.debugHash.fill(101)
  measured.benchHash.fill(102)
  measured.outcome.fill(103)
  measured.notes.fill(104)
  expect(metrics.map(({ id }) => [...measured[id]])).toEqual(metrics.map((_, i) => [i + 1, i + 1, i + 1]))
  expect([measured.debugHash, measured.benchHash].map(half => [...new Set(half)])).toEqual([[101], [102]])
  expect([measured.outcome, measured.notes].map(half => [...half])).toEqual([
    [103, 103, 103],
    [104, 104, 104],
  ])
})
