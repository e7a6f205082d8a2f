// A made-up run that holds every type and layout that a device writes: a chain of operations, each with a tensor of
// another type in another layout, beside the script's tensors in the order that the script has them.
import path from 'node:path'
import { formatCode } from '../../main/engine/formats/npu/codes.ts'
import { type RawSpec, rawFile } from './raw-files.ts'
import { f32, npyBytes, put } from './tensor-files.ts'

export interface Zoo {
  readonly ops: number
  readonly graphs: number
  readonly steps: number
  readonly devices: number
  /** The last graph, step and device go wrong from this operation on. */
  readonly wrongFrom: number
}

// ---------------------------------------- types

interface Type {
  /** Number of the header, and name in the graph. */
  readonly code: number
  readonly name: string
  /** Elements to bytes; null: nobody can read it. */
  readonly bytes: ((values: readonly number[]) => Uint8Array) | null
  readonly truth: '<f4' | '<i4' | '|b1' | '<c8'
  /** Holds nothing but 0 and 1. */
  readonly bits?: true
}

type Ints =
  Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array
const bytesOf = (array: Ints | BigInt64Array): Uint8Array => new Uint8Array(array.buffer)
/** Floats of less than 32 bits that hold 1, 2 and 4 alone. */
const coded =
  (one: number, two: number, four: number, wide = false) =>
  (values: readonly number[]): Uint8Array => {
    const codes = values.map(value => (value === 4 ? four : value === 2 ? two : one))
    return wide ? bytesOf(Uint16Array.from(codes)) : Uint8Array.from(codes)
  }
/** Halves that hold 1, 2 and 4 alone. */
const halves = (values: readonly number[]): number[] =>
  values.map(value => (value === 4 ? 0x4400 : value === 2 ? 0x4000 : 0x3c00))
const packed = (
  values: readonly number[],
  of: number,
  put: (value: number, at: number) => number,
): Uint8Array => {
  const bytes = new Uint8Array(Math.ceil(values.length / of))
  values.forEach((value, i) => (bytes[Math.floor(i / of)] |= put(value, i % of)))
  return bytes
}
const pairs = (values: readonly number[]): readonly number[] => values.flatMap(value => [value, -value])

