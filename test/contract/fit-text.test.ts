// Names in little room can still be told apart.
import { expect, test } from 'vitest'
import { fitted, withoutShared } from '../../renderer/ui/fit-text.ts'

const widthOf = (text: string): number => text.length

test.each([
  [
    ['module.layers.0.w', 'module.layers.1.w'],
    ['layers.0.w', 'layers.1.w'],
  ],
  [
    ['module.a.w', 'module.b'],
    ['module.a.w', 'module.b'],
  ],
  [
    ['a.b.c', 'a.b.c'],
    ['b.c', 'b.c'],
  ],
  [
    ['layer.1', 'layer.10', 'layer.1'],
    ['layer.1', 'layer.10', 'layer.1'],
  ],
  [['one'], ['one']],
  [[], []],
])('of %j stays %j', (names, left) => {
  expect(withoutShared(names)).toEqual(left)
})

test('a name keeps both of its ends, as much as there is room for', () => {
  expect(fitted('layers.12.mlp.weight', widthOf, 20)).toBe('layers.12.mlp.weight')
  expect(fitted('layers.12.mlp.weight', widthOf, 11)).toBe('layer…eight')
  expect(fitted('layers.12.mlp.weight', widthOf, 2)).toBe('l…')
  expect(fitted('layers.12.mlp.weight', widthOf, 0)).toBe('…')
})
