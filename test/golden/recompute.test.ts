// Every call of two dumps recomputed: against what PyTorch itself gives in doubles, and every planted fault found.
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DirectionAnswer, ExactArray, ItemAnswer } from '../../main/engine/recompute/index.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { arrayOf, openForRecompute, type Wanted, wantedOf } from '../support/recomputed.ts'

const close = (x: number, y: number, relative: number, absolute: number): boolean =>
  x === y || (Number.isNaN(x) && Number.isNaN(y)) || Math.abs(x - y) <= relative * Math.abs(y) + absolute

const largest = (data: Float64Array): number =>
  data.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0)

describe.each(['calls', 'wrong'])('%s', part => {
  let folder = ''
  let wanted: readonly Wanted[] = []
  let directions: readonly DirectionAnswer[] = []
  let arrays: ReadonlyMap<string, ExactArray> = new Map()
  const items = (): ReadonlyMap<string, ItemAnswer> =>
    new Map(directions.flatMap(({ outputs }) => outputs).map(output => [output.item, output]))
  /** A gradient inside the call may be left out. */
  const needed = (): readonly Wanted[] =>
    wanted.filter(
      one =>
        one.skip === undefined && (one.direction === 'forward' || one.of !== null || items().has(one.item)),
    )

  beforeAll(async () => {
    folder = path.join(fixturesRoot(), 'next', 'recompute', part)
    wanted = wantedOf(folder)
    const opened = await openForRecompute(path.join(folder, 'step0', 'rank'))
    ;({ directions, arrays } = await opened.recompute())
  })

  it('computes every call that draws no random numbers', () => {
    const known = items()
    expect(
      needed()
        .filter(({ item }) => !known.has(item))
        .map(({ item }) => item),
    ).toEqual([])
    const random = wanted.filter(({ skip }) => skip === 'random')
    for (const { call, direction } of random)
      expect(directions.find(one => one.call === call && one.direction === direction)?.reason).toBe('random')
  })

  it('comes to the same doubles', () => {
    const off: string[] = []
    for (const { item, value } of needed()) {
      const mine = arrays.get(item)
      if (value !== undefined || !mine) continue
      const theirs = arrayOf(path.join(folder, 'float64', `${item}.npy`))
      const slack = 1e-11 * largest(theirs.data)
      expect(mine.shape, item).toEqual(theirs.shape)
      for (let i = 0; i < theirs.data.length; i++)
        if (!close(mine.data[i], theirs.data[i], 1e-9, slack))
          off.push(`${item}[${i}] ${mine.data[i]} ${theirs.data[i]}`)
    }
    expect(off).toEqual([])
  })

  it('finds every result that was made wrong, and no other', () => {
    const known = items()
    const verdicts = needed().map(({ item, corrupted, note }) => {
      const found = known.get(item)
      const right = found?.verdict === 'pass' || found?.verdict === 'warning'
      if (note === 'hf32') return found?.verdict === 'warning' && found.note === 'hf32' ? '' : item
      return (corrupted ? found?.verdict === 'error' : right) ? '' : `${item} ${found?.verdict}`
    })
    expect(verdicts.filter(Boolean)).toEqual([])
  })

  it('measures the distance as the table does', () => {
    const known = items()
    for (const { item, dtype, value, maxAbs, maxUlp, mismatches } of needed()) {
      const found = known.get(item)
      if (value !== undefined || dtype === 'torch.float64' || typeof maxAbs !== 'number' || !found) continue
      const slack = 1e-11 * largest(arrays.get(item)?.data ?? new Float64Array(0))
      expect(close(found.maxAbs, maxAbs, 1e-6, slack), `${item} ${found.maxAbs} ${maxAbs}`).toBe(true)
      if (maxUlp !== null) expect(close(found.maxUlp ?? NaN, maxUlp, 1e-4, 1e-4), item).toBe(true)
      expect(found.mismatches, item).toBe(mismatches)
    }
  })
})
