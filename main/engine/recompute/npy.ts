// Exact results as npy files: float64, complex128, int64 or bool, in C order.
import { isComplex, isFloat } from './rounding.ts'
import type { ExactArray } from './task.ts'

type Kind = 'float' | 'complex' | 'int' | 'bool'

function kindOf({ dtype }: ExactArray): Kind {
  if (dtype === 'bool') return 'bool'
  if (isComplex(dtype)) return 'complex'
  return isFloat(dtype) ? 'float' : 'int'
}

const types: Readonly<Record<Kind, readonly [descr: string, bytes: number]>> = {
  float: ['<f8', 8],
  complex: ['<c16', 16],
  int: ['<i8', 8],
  bool: ['|b1', 1],
}

/** Headers are filled up to a multiple of this. */
const aligned = 64

export function npyBytes(values: ExactArray): Uint8Array {
  const kind = kindOf(values)
  const [descr, bytes] = types[kind]
  const shape = values.shape.length === 1 ? `${values.shape[0]},` : values.shape.join(', ')
  const head = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape}), }`
  const from = Math.ceil((11 + head.length) / aligned) * aligned
  const into = new Uint8Array(from + values.data.length * bytes)
  into.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0])
  const view = new DataView(into.buffer)
  view.setUint16(8, from - 10, true)
  into.set(new TextEncoder().encode(`${head.padEnd(from - 11)}\n`), 10)
  put(values, kind, view, from)
  return into
}

function put({ data, imaginary }: ExactArray, kind: Kind, view: DataView, from: number): void {
  const writers: Readonly<Record<Kind, (i: number) => void>> = {
    float: i => view.setFloat64(from + i * 8, data[i], true),
    int: i => view.setBigInt64(from + i * 8, BigInt(Math.trunc(data[i])), true),
    bool: i => view.setUint8(from + i, data[i] === 0 ? 0 : 1),
    complex(i) {
      view.setFloat64(from + i * 16, data[i], true)
      view.setFloat64(from + i * 16 + 8, imaginary?.[i] ?? 0, true)
    },
  }
  const write = writers[kind]
  for (let i = 0; i < data.length; i++) write(i)
}
