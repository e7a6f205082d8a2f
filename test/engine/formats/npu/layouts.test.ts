// Every layout of a device there and back: tiled by its formula, read in the order that people know.
import { describe, expect, it } from 'vitest'
import { formatCode, rawReading, type RawWish, readRawHeader } from '../../../../main/engine/formats/index.ts'
import { tensorReader } from '../../../../main/engine/formats/tensors/tensor.ts'
import { layoutOf } from '../../../../main/engine/formats/tensors/tensor-file.ts'
import { rawFile, type RawSpec } from '../../../support/raw-files.ts'
import { f32, sourceOf } from '../../../support/tensor-files.ts'

const product = (shape: readonly number[]): number => shape.reduce((all, dim) => all * dim, 1)
const up = Math.ceil

/** Indices of all elements, in C order. */
function* indices(shape: readonly number[]): Generator<readonly number[]> {
  const index = shape.map(() => 0)
  for (let i = product(shape); i > 0; i--) {
    yield [...index]
    for (let axis = shape.length - 1; axis >= 0 && ++index[axis] === shape[axis]; axis--) index[axis] = 0
  }
}

const flat = (shape: readonly number[], index: readonly number[]): number =>
  index.reduce((at, i, axis) => at * shape[axis] + i, 0)

/** Where an element of NCHW, NCDHW or a matrix lies on the device. */
type Place = (index: readonly number[]) => readonly number[]

interface Case {
  readonly format: string
  readonly device: readonly number[]
  /** In the canonical letters. */
  readonly shape: readonly number[]
  readonly letters: string
  readonly place: Place
}

const blocked = (n: number, c: number, h: number, w: number, c0: number, format = 'NC1HWC0'): Case => ({
  format,
  device: [n, up(c / c0), h, w, c0],
  shape: [n, c, h, w],
  letters: 'NCHW',
  place: ([n, c, h, w]) => [n, Math.floor(c / c0), h, w, c % c0],
})

const weights = (n: number, c: number, h: number, w: number, c0: number): Case => ({
  format: 'FRACTAL_Z',
  device: [up(c / c0) * h * w, up(n / 16), 16, c0],
  shape: [n, c, h, w],
  letters: 'NCHW',
  place: ([n, c, y, x]) => [(Math.floor(c / c0) * h + y) * w + x, Math.floor(n / 16), n % 16, c % c0],
})

const weights3d: Case = {
  format: 'FRACTAL_Z_3D',
  device: [2 * 2 * 3 * 2, 2, 16, 16],
  shape: [18, 20, 2, 3, 2],
  letters: 'NCDHW',
  place: ([n, c, d, h, w]) => [
    ((d * 2 + Math.floor(c / 16)) * 3 + h) * 2 + w,
    Math.floor(n / 16),
    n % 16,
    c % 16,
  ],
}

const cases: readonly Case[] = [
  blocked(2, 5, 3, 4, 16),
  blocked(1, 40, 7, 3, 32),
  blocked(3, 32, 5, 2, 16),
  blocked(2, 3, 6, 5, 4, 'NC1HWC0_C04'),
  weights(20, 18, 3, 2, 16),
  weights(5, 40, 2, 3, 32),
  weights3d,
  {
    format: 'NDC1HWC0',
    device: [2, 3, 2, 4, 5, 16],
    shape: [2, 17, 3, 4, 5],
    letters: 'NCDHW',
    place: ([n, c, d, h, w]) => [n, d, Math.floor(c / 16), h, w, c % 16],
  },
  {
    format: 'C1HWNCoC0',
    device: [2, 3, 2, 1, 16, 16],
    shape: [1, 20, 3, 2],
    letters: 'NCHW',
    place: ([n, c, h, w]) => [Math.floor(c / 16), h, w, n, c % 16, c % 16],
  },
]

const orders: Readonly<Record<string, readonly string[]>> = {
  NCHW: ['NCHW', 'NHWC', 'HWCN', 'CHWN'],
  NCDHW: ['NCDHW', 'NDHWC', 'DHWCN'],
}

/** The elements of a tensor are numbered in its canonical order; padding is -1. */
function tiled({ device, shape, place }: Case): Int32Array {
  const values = new Int32Array(product(device)).fill(-1)
  let next = 0
  for (const index of indices(shape)) values[flat(device, place(index))] = next++
  return values
}

const turn = <T>(from: string, to: string, of: readonly T[]): T[] =>
  [...to].map(letter => of[from.indexOf(letter)])

