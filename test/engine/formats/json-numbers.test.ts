// Numbers of dump.json, read without JSON.parse: every one must be the double that JavaScript and Python make
// of it.
import { expect, test } from 'vitest'
import type { Dump } from '../../../main/engine/model/dump.ts'
import { dumpFilesOf, readDump } from '../../../main/engine/formats/msprobe/read.ts'
import { job } from '../../../main/engine/work/job.ts'
import { Kind } from '../../../main/engine/model/names.ts'
import { memoryFiles } from '../../support/memory-files.ts'
import { random } from '../../support/random.ts'

/** A dump whose tensors carry the given tokens as Max. */
async function dumpOf(tokens: readonly string[]): Promise<Dump> {
  const leaves = tokens.map(
    token => `{"type": "torch.Tensor", "dtype": "torch.float64", "shape": [], "Max": ${token}}`,
  )
  const entries: string[] = []
  for (let i = 0; i < leaves.length; i += 100)
    entries.push(`"Torch.a.${i}.forward": {"output": [${leaves.slice(i, i + 100).join(', ')}]}`)
  const files = memoryFiles({ '/d/dump.json': `{"data": {${entries.join(',\n')}}}` })
  return readDump(files, dumpFilesOf(files, '/d'), job())
}

async function expectExact(tokens: readonly string[]): Promise<void> {
  const dump = await dumpOf(tokens)
  expect(dump.problems).toEqual([])
  expect(dump.items.length).toBe(tokens.length)
  const wrong = tokens.filter(
    (token, i) => dump.items.max.kind[i] !== Kind.float || !Object.is(dump.items.max.value[i], Number(token)),
  )
  expect(wrong.slice(0, 10)).toEqual([])
}

const next = random(7)
const digits = (n: number): string => Array.from({ length: n }, () => Math.floor(next() * 10)).join('')
const bits = new DataView(new ArrayBuffer(8))
function anyDouble(): number {
  for (;;) {
    bits.setUint32(0, next() * 2 ** 32)
    bits.setUint32(4, next() * 2 ** 32)
    const x = bits.getFloat64(0)
    if (Number.isFinite(x)) return x
  }
}
/** As Python writes a float: always with a point or an exponent. */
const written = (x: number): string => (/[.e]/.test(String(x)) ? String(x) : `${x}.0`)

test('any double, shortest digits', () =>
  expectExact(Array.from({ length: 60_000 }, () => written(anyDouble()))))

test('float32 values as statistics have them', () =>
  expectExact(
    Array.from({ length: 60_000 }, () =>
      written(Math.fround((next() - 0.5) * 10 ** Math.floor(next() * 60 - 30))),
    ),
  ))

test('any digits and exponents, longer than a double holds', () =>
  expectExact(
    Array.from({ length: 60_000 }, () => {
      const whole = next() < 0.5 ? '0' : `${1 + Math.floor(next() * 9)}${digits(Math.floor(next() * 25))}`
      const exponent =
        next() < 0.5
          ? ''
          : `${next() < 0.5 ? 'e' : 'E'}${['', '+', '-'][Math.floor(next() * 3)]}${digits(1 + Math.floor(next() * 3))}`
      return `${next() < 0.5 ? '-' : ''}${whole}.${'0'.repeat(next() < 0.2 ? next() * 30 : 0)}${digits(1 + Math.floor(next() * 30))}${exponent}`
    }),
  ))

/** Exact decimal text of `odd` · 2^power. */
function exact(odd: bigint, power: number): string {
  if (power >= 0) return `${odd << BigInt(power)}.0`
  const text = (odd * 5n ** BigInt(-power)).toString().padStart(-power + 1, '0')
  return `${text.slice(0, power)}.${text.slice(power)}`
}

test('halfway between two doubles, and a hair beside it', () =>
  expectExact(
    Array.from({ length: 20_000 }, (_, i) => {
      const mantissa = 2n ** 52n + BigInt(Math.floor(next() * 2 ** 52))
      const middle = exact(mantissa * 2n + 1n, Math.floor(next() * 70) - 100)
      return i % 3 === 0 ? middle : i % 3 === 1 ? `${middle}1` : `${middle.slice(0, -1)}49`
    }),
  ))

test('edges', () =>
  expectExact([
    '0.0',
    '-0.0',
    '0e5',
    '0.0e-400',
    '5e-324',
    '2.4703282292062327e-324',
    '2.47032822920623272e-324',
    '1.7976931348623157e308',
    '1.7976931348623159e308',
    '1e400',
    '-1e400',
    '1e-400',
    '2.2250738585072014e-308',
    '2.2250738585072011e-308',
    '9007199254740993.0',
    '9007199254740992.5',
    '0.1',
    '1e22',
    '1e23',
    '8.5e-22',
    '123456789012345678901234567890.0',
    '1.0E+2',
    '1.0e-05',
    `0.${'0'.repeat(400)}1`,
    `1${'0'.repeat(300)}.0`,
    `1${'0'.repeat(400)}.0`,
    `0.${'9'.repeat(5000)}`,
    '1e99999999999',
    '1e-99999999999',
    '-1.5e-80',
    '3.141592653589793e80',
    '1.7e81',
    '4.9e-81',
  ]))

test('what JSON has no word for', async () => {
  const dump = await dumpOf(['NaN', 'Infinity', '-Infinity'])
  expect(Array.from(dump.items.max.value)).toEqual([NaN, Infinity, -Infinity])
  expect(Array.from(dump.items.max.kind)).toEqual([Kind.float, Kind.float, Kind.float])
})

test('integers stay integers, exact up to 2^53 and as digits beyond', async () => {
  const tokens = [
    '0',
    '-0',
    '7',
    '-12',
    '9007199254740992',
    '-9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '18446744073709551615',
    '99999999999999999999999',
  ]
  const dump = await dumpOf(tokens)
  const shown = tokens.map((_, i) =>
    dump.items.max.kind[i] === Kind.bigint
      ? dump.texts.get(dump.items.max.value[i]!)
      : dump.items.max.kind[i] === Kind.int
        ? String(dump.items.max.value[i])
        : '?',
  )
  expect(shown).toEqual(tokens.map(token => (token === '-0' ? '0' : token)))
  expect(Object.is(dump.items.max.value[1], 0)).toBe(true)
})

test.each([
  '01.0',
  '1.',
  '.5',
  '+1.0',
  '1.e5',
  '1e',
  '1e+',
  '--1.0',
  '-',
  '0x10',
  '1_000.0',
  'nan',
  'inf',
  '-NaN',
  'Infinit',
  '1.0.0',
])('%s is no number', async token => {
  const dump = await dumpOf(['1.0', token])
  expect(dump.problems.map(p => p.code)).toContain('json-broken')
  expect(dump.partial).toBe(true)
})
