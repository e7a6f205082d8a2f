// Which ranks make a copy of a model, against what Megatron's own numbering gives.
import { describe, expect, it } from 'vitest'
import type { ParallelSizes } from '../../../main/engine/model/index.ts'
import { groupsOf } from '../../../main/engine/parallel/index.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'

const sizes = (more: Partial<ParallelSizes>): ParallelSizes => ({
  tp: 1,
  pp: 1,
  vpp: 1,
  cp: 1,
  order: 'tp-cp-ep-dp-pp',
  ...more,
})
const ranks = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)
const shown = (asked: Partial<ParallelSizes>, of: readonly number[]): readonly string[] =>
  groupsOf(sizes(asked), of, '/run').map(({ seats }) =>
    seats.map(({ rank, stage, slice }) => `${rank}:${stage}.${slice}`).join(' '),
  )
const refused = (asked: Partial<ParallelSizes>, count: number): string => {
  try {
    groupsOf(sizes(asked), ranks(count), '/run')
  } catch (error) {
    if (error instanceof Refusal) return error.problem.code
    throw error
  }
  return 'accepted'
}

describe('ranks of one copy', () => {
  it('tensor ranks are neighbours, copies follow, stages are farthest apart', () => {
    expect(shown({ tp: 2, pp: 2 }, ranks(8))).toEqual(['0:0.0 1:0.1 4:1.0 5:1.1', '2:0.0 3:0.1 6:1.0 7:1.1'])
  })

  it('another order numbers otherwise', () => {
    expect(shown({ tp: 2, pp: 2, order: 'tp-pp-dp' }, ranks(8))).toEqual([
      '0:0.0 1:0.1 2:1.0 3:1.1',
      '4:0.0 5:0.1 6:1.0 7:1.1',
    ])
    expect(shown({ tp: 2, pp: 2, order: 'pp-tp' }, ranks(4))).toEqual(['0:0.0 2:0.1 1:1.0 3:1.1'])
  })

  it('ranks of one copy that were dumped alone are taken in their order', () => {
    expect(shown({ tp: 2, pp: 2 }, [9, 8, 25, 24])).toEqual(['8:0.0 9:0.1 24:1.0 25:1.1'])
  })

  it('context-parallel ranks stay apart', () => {
    expect(shown({ tp: 2, cp: 2 }, ranks(4))).toEqual(['0:0.0 1:0.1', '2:0.0 3:0.1'])
  })

  it.each([
    ['ranks-sizes', { tp: 4 }, 6],
    ['ranks-sizes', { tp: 0 }, 4],
    ['ranks-sizes', { tp: 1.5 }, 3],
    ['ranks-vpp', { vpp: 2 }, 2],
    ['ranks-order', { tp: 2, order: 'pp-dp' }, 2],
    ['ranks-order', { tp: 2, order: 'tp-tp' }, 2],
    ['ranks-order', { tp: 2, order: 'tp-xx' }, 2],
  ] as const)('%s', (code, asked, count) => {
    expect(refused(asked, count)).toBe(code)
  })
})
