// Tensors in npy, npz and pt files: every type, order and layout, by range; and what is refused.
import { describe, expect, it } from 'vitest'
import {
  decode,
  dtypeOf,
  dtypes,
  fromHalf,
  halfRound,
  toHalf,
} from '../../../main/engine/formats/tensors/dtype.ts'
import { cStrides, tensorReader } from '../../../main/engine/formats/tensors/tensor.ts'
import { openTensorFile, tensorLayout } from '../../../main/engine/formats/tensors/tensor-file.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'
import { random } from '../../support/random.ts'
import {
  f32,
  f64,
  i32,
  joined,
  npyBytes,
  pickleFile,
  ptBytes,
  sourceOf,
  tensorPickle,
  zipBytes,
} from '../../support/tensor-files.ts'

function values(bytes: Uint8Array, declared = '', member?: string, perRead = 3): number[] {
  const source = sourceOf(bytes)
  const layout = tensorLayout(source, 'file', declared, member)
  const reader = tensorReader(source, layout, 'file')
  const all: number[] = []
  const into = new Uint8Array(perRead * layout.dtype.bytes)
  for (let first = 0; first < layout.size;) {
    const got = reader.read(first, into)
    const part = new Float64Array(got)
    decode(layout.dtype, into, got, part)
    all.push(...part)
    first += got
  }
  return all
}

const code = (bytes: Uint8Array): string => {
  try {
    values(bytes)
    return ''
  } catch (error) {
    return error instanceof Refusal
      ? `${error.problem.code} ${'reason' in error.problem.facts ? error.problem.facts.reason : ''}`.trim()
      : `bug ${String(error)}`
  }
}

/** What a file of several tensors is refused with. */
const namesIn = (bytes: Uint8Array): string => {
  try {
    values(bytes)
  } catch (error) {
    if (error instanceof Refusal && error.problem.code === 'several-tensors') return error.problem.facts.names
  }
  return ''
}

const swap = (bytes: Uint8Array, word: number): Uint8Array => {
  const out = bytes.slice()
  for (let at = 0; at < out.length; at += word) out.subarray(at, at + word).reverse()
  return out
}

