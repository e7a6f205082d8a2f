// Two tensors element by element: numpy's rules in float32, whole numbers to the last digit.
import { realpathSync } from 'node:fs'
import { expect, test } from 'vitest'
import { closeTask, type CloseAnswer } from '../../../main/engine/vector/close.ts'
import { f32, folderOf, npyBytes } from '../../support/tensor-files.ts'

const npy = (values: readonly number[], shape: readonly number[] = [values.length]): Uint8Array =>
  npyBytes({ descr: '<f4', shape, data: f32(...values) })
const int64 = (...values: readonly bigint[]): Uint8Array =>
  npyBytes({ descr: '<i8', shape: [values.length], data: new Uint8Array(BigInt64Array.from(values).buffer) })

function close(left: Uint8Array, right: Uint8Array, more = {}): CloseAnswer {
  const folder = folderOf({ 'l.npy': left, 'r.npy': right })
  const query = {
    left: { file: `${folder}/l.npy` },
    right: { file: `${folder}/r.npy` },
    al: 0.001,
    rl: 0.001,
    most: 3,
    ...more,
  }
  const task = closeTask(
    { roots: [{ path: folder, real: realpathSync(folder) }], query },
    { tell() {}, signal: new AbortController().signal },
  )
  for (;;) {
    const step = task.next()
    if (step.done) return step.value
  }
}

test('elements that are off, the first ones and the largest', () => {
  const { errors, allClose, firstErrors, first, largest } = close(npy([1, 2, 3, 4]), npy([1, 2.5, 3.0001, 9]))
  expect({ errors, allClose }).toEqual({ errors: 2, allClose: false })
  expect(firstErrors).toEqual([
    [1, 2, 2.5, 0.5],
    [3, 4, 9, 5],
  ])
  expect(first.map(([index]) => index)).toEqual([0, 1, 2])
  expect(largest.map(([index]) => index)).toEqual([3, 1, 2])
})

test('NaN is close to nothing and counted as nothing; equal infinities are close', () => {
  const answer = close(npy([NaN, Infinity, 1]), npy([NaN, Infinity, 1]))
  expect(answer).toMatchObject({ allClose: false, errors: 0, left: { nan: 1, inf: 1 }, right: { nan: 1 } })
  expect(close(npy([Infinity]), npy([Infinity])).allClose).toBe(true)
  expect(close(npy([1]), npy([Infinity])).allClose).toBe(false)
})

test('the shorter side is filled up with zeros and called not comparable', () => {
  const answer = close(npy([1, 2]), npy([1, 2, 3]))
  expect(answer).toMatchObject({ count: 3, comparable: false, errors: 1, firstErrors: [[2, 0, 3, 3]] })
  expect(close(npy([1, 2, 3, 4], [2, 2]), npy([1, 2, 3, 4])).comparable).toBe(true)
})

test('a vector of zeros has no cosine', () => {
  expect(close(npy([0, 0]), npy([1, 2])).cosine).toBeNaN()
  expect(close(npy([1, 2]), npy([2, 4])).cosine).toBeCloseTo(1, 12)
})

test('whole numbers that float32 and even doubles cannot tell apart', () => {
  const big = 2n ** 60n
  const answer = close(int64(big, 5n), int64(big + 1n, 5n))
  expect(answer).toMatchObject({ errors: 0, allClose: true, exact: { differing: 1, largest: '1' } })
  expect(close(npy([1]), npy([1])).exact).toBeNull()
})

test('long tensors are read in stretches', () => {
  const values = Array.from({ length: 40_000 }, (_, i) => i % 10)
  expect(close(npy(values), npy(values.with(39_999, 100))).firstErrors).toEqual([[39_999, 9, 100, 91]])
})
