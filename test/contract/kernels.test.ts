// One contract for the kernels in TypeScript and in WebAssembly: same sums, same answers, whatever the data.
import { describe, expect, it } from 'vitest'
import {
  decode,
  dtypes,
  type Dtype,
  type DtypeName,
  toHalf,
} from '../../main/engine/formats/tensors/dtype.ts'
import { chunkBytes, type Kernels, scalarKernels } from '../../main/engine/measure/chunks.ts'
import { noSums, type Sums, type ZeroRule } from '../../main/engine/measure/kernels.ts'
import { pairNumbers, perMetric } from '../../main/engine/measure/metrics.ts'
import { simdKernels } from '../../main/engine/measure/simd.ts'
import { random } from '../support/random.ts'

const scalar = scalarKernels()
const simd = simdKernels()

type Fill = (next: () => number, i: number) => number

/** Puts numbers into bytes as a type stores them. */
function store(dtype: Dtype, values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * dtype.bytes)
  const view = new DataView(bytes.buffer)
  values.forEach((x, i) => {
    const at = i * dtype.bytes
    const integer = (): bigint => BigInt.asIntN(64, BigInt(Number.isFinite(x) ? Math.round(x) : 7))
    const writers: Record<DtypeName, () => void> = {
      float16: () => view.setUint16(at, toHalf(x), true),
      bfloat16: () => {
        const f = new DataView(new ArrayBuffer(4))
        f.setFloat32(0, x)
        view.setUint16(at, f.getUint16(0), true)
      },
      float32: () => view.setFloat32(at, x, true),
      float64: () => view.setFloat64(at, x, true),
      float8_e4m3fn: () => view.setUint8(at, Math.abs(Math.round(x)) % 120),
      float8_e5m2: () => view.setUint8(at, Math.abs(Math.round(x)) % 120),
      float8_e8m0: () => view.setUint8(at, 120 + (Math.abs(Math.round(x)) % 16)),
      hifloat8: () => view.setUint8(at, Math.abs(Math.round(x)) % 100),
      int8: () => view.setInt8(at, Number(BigInt.asIntN(8, integer()))),
      int16: () => view.setInt16(at, Number(BigInt.asIntN(16, integer())), true),
      int32: () => view.setInt32(at, Number(BigInt.asIntN(32, integer())), true),
      int64: () => view.setBigInt64(at, integer(), true),
      uint8: () => view.setUint8(at, Number(BigInt.asUintN(8, integer()))),
      uint16: () => view.setUint16(at, Number(BigInt.asUintN(16, integer())), true),
      uint32: () => view.setUint32(at, Number(BigInt.asUintN(32, integer())), true),
      uint64: () => view.setBigUint64(at, BigInt.asUintN(64, integer()), true),
      bool: () => view.setUint8(at, x > 0 ? 1 : 0),
      complex32: () => {
        view.setUint16(at, toHalf(x), true)
        view.setUint16(at + 2, toHalf(1), true)
      },
      complex64: () => {
        view.setFloat32(at, x, true)
        view.setFloat32(at + 4, 1, true)
      },
      complex128: () => {
        view.setFloat64(at, x, true)
        view.setFloat64(at + 8, 1, true)
      },
    }
    writers[dtype.name]()
  })
  return bytes
}

function sumsOf(
  kernels: Kernels,
  debug: Dtype,
  a: Uint8Array,
  bench: Dtype,
  b: Uint8Array,
  count: number,
  zeros: ZeroRule = 'tiny',
): { sums: Sums; equal: boolean; hashes: number[] } {
  const sums = noSums()
  kernels.begin()
  kernels.debug.set(a)
  kernels.bench.set(b)
  const equal = kernels.add(kernels.types(debug, bench, zeros), 0, 0, count, sums)
  return { sums, equal, hashes: kernels.end() }
}

const near = (x: number, y: number): boolean =>
  Object.is(x, y) || x === y || Math.abs(x - y) <= 1e-11 * Math.max(Math.abs(x), Math.abs(y), 1e-300)

function expectSame(
  debug: Dtype,
  bench: Dtype,
  x: readonly number[],
  y: readonly number[],
  what: string,
): void {
  expectSameBy('tiny', debug, bench, x, y, `${what} tiny`)
  // The second rule shares the loops with the first: a whole block, a tail alone and both are enough.
  if ([3, 16, 79, 1000].includes(x.length) || what.includes('round') || what.includes('equal'))
    expectSameBy('machine', debug, bench, x, y, `${what} machine`)
}