describe('npy files', () => {
  const list = [0, 1, -2, 3.5, 100, -7]
  const rounded = list.map(Math.round)
  const bytesOf = (array: ArrayBufferView): Uint8Array => new Uint8Array(array.buffer)
  it.each([
    ['f4', f32(...list), list],
    ['f8', f64(...list), list],
    ['f2', bytesOf(Uint16Array.from(list, toHalf)), list],
    ['i1', bytesOf(Int8Array.from(rounded)), rounded],
    ['i2', bytesOf(Int16Array.from(rounded)), rounded],
    ['i4', i32(...rounded), rounded],
    ['i8', bytesOf(BigInt64Array.from(rounded, BigInt)), rounded],
    ['u1', bytesOf(Uint8Array.from([1, 2, 255])), [1, 2, 255]],
    ['u2', bytesOf(Uint16Array.from([1, 2, 65535])), [1, 2, 65535]],
    ['u4', bytesOf(Uint32Array.from([1, 2 ** 32 - 1])), [1, 2 ** 32 - 1]],
    ['u8', bytesOf(BigUint64Array.from([1n, 2n ** 63n])), [1, 2 ** 63]],
    ['b1', bytesOf(Uint8Array.from([0, 1, 1])), [0, 1, 1]],
    ['c8', f32(1, 5, -2, 6), [1, -2]],
    ['c16', f64(1, 5, -2, 6), [1, -2]],
    ['V2', bytesOf(Uint16Array.from([0x3f80, 0xc000])), [1, -2]],
  ] as const)('read %s in both byte orders and all versions', (kind, data, wanted) => {
    const word = Number(kind.slice(1)) / (kind.startsWith('c') ? 2 : 1)
    for (const version of [1, 2, 3] as const) {
      expect(values(npyBytes({ descr: `<${kind}`, shape: [wanted.length], data, version }))).toEqual([
        ...wanted,
      ])
      if (word > 1)
        expect(
          values(npyBytes({ descr: `>${kind}`, shape: [wanted.length], data: swap(data, word), version })),
        ).toEqual([...wanted])
    }
  })

  it('read 0-d and empty tensors', () => {
    expect(values(npyBytes({ descr: '<f4', shape: [], data: f32(2.5) }))).toEqual([2.5])
    expect(values(npyBytes({ descr: '<f4', shape: [0, 3], data: new Uint8Array() }))).toEqual([])
  })

  it('read bfloat16 in each way it is stored', () => {
    const raw = new Uint8Array(Uint16Array.from([0x3f80, 0x4049]).buffer)
    expect(values(npyBytes({ descr: '<u2', shape: [2], data: raw }), 'BFloat16')).toEqual([1, 3.140625])
    expect(values(npyBytes({ descr: '<u2', shape: [2], data: raw }), 'UInt16')).toEqual([0x3f80, 0x4049])
    expect(values(npyBytes({ descr: '<V2', shape: [2], data: raw }))).toEqual([1, 3.140625])
    expect(values(npyBytes({ descr: 'bfloat16', shape: [2], data: raw }))).toEqual([1, 3.140625])
    expect(values(npyBytes({ descr: '<f4', shape: [2], data: f32(1, 3.140625) }), 'BFloat16')).toEqual([
      1, 3.140625,
    ])
    expect(
      values(ptBytes({ storage: 'BFloat16Storage', shape: [2], strides: [1], elements: 2, data: raw })),
    ).toEqual([1, 3.140625])
  })

  it('read headers as other writers space and quote them', () => {
    const header = '{"shape":(2L,),"descr":"<f4","fortran_order":False}'
    expect(values(npyBytes({ descr: '', shape: [], data: f32(1, 2), header }))).toEqual([1, 2])
  })

  it('bring any order of axes into C order, in reads of any length', () => {
    const next = random(1)
    for (let round = 0; round < 60; round++) {
      const shape = Array.from({ length: 1 + Math.floor(next() * 4) }, () => 1 + Math.floor(next() * 5))
      const size = shape.reduce((a, b) => a * b, 1)
      const plain = Array.from({ length: size }, (_, i) => i)
      const fortran = new Float32Array(size)
      const steps = cStrides(shape)
      plain.forEach(i => {
        let place = 0
        for (let axis = 0, step = 1; axis < shape.length; axis++) {
          place += (Math.floor(i / steps[axis]) % shape[axis]) * step
          step *= shape[axis]
        }
        fortran[place] = i
      })
      const bytes = npyBytes({ descr: '<f4', shape, fortran: true, data: new Uint8Array(fortran.buffer) })
      expect(values(bytes, '', undefined, 1 + Math.floor(next() * 9))).toEqual(plain)
    }
  })

  it.each([
    ['no magic', new Uint8Array(200), 'npy-invalid magic'],
    ['nothing', new Uint8Array(0), 'npy-invalid magic'],
    [
      'a cut header',
      npyBytes({ descr: '<f4', shape: [1], data: f32(1) }).subarray(0, 40),
      'npy-invalid short',
    ],
    [
      'an unknown version',
      npyBytes({ descr: '<f4', shape: [1], data: f32(1) }).with(6, 9),
      'npy-invalid version 9',
    ],
    ['objects', npyBytes({ descr: '|O', shape: [1], data: new Uint8Array(8) }), 'dtype-unsupported'],
    ['text', npyBytes({ descr: '<U8', shape: [1], data: new Uint8Array(32) }), 'dtype-unsupported'],
    [
      'a structure',
      npyBytes({
        descr: '',
        shape: [1],
        data: f32(1),
        header: "{'descr': [('a', '<f4'), ('b', '<i4')], 'fortran_order': False, 'shape': (1,), }",
      }),
      'dtype-unsupported',
    ],
    [
      'a broken header',
      npyBytes({ descr: '', shape: [1], data: f32(1), header: "{'descr': '<f4'" }),
      'npy-invalid header',
    ],
    [
      'a shape beyond counting',
      npyBytes({ descr: '<f4', shape: [2 ** 40, 2 ** 20], data: f32(1) }),
      'shape-absurd',
    ],
    [
      'a shape beyond numbers',
      npyBytes({
        descr: '',
        shape: [],
        data: f32(1),
        header: "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
      }),
      'shape-absurd',
    ],
    [
      'less data than the shape says',
      npyBytes({ descr: '<f4', shape: [1000], data: f32(1, 2) }),
      'npy-truncated',
    ],
    [
      'far less data than the shape says',
      npyBytes({ descr: '<f8', shape: [2 ** 40], data: f32(1, 2) }),
      'npy-truncated',
    ],
    [
      'a header as long as the file is not',
      npyBytes({ descr: '<f4', shape: [1], data: f32(1), version: 2 }).with(11, 0x7f),
      'npy-invalid header-size 2130706548',
    ],
  ])('refuse %s', (_, bytes, wanted) => {
    expect(code(bytes)).toBe(wanted)
  })

  it('read no more than asked for', () => {
    const source = sourceOf(npyBytes({ descr: '<f4', shape: [1000, 1000], data: new Uint8Array(4_000_000) }))
    const layout = tensorLayout(source, 'file')
    tensorReader(source, layout).read(500_000, new Uint8Array(400))
    expect(source.reads.bytes).toBeLessThan(10_000)
  })
})

