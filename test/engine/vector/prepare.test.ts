// How two tensors are laid over each other.
import { expect, test } from 'vitest'
import type { RawTensor } from '../../../main/engine/formats/npu/raw.ts'
import { isFlat, overlay, wishFor } from '../../../main/engine/vector/prepare.ts'

const tensor = (
  format: number,
  shape: readonly number[],
  originalShape: readonly number[] | null,
): RawTensor => ({
  io: 'output',
  index: 0,
  dtype: 1,
  format,
  shape,
  originalShape,
  origin: null,
  groups: 1,
  address: 0n,
  from: 0,
  size: 0,
  truncated: false,
})

test.each([
  ['the same shape', [2, 3], [2, 3], { shape: [2, 3], block: null, reshaped: false }],
  ['axes of one element', [2, 1, 3], [2, 3], { shape: [2, 1, 3], block: null, reshaped: false }],
  ['axes that were merged', [2, 45], [2, 3, 3, 5], { shape: [2, 45], block: null, reshaped: true }],
  ['axes that were split', [2, 3, 3, 5], [18, 5], { shape: [2, 3, 3, 5], block: null, reshaped: true }],
  ['axes that changed places', [6, 5], [5, 6], null],
  ['a leading block', [4, 2, 3], [2, 2, 3], { shape: [2, 2, 3, 1], block: [2, 2, 3, 1], reshaped: false }],
  ['more than there is', [2, 3], [2, 4], null],
  ['fewer axes', [8], [2, 3], null],
])('%s', (_, left, right, wanted) => {
  expect(overlay(left, right, false)).toEqual(wanted)
})

test('a row of elements meets whatever has as many', () => {
  expect(overlay([2, 20], [20, 2], true)).toEqual({ shape: [40], block: null, reshaped: false })
  expect(overlay([2, 20], [30], true)).toEqual({ shape: [30, 1, 1, 1], block: [30], reshaped: false })
  expect(overlay([2, 20], [5, 9], true)).toBeNull()
})

test('axes without meaning to the other side are a row, tiled matrices are not', () => {
  expect(isFlat(tensor(2, [2, 20], null), { format: 'ND', shape: [] })).toBe(true)
  expect(isFlat(tensor(2, [2, 20], null), { format: '', shape: [] })).toBe(true)
  expect(isFlat(tensor(29, [2, 1, 16, 16], [2, 20]), { format: 'ND', shape: [] })).toBe(false)
  expect(isFlat(tensor(3, [1, 1, 4, 4, 16], null), { format: 'NHWC', shape: [] })).toBe(false)
  expect(isFlat(tensor(3, [1, 1, 1, 1, 1], null), { format: 'NHWC', shape: [] })).toBe(true)
})

test('a reference in the other order of letters turns the left one', () => {
  const of = tensor(3, [1, 1, 224, 224, 16], [1, 224, 224, 3])
  const origin = { format: 'NHWC', shape: [] }
  expect(wishFor(of, origin, [1, 224, 224, 3])).toEqual({ original: 'NHWC' })
  expect(wishFor(of, origin, [1, 3, 224, 224])).toEqual({ original: 'NHWC', layout: 'NCHW' })
  expect(
    wishFor(tensor(3, [1, 1, 2, 2, 16], null), { format: 'NHWC', shape: [1, 2, 2, 3] }, [1, 2, 2, 3]),
  ).toEqual({ original: 'NHWC', shape: [1, 2, 2, 3] })
})