const types: readonly Type[] = [
  { code: 0, name: 'DT_UNDEFINED', bytes: null, truth: '<f4' },
  { code: 1, name: 'DT_FLOAT', bytes: v => bytesOf(Float32Array.from(v)), truth: '<f4' },
  { code: 2, name: 'DT_FLOAT16', bytes: v => bytesOf(Uint16Array.from(halves(v))), truth: '<f4' },
  { code: 3, name: 'DT_INT8', bytes: v => bytesOf(Int8Array.from(v)), truth: '<i4' },
  { code: 4, name: 'DT_UINT8', bytes: v => Uint8Array.from(v), truth: '<i4' },
  { code: 5, name: 'DT_INT16', bytes: v => bytesOf(Int16Array.from(v)), truth: '<i4' },
  { code: 6, name: 'DT_UINT16', bytes: v => bytesOf(Uint16Array.from(v)), truth: '<i4' },
  { code: 7, name: 'DT_INT32', bytes: v => bytesOf(Int32Array.from(v)), truth: '<i4' },
  { code: 8, name: 'DT_INT64', bytes: v => bytesOf(BigInt64Array.from(v, BigInt)), truth: '<i4' },
  { code: 9, name: 'DT_UINT32', bytes: v => bytesOf(Uint32Array.from(v)), truth: '<i4' },
  { code: 10, name: 'DT_UINT64', bytes: v => bytesOf(BigInt64Array.from(v, BigInt)), truth: '<i4' },
  { code: 11, name: 'DT_BOOL', bytes: v => Uint8Array.from(v), truth: '|b1', bits: true },
  { code: 12, name: 'DT_DOUBLE', bytes: v => bytesOf(Float64Array.from(v)), truth: '<f4' },
  { code: 13, name: 'DT_STRING', bytes: null, truth: '<f4' },
  { code: 14, name: 'DT_DUAL_SUB_INT8', bytes: null, truth: '<f4' },
  { code: 15, name: 'DT_DUAL_SUB_UINT8', bytes: null, truth: '<f4' },
  { code: 16, name: 'DT_COMPLEX64', bytes: v => bytesOf(Float32Array.from(pairs(v))), truth: '<c8' },
  { code: 17, name: 'DT_COMPLEX128', bytes: v => bytesOf(Float64Array.from(pairs(v))), truth: '<c8' },
  { code: 18, name: 'DT_QINT8', bytes: v => bytesOf(Int8Array.from(v)), truth: '<i4' },
  { code: 19, name: 'DT_QINT16', bytes: v => bytesOf(Int16Array.from(v)), truth: '<i4' },
  { code: 20, name: 'DT_QINT32', bytes: v => bytesOf(Int32Array.from(v)), truth: '<i4' },
  { code: 21, name: 'DT_QUINT8', bytes: v => Uint8Array.from(v), truth: '<i4' },
  { code: 22, name: 'DT_QUINT16', bytes: v => bytesOf(Uint16Array.from(v)), truth: '<i4' },
  { code: 23, name: 'DT_RESOURCE', bytes: v => bytesOf(BigInt64Array.from(v, BigInt)), truth: '<i4' },
  { code: 24, name: 'DT_STRING_REF', bytes: null, truth: '<f4' },
  { code: 25, name: 'DT_DUAL', bytes: null, truth: '<f4' },
  { code: 26, name: 'DT_VARIANT', bytes: null, truth: '<f4' },
  { code: 27, name: 'DT_BF16', bytes: coded(0x3f80, 0x4000, 0x4080, true), truth: '<f4' },
  { code: 28, name: 'DT_INT4', bytes: v => packed(v, 2, (value, at) => value << (4 * at)), truth: '<i4' },
  {
    code: 29,
    name: 'DT_UINT1',
    bytes: v => packed(v, 8, (value, at) => value << (7 - at)),
    truth: '<i4',
    bits: true,
  },
  { code: 30, name: 'DT_INT2', bytes: null, truth: '<f4' },
  { code: 31, name: 'DT_UINT2', bytes: null, truth: '<f4' },
  {
    code: 32,
    name: 'DT_COMPLEX32',
    bytes: v => bytesOf(Uint16Array.from(halves(v).flatMap(half => [half, half | 0x8000]))),
    truth: '<c8',
  },
  { code: 33, name: 'DT_HIFLOAT8', bytes: coded(0x08, 0x10, 0x20), truth: '<f4' },
  { code: 34, name: 'DT_FLOAT8_E5M2', bytes: coded(0x3c, 0x40, 0x44), truth: '<f4' },
  { code: 35, name: 'DT_FLOAT8_E4M3FN', bytes: coded(0x38, 0x40, 0x48), truth: '<f4' },
  { code: 36, name: 'DT_FLOAT8_E8M0', bytes: coded(127, 128, 129), truth: '<f4' },
  { code: 37, name: 'DT_FLOAT6_E3M2', bytes: null, truth: '<f4' },
  { code: 38, name: 'DT_FLOAT6_E2M3', bytes: null, truth: '<f4' },
  { code: 39, name: 'DT_FLOAT4_E2M1', bytes: null, truth: '<f4' },
  { code: 40, name: 'DT_FLOAT4_E1M2', bytes: null, truth: '<f4' },
  { code: 77, name: 'DT_OF_TOMORROW', bytes: null, truth: '<f4' },
]

// ---------------------------------------- layouts

interface Layout {
  readonly format: string
  /** The script's order of axes; each index goes from an element there to its place on the device. */
  readonly origin: string
  readonly shape: readonly number[]
  readonly device: readonly number[]
  place(index: readonly number[]): readonly number[]
}

const c0 = 16
const block = (at: number): number => Math.floor(at / c0)
const same = (index: readonly number[]): readonly number[] => index

