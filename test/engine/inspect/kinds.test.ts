// What kind of difference it is: made cases of every kind are named, and where none holds none is.
import { describe, expect, it } from 'vitest'
import { differenceKind } from '../../../main/engine/inspect/kinds/kinds.ts'
import { type InMemory, movedOut, type Values } from '../../../main/engine/inspect/kinds/sides.ts'
import { taken, turned } from '../../../main/engine/inspect/kinds/order.ts'
import type { DifferenceKind } from '../../../main/engine/model/index.ts'
import { random } from '../../support/random.ts'

const shapes: readonly (readonly number[])[] = [
  [24, 48],
  [2, 24, 24],
  [4, 12, 48],
  [48, 24, 3],
  [96, 48],
  [12, 4, 12, 12],
  [3, 16, 48],
  [120, 48],
  [8, 48, 12],
  [1, 48, 96],
]

function normal(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}

function tensor(shape: readonly number[], seed: number, dtype = 'float32'): InMemory {
  const next = random(seed)
  const size = shape.reduce((product, dim) => product * dim, 1)
  return { shape, dtype, values: Float32Array.from({ length: size }, () => normal(next)) }
}

const withValues = (of: InMemory, values: Values): InMemory => ({ ...of, values })
const mapped = (of: InMemory, to: (x: number, i: number) => number): InMemory =>
  withValues(of, of.values.map(to))
const strideOf = (shape: readonly number[], axis: number): number =>
  shape.slice(axis + 1).reduce((product, dim) => product * dim, 1)
const indexOn = (shape: readonly number[], axis: number, i: number): number =>
  Math.floor(i / strideOf(shape, axis)) % shape[axis]

