// Numbers spelled in WebAssembly are the numbers of the careful way, digit for digit; texts that need care
// are turned down.
import { describe, expect, it } from 'vitest'
import { TextPool } from '../../../main/engine/model/columns.ts'
import { pyFloat } from '../../../main/engine/python/values.ts'
import { g16 } from '../../../main/engine/python/numpy.ts'
import { Piece, RowBytes } from '../../../main/engine/report/row-bytes.ts'
import { random } from '../../support/random.ts'

const decoder = new TextDecoder()
const spelled = (out: RowBytes, put: () => void): string => {
  out.cut(0)
  put()
  return decoder.decode(out.written)
}

const word = new Float64Array(1)
const halves = new Uint32Array(word.buffer)

type Next = () => number
const kinds: Readonly<Record<string, (next: Next) => number>> = {
  'any bits': next => {
    halves[0] = next() * 2 ** 32
    halves[1] = next() * 2 ** 32
    return word[0]
  },
  'numbers below 1': next => next() * 2 - 1,
  'single precision': next => Math.fround(next() * 10 ** Math.floor(next() * 12 - 6)),
  'short decimals': next =>
    Number((next() * 10 ** Math.floor(next() * 20 - 10)).toPrecision(1 + Math.floor(next() * 17))),
  'whole numbers': next => Math.floor(next() * 10 ** Math.floor(next() * 20)),
  'binary fractions, which make ties': next => Math.floor(next() * 2 ** 20) / 2 ** Math.floor(next() * 60),
  'powers of ten': next =>
    Number(`${next() < 0.5 ? '-' : ''}${Math.ceil(next() * 9)}e${Math.floor(next() * 180 - 80)}`),
  'powers of two': next => 2 ** Math.floor(next() * 240 - 120),
  'neighbours of round numbers': next =>
    Number(`${Math.ceil(next() * 99)}e${Math.floor(next() * 40 - 20)}`) *
    (1 + (Math.floor(next() * 5) - 2) * 2 ** -52),
}

describe('numbers as bytes', () => {
  const out = new RowBytes()
  it.each(Object.keys(kinds))('%s', name => {
    const next = random(7)
    for (let i = 0; i < 20_000; i++) {
      const x = kinds[name](next)
      expect([spelled(out, () => out.g16(x)), spelled(out, () => out.repr(x))]).toEqual([g16(x), pyFloat(x)])
    }
  })

  it('what has no digits', () => {
    for (const x of [0, -0, NaN, Infinity, -Infinity, Number.MIN_VALUE, Number.MAX_VALUE])
      expect([spelled(out, () => out.g16(x)), spelled(out, () => out.repr(x))]).toEqual([g16(x), pyFloat(x)])
  })
})

describe('texts as bytes', () => {
  const out = new RowBytes()
  const pool = new TextPool()
  it.each([
    ['', true],
    ['Tensor.add_.0', true],
    ['a b', true],
    ['a & b', false],
    ['<b>', false],
    ['é', false],
    ['a\u0001', false],
    ['a\n', false],
    [' a', false],
    ['a ', false],
    ['=1', false],
    ['-1', false],
    ['@x', false],
    ['_x0041_', false],
    ['max_xor', false],
    ['x_', true],
  ] as const)('%j is plain: %s', (text, plain) => {
    for (const put of [() => out.plain(text), () => out.plainCode(pool, pool.add(text))]) {
      out.cut(0)
      expect(put()).toBe(plain)
      expect(decoder.decode(out.written)).toBe(plain ? text : '')
    }
  })

  it('grows, and keeps what it is told to keep', () => {
    const long = 'abcdefghij'.repeat(60_000)
    const piece = new Piece()
    expect(
      spelled(out, () => {
        out.ascii('head ')
        out.ascii(long)
        out.keep(5, piece)
        out.text(' 中文 ')
        out.put(piece)
      }),
    ).toBe(`head ${long} 中文 ${long}`)
  })
})