describe('pt files', () => {
  const spec = {
    storage: 'FloatStorage',
    shape: [2, 3],
    strides: [3, 1],
    elements: 6,
    data: f32(1, 2, 3, 4, 5, 6),
  }

  it('read contiguous tensors, parameters, compressed and big-endian storages', () => {
    expect(values(ptBytes(spec))).toEqual([1, 2, 3, 4, 5, 6])
    expect(values(ptBytes({ ...spec, parameter: true }))).toEqual([1, 2, 3, 4, 5, 6])
    expect(values(ptBytes({ ...spec, deflate: true }))).toEqual([1, 2, 3, 4, 5, 6])
    expect(values(ptBytes({ ...spec, bigEndian: true, data: swap(spec.data, 4) }))).toEqual([
      1, 2, 3, 4, 5, 6,
    ])
  })

  it('read views: transposed, sliced, repeated, with an offset', () => {
    expect(values(ptBytes({ ...spec, shape: [3, 2], strides: [1, 3] }))).toEqual([1, 4, 2, 5, 3, 6])
    expect(values(ptBytes({ ...spec, shape: [2], strides: [3], offset: 2 }))).toEqual([3, 6])
    expect(values(ptBytes({ ...spec, shape: [2, 3], strides: [0, 1] }))).toEqual([1, 2, 3, 1, 2, 3])
    expect(values(ptBytes({ ...spec, shape: [], strides: [], offset: 4 }))).toEqual([5])
    expect(values(ptBytes({ ...spec, shape: [0, 3], strides: [3, 1] }))).toEqual([])
    expect(values(ptBytes({ ...spec, shape: [3, 2], strides: [1, 3], deflate: true }))).toEqual([
      1, 4, 2, 5, 3, 6,
    ])
  })

  it.each([
    ['HalfStorage', new Uint8Array(Uint16Array.from([0x3c00]).buffer), 1],
    ['DoubleStorage', f64(1.5), 1.5],
    ['LongStorage', new Uint8Array(BigInt64Array.from([-3n]).buffer), -3],
    ['IntStorage', i32(7), 7],
    ['ShortStorage', new Uint8Array(Int16Array.from([-2]).buffer), -2],
    ['CharStorage', new Uint8Array([0xff]), -1],
    ['ByteStorage', new Uint8Array([0xff]), 255],
    ['BoolStorage', new Uint8Array([1]), 1],
    ['ComplexFloatStorage', f32(2, 9), 2],
  ])('read %s', (storage, data, wanted) => {
    expect(values(ptBytes({ storage, shape: [1], strides: [1], elements: 1, data }))).toEqual([wanted])
  })

  it('name the tensors of a file that holds several', () => {
    const one = tensorPickle(spec)
    const two = tensorPickle({ ...spec, shape: [1], strides: [1], offset: 5 })
    const string = (text: string): Uint8Array =>
      joined([new Uint8Array([0x58, text.length, 0, 0, 0]), new TextEncoder().encode(text)])
    const dict = pickleFile(
      joined([new Uint8Array([0x7d, 0x28]), string('a'), one, string('b'), two, new Uint8Array([0x75])]),
    )
    const bytes = zipBytes([
      { name: 'm/data.pkl', data: dict },
      { name: 'm/data/0', data: spec.data },
    ])
    expect(namesIn(bytes)).toBe('a, b')
    expect(values(bytes, '', 'b')).toEqual([6])
    expect(code(bytes)).toBe('several-tensors')
  })

  it.each([
    [
      'a storage shorter than the tensor',
      ptBytes({ ...spec, shape: [2, 4], strides: [4, 1] }),
      'pt-invalid short',
    ],
    ['an offset beyond the storage', ptBytes({ ...spec, offset: 1 }), 'pt-invalid short'],
    ['strides that leave the storage', ptBytes({ ...spec, strides: [2 ** 30, 1] }), 'pt-invalid short'],
    [
      'a shape beyond counting',
      ptBytes({ ...spec, shape: [2 ** 30, 2 ** 30], strides: [0, 0] }),
      'shape-absurd',
    ],
    [
      'one element repeated without end',
      ptBytes({ ...spec, shape: [2 ** 20, 2 ** 20], strides: [0, 0] }),
      'shape-absurd',
    ],
    ['an unknown type', ptBytes({ ...spec, storage: 'QuantStorage' }), 'dtype-unsupported'],
    ['no pickle', zipBytes([{ name: 'a/b', data: f32(1) }]), 'pt-invalid no-pickle'],
    [
      'a pickle without a tensor',
      zipBytes([{ name: 'a/data.pkl', data: pickleFile(new Uint8Array([0x4e])) }]),
      'pt-invalid no-tensor',
    ],
    [
      'a pickle that ends early',
      zipBytes([{ name: 'a/data.pkl', data: new Uint8Array([0x80, 2, 0x28]) }]),
      'pt-invalid pickle-short at 3',
    ],
    [
      'instructions outside the subset',
      zipBytes([
        { name: 'a/data.pkl', data: pickleFile(new TextEncoder().encode("cos\nsystem\n(S'ls'\ntR")) },
      ]),
      'pt-invalid pickle-instruction 83 at 15',
    ],
    [
      'the older form without a zip',
      joined([new Uint8Array([0x80, 2, 0x8a, 10]), f32(1, 2)]),
      'npy-invalid magic',
    ],
  ])('refuse %s', (_, bytes, wanted) => {
    expect(code(bytes)).toBe(wanted)
  })

  it('call nothing that the file names', () => {
    const evil = pickleFile(new TextEncoder().encode('cos\nsystem\n)R'))
    expect(code(zipBytes([{ name: 'a/data.pkl', data: evil }]))).toBe('pt-invalid no-tensor')
  })

  it('bound the walk over containers that hold themselves again and again', () => {
    // 40 tuples, each of the one before it twice.
    const body: number[] = [0x29]
    for (let i = 0; i < 40; i++) body.push(0x71, i, 0x68, i, 0x86)
    expect(code(zipBytes([{ name: 'a/data.pkl', data: pickleFile(Uint8Array.from(body)) }]))).toMatch(
      /^pt-invalid deep/,
    )
  })

  // 60 lists, each holding the one before it twice: as a text it would have 2 ** 60 parts.
  const lists: number[] = [0x5d]
  for (let i = 0; i < 60; i++) lists.push(0x71, i, 0x5d, 0x28, 0x68, i, 0x68, i, 0x65)
  lists.push(0x71, 60)

  it.each([
    ['a name', [...lists, 0x68, 60, 0x68, 60, 0x93], /^pt-invalid pickle-name/],
    ['a key', [...lists, 0x7d, 0x68, 60, 0x4e, 0x73], /^pt-invalid no-tensor/],
  ])('make no text of %s that is nested without end', (_, body, wanted) => {
    expect(code(zipBytes([{ name: 'a/data.pkl', data: pickleFile(Uint8Array.from(body)) }]))).toMatch(wanted)
  })
})