function kindOf(left: InMemory, right: InMemory): DifferenceKind {
  const steps = differenceKind(left, right, true)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

const noisy = (of: InMemory, size: number, seed = 99): InMemory => {
  const next = random(seed)
  return mapped(of, x => x + size * normal(next))
}
/** The axis with most indices, and its length. */
const longest = (shape: readonly number[]): number => shape.indexOf(Math.max(...shape))
const along = (of: InMemory, axis: number, order: readonly number[]): InMemory =>
  withValues(of, taken(of.values, of.shape, axis, order))
const range = (length: number): number[] => Array.from({ length }, (_, i) => i)

/** Left, made right. */
const makers: Readonly<Record<string, (left: InMemory, n: number) => InMemory>> = {
  sign: left => mapped(left, x => -x),
  scale: (left, n) =>
    mapped(left, x => x * [2, 0.5, 1.002, 1 / 8, 3, 1.1, 0.9, 1 / Math.sqrt(128), 1000, 1.5][n]),
  offset: (left, n) => mapped(left, x => x + [1, -1, 0.01, 5, 100, -0.25, 0.125, 2, -7, 0.5][n]),
  affine: (left, n) => mapped(left, x => x * (1.5 + n) + n + 1),
  rolled: (left, n) => {
    const axis = longest(left.shape)
    const length = left.shape[axis]
    return along(
      left,
      axis,
      range(length).map(i => (i + n + 1) % length),
    )
  },
  interleaved: (left, n) => {
    const axis = longest(left.shape)
    const length = left.shape[axis]
    const heads = n % 2 === 0 ? 1 : 2
    const size = length / heads
    return along(
      left,
      axis,
      range(length).map(i => Math.floor(i / size) * size + (i % 2) * (size / 2) + Math.floor((i % size) / 2)),
    )
  },
  grouped: (left, n) => {
    const axis = longest(left.shape)
    const length = left.shape[axis]
    const heads = n % 2 === 0 ? 2 : 4
    const width = length / 3 / heads
    return along(
      left,
      axis,
      range(length).map(i => {
        const [block, at] = [Math.floor(i / width), i % width]
        return ((block % 3) * heads + Math.floor(block / 3)) * width + at
      }),
    )
  },
  shards: (left, n) => {
    const axis = longest(left.shape)
    const length = left.shape[axis]
    const order = [
      [3, 1, 2, 0],
      [3, 2, 1, 0],
      [1, 0, 2, 3],
      [2, 1, 3, 0],
      [0, 3, 2, 1],
    ][n % 5]
    return along(
      left,
      axis,
      range(length).map(i => order[Math.floor(i / (length / 4))] * (length / 4) + (i % (length / 4))),
    )
  },
  permuted: (left, n) => {
    const axis = longest(left.shape)
    const next = random(n + 7)
    const order = range(left.shape[axis])
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(next() * (i + 1))
      ;[order[i], order[j]] = [order[j], order[i]]
    }
    return along(left, axis, order)
  },
  channel: (left, n) => {
    const axis = longest(left.shape)
    return mapped(left, (x, i) => (indexOn(left.shape, axis, i) === n ? x * 1.5 + 0.1 : x))
  },
  suffix: (left, n) => {
    const axis = left.shape.findIndex(dim => dim >= 8)
    const from = Math.floor(left.shape[axis] / 2) - Math.min(2, n)
    return mapped(left, (x, i) => (indexOn(left.shape, axis, i) >= from ? x + 0.3 * Math.sin(i) : x))
  },
  padding: (left, n) => {
    const axis = left.shape.findIndex(dim => dim >= 8)
    const from = Math.floor(left.shape[axis] / 2) + (n % 2)
    return mapped(left, (x, i) => (indexOn(left.shape, axis, i) >= from ? n % 3 : x))
  },
  truncated: (left, n) => {
    const bits = new Uint32Array(1)
    const float = new Float32Array(bits.buffer)
    return mapped(left, x => {
      float[0] = x
      bits[0] = n % 2 === 0 ? bits[0] & 0xffff0000 : (bits[0] + 0x7fff + ((bits[0] >>> 16) & 1)) & 0xffff0000
      return float[0]
    })
  },
  bits: (left, n) => {
    const bits = new Uint32Array(1)
    const float = new Float32Array(bits.buffer)
    return mapped(left, (x, i) => {
      if (i % 397 !== 5) return x
      float[0] = x
      bits[0] ^= 1 << (n + 14)
      return float[0]
    })
  },
  period: (left, n) => {
    const period = [16, 128, 2048][n % 3]
    return mapped(left, (x, i) => (i % period === n + 1 ? x + 0.7 + Math.sin(i) : x))
  },
  few: (left, n) => mapped(left, (x, i) => (i === 7 * n + 3 || i === 1000 ? x + Math.PI + n : x)),
  constant: (left, n) => mapped(left, () => n % 2),
}
/** Lengths that no period divides. */
const plainShape = (kind: string, shape: readonly number[]): readonly number[] =>
  kind === 'period' ? [...shape.map(dim => dim + 1), 31] : shape

describe.each(Object.keys(makers))('%s', kind => {
  it.each(shapes.map((shape, n) => [n, shape] as const))('case %i of %j', (n, shape) => {
    const left = tensor(plainShape(kind, shape), n + 1)
    const right = makers[kind](left, n)
    const found = kindOf(left, right)
    expect(found.kind, JSON.stringify(found)).toBe(kind)
    if (kind !== 'constant') expect(found.after?.relative).toBeLessThan(1e-6)
  })
})

describe('transposed', () => {
  it.each(shapes.filter(shape => shape.length > 1).map((shape, n) => [n, shape] as const))(
    'case %i of %j',
    (n, shape) => {
      const left = tensor(shape, n + 50)
      const order = range(shape.length)
      ;[order[order.length - 1], order[order.length - 2]] = [order[order.length - 2], order[order.length - 1]]
      const right = {
        ...withValues(left, turned(left.values, shape, order)),
        shape: order.map(axis => shape[axis]),
      }
      expect(kindOf(left, right).kind).toBe('transposed')
      expect(kindOf(left, { ...right, shape }).kind).toBe(
        shape.at(-1) === 1 || shape.at(-2) === 1 ? null : 'transposed',
      )
    },
  )
})

