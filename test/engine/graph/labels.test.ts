// How names are cut to fit on their boxes.
import { describe, expect, test } from 'vitest'
import { cutFront, textWidth } from '../../../main/engine/graph/labels.ts'

const path = 'encoder.layers.10.attention.query_key_value.ParallelLinear'
/** Room for an ellipsis, these letters and a bit of the one before. */
const roomFor = (end: string): number => textWidth(`…${end}`) + 4

describe('a name that is too wide', () => {
  test('stays whole where there is room', () => {
    expect(cutFront(path, textWidth(path))).toBe(path)
  })

  test('is cut at a dot, not inside a part', () => {
    expect(cutFront(path, roomFor('ntion.query_key_value.ParallelLinear'))).toBe(
      '…query_key_value.ParallelLinear',
    )
    expect(cutFront(path, roomFor('.attention.query_key_value.ParallelLinear'))).toBe(
      '…attention.query_key_value.ParallelLinear',
    )
  })

  test('keeps as much as fits of its own name, dot or not', () => {
    expect(cutFront(path, roomFor('key_value.ParallelLinear'))).toBe('…key_value.ParallelLinear')
    expect(cutFront('Functional.scaled_dot_product_attention.3', roomFor('product_attention.3'))).toBe(
      '…product_attention.3',
    )
  })

  test('never takes more room than there is', () => {
    for (let room = 20; room < textWidth(path); room++)
      expect(textWidth(cutFront(path, room))).toBeLessThanOrEqual(room)
  })
})