describe('npz files', () => {
  const a = npyBytes({ descr: '<f4', shape: [3], data: f32(1, 2, 3) })
  const b = npyBytes({ descr: '<i4', shape: [2, 2], fortran: true, data: i32(1, 3, 2, 4) })

  it.each([false, true])('read members, compressed: %s', deflate => {
    const bytes = zipBytes([
      { name: 'a.npy', data: a, deflate, pad: 7 },
      { name: 'b.npy', data: b, deflate },
    ])
    expect(namesIn(bytes)).toBe('a, b')
    expect(values(bytes, '', 'a')).toEqual([1, 2, 3])
    expect(values(bytes, '', 'b')).toEqual([1, 2, 3, 4])
    expect(values(zipBytes([{ name: 'only.npy', data: a, deflate }]))).toEqual([1, 2, 3])
  })

  it('go backwards in a compressed member', () => {
    const source = sourceOf(
      zipBytes([
        {
          name: 'x.npy',
          data: npyBytes({
            descr: '<f4',
            shape: [5000],
            data: f32(...Array.from({ length: 5000 }, (_, i) => i)),
          }),
          deflate: true,
        },
      ]),
    )
    const reader = tensorReader(source, tensorLayout(source))
    for (const first of [4000, 10, 4990, 0]) {
      const into = new Uint8Array(8)
      reader.read(first, into)
      expect(new Float32Array(into.buffer)[1]).toBe(first + 1)
    }
  })

  it('refuse a member shorter than its header says', () => {
    expect(code(zipBytes([{ name: 'a.npy', data: a.subarray(0, a.length - 4), deflate: true }]))).toBe(
      'npy-truncated',
    )
  })
})

