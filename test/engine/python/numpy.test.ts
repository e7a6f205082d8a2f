// Printing and re-reading numbers like Python, against vectors of the real libraries.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pyFloat } from '../../../main/engine/python/values.ts'
import { random } from '../../support/random.ts'
import {
  fixed12,
  g16,
  lossyParse,
  percent,
  reparsed,
  roundCosine,
} from '../../../main/engine/python/numpy.ts'

const vectors = JSON.parse(
  readFileSync(new URL('../../fixtures/spec/lossy_parse_vectors.json', import.meta.url), 'utf8'),
) as { vectors: { text: string; parsed: string }[] }
const number = (text: string): number => Number(text.replace('inf', 'Infinity'))

test('the lossy reader agrees with pandas on every vector', () => {
  for (const { text, parsed } of vectors.vectors)
    expect([text, lossyParse(text)]).toEqual([text, number(parsed)])
})

test('re-reading a double equals re-reading its Python text', () => {
  for (const { text } of vectors.vectors) {
    const x = number(text)
    expect([x, reparsed(x)]).toEqual([x, lossyParse(pyFloat(x))])
  }
})

describe('%.16g', () => {
  test.each([
    [0, '0'],
    [-0, '-0'],
    [1, '1'],
    [0.1, '0.1'],
    [0.1 + 0.2, '0.3'],
    [1e-5, '1e-05'],
    [0.0001, '0.0001'],
    [1e16, '1e+16'],
    [2 ** 67, '1.475739525896764e+20'],
    [1 + 2 ** -16, '1.000015258789062'],
    [1 + 3 * 2 ** -16, '1.000045776367188'],
    [-1234567.0009765625, '-1234567.000976562'],
    [2.818224668502808, '2.818224668502808'],
    [1337416274.4149368, '1337416274.414937'],
    [2 ** 53, '9007199254740992'],
    [-1.5e-300, '-1.5e-300'],
    [1e15, '1000000000000000'],
    [1234567890123456.5, '1234567890123456'],
    [1234567890123457.5, '1234567890123458'],
    [0.9992585556769999, '0.9992585556769999'],
    [4503599627370496, '4503599627370496'],
    [12345678901234568, '1.234567890123457e+16'],
    [Infinity, 'inf'],
  ])('%d', (x, text) => expect(g16(x)).toBe(text))
})

test('12 decimals: halves of the exact value go to even, large values stay', () => {
  expect(fixed12(1 / 8192)).toBe(0.000122070312)
  expect(fixed12(3 / 8192)).toBe(0.000366210938)
  expect(fixed12(-1 / 8192)).toBe(-0.000122070312)
  expect(fixed12(2 / 3)).toBe(0.666666666667)
  expect(fixed12(1e-13)).toBe(0)
  expect(fixed12(4503599627370496)).toBe(4503599627370496)
  expect(fixed12(45035996273704.96)).toBe(45035996273704.96)
})

test('12 decimals are those of the decimal text, whatever the size', () => {
  const next = random(5)
  const wrong: number[] = []
  for (let i = 0; i < 200_000; i++) {
    const [mantissa, power, sign] = [next(), next(), next()]
    const x = (sign < 0.5 ? -1 : 1) * mantissa * 10 ** Math.round(power * 24 - 16)
    const near = Math.round(x * 1e12) / 1e12 + ((i % 3) - 1) * 5e-13
    for (const value of [x, near])
      if (!Number.isInteger(value * 8192) && !Object.is(fixed12(value), Number(value.toFixed(12))))
        wrong.push(value)
  }
  expect(wrong).toEqual([])
  expect(Object.is(fixed12(-1e-13), -0)).toBe(true)
})

test('a cosine above 0.9999 has six decimals', () => {
  expect(roundCosine(0.9999500037496875)).toBe(0.99995)
  expect(roundCosine(0.9636241116594315)).toBe(0.963624111659)
  expect(roundCosine(1.0000000000000002)).toBe(1)
})

test('percent texts', () => {
  expect(percent(100 / 3)).toBe('33.333333333333336%')
  expect(percent((1 / 3) * 100)).toBe('33.33333333333333%')
  expect(percent(50)).toBe('50.0%')
  expect(percent(1e-5)).toBe('1e-05%')
  expect(percent(1e16)).toBe('1e+16%')
  expect(percent(Infinity)).toBe('inf%')
})
