// The text pool against a Map, with texts added one by one, in bulk, joined and loose.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashBytes, TextPool } from '../../../main/engine/model/columns.ts'

const encoder = new TextEncoder()

test('texts keep their codes however they came in', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 6 })
  const step = fc.oneof(
    fc.record({ is: fc.constant('add' as const), text }),
    fc.record({ is: fc.constant('plain' as const), text }),
    fc.record({ is: fc.constant('loose' as const), text }),
    fc.record({ is: fc.constant('find' as const), text }),
    fc.record({ is: fc.constant('join' as const), text: fc.constant(''), a: fc.nat(), b: fc.nat() }),
    fc.record({ is: fc.constant('pack' as const), text: fc.constant('') }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      let pool = new TextPool()
      const all: string[] = []
      for (const step of steps) {
        const bytes = encoder.encode(step.text)
        if (step.is === 'add') {
          const code = pool.add(step.text)
          if (all.includes(step.text)) expect(all[code]).toBe(step.text)
          else expect(all.push(step.text) - 1).toBe(code)
        }
        if (step.is === 'plain' && !all.includes(step.text))
          expect(pool.appendPlain(bytes, [bytes.length])).toBe(all.push(step.text) - 1)
        if (step.is === 'loose') expect(pool.appendLoose(bytes)).toBe(all.push(step.text) - 1)
        if (step.is === 'join' && all.length > 0) {
          const pair = [step.a % all.length, step.b % all.length] as const
          expect(pool.appendJoined(Uint32Array.from(pair))).toBe(all.push(all[pair[0]]! + all[pair[1]]!) - 1)
        }
        if (step.is === 'find') {
          const code = pool.find(step.text)
          expect(code < 0 ? undefined : all[code]).toBe(all.includes(step.text) ? step.text : undefined)
        }
        if (step.is === 'pack') pool = TextPool.of(pool.pack())
        expect(pool.size).toBe(all.length)
      }
      const plain = new TextPool()
      all.forEach((text, code) => {
        expect(pool.equals(code, plain, plain.addPlain(text))).toBe(true)
        expect(plain.get(plain.findPlain(text))).toBe(text)
        expect(plain.addPlain(text)).toBe(plain.find(text))
        expect(pool.equals(code, plain, plain.addPlain(`${text}.`))).toBe(false)
        const into = new Uint8Array(pool.bytesOf(code) + 2)
        expect(pool.copy(code, into, 1)).toBe(into.length - 1)
        expect(into.subarray(1, -1)).toEqual(encoder.encode(text))
        const again = new Uint8Array(into.length)
        if (/^[ !#-[\]-~]*$/.test(text)) {
          expect(pool.copyPlain(code, again, 1)).toBe(into.length - 1)
          expect(again).toEqual(into)
        } else expect(pool.copyPlain(code, again, 1)).toBe(-1)
        expect(pool.firstByte(code)).toBe(encoder.encode(text)[0] ?? 0)
        for (const head of [text.slice(0, 1), text, `${text}x`, 'x']) {
          const bytes = encoder.encode(head)
          expect(pool.startsWith(code, bytes)).toBe(
            encoder.encode(text).subarray(0, bytes.length).join() === bytes.join(),
          )
        }
      })
      all.forEach((text, code) => {
        expect(pool.get(code)).toBe(text)
        expect(pool.hash(code)).toBe(hashBytes(encoder.encode(text)))
      })
    }),
    { numRuns: 300 },
  )
})

test('a pool grows past its first rooms', () => {
  const pool = new TextPool()
  for (let i = 0; i < 20_000; i++) expect(pool.add(`text ${i}`)).toBe(i)
  for (let i = 0; i < 20_000; i += 7) expect(pool.find(`text ${i}`)).toBe(i)
  expect(pool.find('no such text')).toBe(-1)
  expect(() => pool.get(20_000)).toThrow(RangeError)
})

test('texts that came in bulk are found at the first question, plain and joined', () => {
  const pool = new TextPool()
  const texts = Array.from({ length: 5000 }, (_, i) => `op.${i}`)
  pool.appendPlain(
    encoder.encode(texts.join('')),
    texts.map(text => text.length),
  )
  const end = pool.appendPlain(encoder.encode('.input'), [6])
  const first = pool.appendJoined(Uint32Array.from({ length: 10_000 }, (_, i) => (i % 2 ? end : i >> 1)))
  expect(pool.find('op.4321')).toBe(4321)
  expect(TextPool.of(pool.pack()).find('op.77.input')).toBe(first + 77)
  expect(pool.find('op.4999.input')).toBe(first + 4999)
  expect(pool.find('op.5000.input')).toBe(-1)
})
