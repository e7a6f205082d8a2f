// Headers of raw NPU dumps: the usual form, the old one, the small devices' one, and files that are not whole.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { rawNameOf, readRawHeader } from '../../../../main/engine/formats/index.ts'
import { Refusal } from '../../../../main/engine/model/index.ts'
import { fixturesRoot } from '../../../support/fixtures.ts'
import { rawFile } from '../../../support/raw-files.ts'
import { f32, joined, sourceOf } from '../../../support/tensor-files.ts'

const raw = path.join(fixturesRoot(), 'tf', 'raw')
const add = new Uint8Array(readFileSync(path.join(raw, 'Add.extra_bf16.32.5.1620612694001200')))
const headerOf = (bytes: Uint8Array) => readRawHeader(sourceOf(bytes), 'file')
const codeOf = (bytes: Uint8Array): Promise<unknown> =>
  headerOf(bytes).catch((error: unknown) => (error instanceof Refusal ? error.problem.code : error))

const tensors = {
  inputs: [
    { shape: [2], data: f32(1, 2) },
    { dtype: 2, format: 0, shape: [-1, 1], data: new Uint8Array(2) },
  ],
  outputs: [
    { shape: [3], originalShape: [1, 3], originalFormat: 1, groups: 4, data: f32(7, 8, 9) },
    { shape: [1], originalShape: [-1], data: f32(3) },
  ],
  buffers: [Uint8Array.of(1, 2, 3)],
  spaces: [Uint8Array.of(4, 5)],
}

describe('the usual form', () => {
  it('tells names, types, shapes and places of a real layout, byte for byte', async () => {
    const header = await headerOf(add)
    expect(header).toMatchObject({
      form: 'usual',
      version: '2.0',
      opName: 'extra/bf16',
      time: 1620612694001200n,
      problems: [],
    })
    expect(header.inputs).toMatchObject([
      {
        io: 'input',
        index: 0,
        dtype: 27,
        format: 2,
        shape: [2, 3],
        originalShape: [2, 3],
        from: 0x5e,
        size: 32,
      },
      {
        io: 'input',
        index: 1,
        dtype: 1,
        shape: [],
        originalShape: [],
        from: 0x7e,
        size: 4,
        truncated: false,
      },
    ])
    expect(header.outputs).toMatchObject([{ io: 'output', from: 0x82, size: 32, origin: null }])
    expect(header.blocks).toEqual([
      { kind: 'l1buffer', index: 0, from: 0xa2, size: 8, truncated: false },
      { kind: 'space', index: 0, from: 0xaa, size: 24, truncated: false },
    ])
  })

  it('puts inputs first, whatever the order of the header, and takes unknown dimensions for unknown', async () => {
    const header = await headerOf(rawFile(tensors))
    expect(header.inputs[1].shape).toEqual([-1, 1])
    expect(header.outputs[0]).toMatchObject({ originalShape: [1, 3], groups: 4, origin: { format: 1 } })
    expect(header.outputs[1].originalShape).toBeNull()
    expect(header.outputs[0].from).toBe(header.inputs[0].from + 10)
  })

  it('reads no more than the header', async () => {
    const bytes = rawFile({ outputs: [{ data: new Uint8Array(1 << 20) }] })
    let read = 0
    const whole = sourceOf(bytes)
    await readRawHeader(
      { size: whole.size, read: (from, into) => ((read += into.length), whole.read(from, into)) },
      '',
    )
    expect(read).toBeLessThan(200)
  })
})

describe('a file that is not as long as its header says', () => {
  it('keeps what is whole and marks the rest', async () => {
    const header = await headerOf(add.subarray(0, add.length - 4))
    expect(header.inputs.map(one => one.truncated)).toEqual([false, false])
    expect(header.blocks.map(one => one.truncated)).toEqual([false, true])
    expect(header.problems).toMatchObject([
      { code: 'raw-truncated', facts: { expected: 194, found: 190, missing: 1, parts: 5 } },
    ])
  })

  it('says how much too long it is', async () => {
    const { problems } = await headerOf(joined([add, new Uint8Array(7)]))
    expect(problems).toMatchObject([{ code: 'raw-longer', severity: 'note', facts: { bytes: 7 } }])
  })
})

