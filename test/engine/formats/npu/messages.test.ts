// The reader of headers against the library that made them.
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DumpData, DumpDataSchema, type Shape } from '../../../support/dump_data_pb.ts'
import { dumpMessage } from '../../../../main/engine/formats/npu/messages.ts'

const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })
const i32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const bytes = fc.string({ unit: 'grapheme', maxLength: 80 }).map(text => new TextEncoder().encode(text))
const shape = fc.option(fc.record({ dim: fc.array(u64, { maxLength: 6 }) }), { nil: undefined })
const common = {
  dataType: i32,
  format: i32,
  shape,
  originalShape: shape,
  size: u64,
  subFormat: i32,
  address: u64,
}
const message = fc.record({
  version: bytes,
  dumpTime: u64,
  opName: bytes,
  input: fc.array(fc.record({ ...common, data: bytes, offset: u64 }), { maxLength: 4 }),
  output: fc.array(
    fc.record({
      ...common,
      originalOp: fc.option(fc.record({ name: bytes, outputIndex: fc.nat(), dataType: i32, format: i32 }), {
        nil: undefined,
      }),
    }),
    { maxLength: 4 },
  ),
  buffer: fc.array(fc.record({ bufferType: i32, size: u64 }), { maxLength: 3 }),
  space: fc.array(fc.record({ type: i32, size: u64 }), { maxLength: 3 }),
  attr: fc.array(fc.record({ name: bytes, value: bytes }), { maxLength: 3 }),
})

const text = (value: Uint8Array): string => new TextDecoder().decode(value)
const dims = (of: Shape | undefined): number[] | null =>
  of?.dim.map(dim => (dim < 1n << 63n ? Number(dim) : -1)) ?? null
const known = (of: Shape | undefined): number[] | null => (dims(of)?.includes(-1) ? null : dims(of))

function asTold(of: DumpData) {
  const tensor = (one: DumpData['input'][number] | DumpData['output'][number], index: number) => ({
    index,
    dtype: one.dataType,
    format: one.format,
    shape: dims(one.shape) ?? [],
    originalShape: known(one.originalShape),
    groups: one.subFormat,
    address: one.address,
    from: 0,
    size: Number(one.size),
    truncated: false,
  })
  const block = (kind: string) => (one: { size: bigint }, index: number) => ({
    kind,
    index,
    from: 0,
    size: Number(one.size),
    truncated: false,
  })
  return {
    version: text(of.version),
    opName: text(of.opName),
    time: of.dumpTime,
    attrs: of.attr.map(one => ({ name: text(one.name), value: text(one.value) })),
    inputs: of.input.map((one, i) => ({ io: 'input', origin: null, ...tensor(one, i) })),
    outputs: of.output.map((one, i) => ({
      io: 'output',
      origin: one.originalOp
        ? {
            name: text(one.originalOp.name),
            outputIndex: one.originalOp.outputIndex,
            dtype: one.originalOp.dataType,
            format: one.originalOp.format,
          }
        : null,
      ...tensor(one, i),
    })),
    buffers: of.buffer.map(block('l1buffer')),
    spaces: of.space.map(block('space')),
  }
}

test('headers are read as the library reads them', () => {
  fc.assert(
    fc.property(message, given => {
      const written = toBinary(DumpDataSchema, create(DumpDataSchema, given))
      expect(dumpMessage(written)).toEqual(asTold(fromBinary(DumpDataSchema, written)))
    }),
    { numRuns: 300 },
  )
})

test('fields that nobody knows are skipped, and dimensions may stand one by one', () => {
  // Field 15 as a group, field 14 as four bytes, then an input whose shape has a field for each dimension.
  const strange = Uint8Array.of(0x7b, 0x08, 0x01, 0x7c, 0x75, 1, 2, 3, 4)
  const input = Uint8Array.of(0x22, 0x08, 0x08, 0x01, 0x1a, 0x04, 0x08, 0x02, 0x08, 0x03)
  const { inputs } = dumpMessage(Uint8Array.of(...strange, ...input))
  expect(inputs.map(({ dtype, shape }) => ({ dtype, shape }))).toEqual([{ dtype: 1, shape: [2, 3] }])
})

test('a message that ends inside of a field is refused', () => {
  fc.assert(
    fc.property(message, fc.double({ min: 0, max: 1, noNaN: true }), (given, part) => {
      const written = toBinary(DumpDataSchema, create(DumpDataSchema, given))
      const cut = written.subarray(0, Math.floor(part * written.length))
      const read = (reader: (bytes: Uint8Array) => unknown): 'read' | 'refused' => {
        try {
          reader(cut)
          return 'read'
        } catch {
          return 'refused'
        }
      }
      expect(read(dumpMessage)).toBe(read(one => fromBinary(DumpDataSchema, one)))
    }),
  )
})