/** Of so many elements a part is tried first. */
const large = [768, 384]

describe('of a large tensor', () => {
  it.each(Object.keys(makers))('%s', kind => {
    const left = tensor(kind === 'period' ? [769, 385] : large, 3)
    const found = kindOf(left, makers[kind](left, 1))
    expect(found.kind, JSON.stringify(found)).toBe(kind)
  })
  it('transposed', () => {
    const left = tensor(large, 4)
    const right = { ...withValues(left, turned(left.values, large, [1, 0])), shape: [384, 768] }
    expect(kindOf(left, right).kind).toBe('transposed')
    expect(kindOf(left, { ...right, shape: large }).kind).toBe('transposed')
  })
  it.each([1e-7, 1e-5, 1e-3, 0.1, 1, 10])('noise of %d is none', size => {
    const left = tensor(large, 6)
    expect(kindOf(left, noisy(left, size)).kind).toBeNull()
  })
  it.each(['sign', 'scale', 'rolled', 'interleaved', 'grouped', 'shards', 'permuted', 'channel', 'suffix'])(
    '%s under noise',
    kind => {
      const left = tensor(large, 7)
      expect(kindOf(left, noisy(makers[kind](left, 0), 1e-4)).kind).toBe(kind)
    },
  )
  it('two strangers have none', () => {
    expect(kindOf(tensor(large, 8), tensor(large, 9)).kind).toBeNull()
  })
})

describe('a kind holds under noise, and says what is left', () => {
  it.each(['sign', 'scale', 'rolled', 'interleaved', 'grouped', 'shards', 'permuted', 'channel', 'suffix'])(
    '%s',
    kind => {
      const left = tensor([48, 96], 5)
      const right = noisy(makers[kind](left, 0), 1e-4)
      const found = kindOf(left, right)
      expect(found.kind, JSON.stringify(found)).toBe(kind)
      expect(found.after?.maxAbs).toBeGreaterThan(1e-5)
      expect(found.after?.maxAbs).toBeLessThan(0.1)
    },
  )
})

describe('inside of the place that differs', () => {
  const left = tensor([4, 8, 12, 24], 11)
  const inHead = (head: number, to: (x: number, i: number) => number): InMemory =>
    mapped(left, (x, i) => (indexOn(left.shape, 1, i) === head ? to(x, i) : x))
  it.each([
    ['scale', (x: number) => x * 1.01, { factor: 1.01 }],
    ['offset', (x: number) => x + 0.5, { by: 0.5 }],
    ['sign', (x: number) => -x, {}],
    ['constant', () => 0, { side: 'right', value: 0 }],
  ] as const)('a head is another: %s', (kind, to, facts) => {
    const found = kindOf(left, inHead(3, to))
    expect(found).toMatchObject({
      kind: 'channel',
      facts: { axis: 1, from: 3, to: 3 },
      within: { kind, facts },
    })
    if (kind !== 'constant') expect(found.within?.after?.relative).toBeLessThan(1e-6)
  })
  it('a head is rolled', () => {
    const part = tensor([4, 1, 12, 24], 12)
    const rolled = along(
      part,
      3,
      range(24).map(i => (i + 5) % 24),
    )
    const put = (of: InMemory): InMemory =>
      mapped(left, (x, i) =>
        indexOn(left.shape, 1, i) === 2
          ? of.values[Math.floor(i / strideOf(left.shape, 0)) * 288 + (i % 288)]
          : x,
      )
    expect(kindOf(put(part), put(rolled)).within).toMatchObject({ kind: 'rolled', facts: { axis: 3 } })
  })
  it('tokens from one on are scaled', () => {
    const right = mapped(left, (x, i) => (indexOn(left.shape, 2, i) >= 7 ? x * 2 : x))
    expect(kindOf(left, right)).toMatchObject({
      kind: 'suffix',
      within: { kind: 'scale', facts: { factor: 2 } },
    })
  })
  it('a place in a place', () => {
    const wide = tensor([4, 8, 16, 24], 13)
    const right = mapped(wide, (x, i) =>
      indexOn(wide.shape, 1, i) === 3 && indexOn(wide.shape, 2, i) > 13 ? x * 3 : x,
    )
    const outer = kindOf(wide, right)
    expect([outer.kind, outer.within?.kind].sort()).toEqual(['channel', 'suffix'])
    expect(outer.within?.within).toMatchObject({ kind: 'scale', facts: { factor: 3 } })
  })
  it.each([1e-4, 1e-2, 1])('noise of %d in a head is none', size => {
    const next = random(5)
    const found = kindOf(
      left,
      inHead(3, x => x + size * normal(next)),
    )
    expect(found).toMatchObject({ kind: 'channel', within: null })
  })
})

