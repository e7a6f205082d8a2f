// What a cell of a table says, as Python's float() reads it.
import { expect, test } from 'vitest'
import { numberIn } from '../../../main/engine/series/text-rows.ts'

test.each([
  ['1.5', 1.5],
  [' -2e-3 ', -0.002],
  ['.5', 0.5],
  ['nan', NaN],
  ['-NaN', NaN],
  [' inf', Infinity],
  ['+Infinity', Infinity],
  ['-inf', -Infinity],
  ['-Infinity', -Infinity],
])('%j is %d', (text, value) => {
  expect(numberIn(text)).toBe(value)
})

test.each(['', ' ', 'None', '0x10', '1,5', 'infinite', '--1', undefined])('%j is no number', text => {
  expect(numberIn(text)).toBeNull()
})
