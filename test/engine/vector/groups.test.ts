// Groups of ops that the compiler fused or split, and what a tensor of an op stands for.
import { describe, expect, test } from 'vitest'
import { FusedOps } from '../../../main/engine/vector/groups.ts'
import type { DrawnOp } from '../../support/ge-graph-text.ts'
import { graphOf } from '../../support/ge-graphs.ts'

const fused = async (...ops: readonly DrawnOp[]): Promise<FusedOps> => new FusedOps(await graphOf(...ops))
const groupsOf = (ops: FusedOps): unknown =>
  ops.groups.map(({ index, relation, ops: rows }) => [index, relation, rows.map(row => ops.name(row))])
const op = (ops: FusedOps, name: string): number => ops.find(name) ?? -1

describe('groups', () => {
  test('are numbered as they first appear, by what their ops stand for', async () => {
    const ops = await fused(
      { name: 'a1', type: 'Conv2D', originals: ['a'] },
      { name: 'trans', type: 'TransData', originals: [] },
      { name: 'own', type: 'Relu' },
      { name: 'a2', type: 'Conv2D', originals: ['a'] },
      { name: 'bc', type: 'Conv2D', originals: ['b', 'c'] },
    )
    expect(groupsOf(ops)).toEqual([
      [0, 'many', ['a1', 'a2']],
      [1, 'one', ['trans']],
      [2, 'one', ['own']],
      [3, 'one', ['bc']],
    ])
    expect(ops.originals(op(ops, 'trans'))).toEqual([''])
    expect(ops.originals(op(ops, 'own'))).toEqual(['own'])
  })

  test('several with the same originals, and those that share a buffer', async () => {
    const ops = await fused(
      { name: 'x', type: 'A', originals: ['b', 'c'] },
      { name: 'y', type: 'A', originals: ['b', 'c'], multiOp: true, output: [{}] },
      { name: 'p', type: 'B', originals: ['d'], l1: '1' },
      { name: 'q', type: 'B', originals: ['e'], l1: '1' },
    )
    expect(groupsOf(ops)).toEqual([
      [0, 'many', ['x', 'y']],
      [1, 'l1', ['p', 'q']],
    ])
    expect(ops.isInner(op(ops, 'y'))).toBe(true)
    expect(ops.isInner(op(ops, 'x'))).toBe(false)
  })
})

describe('what an output stands for', () => {
  test('is what its description says, else the op itself or its only original', async () => {
    const ops = await fused(
      { name: 'told', type: 'A', originals: ['a', 'b'], output: [{ source: ['b', 3], format: 'NHWC' }, {}] },
      { name: 'alone', type: 'A', originals: ['c'], output: [{}, {}] },
      { name: 'silent', type: 'A' },
      { name: 'inserted', type: 'A', originals: [], output: [{}] },
    )
    const origin = (name: string, output: number) => ops.origin(op(ops, name), output)
    expect(origin('told', 0)).toMatchObject({ name: 'b', index: 3, format: 'NHWC' })
    expect(origin('told', 1)).toBeNull()
    expect(origin('told', 7)).toMatchObject({ name: 'b', index: 3 })
    expect(origin('alone', 1)).toMatchObject({ name: 'c', index: 1 })
    expect(origin('silent', 2)).toMatchObject({ name: 'silent', index: 2 })
    expect(origin('inserted', 0)).toBeNull()
  })
})

describe('what a tensor shows', () => {
  test('an input shows the output of its producer; what only hands on is stepped over', async () => {
    const ops = await fused(
      { name: 'x', type: 'Data', output: [{}] },
      { name: 'cast', type: 'Cast', input: ['x:0'], originals: [], output: [{}] },
      { name: 'trans', type: 'TransData', input: ['cast:0'], originals: [], output: [{}] },
      { name: 'add', type: 'Add', input: ['', 'ctrl:-1', 'trans:0'], output: [{}] },
    )
    expect(ops.shows(op(ops, 'add'), 'input', 0)).toEqual([op(ops, 'x'), 0])
    expect(ops.shows(op(ops, 'trans'), 'output', 0)).toEqual([op(ops, 'x'), 0])
    expect(ops.shows(op(ops, 'add'), 'output', 0)).toEqual([op(ops, 'add'), 0])
    expect(ops.shows(op(ops, 'add'), 'input', 1)).toContain('no input 1')
  })

  test('a circle of such ops ends', async () => {
    const ops = await fused(
      { name: 'a', type: 'Cast', input: ['b:0'], output: [{}] },
      { name: 'b', type: 'Cast', input: ['a:0'], output: [{}] },
    )
    expect(ops.shows(op(ops, 'a'), 'output', 0)).toContain('circle')
  })
})

test('between a quantization and the way back nothing is compared', async () => {
  const ops = await fused(
    { name: 'x', type: 'Data', output: [{}] },
    { name: 'n/AscendQuant', type: 'AscendQuant', input: ['x:0'], output: [{ dtype: 'DT_INT8' }] },
    { name: 'conv', type: 'Conv2D', input: ['n/AscendQuant:0'], output: [{ dtype: 'DT_INT32' }] },
    { name: 'n/AscendDequant', type: 'AscendDequant', input: ['conv:0'], output: [{ dtype: 'DT_FLOAT16' }] },
    { name: 'relu', type: 'Relu', input: ['n/AscendDequant:0'], output: [{ dtype: 'DT_FLOAT16' }] },
  )
  const inside = ['x', 'n/AscendQuant', 'conv', 'n/AscendDequant', 'relu'].map(name =>
    ops.isQuantized(op(ops, name)),
  )
  expect(inside).toEqual([false, false, true, false, false])
  expect(ops.sides(op(ops, 'n/AscendQuant'))).toEqual(['input'])
  expect(ops.sides(op(ops, 'n/AscendDequant'))).toEqual(['output'])
})
