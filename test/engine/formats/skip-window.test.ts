// Going past values of a large JSON file: where they end, whatever stands in their strings, and where the
// bytes run out.
import { SkipWindow } from '../../../main/engine/json/skip-window.ts'
import { JsonScan } from '../../../main/engine/json/scan.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const encoder = new TextEncoder()
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', 'a', ' ', '\n', 'é') }),
  fc.string(),
)
const nested = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 5 },
    texts,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 8 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 8 }),
  ),
})).value
const containers = fc.oneof(fc.array(nested), fc.dictionary(texts, nested))

test('past an object or a list, and no further', () => {
  const window = new SkipWindow(1 << 16)
  fc.assert(
    fc.property(
      containers,
      fc.nat(80),
      fc.nat(100),
      fc.constantFrom(undefined, 1, 4),
      (value, before, behind, indent) => {
        const own = encoder.encode(JSON.stringify(value, null, indent))
        // Brackets and quotes around it are not its own.
        const bytes = new Uint8Array([
          ...new Uint8Array(before).fill(0x7d),
          ...own,
          ...new Uint8Array(behind).fill(0x22),
        ])
        fc.pre(bytes.length <= window.bytes.length)
        window.bytes.set(bytes)
        expect(window.skip(before, bytes.length)).toBe(before + own.length)
        expect(window.skip(before, before + own.length)).toBe(before + own.length)
        expect(window.skip(before, before + own.length - 1)).toBeLessThan(0)
        const scan = new JsonScan(bytes, before)
        scan.skip()
        expect(scan.at).toBe(before + own.length)
      },
    ),
    { numRuns: 3000 },
  )
})

test('backslashes across the border of 64 bytes', () => {
  const window = new SkipWindow(1 << 12)
  for (let length = 50; length < 80; length++) {
    for (let slashes = 0; slashes < 6; slashes++) {
      const own = encoder.encode(JSON.stringify([`${'x'.repeat(length)}${'\\'.repeat(slashes)}"]`, ']']))
      window.bytes.fill(0x5d)
      window.bytes.set(own)
      expect(window.skip(0, own.length)).toBe(own.length)
    }
  }
})

test('equal bytes have equal hashes wherever they stand, others do not', () => {
  const window = new SkipWindow(1 << 12)
  const seen = new Map<number, string>()
  for (let i = 0; i < 2000; i++) {
    const text = `${'line '.repeat(i % 23)}${i}`
    const bytes = encoder.encode(text)
    window.bytes.fill(i % 256)
    window.bytes.set(bytes, 100)
    window.bytes.set(bytes, 1003)
    const hash = window.hash(100, 100 + bytes.length)
    expect(window.hash(1003, 1003 + bytes.length)).toBe(hash)
    expect(seen.has(hash)).toBe(false)
    seen.set(hash, text)
  }
})

test('grows with what is in it', () => {
  const window = new SkipWindow(100)
  window.bytes.fill(7)
  window.grow()
  expect(window.bytes).toHaveLength(200)
  expect([...window.bytes.subarray(0, 101)]).toEqual([...new Uint8Array(100).fill(7), 0])
})
