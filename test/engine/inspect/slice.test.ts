// numpy's slice expressions: what they take, and what does not fit.
import { describe, expect, it } from 'vitest'
import { cutOf } from '../../../main/engine/inspect/slice.ts'

const taken = (
  expression: string,
  shape: readonly number[],
): readonly [readonly number[], readonly number[]] => {
  const cut = cutOf(expression, shape, 'a.npy')
  return [cut.shape, Array.from({ length: cut.size }, (_, n) => cut.element(n))]
}

describe('slice expressions', () => {
  it.each([
    ['', [2, 3], [2, 3], [0, 1, 2, 3, 4, 5]],
    ['1', [2, 3], [3], [3, 4, 5]],
    ['-1,0', [2, 3], [], [3]],
    [':,::-1', [2, 3], [2, 3], [2, 1, 0, 5, 4, 3]],
    ['...,1', [2, 3], [2], [1, 4]],
    ['0,...', [2, 3], [3], [0, 1, 2]],
    ['...', [4], [4], [0, 1, 2, 3]],
    ['5:1', [8], [0], []],
    ['-3:', [8], [3], [5, 6, 7]],
    ['6:1:-2', [8], [3], [6, 4, 2]],
    ['100:', [8], [0], []],
    [':-100:-1', [3], [3], [2, 1, 0]],
    ['[1, 1:]', [2, 3], [2], [4, 5]],
    ['::2', [0], [0], []],
  ])('%j of %j', (expression, shape, want, elements) => {
    expect(taken(expression, shape)).toEqual([want, elements])
  })

  it.each(['9', '-9', '0,0,0', '::0', 'a', '1;2', '0,...,...', ',', '1.5'])('%j does not fit', expression => {
    expect(() => cutOf(expression, [2, 3], 'a.npy')).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: 'slice-invalid' }) }),
    )
  })
})