function expectSameBy(
  zeros: ZeroRule,
  debug: Dtype,
  bench: Dtype,
  x: readonly number[],
  y: readonly number[],
  what: string,
): void {
  const a = store(debug, x)
  const b = store(bench, y)
  const one = sumsOf(scalar, debug, a, bench, b, x.length, zeros)
  const two = sumsOf(simd, debug, a, bench, b, x.length, zeros)
  expect(two.equal && debug === bench, what).toBe(one.equal && debug === bench)
  expect(two.sums.mismatch, what).toBe(one.sums.mismatch)
  if (one.sums.mismatch) return
  expect(two.sums, what).toMatchObject({
    maxRel: one.sums.maxRel,
    belowThousandth: one.sums.belowThousandth,
    belowFiveThousandths: one.sums.belowFiveThousandths,
  })
  // Equal sides need no norms.
  const keys = two.sums.skipped
    ? (['differenceSquares', 'maxAbs'] as const)
    : (['debugSquares', 'benchSquares', 'differenceSquares', 'maxAbs'] as const)
  for (const key of keys)
    expect(near(one.sums[key], two.sums[key]), `${what} ${key} ${one.sums[key]} ${two.sums[key]}`).toBe(true)
  const [c, d] = [one, two].map(({ sums }) => pairNumbers(sums, x.length, debug, bench))
  expect(c.notes, what).toBe(d.notes)
  const [mine, theirs] = [c, d].map(({ values }) => perMetric(i => values[i]!).cosine)
  if (Number.isNaN(mine)) expect(theirs, what).toBeNaN()
  else expect(Math.abs(mine! - theirs!), `${what} cosine ${mine} ${theirs}`).toBeLessThan(1e-12)
}

