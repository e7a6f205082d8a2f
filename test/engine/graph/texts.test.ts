// Texts of items as graph files spell them, also for random values.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Cells, TextPool } from '../../../main/engine/model/columns.ts'
import { Kind } from '../../../main/engine/model/names.ts'
import { Bytes } from '../../../main/engine/graph/bytes.ts'
import { type Four, Page } from '../../../main/engine/graph/page.ts'
import {
  cutDecimals,
  fixed6,
  fullSpelling,
  jsonText,
  shortFloat,
  shortPercent,
  shortSpelling,
} from '../../../main/engine/graph/texts.ts'
import { random } from '../../support/random.ts'

type Numbers = readonly [number, number, number, number]
const cell = (value: number): Cells => ({ kind: Uint8Array.of(Kind.float), value: Float64Array.of(value) })
const cellsOf = ([a, b, c, d]: Numbers): Four => [cell(a), cell(b), cell(c), cell(d)]

test.each([
  [0, '0.0'],
  [-0, '-0.0'],
  [1, '1.0'],
  [-1.5, '-1.5'],
  [0.3000000000000001, '0.3'],
  [1.23456789, '1.234568'],
  [123456789.12345679, '123456789.123457'],
  [1e15, '1000000000000000.0'],
  [1e16, '1.000000e+16'],
  [0.0001, '0.0001'],
  [0.00009999, '9.999000e-05'],
  [5.245209e-6, '5.245209e-06'],
  [7.761022e-13, '7.761022e-13'],
  [1e-320, '9.999889e-321'],
  [Infinity, 'inf'],
  [-Infinity, '-inf'],
  [NaN, 'nan'],
  [0.0078125, '0.007812'],
  [0.0234375, '0.023438'],
  [999999.9999999, '1000000.0'],
  [0.00009999999999, '1.000000e-04'],
])('%f is spelled %s', (x, text) => {
  expect(shortFloat(x)).toBe(text)
})

test.each([
  [30, '30.0%'],
  [30.000000000000004, '30.000000%'],
  [33.33333333333333, '33.333333%'],
  [12.5, '12.5%'],
  [1e-5, '1e-05%'],
  [4.746612986e-5, '4.746613e-05%'],
  [0, '0.0%'],
  [Infinity, 'inf%'],
  [1e16, '1e+16%'],
  [2.5e-7, '2.5e-07%'],
])('%f per cent is spelled %s', (x, text) => {
  expect(shortPercent(x)).toBe(text)
})

test('halves go to the even digit', () => {
  expect([fixed6(0.0078125), fixed6(-0.0078125), fixed6(0.0234375), fixed6(2.5)]).toEqual([
    '0.007812',
    '-0.007812',
    '0.023438',
    '2.500000',
  ])
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

const numbers = fc.oneof(
  fc.double(),
  fc.float(),
  fc.double({ min: -1e7, max: 1e7 }),
  fc.double({ min: 1e-16, max: 1e-3 }),
  fc.integer().map(n => n / 128),
  fc.integer().map(n => n / 1e6),
  fc.integer().map(n => n / 1e10),
)

test('bytes say what strings say', () => {
  fc.assert(
    fc.property(numbers, x => {
      const out = new Bytes(4)
      out.float(x)
      expect(out.since(0)).toBe(shortFloat(x))
      const percent = new Bytes(4)
      percent.percent(Math.abs(x))
      expect(`${percent.since(0)}%`).toBe(shortPercent(Math.abs(x)))
    }),
    { numRuns: 5000 },
  )
})

describe('a page', () => {
  const page = new Page(64)
  const heads = (n: number): number => page.list(Array.from({ length: n }, (_, i) => page.keep(`;${i}=`)))
  const [four, eight, none] = [heads(4), heads(8), page.keep('none')]
  const notes = page.list([0, 1, 2, 3].map(i => page.keep(`(${i})`)))
  const spelled = (parts: readonly string[]): string => `${parts.map((part, i) => `;${i}=${part}`).join('')}"`
  const quartet = fc.tuple(numbers, numbers, numbers, numbers)
  const written = (): string => page.since(page.start)

  test('statistics as strings say them, or nothing', () => {
    fc.assert(
      fc.property(quartet, ([a, b, c, d]) => {
        page.clear()
        if (page.stats(four, a, b, c, d)) expect(written()).toBe(spelled([a, b, c, d].map(shortFloat)))
        else expect(page.length).toBe(0)
      }),
      { numRuns: 5000 },
    )
  })

  test('differences as strings say them, or nothing', () => {
    const small = fc.double({ min: -1e-3, max: 1e-3, noNaN: true })
    fc.assert(
      fc.property(
        quartet,
        fc.option(quartet, { nil: undefined }),
        fc.tuple(small, small, small, small),
        fc.constantFrom(-1, 1e-6, 1e-3),
        (mine, others, errors, bound) => {
          const theirs =
            others ??
            ([
              mine[0] * (1 + errors[0]),
              mine[1] * (1 + errors[1]),
              mine[2] * (1 + errors[2]),
              mine[3],
            ] as const)
          page.clear()
          if (!page.differ({ heads: eight, none, bound, notes }, cellsOf(mine), 0, cellsOf(theirs), 0)) {
            expect(page.length).toBe(0)
            return
          }
          const relative = mine.map((x, i) => {
            const other = theirs[i]!
            return (
              (other === 0 ? 'none' : shortPercent(Math.abs((x - other) / other) * 100)) +
              (Math.abs(x) <= bound ? `(${i})` : '')
            )
          })
          expect(written()).toBe(spelled([...mine.map((x, i) => shortFloat(x - theirs[i]!)), ...relative]))
        },
      ),
      { numRuns: 5000 },
    )
  })

  test('usual numbers are taken', () => {
    const next = random(3)
    let taken = 0
    for (let i = 0; i < 1000; i++) {
      page.clear()
      const value = (): number => (next() - 0.5) * 10 ** Math.floor(next() * 12 - 6)
      if (page.stats(four, value(), value(), value(), value())) taken++
    }
    expect(taken).toBeGreaterThan(950)
  })

  test('grows under what is on it', () => {
    const small = new Page(16)
    const piece = small.keep('<piece>')
    small.text('0123456789')
    for (let i = 0; i < 20; i++) small.again(2, 5, piece)
    expect(small.since(small.start)).toBe(`0123456789${'23456<piece>'.repeat(20)}`)
    const back = small.takeBack(10)
    expect(small.since(small.start)).toBe('0123456789')
    small.put(back)
    expect(small.since(small.start)).toBe(`0123456789${'23456<piece>'.repeat(20)}`)
  })
})

test('names of any kind', () => {
  const texts = new TextPool()
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }).filter(text => text.isWellFormed()),
      text => {
        const out = new Bytes(1)
        out.name(texts, texts.add(text))
        expect(JSON.parse(out.since(0))).toBe(text)
        expect(out.since(0)).toBe(jsonText(text))
      },
    ),
  )
})
