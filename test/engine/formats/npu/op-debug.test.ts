// Overflow records: fields of both forms, status bits in words, whose they are.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  opDebugIds,
  opDebugRecord,
  overflowStatuses,
  readOpDebug,
} from '../../../../main/engine/formats/index.ts'
import { overflowCodes, Refusal } from '../../../../main/engine/model/index.ts'
import { say } from '../../../../preload/contract/words/index.ts'
import { fixturesRoot } from '../../../support/fixtures.ts'
import { sourceOf } from '../../../support/tensor-files.ts'

const folder = path.join(
  fixturesRoot(),
  'tf/net/precision_data/overflow/dump/20210510102000/0/ge_default_20210510101134_1/1/0',
)
const expected = path.join(fixturesRoot(), 'tf', 'expected', 'overflow')
const real = [
  'Opdebug.Node_OpDebug.21.5.1620612700000100',
  'Opdebug.Node_OpDebug.22.5.1620612700000400',
] as const

const recordOf = (name: string) =>
  readOpDebug(sourceOf(new Uint8Array(readFileSync(path.join(folder, name)))), name)

it.each(real)('%s, as the tool reads it', async name => {
  const golden: unknown = JSON.parse(readFileSync(path.join(expected, `${name}.output.0.json`), 'utf8'))
  expect(await recordOf(name)).toEqual(golden)
})

/** A record of the second form. */
function second(unit: number, words: readonly bigint[], version = 0): Uint8Array {
  const bytes = new Uint8Array(2048)
  const view = new DataView(bytes.buffer)
  const head = [0x5a5a5a5a, version, 1, unit, 0, words.length * 8]
  for (const [i, word] of head.entries()) view.setUint32(i * 4, word, true)
  for (const [i, word] of words.entries()) view.setBigUint64(24 + i * 8, word, true)
  return bytes
}
const count = (n: number): bigint[] => Array.from({ length: n }, (_, i) => BigInt(i + 1))

describe('the second form', () => {
  it.each([
    [0, 'AIC', 11, { core_id: 9, block_id: 10, status: 11, pc_start: '0x7' }],
    [1, 'AIV', 11, { thread_id: 6, status: 11 }],
    [2, 'AICPU', 8, { context_id: 5, cpu_id: 6, thread_id: 7, status: 8 }],
    [3, 'SDMA', 10, { src_addr: '0x7', dst_addr: '0x8', channel_id: 9, status: 10 }],
  ])('unit %i is %s', (unit, name, words, data) => {
    const record = opDebugRecord(second(unit, count(words)), '')
    expect(record).toMatchObject({
      magic: '0x5a5a5a5a',
      acc_list: { acc_type: name, data_len: words * 8, data },
    })
  })

  it('has four words of status from cores of version 1, whose bits are not known', () => {
    const record = opDebugRecord(second(0, [...count(10), 0n, 32n, 0n, 1n << 63n], 1), '')
    expect(record).toMatchObject({ acc_list: { data: { status: [0, 32, 0, '9223372036854775808'] } } })
    expect(overflowStatuses(record)).toEqual([
      { unit: 'AIC', status: '0x0 0x20 0x0 0x8000000000000000', meanings: [] },
    ])
  })

  it('tells whose it is, unless all ones say that nobody knows', () => {
    const ids = (words: readonly bigint[]) => opDebugIds(opDebugRecord(second(0, words), ''))
    expect(ids(count(11))).toEqual({ task: 3, stream: 2, context: 5, thread: 6 })
    expect(ids([1n, 2n ** 64n - 1n, 2n ** 64n - 1n, 0n, 65535n, 65535n])).toEqual({
      task: null,
      stream: null,
      context: null,
      thread: null,
    })
  })
})

describe('status in words', () => {
  it('of the real records', async () => {
    const [first, second] = await Promise.all(real.map(recordOf))
    expect(overflowStatuses(first)).toEqual([
      { unit: 'DHA Atomic Add', status: '0xa00', meanings: [{ code: 'atomic-underflow', bit: 10 }] },
      { unit: 'L2 Atomic Add', status: '0x20000', meanings: [{ code: 'atomic-underflow', bit: 2 }] },
      {
        unit: 'AI Core',
        status: '0x120',
        meanings: [
          { code: 'float', bit: 5 },
          { code: 'half', bit: 8 },
        ],
      },
    ])
    expect(overflowStatuses(second)).toEqual([
      { unit: 'AIC', status: '0x20', meanings: [{ code: 'float', bit: 5 }] },
    ])
    expect(opDebugIds(first)).toMatchObject({ task: 21, stream: 5 })
  })

  it('names bits and codes that nobody knows', () => {
    const bytes = new Uint8Array(2048)
    const view = new DataView(bytes.buffer)
    view.setBigUint64(512, 0x700n, true)
    view.setBigUint64(1024 + 16, 0x41n, true)
    expect(overflowStatuses(opDebugRecord(bytes, ''))).toEqual([
      { unit: 'DHA Atomic Add', status: '0x700', meanings: [{ code: 'unknown-code', bit: 7 }] },
      {
        unit: 'AI Core',
        status: '0x41',
        meanings: [
          { code: 'unknown-bit', bit: 0 },
          { code: 'unknown-bit', bit: 6 },
        ],
      },
    ])
  })

  it('is nothing where nothing was reported', () => {
    expect(overflowStatuses(opDebugRecord(new Uint8Array(2048), ''))).toEqual([])
  })

  it.each(overflowCodes)('%s has a sentence', code => {
    expect(say('zh', `overflow.${code}`, { bit: 3 })).not.toBe(say('en', `overflow.${code}`, { bit: 3 }))
  })
})

it.each([0, 3, 100, 2047, 2049])('%i bytes are no record', length => {
  expect(() => opDebugRecord(new Uint8Array(length), 'f')).toThrow(Refusal)
})
it('a cut record of the second form is refused', () => {
  expect(() => opDebugRecord(second(0, count(11)).subarray(0, 60), 'f')).toThrow(Refusal)
})
