// Numbers that graph files spell as texts: read in place, or left to the careful way.
import { JsonScan } from '../../../main/engine/json/scan.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Kind } from '../../../main/engine/model/names.ts'
import { pyFloat } from '../../../main/engine/python/values.ts'

function read(text: string): { kind: Kind; value: number } | null {
  const scan = new JsonScan(new TextEncoder().encode(JSON.stringify(text)))
  scan.string()
  const into = { kind: Kind.none as Kind, value: 0 }
  return scan.decimal(into) ? into : null
}

test('decimals as Number reads them', () => {
  const texts = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(pyFloat),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }).map(x => x.toFixed(6)),
    fc.double({ min: 1e-12, max: 1e-4, noNaN: true }).map(x => x.toExponential(6)),
    fc.integer().map(String),
  )
  fc.assert(
    fc.property(texts, text => {
      const found = read(text)
      if (found)
        expect(found).toEqual({ kind: /^-?\d+$/.test(text) ? Kind.int : Kind.float, value: Number(text) })
      else
        expect(
          text.replace(/\D/g, '').length > 15 ||
            Math.abs(Number(text)) < 1e-9 ||
            Math.abs(Number(text)) > 1e15,
        ).toBe(true)
    }),
    { numRuns: 5000 },
  )
})

test.each([
  '',
  '-',
  '.',
  '.5',
  'null',
  'nan',
  'inf',
  '-inf',
  '1.2.3',
  '1e',
  '1e+',
  'e5',
  '1 ',
  ' 1',
  '+1',
  '0x1',
  '1_000',
  '12%',
  '1e0005',
  '1234567890123456',
  '1e30',
  '１',
])('%j is left to the careful way', text => {
  expect(read(text)).toBeNull()
})

test.each([
  ['-0', Kind.int, -0],
  ['1.', Kind.float, 1],
  ['007', Kind.int, 7],
  ['1E5', Kind.float, 1e5],
  ['1.5e-07', Kind.float, 1.5e-7],
  ['-0.0', Kind.float, -0],
  ['123456789012345', Kind.int, 123456789012345],
])('%s', (text, kind, value) => {
  expect(read(text)).toEqual({ kind, value })
})