const layouts: readonly Layout[] = [
  { format: 'ND', origin: 'ND', shape: [3, 5], device: [3, 5], place: same },
  { format: 'NHWC', origin: 'NHWC', shape: [2, 3, 4, 5], device: [2, 3, 4, 5], place: same },
  {
    format: 'NCHW',
    origin: 'NHWC',
    shape: [2, 3, 4, 5],
    device: [2, 5, 3, 4],
    place: ([n, h, w, c]) => [n, c, h, w],
  },
  {
    format: 'NC1HWC0',
    origin: 'NHWC',
    shape: [2, 3, 4, 19],
    device: [2, 2, 3, 4, c0],
    place: ([n, h, w, c]) => [n, block(c), h, w, c % c0],
  },
  {
    format: 'FRACTAL_Z',
    origin: 'HWCN',
    shape: [3, 2, 18, 20],
    device: [2 * 3 * 2, 2, c0, c0],
    place: ([h, w, c, n]) => [(block(c) * 3 + h) * 2 + w, block(n), n % c0, c % c0],
  },
  {
    format: 'FRACTAL_NZ',
    origin: 'ND',
    shape: [18, 21],
    device: [2, 2, c0, c0],
    place: ([r, c]) => [block(c), block(r), r % c0, c % c0],
  },
  {
    format: 'NDC1HWC0',
    origin: 'NDHWC',
    shape: [2, 3, 2, 4, 17],
    device: [2, 3, 2, 2, 4, c0],
    place: ([n, d, h, w, c]) => [n, d, block(c), h, w, c % c0],
  },
  {
    format: 'FRACTAL_Z_3D',
    origin: 'DHWCN',
    shape: [2, 3, 2, 18, 20],
    device: [2 * 2 * 3 * 2, 2, c0, c0],
    place: ([d, h, w, c, n]) => [((d * 2 + block(c)) * 3 + h) * 2 + w, block(n), n % c0, c % c0],
  },
  {
    format: 'C1HWNCoC0',
    origin: 'HWCN',
    shape: [3, 2, 20, 1],
    device: [2, 3, 2, 1, c0, c0],
    place: ([h, w, c, n]) => [block(c), h, w, n, c % c0, c % c0],
  },
  {
    format: 'NC1HWC0_C04',
    origin: 'NHWC',
    shape: [2, 3, 4, 3],
    device: [2, 1, 3, 4, 4],
    place: ([n, h, w, c]) => [n, 0, h, w, c],
  },
]

const product = (shape: readonly number[]): number => shape.reduce((all, dim) => all * dim, 1)
const flat = (shape: readonly number[], index: readonly number[]): number =>
  index.reduce((at, i, axis) => at * shape[axis] + i, 0)

/** The index of an element by its number in C order. */
function indexOf(shape: readonly number[], at: number): readonly number[] {
  const index = shape.map(() => 0)
  let rest = at
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    index[axis] = rest % shape[axis]
    rest = Math.floor(rest / shape[axis])
  }
  return index
}

// ---------------------------------------- one tensor

interface Tensor {
  readonly type: Type
  readonly layout: Layout
  /** In the script's order. */
  readonly values: readonly number[]
}

/** The values of an operation: wrong ones are the right ones in another order. */
function tensorOf(at: number, wrong: boolean): Tensor {
  const [type, layout] = [types[at % types.length], layouts[at % layouts.length]]
  const size = product(layout.shape)
  const values = Array.from({ length: size }, (_, i) => {
    const dice = ((i + at) * 2654435761) >>> 7
    return type.bits ? dice % 2 : [1, 2, 4][dice % 3]
  })
  return { type, layout, values: wrong ? values.toReversed() : values }
}

function rawOf({ type, layout, values }: Tensor): RawSpec {
  const { device, shape, place, format } = layout
  const lying: number[] = Array.from({ length: product(device) }, () => (type.bits ? 0 : 1))
  values.forEach((value, i) => (lying[flat(device, place(indexOf(shape, i)))] = value))
  return {
    dtype: type.code,
    format: formatCode(format) ?? -1,
    shape: device,
    originalShape: shape,
    data: type.bytes?.(lying) ?? new Uint8Array(16),
  }
}