const normal = (next: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(6.283185307179586 * next())
const debugFills: Readonly<Record<string, Fill>> = {
  normal: next => normal(next) * 3,
  tiny: next => normal(next) * 1e-7,
  huge: next => normal(next) * 3e4,
  integers: next => Math.round(normal(next) * 40),
  'mostly zero': next => (next() < 0.8 ? 0 : normal(next)),
  'every magnitude': next => normal(next) * 2 ** Math.round((next() - 0.5) * 60),
}
const benchFills: Readonly<Record<string, (x: number, next: () => number) => number>> = {
  equal: x => x,
  close: (x, next) => x * (1 + 0.002 * normal(next)),
  'some zero': (x, next) => (next() < 0.1 ? 0 : x * (1 + 0.01 * normal(next))),
  other: (_, next) => normal(next) * 3,
  'far smaller': x => x * 1e-5,
  opposite: x => -x,
}

const types = Object.values(dtypes)
const mixed: readonly [DtypeName, DtypeName][] = [
  ['float32', 'bfloat16'],
  ['bfloat16', 'float32'],
  ['float16', 'float32'],
  ['float32', 'float16'],
  ['float16', 'bfloat16'],
  ['float32', 'float64'],
  ['int32', 'int64'],
  ['float32', 'int32'],
  ['int64', 'float32'],
  ['bool', 'uint8'],
]
const pairs: readonly (readonly [Dtype, Dtype])[] = [
  ...types.map(type => [type, type] as const),
  ...mixed.map(([x, y]) => [dtypes[x], dtypes[y]] as const),
]

describe.each(pairs.map(([x, y]) => [`${x.name} against ${y.name}`, x, y] as const))(
  '%s',
  (_, debug, bench) => {
    it.each(Object.keys(debugFills))('gives the same sums for %s values', from => {
      const next = random(from.length * 7 + debug.name.length)
      for (const [to, fill] of Object.entries(benchFills)) {
        for (const length of [1, 2, 3, 7, 15, 16, 17, 31, 33, 64, 79, 1000, 5003]) {
          const x = Array.from({ length }, (__, i) => debugFills[from](next, i))
          expectSame(
            debug,
            bench,
            x,
            x.map(value => fill(value, next)),
            `${to} ${length}`,
          )
        }
      }
    })

    it('sets NaN and infinities at the same positions aside, and sees those at different ones', () => {
      const next = random(99)
      for (let round = 0; round < 60; round++) {
        const length = 1 + Math.floor(next() * 100)
        const x = Array.from({ length }, () =>
          next() < 0.1 ? [NaN, Infinity, -Infinity][Math.floor(next() * 3)] : normal(next),
        )
        const y = x.map(value =>
          Number.isFinite(value)
            ? value * 1.001
            : Number.isNaN(value)
              ? NaN
              : next() < 0.5
                ? Infinity
                : -Infinity,
        )
        if (round % 3 === 0) y[Math.floor(next() * length)] = round % 2 ? NaN : Infinity
        expectSame(debug, bench, x, y, `round ${round}`)
        expectSame(debug, bench, x, x, `equal ${round}`)
      }
    })
  },
)

/** The hash of bytes that come in pieces. */
const hashIn = (cuts: readonly number[], data: Uint8Array): number[] => {
  simd.begin()
  let from = 0
  for (const to of [...cuts, data.length]) {
    const part = data.subarray(from, to)
    simd.debug.set(part)
    simd.bench.set(part)
    simd.hash(0, part.length, 0, part.length)
    from = to
  }
  return simd.end()
}

describe('both kernels', () => {
  it('round 64-bit integers as a conversion does', () => {
    const words = [
      0n,
      1n,
      -1n,
      2n ** 53n + 1n,
      2n ** 62n + 2n ** 8n + 1n,
      -(2n ** 63n),
      2n ** 63n - 1n,
      2n ** 63n - 513n,
      2n ** 63n - 511n,
      123456789012345678n,
    ]
    const list = Array.from({ length: 160 }, (_, i) => words[i % words.length])
    for (const [type, Kind] of [
      [dtypes.int64, BigInt64Array],
      [dtypes.uint64, BigUint64Array],
    ] as const) {
      const a = new Uint8Array(Kind.from(list).buffer)
      const b = new Uint8Array(Kind.from(list.map(x => x / 3n)).buffer)
      const one = sumsOf(scalar, type, a, type, b, list.length)
      const two = sumsOf(simd, type, a, type, b, list.length)
      expect(two.sums.maxAbs).toBe(one.sums.maxAbs)
      expect(two.sums.maxRel).toBe(one.sums.maxRel)
      expect(near(one.sums.debugSquares, two.sums.debugSquares)).toBe(true)
    }
  })

  it('agree on every pair of halves that stands near a threshold', () => {
    const bits = new Uint16Array(65536).map((_, i) => i)
    for (const step of [1, 2, 3, 5, 6, 1024, 0x8000]) {
      const a = new Uint8Array(bits.buffer.slice(0))
      const b = new Uint8Array(
        bits.map(x => ((x & 0x7c00) === 0x7c00 ? x : ((x + step) & 0x7c00) === 0x7c00 ? x : x + step)).buffer,
      )
      const one = sumsOf(scalar, dtypes.float16, a, dtypes.float16, b, 65536)
      const two = sumsOf(simd, dtypes.float16, a, dtypes.float16, b, 65536)
      expect(two.sums).toMatchObject({
        belowThousandth: one.sums.belowThousandth,
        belowFiveThousandths: one.sums.belowFiveThousandths,
        maxRel: one.sums.maxRel,
        maxAbs: one.sums.maxAbs,
      })
    }
  })

  it('hash alike however the bytes are cut, and unlike when a byte differs', () => {
    const next = random(5)
    const bytes = Uint8Array.from({ length: chunkBytes }, () => next() * 256)
    const whole = hashIn([], bytes)
    expect(whole.slice(0, 2)).toEqual(whole.slice(2))
    expect(hashIn([64], bytes)).toEqual(whole)
    expect(hashIn([4096, 8192, 262144 + 64], bytes)).toEqual(whole)
    const seen = new Set([whole.join()])
    for (let i = 0; i < 400; i++) {
      const other = bytes.slice()
      other[Math.floor(next() * other.length)] ^= 1 << Math.floor(next() * 8)
      seen.add(hashIn([], other).join())
    }
    expect(seen.size).toBeGreaterThanOrEqual(400)
    const zeros = [1, 2, 63, 64, 65, 128, 4096, 8192].map(length => hashIn([], new Uint8Array(length)).join())
    expect(new Set(zeros).size).toBe(zeros.length)
  })

  it('hash masks with few ones apart', () => {
    const seen = new Set<string>()
    let made = 0
    for (let i = 0; i < 64; i++) {
      for (let j = i + 1; j < 64; j++) {
        const mask = new Uint8Array(4096 + 64)
        mask[i * 64] = mask[j * 64 + (j === 63 ? 64 : 0)] = 1
        simd.begin()
        simd.debug.set(mask)
        simd.hash(0, mask.length, 0, mask.length)
        seen.add(simd.end().slice(0, 2).join())
        made++
      }
    }
    expect(seen.size).toBe(made)
  })

  it('decode the same numbers', () => {
    const into = new Float64Array(2)
    decode(dtypes.bfloat16, new Uint8Array([0x80, 0x3f, 0x00, 0xc0]), 2, into)
    expect([...into]).toEqual([1, -2])
  })
})
