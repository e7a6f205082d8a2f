// Operations by what they must come to: small calls with known answers, forward and backward.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Argument, bind, Given, type TensorArgument } from '../../../main/engine/recompute/arguments.ts'
import { array, type NdArray, sizeOf } from '../../../main/engine/recompute/array.ts'
import { gemm } from '../../../main/engine/recompute/gemm.ts'
import { brainRound, wrapped } from '../../../main/engine/recompute/rounding.ts'
import { erf, erfc } from '../../../main/engine/recompute/special.ts'
import { commonOperations, isInPlace, operationOf } from '../../../main/engine/recompute/table.ts'
import { asStored } from '../../../main/engine/recompute/ties.ts'
import { Unsupported, whyNot } from '../../../main/engine/recompute/unsupported.ts'
import { judge } from '../../../main/engine/recompute/verdict.ts'
import type { Outcome } from '../../../main/engine/recompute/operation.ts'

const number = (value: number, kind: 'int' | 'float' | 'bool' = 'int'): Argument => ({
  is: 'number',
  kind,
  value,
})

/** Tensors by name, as arguments that load from memory. */
class Tensors {
  readonly #arrays = new Map<string, NdArray>()

  of(
    data: readonly number[],
    shape: readonly number[] = [data.length],
    dtype: NdArray['dtype'] = 'float32',
  ): TensorArgument {
    const file = String(this.#arrays.size)
    this.#arrays.set(file, array(Float64Array.from(data), shape, dtype))
    return { is: 'tensor', dtype, shape, file, requiresGrad: true }
  }

  given(
    signature: string,
    positional: readonly Argument[],
    keywords: Readonly<Record<string, Argument>> = {},
  ): Given {
    const bound = bind(signature, { positional, keywords: new Map(Object.entries(keywords)) })
    return new Given(bound, ({ file }) => this.#arrays.get(file) ?? array(new Float64Array(0), [0]))
  }
}

const tensors = new Tensors()
const t = tensors.of.bind(tensors)

function run(
  name: string,
  positional: readonly Argument[],
  keywords: Readonly<Record<string, Argument>> = {},
): readonly NdArray[] {
  const row = operationOf('Torch', name, false)
  return row.forward(tensors.given(row.signature, positional, keywords)).map(({ values }) => values)
}

const values = (all: readonly NdArray[]): readonly number[] => [...all[0].data]

describe('operations', () => {
  it.each<
    [string, readonly Argument[], Readonly<Record<string, Argument>>, readonly number[], readonly number[]]
  >([
    ['add', [t([1, 2]), t([3, 4])], { alpha: number(2) }, [2], [7, 10]],
    ['sub_', [t([1, 2]), number(1)], {}, [2], [0, 1]],
    ['__rsub__', [t([1, 2]), number(1)], {}, [2], [0, -1]],
    ['div', [t([-7, 7]), t([2, -2])], { rounding_mode: 'floor' }, [2], [-4, -4]],
    ['remainder', [t([-7, 7]), t([3, -3])], {}, [2], [2, -2]],
    ['fmod', [t([-7, 7]), t([3, -3])], {}, [2], [-1, 1]],
    ['round', [t([0.5, 1.5, -0.5, 2.5])], {}, [4], [0, 2, -0, 2]],
    ['clamp', [t([-2, 0, 2])], { max: number(1) }, [3], [-2, 0, 1]],
    ['sum', [t([1, 2, 3, 4], [2, 2]), number(-1), number(1, 'bool')], {}, [2, 1], [3, 7]],
    ['var', [t([1, 2, 3, 4])], { correction: number(0) }, [], [1.25]],
    ['cumsum', [t([1, 2, 3, 4], [2, 2])], { axis: number(0) }, [2, 2], [1, 2, 4, 6]],
    ['transpose', [t([1, 2, 3, 4, 5, 6], [2, 3]), number(-1), number(0)], {}, [3, 2], [1, 4, 2, 5, 3, 6]],
    ['reshape', [t([1, 2, 3, 4]), number(2), number(-1)], {}, [2, 2], [1, 2, 3, 4]],
    ['flip', [t([1, 2, 3, 4], [2, 2]), [number(1)]], {}, [2, 2], [2, 1, 4, 3]],
    ['roll', [t([1, 2, 3, 4]), number(1)], {}, [4], [4, 1, 2, 3]],
    ['movedim', [t([1, 2, 3, 4, 5, 6], [1, 2, 3]), number(0), number(-1)], {}, [2, 3, 1], [1, 2, 3, 4, 5, 6]],
    ['tensor_split', [t([1, 2, 3, 4, 5]), number(2)], {}, [3], [1, 2, 3]],
    ['tril', [t([1, 2, 3, 4], [2, 2])], {}, [2, 2], [1, 0, 3, 4]],
    ['einsum', ['ij,jk->ki', t([1, 2, 3, 4], [2, 2]), t([1, 0, 0, 1], [2, 2])], {}, [2, 2], [1, 3, 2, 4]],
    ['einsum', ['ii->i', t([1, 2, 3, 4], [2, 2])], {}, [2], [1, 4]],
    [
      'max_pool2d',
      [t([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 3, 3]), number(2)],
      { ceil_mode: number(1, 'bool') },
      [1, 2, 2],
      [5, 6, 8, 9],
    ],
    [
      'avg_pool1d',
      [t([1, 2, 3], [1, 1, 3]), number(2), number(1), number(1)],
      {},
      [1, 1, 4],
      [0.5, 1.5, 2.5, 1.5],
    ],
    ['conv1d', [t([1, 2, 3], [1, 1, 3]), t([1, 1], [1, 1, 2])], { padding: 'same' }, [1, 1, 3], [3, 5, 3]],
    ['pad', [t([1, 2, 3], [1, 3]), [number(2), number(1)]], { mode: 'circular' }, [1, 6], [2, 3, 1, 2, 3, 1]],
    ['__getitem__', [t([1, 2, 3, 4], [2, 2]), [{ is: 'ellipsis' }, number(-1)]], {}, [2], [2, 4]],
    ['softmax', [t([0, 0], [1, 2])], { dim: number(-1) }, [1, 2], [0.5, 0.5]],
    ['unfold', [t([1, 2, 3, 4], [1, 1, 2, 2]), number(2)], {}, [1, 4, 1], [1, 2, 3, 4]],
    ['searchsorted', [t([1, 3, 5]), t([3, 4])], { right: number(1, 'bool') }, [2], [2, 2]],
  ])('%s comes to what it must (%#)', (name, positional, keywords, shape, wanted) => {
    const [result] = run(name, positional, keywords)
    expect(result.shape).toEqual(shape)
    expect([...result.data]).toEqual(wanted)
  })

  it('wrap integers around as their types do', () => {
    expect(values(run('add', [t([120, -128], [2], 'int8'), t([10, -1], [2], 'int8')]))).toEqual([-126, 127])
    expect(wrapped(300, 'uint8')).toBe(44)
  })

  it('refuse integers that a double does not hold', () => {
    expect(() => run('mul', [t([2 ** 52], [1], 'int64'), t([4], [1], 'int64')])).toThrow(Unsupported)
  })

  it.each(['empty', 'new_empty', 'no_such_function'])('say why %s is left out', name => {
    expect(() => operationOf('Torch', name, false)).toThrow(Unsupported)
  })

  it('tell calls that write into their input', () => {
    expect(['add_', '__iadd__', 'relu_', '__add__', 'add', '_softmax'].map(isInPlace)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

describe('arguments', () => {
  it.each([
    ['input dim keepdim', { axis: number(1), keep_dims: number(1, 'bool') }],
    ['input *dim', { dims: [number(0)] }],
  ])('are known by every spelling: %s', (signature, keywords) => {
    expect(tensors.given(signature, [t([1])], keywords).ints('dim')).not.toBeNull()
  })

  it('that are unknown end the recomputation', () => {
    expect(() => bind('input', { positional: [], keywords: new Map([['strange', number(1)]]) })).toThrow(
      Unsupported,
    )
  })

  it('of any kind never break anything but the call', () => {
    const leaf = fc.oneof(
      fc.constant(null),
      fc.integer({ min: -3, max: 3 }).map(x => number(x)),
      fc.constantFrom<Argument>('same', t([1, 2, 3, 4], [2, 2]), t([1], [1], 'int64'), t([], [0, 2]), {
        is: 'ellipsis',
      }),
      fc.constant<Argument>({ is: 'slice', range: [null, 1, null] }),
    )
    const some = fc.array(fc.oneof(leaf, fc.array(leaf, { maxLength: 3 })), { maxLength: 4 })
    const names = commonOperations.flatMap(row => row.names)
    fc.assert(
      fc.property(fc.constantFrom(...names), some, (name, positional) => {
        try {
          run(name, positional)
        } catch (error) {
          if (!whyNot(error)) throw error
        }
      }),
      { numRuns: 8000 },
    )
  })
})

describe('layers of one recurrence, in both directions, as PyTorch has them', () => {
  interface Layer {
    readonly x: readonly number[]
    readonly h: readonly number[]
    readonly w: readonly (readonly number[])[]
    readonly y: readonly number[]
    readonly hn: readonly number[]
  }
  it.each<[string, number, Layer]>([
    [
      'gru',
      3,
      {
        x: [-0.49, -0.6, -0.56, 0.67],
        h: [-0.2, 1.94, -1.4, -0.76],
        w: [
          [0.63, -0.9, -0.56, 0.69, 0.22, -0.67, 0.68, 0.57, -0.58, 0.77, 0.06, -1.19],
          [-0.57, -0.83, 0.9, 0.21, 0.45, -0.61, 0.24, 0.47, -1.95, -0.56, 0.43, -2.26],
          [-0.2, 1.07, 0.32, -0.07, -1, 1.16],
          [-0.4, 1.22, -0.81, -0.88, -0.01, -1.77],
          [-1.17, -0.26, 0.27, 0.08, -0.55, -0.08, -0.14, -0.53, -0.49, -0.46, -0.06, 1.26],
          [1.19, 1.57, -0.9, -0.11, 0.44, 1.67, 0.2, -0.29, 0.54, 2.23, -1.44, 0.71],
          [1.1, -0.42, -0.06, -0.99, -0.86, 0.01],
          [-0.23, 0.37, -1.06, 0.57, 1.52, 0.07],
        ],
        y: [
          -0.7320564412914884, -0.0634758642918396, 0.20002770449927065, 0.30975697694192794,
          0.01214258035900867, -0.6962005607434185, -0.8234350428802817, 0.41664989761744986,
        ],
        hn: [0.01214258035900867, -0.6962005607434185, 0.20002770449927065, 0.30975697694192794],
      },
    ],
    [
      'rnn_tanh',
      1,
      {
        x: [-1.13, 1.21, -1.19, -0.87],
        h: [-0.71, 0.03, 0.25, 0.88],
        w: [
          [0.56, -0.7, -0.54, -1.15],
          [-1.09, -1.29, 0.59, 1.33],
          [-1.2, 1.19],
          [-0.2, -1.18],
          [-0.74, -0.29, -0.45, -0.04],
          [-1.32, -0.46, 0.73, 0.16],
          [0.13, 0.24],
          [0.74, -0.29],
        ],
        y: [
          -0.972939373426789, -0.8178534370723026, -0.08715748124796362, 0.8154317170179195,
          0.5771208252136044, -0.008679083696470009, 0.8532818608714682, 0.6877111552591578,
        ],
        hn: [0.5771208252136044, -0.008679083696470009, -0.08715748124796362, 0.8154317170179195],
      },
    ],
    [
      'rnn_relu',
      1,
      {
        x: [-0.69, 0.85, -0.21, -1],
        h: [0.71, -1.25, 0.62, -1.28],
        w: [
          [0.74, 1.58, -1.12, 0.04],
          [-0.3, 0.33, 0.28, -1.32],
          [-0.7, -1],
          [0.35, 0.18],
          [-0.41, 0.42, 1.07, -1.57],
          [0.14, 0.88, -0.17, -0.33],
          [-0.85, 0.73],
          [0.94, 0.23],
        ],
        y: [0, 1.8356, 3.037524, 0, 0, 0, 0, 2.6223],
        hn: [0, 0, 3.037524, 0],
      },
    ],
  ])('%s', (name, gates, { x, h, w, y, hn }) => {
    const weights = w.map((one, i) => t(one, i % 4 < 2 ? [2 * gates, 2] : [2 * gates]))
    const flags = [1, 1, 0, 0, 1, 0].map((value, i) => number(value, i === 1 ? 'int' : 'bool'))
    const results = run(name, [t(x, [2, 1, 2]), t(h, [2, 1, 2]), weights, ...flags])
    for (const [i, wanted] of [y, hn].entries())
      for (const [k, value] of wanted.entries()) expect(results[i].data[k]).toBeCloseTo(value, 13)
    expect(results.map(({ shape }) => shape)).toEqual([
      [2, 1, 4],
      [2, 1, 2],
    ])
  })
})

describe('places of equal values', () => {
  const told = (name: string, positional: readonly Argument[], places: readonly number[]): string => {
    const row = operationOf('Torch', name, false)
    const outcome = row.forward(tensors.given(row.signature, positional)).at(-1)
    if (!outcome) throw new Error(name)
    const stored = array(Float64Array.from(places), outcome.values.shape, 'int64')
    return judge(asStored(outcome, stored), stored).verdict
  }

  it.each<[string, readonly Argument[], readonly number[], string]>([
    ['argmax', [t([1, 3, 3])], [2], 'pass'],
    ['argmax', [t([1, 3, 3])], [0], 'error'],
    ['argmax', [t([1, 3, 3])], [7], 'error'],
    ['topk', [t([5, 1, 5, 5]), number(2)], [3, 0], 'pass'],
    ['topk', [t([5, 1, 5, 5]), number(2)], [3, 3], 'error'],
    ['sort', [t([2, 1, 1])], [2, 1, 0], 'pass'],
    ['max', [t([4, 4, 1, 4, 0, 4], [2, 3]), number(1)], [1, 2], 'pass'],
    ['median', [t([2, 1, 2]), number(0)], [2], 'pass'],
    ['median', [t([2, 1, 2]), number(0)], [1], 'error'],
    ['max_pool2d_with_indices', [t([7, 7, 7, 0], [1, 2, 2]), number(2)], [2], 'pass'],
  ])('%s (%#)', (name, positional, places, verdict) => {
    expect(told(name, positional, places)).toBe(verdict)
  })
})

describe('numbers', () => {
  it('large products are those of the plain loop', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 70 }),
        (m, k, n) => {
          const a = Float64Array.from({ length: m * k }, (_, i) => Math.sin(i))
          const b = Float64Array.from({ length: k * n }, (_, i) => Math.cos(i))
          const c = new Float64Array(m * n)
          gemm(a, b, c, [m, k, n])
          const [i, j] = [m - 1, n - 1]
          let sum = 0
          for (let p = 0; p < k; p++) sum += a[i * k + p] * b[p * n + j]
          expect(c[i * n + j]).toBeCloseTo(sum, 9)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('the error function is exact to the last digits', () => {
    expect(erf(0.5)).toBeCloseTo(0.5204998778130465, 15)
    expect(erf(3)).toBeCloseTo(0.9999779095030014, 15)
    expect(erfc(5) / 1.5374597944280349e-12).toBeCloseTo(1, 12)
  })

  it('bfloat16 rounds to even', () => {
    expect([1.00390625, 1.01171875, -1.00390625, 3.4e38].map(brainRound)).toEqual([1, 1.015625, -1, Infinity])
  })
})

describe('verdicts', () => {
  const outcome = (data: readonly number[], bound: Outcome['bound']): Outcome => ({
    values: array(Float64Array.from(data), [data.length]),
    bound,
  })
  const stored = (data: readonly number[], dtype: NdArray['dtype'] = 'float32'): NdArray =>
    array(Float64Array.from(data), [data.length], dtype)

  it.each<[string, Outcome, NdArray, string, string]>([
    ['equal', outcome([1], { is: 'exact' }), stored([1]), 'pass', ''],
    ['a copy that is off', outcome([1], { is: 'exact' }), stored([1 + 2 ** -23]), 'error', ''],
    ['one step', outcome([1], { is: 'step' }), stored([1 + 2 ** -23]), 'pass', ''],
    [
      'a sum that left the rounding of a number',
      outcome([1e-4], { is: 'step', number: 1 }),
      stored([1e-4 + 3e-8]),
      'pass',
      '',
    ],
    ['minus zero', outcome([0], { is: 'exact' }), stored([-0]), 'pass', ''],
    ['NaN on both sides', outcome([NaN], { is: 'step' }), stored([NaN]), 'pass', ''],
    ['NaN on one side', outcome([1], { is: 'step' }), stored([NaN]), 'error', 'nonFinite'],
    [
      'a finite value where none follows',
      outcome([-Infinity], { is: 'exact' }),
      stored([3], 'float16'),
      'error',
      'nonFinite',
    ],
    ['a number in place of NaN', outcome([NaN], { is: 'exact' }), stored([1]), 'error', 'lostNan'],
    ['an overflow that follows', outcome([1e6], { is: 'step' }), stored([Infinity], 'float16'), 'pass', ''],
    [
      'a value held at the limit',
      outcome([1e6], { is: 'step' }),
      stored([65504], 'float16'),
      'warning',
      'saturated',
    ],
    [
      'a sum within its terms',
      outcome([0], { is: 'sum', length: 10, terms: () => Float64Array.of(100) }),
      stored([1e-5]),
      'pass',
      '',
    ],
    [
      'a sum beyond its terms',
      outcome([0], { is: 'sum', length: 10, terms: () => Float64Array.of(1) }),
      stored([1e-4]),
      'error',
      '',
    ],
  ])('%s', (_, exact, found, verdict, note) => {
    expect(judge(exact, found)).toMatchObject({ verdict, note })
  })
})

it('shapes multiply to sizes', () => {
  expect(sizeOf([2, 3, 4])).toBe(24)
})