const truthOf = ({ type, layout, values }: Tensor): Uint8Array =>
  npyBytes({
    descr: type.truth,
    shape: layout.shape,
    data: {
      '<f4': () => f32(...values),
      '<i4': () => bytesOf(Int32Array.from(values)),
      '|b1': () => Uint8Array.from(values),
      '<c8': () => f32(...pairs(values)),
    }[type.truth](),
  })

// ---------------------------------------- the run

const nameOf = (graph: number, op: number): string =>
  `net${graph}/stage${Math.floor(op / 20)}/block${Math.floor(op / 5)}/op${op}`
const fileOf = (name: string): string => name.replaceAll('/', '_')
const time = '1620612694000300'

function descOf(of: 'input' | 'output', { type, layout }: Tensor, source: string): string {
  const dims = (shape: readonly number[]): string => shape.map(dim => `dim: ${dim}`).join(' ')
  const origin = layout.shape.map(dim => `i: ${dim}`).join(' ')
  return `${of}_desc { dtype: ${type.name} layout: "${layout.format}" shape { ${dims(layout.device)} }
    attr { key: "origin_format" value { s: "${layout.origin}" } }
    attr { key: "origin_shape" value { list { ${origin} val_type: VT_LIST_INT } } }
    ${source === '' ? '' : `attr { key: "_datadump_origin_name" value { s: "${source}" } } attr { key: "_datadump_origin_output_index" value { i: 0 } }`} }\n`
}

function graphText(graph: number, count: number): string {
  const ops = Array.from({ length: count }, (_, at) => {
    const name = nameOf(graph, at)
    const input =
      at === 0 ? '' : `input: "${nameOf(graph, at - 1)}:0" ${descOf('input', tensorOf(at - 1, false), '')}`
    const waits = at > 4 && at % 7 === 0 ? `input: "${nameOf(graph, at - 5)}:-1"` : ''
    return `op { name: "${name}" type: "${typeOf(at)}" id: ${at} ${input} ${waits}
      ${descOf('output', tensorOf(at, false), name)}
      attr { key: "pass_name" value { s: "Pass${at % 3}" } }
      attr { key: "${name}_kernelname" value { s: "te_kernel_${at}" } } }\n`
  })
  return `graph { name: "zoo_${graph}"\n${ops.join('')} attr { key: "_session_graph_id" value { s: "0_${graph}" } } }\n`
}

const typeOf = (op: number): string => ['MatMulV2', 'Conv2D', 'Relu', 'Cast2', 'Mul'][op % 5]

/** Writes a `precision_data` below the folder; returns its path. */
export function drawZoo(folder: string, { ops, graphs, steps, devices, wrongFrom }: Zoo): string {
  const root = path.join(folder, 'precision_data')
  const range = (length: number): number[] => Array.from({ length }, (_, i) => i)
  for (const graph of range(graphs)) {
    put(
      root,
      `npu/debug_0/graph/ge_proto_0000000${graph + 1}_Build.txt`,
      new TextEncoder().encode(graphText(graph, ops)),
    )
    for (const op of range(ops)) {
      const name = nameOf(graph, op)
      put(root, `tf/dump/${fileOf(name)}.0.${time}.npy`, truthOf(tensorOf(op, false)))
      for (const device of range(devices))
        for (const step of range(steps)) {
          const last = graph === graphs - 1 && device === devices - 1 && step === steps - 1
          const tensor = (at: number): RawSpec => rawOf(tensorOf(at, last && at >= wrongFrom))
          put(
            root,
            `npu/debug_0/dump/20210510101133/${device}/zoo_${graph}/1/${step}/${typeOf(op)}.${fileOf(name)}.${op}.5.${time}`,
            rawFile({ opName: name, inputs: op === 0 ? [] : [tensor(op - 1)], outputs: [tensor(op)] }),
          )
        }
    }
  }
  return root
}

/** Operations of so many whose output nobody can read. */
export const unreadable = (ops: number): number[] =>
  Array.from({ length: ops }, (_, at) => at).filter(at => types[at % types.length].bytes === null)