describe('what is no raw dump is refused', () => {
  it.each([
    ['nothing', new Uint8Array(0)],
    ['eight bytes', new Uint8Array(8)],
    ['zeros', new Uint8Array(64)],
    ['text', new TextEncoder().encode('ge_proto text of some length, and more of it')],
  ])('%s', async (_, bytes) => {
    expect(await codeOf(bytes)).toBe('raw-invalid')
  })

  it('a cut header is told as such', async () => {
    expect(await codeOf(add.subarray(0, 40))).toBe('raw-cut')
  })

  it('a header larger than any before it is read', async () => {
    const bytes = new Uint8Array(16 << 20)
    new DataView(bytes.buffer).setBigUint64(0, 15n << 20n, true)
    expect(await codeOf(bytes)).toBe('too-large')
  })
})

it('the old form holds its tensors inside the message', async () => {
  const bytes = rawFile({ ...tensors, old: true })
  const header = await headerOf(bytes)
  expect(header).toMatchObject({ form: 'old', version: '1.0', opName: 'scope/op', problems: [] })
  const at = (from: number, size: number): Uint8Array => bytes.slice(from, from + size)
  for (const [i, { data }] of tensors.inputs.entries())
    expect(at(header.inputs[i].from, header.inputs[i].size)).toEqual(data)
  for (const [i, { data }] of tensors.outputs.entries())
    expect(at(header.outputs[i].from, header.outputs[i].size)).toEqual(data)
  expect(header.outputs[0].shape).toEqual([3])
  expect(header.blocks.map(({ from, size }) => [...at(from, size)])).toEqual([
    [1, 2, 3],
    [4, 5],
  ])
})

it('the form of small devices tells types by the numbers of GE', async () => {
  const u32 = (...values: number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer)
  const u64 = (...values: bigint[]): Uint8Array => new Uint8Array(BigUint64Array.from(values).buffer)
  const list = (tag: number, ...values: bigint[]): Uint8Array =>
    joined([u32(tag, values.length * 8), u64(...values)])
  const lists = joined([list(0, 2n, 1n), list(1, 2n)])
  const input = joined([u32(1, 1, 2, 0), u64(0n, 0n, 4n), u32(lists.length), lists])
  const named = joined([list(0, 3n), u32(2, 3), new TextEncoder().encode('a/b')])
  const output = joined([u32(1, 3, 2, 0, 5, 0, 1), u64(0n, 0n, 12n), u32(2), named])
  const header = joined([u32(0x5a5a5a5a, 2, 4, input.length), input, u32(5, output.length), output])
  const read = await headerOf(joined([u64(BigInt(header.length)), header, new Uint8Array(16)]))
  expect(read.inputs).toMatchObject([
    { dtype: 2, shape: [2, 1], originalShape: [2], size: 4, from: header.length + 8 },
  ])
  expect(read.outputs).toMatchObject([
    {
      dtype: 7,
      shape: [3],
      originalShape: null,
      size: 12,
      origin: { name: 'a/b', outputIndex: 5, dtype: 1, format: 1 },
    },
  ])
  expect(read).toMatchObject({ form: 'nano', version: '2', problems: [] })
})

describe('names', () => {
  it.each([
    [
      'Add.a_b.32.5.1620612694001200',
      { type: 'Add', op: 'a_b', task: 32, stream: 5, time: 1620612694001200n },
    ],
    ['Add.a.32.1620612694001200', { task: 32, stream: 0, time: 1620612694001200n, thread: null }],
    [
      'Add.a.32.5.1620612694001200.4.7.1.0',
      { stream: 5, thread: { taskType: 4, context: 7, thread: 1, device: 0 }, summary: false },
    ],
    ['Add.a.32.5.1620612694001200.csv', { summary: true }],
    ['Add.a.1.2.3', { task: 1, stream: 2, time: 3n }],
    ['Opdebug.Node_OpDebug.21.5.1620612700000100', { opDebug: true, task: 21 }],
  ])('%s', (name, parts) => {
    expect(rawNameOf(name)).toMatchObject(parts)
  })

  it.each([
    'LeNet_fc.0.1620612600000000.npy',
    'Add.a.32.5.16.output.0.npy',
    'a.b',
    '1234567890',
    'a b.c.1.2',
  ])('not %s', name => {
    expect(rawNameOf(name)).toBeNull()
  })
})
