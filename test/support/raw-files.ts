// Raw NPU dump files made by hand: any tensors, in any of the three forms.
import { create, toBinary } from '@bufbuild/protobuf'
import { DumpDataSchema } from './dump_data_pb.ts'
import { joined } from './tensor-files.ts'

export interface RawSpec {
  readonly dtype?: number
  readonly format?: number
  readonly shape?: readonly number[]
  readonly originalShape?: readonly number[]
  readonly originalFormat?: number
  readonly groups?: number
  readonly data: Uint8Array
}

export interface RawFileSpec {
  readonly opName?: string
  readonly inputs?: readonly RawSpec[]
  readonly outputs?: readonly RawSpec[]
  readonly buffers?: readonly Uint8Array[]
  readonly spaces?: readonly Uint8Array[]
  /** Of the first attribute. */
  readonly attr?: string
  /** All in one message, as of old. */
  readonly old?: boolean
}

const text = (value: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(value)
const dims = (shape: readonly number[]): { dim: bigint[] } => ({
  dim: shape.map(dim => BigInt.asUintN(64, BigInt(dim))),
})

export function rawFile(spec: RawFileSpec): Uint8Array {
  const { opName = 'scope/op', inputs = [], outputs = [], buffers = [], spaces = [], old = false } = spec
  const data = (bytes: Uint8Array): { data: Uint8Array<ArrayBuffer>; size: bigint } => ({
    data: old ? new Uint8Array(bytes) : new Uint8Array(0),
    size: BigInt(bytes.length),
  })
  const tensor = ({ dtype = 1, format = 2, shape = [], originalShape, groups = 0, ...rest }: RawSpec) => ({
    dataType: dtype,
    format,
    shape: dims(shape),
    ...(originalShape && { originalShape: dims(originalShape) }),
    subFormat: groups,
    ...data(rest.data),
  })
  const message = create(DumpDataSchema, {
    version: text(old ? '1.0' : '2.0'),
    dumpTime: 1620612694000300n,
    opName: text(opName),
    input: inputs.map(tensor),
    output: outputs.map(output => ({
      ...tensor(output),
      ...(output.originalFormat !== undefined && { originalOp: { format: output.originalFormat } }),
    })),
    buffer: buffers.map(data),
    space: spaces.map(data),
    attr: spec.attr === undefined ? [] : [{ name: text('attr'), value: text(spec.attr) }],
  })
  const header = toBinary(DumpDataSchema, message)
  if (old) return header
  const length = new Uint8Array(8)
  new DataView(length.buffer).setBigUint64(0, BigInt(header.length), true)
  const parts = [...inputs, ...outputs].map(one => one.data)
  return joined([length, header, ...parts, ...buffers, ...spaces])
}
