// How lists of ranks are said in few words.
import { expect, test } from 'vitest'
import { runsOf } from '../../../main/engine/model/names.ts'

const every = (step: number, count: number, from = 0): number[] =>
  Array.from({ length: count }, (_, i) => from + i * step)

test.each([
  [[], ''],
  [[3], '3'],
  [[2, 0, 1], '0, 1, 2'],
  [every(1, 9), '0–8'],
  [[0, 1, ...every(1, 6, 4)], '0, 1, 4–9'],
  [every(4, 256, 2), '2, 6 … 1022'],
  [[...every(8, 5), 33, 34], '0, 8 … 32, 33, 34'],
  [[5, 5, 5], '5'],
  [every(1, 40).map(i => i * i), '0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100 … (40)'],
])('%j is %s', (numbers, text) => {
  expect(runsOf(numbers)).toBe(text)
})
