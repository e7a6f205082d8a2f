// Reads the header of a raw NPU dump file, the first bytes only, however large the tensors behind it are.
import { fromBinary } from '@bufbuild/protobuf'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import type { ByteSource } from '../tensors/tensor.ts'
import { type DumpData, DumpDataSchema, type OpInput, type OpOutput, type Shape } from './dump_data_pb.ts'
import { looksNano, nanoHeader } from './nano.ts'
import { oldMessage } from './old-form.ts'
import type { RawBlock, RawHeader, RawTensor } from './raw.ts'
import { readAt } from './read-at.ts'

const sizeBytes = 8
/** A header is some kilobytes; what claims more would only fill memory. */
const longestHeader = 4 << 20

/** Refuses what is no raw dump; a file that ends early keeps its tensors up to there. */
export function readHeader(source: ByteSource, file: string): RawHeader {
  if (source.size <= sizeBytes) throw new Refusal(problem('raw-invalid', file))
  const head = readAt(source, 0, Math.min(source.size, 16))
  const length = Number(new DataView(head.buffer).getBigUint64(0, true))
  const fits = length <= source.size - sizeBytes
  if (fits && length > longestHeader)
    throw new Refusal(problem('too-large', file, { size: length, limit: longestHeader }))
  if (looksNano(head)) {
    if (!fits)
      throw new Refusal(
        length <= longestHeader ? cut(length, source.size, file) : problem('raw-invalid', file),
      )
    const nano = nanoHeader(readAt(source, 0, sizeBytes + length), file)
    return finished(nano, sizeBytes + length, source.size, file)
  }
  const message = fits ? parsed(readAt(source, sizeBytes, length)) : null
  const dataAt = sizeBytes + length
  if (message) return finished(usualHeader(message, dataAt), dataAt, source.size, file)
  // First byte of a message that begins with its version.
  const old = head[0] === 0x0a ? oldMessage(source, longestHeader) : null
  const whole = old && parsed(old.bytes)
  if (old && whole) return finished(oldHeader(whole, old.data), source.size, source.size, file)
  // What is no dump hardly begins with a length that a header could have.
  if (!fits && length <= longestHeader) throw new Refusal(cut(length, source.size, file))
  throw new Refusal(problem('raw-invalid', file))
}

const cut = (header: number, found: number, file: string): Problem =>
  problem('raw-cut', file, { expected: sizeBytes + header, found })

/** Null of bytes that are no such message, or of one that says nothing. */
function parsed(bytes: Uint8Array): DumpData | null {
  try {
    const message = fromBinary(DumpDataSchema, bytes, { readUnknownFields: false })
    const { version, opName, input, output, buffer, space } = message
    return [version, opName, input, output, buffer, space].some(part => part.length > 0) ? message : null
  } catch {
    // The library throws errors of several kinds for broken bytes, and for nothing else.
    return null
  }
}

type Told = Omit<RawTensor, 'from' | 'truncated'>
type ToldBlock = Omit<RawBlock, 'from' | 'truncated'>
/** A header whose tensors have no check against the file yet. */
export type Placed = Omit<RawHeader, 'problems'>

function usualHeader(message: DumpData, dataAt: number): Placed {
  let at = dataAt
  const place = <T extends { readonly size: number }>(told: T) => {
    const from = at
    at += told.size
    return { ...told, from, truncated: false }
  }
  const inputs = message.input.map(inputOf).map(place)
  const outputs = message.output.map(outputOf).map(place)
  return { form: 'usual', ...commonOf(message), inputs, outputs, blocks: blocksOf(message).map(place) }
}

function oldHeader(message: DumpData, data: ReadonlyMap<string, readonly [number, number]>): Placed {
  const place =
    (field: number) =>
    <T extends { readonly size: number }>(told: T, i: number) => {
      const [from, size] = data.get(`${field} ${i}`) ?? [0, 0]
      return { ...told, from, size, truncated: false }
    }
  return {
    form: 'old',
    ...commonOf(message),
    outputs: message.output.map(outputOf).map(place(3)),
    inputs: message.input.map(inputOf).map(place(4)),
    blocks: [
      ...message.buffer.map(({ size }, i) => blockOf('l1buffer', size, i)).map(place(5)),
      ...message.space.map(({ size }, i) => blockOf('space', size, i)).map(place(8)),
    ],
  }
}

const utf8 = new TextDecoder()
const commonOf = ({ version, dumpTime, opName, attr }: DumpData) => ({
  version: utf8.decode(version),
  opName: utf8.decode(opName),
  time: dumpTime,
  attrs: attr.map(({ name, value }) => ({ name: utf8.decode(name), value: utf8.decode(value) })),
})

const tensorOf = (of: OpInput | OpOutput) => ({
  dtype: of.dataType,
  format: of.format,
  shape: (of.shape?.dim ?? []).map(dimOf),
  originalShape: knownShape(of.originalShape),
  groups: of.subFormat,
  address: of.address,
  size: Number(of.size),
})

const inputOf = (of: OpInput, index: number): Told => ({ io: 'input', index, ...tensorOf(of), origin: null })

const outputOf = (of: OpOutput, index: number): Told => ({
  io: 'output',
  index,
  ...tensorOf(of),
  origin: of.originalOp
    ? {
        name: utf8.decode(of.originalOp.name),
        outputIndex: of.originalOp.outputIndex,
        dtype: of.originalOp.dataType,
        format: of.originalOp.format,
      }
    : null,
})

const blocksOf = ({ buffer, space }: DumpData): ToldBlock[] => [
  ...buffer.map(({ size }, i) => blockOf('l1buffer', size, i)),
  ...space.map(({ size }, i) => blockOf('space', size, i)),
]
const blockOf = (kind: RawBlock['kind'], size: bigint, index: number): ToldBlock => ({
  kind,
  index,
  size: Number(size),
})

/** Negative dimensions are written as the largest unsigned numbers. */
const dimOf = (dim: bigint): number => (dim < 1n << 63n ? Number(dim) : -1)

function knownShape(shape: Shape | undefined): readonly number[] | null {
  const dims = shape?.dim.map(dimOf) ?? null
  return dims?.includes(-1) ? null : dims
}

/** Marks what the file no longer holds. */
function finished(told: Placed, dataAt: number, size: number, file: string): RawHeader {
  const check = <T extends RawTensor | RawBlock>(one: T): T => ({
    ...one,
    truncated: one.from + one.size > size,
  })
  const parts = [...told.inputs, ...told.outputs, ...told.blocks]
  const end = parts.reduce((end, one) => Math.max(end, one.from + one.size), dataAt)
  const problems: Problem[] = []
  const missing = parts.filter(one => one.from + one.size > size).length
  if (missing > 0)
    problems.push(
      problem('raw-truncated', file, { expected: end, found: size, missing, parts: parts.length }),
    )
  else if (end < size) problems.push(problem('raw-longer', file, { bytes: size - end }, 'note'))
  return {
    ...told,
    inputs: told.inputs.map(check),
    outputs: told.outputs.map(check),
    blocks: told.blocks.map(check),
    problems,
  }
}