async function readAs(spec: RawSpec, wish?: RawWish) {
  const source = sourceOf(rawFile({ outputs: [spec] }))
  const header = await readRawHeader(source, 'file')
  const reading = rawReading('file', header.outputs[0], wish)
  if (!reading.range) throw new Error(reading.status)
  const layout = layoutOf(source, { file: 'file', part: reading.range })
  const bytes = new Uint8Array(layout.size * layout.dtype.bytes)
  tensorReader(source, layout).read(0, bytes)
  return { ...reading, shape: layout.shape, bytes, codes: reading.problems.map(one => one.code) }
}

const specOf = (one: Case, order: string, told = true): RawSpec => ({
  dtype: 7,
  format: formatCode(one.format) ?? -1,
  shape: one.device,
  originalShape: turn(one.letters, order, one.shape),
  ...(told && { originalFormat: formatCode(order) ?? -1 }),
  data: new Uint8Array(tiled(one).buffer),
})

/** Numbers of the elements in an order. */
const expected = (one: Case, order: string): number[] =>
  [...indices(turn(one.letters, order, one.shape))].map(index =>
    flat(one.shape, turn(order, one.letters, index)),
  )

describe.each(cases)('$format of $shape', one => {
  it.each(orders[one.letters])('is read as %s, its original layout', async order => {
    const { shape, bytes, layout, codes } = await readAs(specOf(one, order))
    expect(codes).toEqual([])
    expect(layout).toBe(order)
    expect(shape).toEqual(turn(one.letters, order, one.shape))
    expect([...new Int32Array(bytes.buffer)]).toEqual(expected(one, order))
  })

  it.each(orders[one.letters])('is turned to %s, whatever the original layout was', async order => {
    for (const original of orders[one.letters]) {
      const { shape, bytes, layout } = await readAs(specOf(one, original), { layout: order })
      expect(layout).toBe(order)
      expect(shape).toEqual(turn(one.letters, order, one.shape))
      expect([...new Int32Array(bytes.buffer)]).toEqual(expected(one, order))
    }
  })

  it('is read as it lies when that is asked for', async () => {
    const { shape, bytes } = await readAs(specOf(one, one.letters), { layout: 'device' })
    expect(shape).toEqual(one.device)
    expect(new Int32Array(bytes.buffer)).toEqual(tiled(one))
  })
})

describe('the original layout, where the file does not tell it', () => {
  const one = blocked(2, 5, 3, 4, 16)

  it('is the only one that fits', async () => {
    const { layout, codes, bytes } = await readAs(specOf(one, 'NHWC', false), { layout: 'NCHW' })
    expect([layout, codes]).toEqual(['NCHW', []])
    expect([...new Int32Array(bytes.buffer)]).toEqual(expected(one, 'NCHW'))
  })

  it('is what a graph says, before what the file says', async () => {
    const same = blocked(2, 3, 3, 3, 16)
    const { layout, bytes } = await readAs(specOf(same, 'NCHW', false), { original: 'NHWC' })
    expect(layout).toBe('NHWC')
    expect([...new Int32Array(bytes.buffer)]).toEqual(expected(same, 'NHWC'))
  })

  it('is not guessed: what could be several stays as it lies, with a warning', async () => {
    const same = blocked(2, 3, 3, 3, 16)
    const { shape, codes } = await readAs(specOf(same, 'NHWC', false))
    expect([shape, codes]).toEqual([same.device, ['raw-layout-unknown']])
    // Asked for by name it is the same whatever it was.
    const asked = await readAs(specOf(same, 'NHWC', false), { layout: 'NCHW' })
    expect(asked.codes).toEqual([])
    expect([...new Int32Array(asked.bytes.buffer)]).toEqual(expected(same, 'NCHW'))
  })

  it('that does not fit is corrected by the one that does, and said', async () => {
    const spec = { ...specOf(one, 'NHWC'), originalFormat: 0 }
    const { layout, codes, bytes } = await readAs(spec)
    expect([layout, codes]).toEqual(['NHWC', ['raw-layout-told']])
    expect([...new Int32Array(bytes.buffer)]).toEqual(expected(one, 'NHWC'))
  })

  it('and a shape that fits in no way leaves the tensor as it lies', async () => {
    const { shape, codes } = await readAs(
      { ...specOf(one, 'NHWC'), originalShape: [2, 3, 4, 99] },
      { layout: 'NHWC' },
    )
    expect([shape, codes]).toEqual([one.device, ['raw-layout-misfit']])
  })

  it('of weights that could be two shapes is taken from what is asked for, and said', async () => {
    // One block of channels and one of numbers either way.
    const either = weights(2, 4, 2, 4, 16)
    const { codes } = await readAs(specOf(either, 'NCHW', false), { layout: 'NHWC' })
    expect(codes).toEqual(['raw-layout-assumed'])
  })
})