describe('what is no number on one side', () => {
  const left = tensor([4, 8, 12, 24], 21)
  const withOdd = (of: InMemory, every: number, value: number): InMemory => {
    const values = of.values.map((x, i) => (i % every === 5 ? value : x))
    return { ...of, values, odd: movedOut(values) }
  }
  it.each([NaN, Infinity, -Infinity])('%d alone', value => {
    const found = kindOf(left, withOdd(left, 97, value))
    expect(found).toMatchObject({
      kind: 'nonfinite',
      facts: { count: 95, first: 5 },
      after: { mismatched: 0 },
    })
  })
  it.each(['sign', 'scale', 'offset', 'affine', 'channel', 'suffix', 'truncated'])(
    'does not hide what all others have: %s',
    kind => {
      const found = kindOf(left, withOdd(makers[kind](left, 1), 97, NaN))
      expect(found, JSON.stringify(found)).toMatchObject({ kind, apart: { count: 95, first: 5 } })
      expect(found.after?.relative).toBeLessThan(1e-6)
    },
  )
  it('is no difference where both sides have it', () => {
    expect(kindOf(withOdd(left, 97, NaN), withOdd(makers['scale'](left, 2), 97, NaN))).toMatchObject({
      kind: 'scale',
      apart: null,
    })
  })
  it('is no claim among noise', () => {
    expect(kindOf(left, withOdd(noisy(left, 1e-3), 97, NaN)).kind).toBeNull()
  })
})

describe('no false claim', () => {
  const sizes = [1e-7, 1e-5, 1e-3, 0.1, 1, 10]
  it.each(shapes.flatMap((shape, n) => sizes.map(size => [shape, size, n] as const)))(
    'noise on %j of %d',
    (shape, size, n) => {
      const left = tensor(shape, n + 1)
      expect(kindOf(left, noisy(left, size, n + 31)).kind).toBeNull()
    },
  )
  it.each(shapes.map((shape, n) => [shape, n] as const))('two strangers of %j', (shape, n) => {
    expect(kindOf(tensor(shape, n + 1), tensor(shape, n + 1000)).kind).toBeNull()
  })
  it.each(shapes.map((shape, n) => [shape, n] as const))('relative noise on %j', (shape, n) => {
    const left = tensor(shape, n + 1)
    const next = random(n + 3)
    expect(
      kindOf(
        left,
        mapped(left, x => x * (1 + 1e-3 * normal(next))),
      ).kind,
    ).toBeNull()
  })
  it.each([1, 2, 3, 5, 7])('%i elements', size => {
    const left = tensor([size], size)
    expect(kindOf(left, tensor([size], size + 10)).kind).toBeNull()
  })
  it('equal sides', () => {
    const left = tensor([4, 4], 1)
    expect(kindOf(left, left).kind).toBeNull()
  })
})

it('says nothing of a side without elements', () => {
  const empty = { shape: [0, 4], dtype: 'float32', values: new Float32Array() }
  expect(kindOf(tensor([3, 4], 1), empty).kind).toBeNull()
  expect(kindOf(empty, tensor([3, 4], 1)).kind).toBeNull()
  expect(kindOf(empty, empty).kind).toBeNull()
})