describe('types', () => {
  it('go by every name that frameworks use', () => {
    expect(
      ['Float32', 'torch.float32', 'mindspore.float32', 'float', 'FLOAT32'].map(text => dtypeOf(text)?.name),
    ).toEqual(Array.from({ length: 5 }, () => 'float32'))
    expect(dtypeOf('BFloat16')).toBe(dtypes.bfloat16)
    expect([dtypeOf('constructor'), dtypeOf('<class int>'), dtypeOf('')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('convert every half there and back', () => {
    const all = Array.from({ length: 65536 }, (_, bits) => bits).filter(bits => !Number.isNaN(fromHalf(bits)))
    expect(all.filter(bits => toHalf(fromHalf(bits)) !== bits)).toEqual([])
    expect(all.length).toBe(65536 - 2 * 1023)
  })

  it('round to half with ties to even', () => {
    expect(halfRound(2049)).toBe(2048)
    expect(halfRound(2051)).toBe(2052)
    expect(halfRound(65519)).toBe(65504)
    expect(halfRound(65520)).toBe(Infinity)
    expect(halfRound(2 ** -25)).toBe(0)
    expect(halfRound(2 ** -25 * 1.01)).toBe(2 ** -24)
    expect(halfRound(2 ** -14 - 2 ** -26)).toBe(2 ** -14)
    expect(Object.is(halfRound(-1e-9), -0)).toBe(true)
  })

  it('read both 8-bit floats', () => {
    const into = new Float64Array(4)
    decode(dtypes.float8_e4m3fn, new Uint8Array([0x38, 0x7e, 0x7f, 0x01]), 4, into)
    expect([...into]).toEqual([1, 448, NaN, 2 ** -9])
    decode(dtypes.float8_e5m2, new Uint8Array([0x3c, 0x7b, 0x7c, 0x81]), 4, into)
    expect([...into]).toEqual([1, 57344, Infinity, -(2 ** -16)])
  })
})

describe('what is refused is called by its name', () => {
  const refusalOf = (bytes: Uint8Array, file: string): Refusal['problem'] | null => {
    try {
      openTensorFile(sourceOf(bytes), file).layout('')
      return null
    } catch (error) {
      return error instanceof Refusal ? error.problem : null
    }
  }

  it('a structured type, with nothing of what stands behind it', () => {
    const head = "{'descr': [('a', '<f4'), ('b', [('c', '<i4')])], 'fortran_order': False, 'shape': (3,), }"
    const bytes = Uint8Array.from([
      0x93,
      0x4e,
      0x55,
      0x4d,
      0x50,
      0x59,
      1,
      0,
      head.length + 1,
      0,
      ...new TextEncoder().encode(`${head}\n`),
    ])
    expect(refusalOf(bytes, 'a.npy')?.facts).toEqual({ dtype: "[('a', '<f4'), ('b', [('c', '<i4')])]" })
  })

  it('an archive that is none', () => {
    expect(refusalOf(new TextEncoder().encode('hello'), 'a.npz')?.code).toBe('zip-invalid')
  })
})