describe('weights of grouped convolutions', () => {
  const leastCommon = (a: number, b: number): number => {
    let at = a
    while (at % b) at += a
    return at
  }
  const grouped = (groups: number, perGroup: number, channels: number, h: number, w: number): Case => {
    const c0 = 16
    const fill = leastCommon(leastCommon(channels, c0) / channels, leastCommon(perGroup, 16) / perGroup)
    const together = Math.min(fill, groups)
    const across = up((together * perGroup) / 16) * 16
    const c1 = up((together * channels) / c0)
    return {
      format: 'FRACTAL_Z',
      device: [up(groups / together) * c1 * h * w, across / 16, 16, c0],
      shape: [groups * perGroup, channels, h, w],
      letters: 'NCHW',
      place: ([n, ci, y, x]) => {
        const [g, co] = [Math.floor(n / perGroup), n % perGroup]
        const dc = (g % together) * channels + ci
        const dn = (g % together) * perGroup + co
        const row = ((Math.floor(g / together) * c1 + Math.floor(dc / c0)) * h + y) * w + x
        return [row, Math.floor(dn / 16), dn % 16, dc % c0]
      },
    }
  }
  it.each([
    [32, 1, 1, 3, 3],
    [3, 8, 5, 2, 1],
    [20, 2, 3, 1, 2],
    [2, 40, 24, 2, 2],
  ])('%i groups of %i by %i', async (groups, perGroup, channels, h, w) => {
    const one = grouped(groups, perGroup, channels, h, w)
    for (const order of ['NCHW', 'HWCN', 'NHWC']) {
      const { shape, bytes, codes } = await readAs({ ...specOf(one, order), groups })
      expect(codes).toEqual([])
      expect(shape).toEqual(turn('NCHW', order, one.shape))
      expect([...new Int32Array(bytes.buffer)]).toEqual(expected(one, order))
    }
  })
})

describe('FRACTAL_NZ', () => {
  const matrix = (before: readonly number[], rows: number, columns: number, c0 = 16, ri = 16): Case => ({
    format: 'FRACTAL_NZ',
    device: [...before, up(columns / c0), up(rows / ri), ri, c0],
    shape: [...before, rows, columns],
    letters: '',
    place: index => {
      const [r, c] = index.slice(-2)
      return [...index.slice(0, -2), Math.floor(c / c0), Math.floor(r / ri), r % ri, c % c0]
    },
  })
  const spec = (one: Case, originalShape = one.shape): RawSpec => ({
    dtype: 7,
    format: 29,
    shape: one.device,
    originalShape,
    data: new Uint8Array(tiled(one).buffer),
  })
  it.each([
    [[], 2, 45, 16],
    [[3], 20, 17, 16],
    [[2, 3], 33, 31, 32],
    [[2], 16, 64, 64],
  ])('%j by %i by %i', async (before, rows, columns, c0) => {
    const one = matrix(before, rows, columns, c0)
    for (const layout of [undefined, 'ND', 'NHWC']) {
      const { shape, bytes, codes } = await readAs(spec(one), layout === undefined ? {} : { layout })
      expect([shape, codes]).toEqual([one.shape, []])
      expect([...new Int32Array(bytes.buffer)]).toEqual([...Array(product(one.shape)).keys()])
    }
  })

  it('one axis is one row', async () => {
    const one = matrix([], 1, 21)
    const { shape, bytes } = await readAs(spec(one, [21]))
    expect(shape).toEqual([21])
    expect([...new Int32Array(bytes.buffer)]).toEqual([...Array(21).keys()])
  })

  it('a shape of other tiles is not cut to size', async () => {
    const { shape, codes } = await readAs(spec(matrix([], 20, 20), [20, 40]))
    expect([shape, codes]).toEqual([[2, 2, 16, 16], ['raw-layout-misfit']])
  })
})

