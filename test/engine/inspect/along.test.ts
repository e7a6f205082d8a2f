// Which axis shows the structure of an error.
import { describe, expect, it } from 'vitest'
import { AlongAxes, tellingAxis } from '../../../main/engine/inspect/along.ts'
import { random } from '../../support/random.ts'

const shape = [4, 8, 16, 24]
const size = 4 * 8 * 16 * 24
const indexOn = (axis: number, i: number): number =>
  Math.floor(i / shape.slice(axis + 1).reduce((product, dim) => product * dim, 1)) % shape[axis]!

function telling(errorAt: (i: number) => number): number | null {
  const along = new AlongAxes(shape)
  along.add(
    0,
    Float64Array.from({ length: size }, (_, i) => errorAt(i)),
    size,
  )
  return tellingAxis(along.errors)
}

describe('the axis that tells most', () => {
  const next = random(3)
  const noise = Float64Array.from({ length: size }, () => next())
  it.each([0, 1, 2, 3])('is axis %i, where one index of it is wrong', axis => {
    expect(telling(i => (indexOn(axis, i) === 2 ? noise[i]! : 0))).toBe(axis)
    expect(telling(i => (indexOn(axis, i) === 2 ? noise[i]! : noise[i]! / 100))).toBe(axis)
  })
  it('is the axis of the tokens, where the later ones are wrong', () => {
    expect(telling(i => (indexOn(2, i) >= 8 ? noise[i]! : 0))).toBe(2)
  })
  it('is none where the error is noise, or where there is none', () => {
    expect(telling(i => noise[i]!)).toBeNull()
    expect(telling(() => 0)).toBeNull()
  })
  it('is not hidden by what is no number', () => {
    expect(telling(i => (i === 77 ? Infinity : i === 78 ? NaN : indexOn(1, i) === 3 ? noise[i]! : 0))).toBe(1)
  })
})
