// Texts of items as graph files spell them, also for random values.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextPool } from '../../../main/engine/columns.ts'
import { Bytes } from '../../../main/engine/graph/bytes.ts'
import { cutDecimals, fixed6, fullSpelling, jsonText, shortFloat, shortPercent, shortSpelling } from '../../../main/engine/graph/texts.ts'

test.each([
  [0, '0.0'], [-0, '-0.0'], [1, '1.0'], [-1.5, '-1.5'], [0.3000000000000001, '0.3'], [1.23456789, '1.234568'], [123456789.12345679, '123456789.123457'], [1e15, '1000000000000000.0'], [1e16, '1.000000e+16'],
  [0.0001, '0.0001'], [0.00009999, '9.999000e-05'], [5.245209e-6, '5.245209e-06'], [7.761022e-13, '7.761022e-13'], [1e-320, '9.999889e-321'], [Infinity, 'inf'], [-Infinity, '-inf'], [NaN, 'nan'],
  [0.0078125, '0.007812'], [0.0234375, '0.023438'], [999999.9999999, '1000000.0'], [0.00009999999999, '1.000000e-04'],
])('%f is spelled %s', (x, text) => { expect(shortFloat(x)).toBe(text) })

test.each([
  [30, '30.0%'], [30.000000000000004, '30.000000%'], [33.33333333333333, '33.333333%'], [12.5, '12.5%'], [1e-5, '1e-05%'], [4.746612986e-5, '4.746613e-05%'], [0, '0.0%'], [Infinity, 'inf%'], [1e16, '1e+16%'], [2.5e-7, '2.5e-07%'],
])('%f per cent is spelled %s', (x, text) => { expect(shortPercent(x)).toBe(text) })

test('halves go to the even digit', () => {
  expect([fixed6(0.0078125), fixed6(-0.0078125), fixed6(0.0234375), fixed6(2.5)]).toEqual(['0.007812', '-0.007812', '0.023438', '2.500000'])
})

test('texts lose quotes and long decimals', () => {
  expect(shortSpelling.text("mean 'x' None 1.23456789")).toBe('mean x null 1.234568')
  expect(fullSpelling.text("mean 'x' None 1.23456789")).toBe('mean x null 1.23456789')
  expect(fullSpelling.text('1.23456789%')).toBe('1.234568%')
  expect(cutDecimals('[0.12345678, 1.5]')).toBe('[0.123457, 1.5]')
})

test('JSON in ASCII', () => {
  expect(jsonText('a"b\\c\n\u007f中😀')).toBe('"a\\"b\\\\c\\n\\u007f\\u4e2d\\ud83d\\ude00"')
})

const numbers = fc.oneof(fc.double(), fc.float(), fc.double({ min: -1e7, max: 1e7 }), fc.double({ min: 1e-16, max: 1e-3 }), fc.integer().map(n => n / 128), fc.integer().map(n => n / 1e6), fc.integer().map(n => n / 1e10))

test('bytes say what strings say', () => {
  fc.assert(fc.property(numbers, x => {
    const out = new Bytes(4)
    out.float(x)
    expect(out.since(0)).toBe(shortFloat(x))
    const percent = new Bytes(4)
    percent.percent(Math.abs(x))
    expect(`${percent.since(0)}%`).toBe(shortPercent(Math.abs(x)))
  }), { numRuns: 5000 })
})

test('names of any kind', () => {
  const texts = new TextPool()
  fc.assert(fc.property(fc.string({ unit: 'binary' }).filter(text => text.isWellFormed()), text => {
    const out = new Bytes(1)
    out.name(texts, texts.add(text))
    expect(JSON.parse(out.since(0))).toBe(text)
    expect(out.since(0)).toBe(jsonText(text))
  }))
})