describe('plain layouts', () => {
  const letters = ['NCHW', 'NHWC', 'HWCN'] as const
  const shape = [2, 3, 4, 5]
  it.each(letters.flatMap(from => letters.map(to => [from, to] as const)))('%s to %s', async (from, to) => {
    const device = turn('NCHW', from, shape)
    const values = Int32Array.from(indices(device), index => flat(shape, turn(from, 'NCHW', index)))
    const spec = { dtype: 7, format: formatCode(from) ?? -1, shape: device, originalShape: device }
    const read = await readAs({ ...spec, data: new Uint8Array(values.buffer) }, { layout: to })
    expect(read.shape).toEqual(turn('NCHW', to, shape))
    expect([...new Int32Array(read.bytes.buffer)]).toEqual(
      [...indices(turn('NCHW', to, shape))].map(index => flat(shape, turn(to, 'NCHW', index))),
    )
  })

  it('ND is given its original shape, when that has as many elements', async () => {
    const spec = { shape: [6], originalShape: [2, 3], data: new Uint8Array(24) }
    expect((await readAs(spec)).shape).toEqual([2, 3])
    expect((await readAs({ ...spec, originalShape: [2, 4] })).shape).toEqual([6])
  })

  it.each([
    'FRACTAL_ZZ',
    'FRACTAL_Z_C04',
    'FRACTAL_Z_G',
    'FRACTAL_Z_WINO',
    'FRACTAL_ZN_LSTM',
    'FRACTAL_ZN_RNN',
    'ND_RNN_BIAS',
    'NC1KHKWHWC0',
    'FRACTAL_Z_3D_TRANSPOSE',
    'C1HWNC0',
    'FORMAT_97',
  ])('%s, which nobody says how to turn, stays as it lies, with a warning', async name => {
    const values = f32(...Array.from({ length: 24 }, (_, i) => i))
    const format = formatCode(name) ?? Number(name.slice('FORMAT_'.length))
    const spec = { format, shape: [2, 3, 2, 2], originalShape: [2, 2, 3, 2], originalFormat: 1, data: values }
    for (const wish of [{}, { layout: 'NCHW' }]) {
      const read = await readAs(spec, wish)
      expect(read.codes).toEqual(['raw-layout-unsupported'])
      expect(read.layout).toBe(name)
      expect(read.shape).toEqual([2, 3, 2, 2])
      expect(read.bytes).toEqual(values)
    }
  })
})

describe('large tensors are put together from pieces', () => {
  it.each([
    ['NHWC', blocked(1, 20, 400, 300, 16)],
    ['NCHW', blocked(1, 20, 400, 300, 16)],
    ['NCHW', weights(400, 400, 5, 3, 16)],
    ['HWCN', weights(400, 400, 5, 3, 16)],
  ] as const)('%s of %o, from anywhere', async (order, one) => {
    const source = sourceOf(rawFile({ outputs: [specOf(one, order)] }))
    const header = await readRawHeader(source, 'file')
    const { range } = rawReading('file', header.outputs[0])
    const layout = layoutOf(source, { file: 'file', part: range ?? '' })
    const reader = tensorReader(source, layout)
    const bytes = new Uint8Array(layout.size * 4)
    // Backwards, so that nothing is there by reading ahead.
    for (let end = layout.size; end > 0;) {
      const from = Math.max(0, end - 1_234_567)
      reader.read(from, bytes.subarray(from * 4, end * 4))
      end = from
    }
    const values = new Int32Array(bytes.buffer)
    const shape = turn(one.letters, order, one.shape)
    // What one index more of each axis adds to an element's number.
    const steps = turn(
      one.letters,
      order,
      one.shape.map((_, axis) => product(one.shape.slice(axis + 1))),
    )
    let at = 0
    let wrong = 0
    for (let i = 0; i < shape[0]; i++)
      for (let j = 0; j < shape[1]; j++)
        for (let k = 0; k < shape[2]; k++)
          for (let l = 0; l < shape[3]; l++)
            if (values[at++] !== i * steps[0] + j * steps[1] + k * steps[2] + l * steps[3]) wrong++
    expect(wrong).toBe(0)
  })
})

it.each([
  [28, 2, 'int8'],
  [29, 8, 'uint8'],
])('type %i is unpacked before it is turned', async (dtype, perByte, name) => {
  const one = blocked(1, 40, 3, 3, 64)
  const many = product(one.device)
  const value = (i: number): number => (perByte === 8 ? (i % 3) & 1 : (i % 16) - 8)
  const data = new Uint8Array(many / perByte)
  const at = tiled(one)
  for (let i = 0; i < many; i++) {
    const bits = value(at[i])
    if (perByte === 8) data[i >> 3] |= bits << (7 - (i & 7))
    else data[i >> 1] |= (bits & 15) << ((i & 1) * 4)
  }
  const { bytes, range } = await readAs({ ...specOf(one, 'NCHW'), dtype, data })
  expect(range?.dtype).toBe(name)
  expect([...(perByte === 8 ? bytes : new Int8Array(bytes.buffer))]).toEqual(
    Array.from({ length: product(one.shape) }, (_, i) => value(i)),
  )
})
