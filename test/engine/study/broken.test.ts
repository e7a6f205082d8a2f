// What a bug in a format, or in what follows from a dump, leaves behind: an answer for everybody who waits.
import path from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { growing } from '../../../main/engine/formats/growing.ts'
import { formats } from '../../../main/engine/formats/index.ts'
import { PairUnit } from '../../../main/engine/study/pair/unit.ts'
import { dumpFolder } from '../../support/dumps.ts'
import { allDone, watchedEngine } from '../../support/watched.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const pair = [
  path.join(dumpFolder('pt_lenet_w_conv2_statistics_mix'), 'step0', 'rank'),
  path.join(dumpFolder('pt_lenet_none_statistics_mix'), 'step0', 'rank'),
]
const bug = (): never => {
  throw new TypeError('no such function')
}

const msprobe = () => {
  const found = formats.find(({ id }) => id === 'msprobe')
  if (!found) throw new Error('no such format')
  return found
}

it.each([
  ['at once', bug],
  ['while it reads', () => growing(() => Promise.reject(new TypeError('late')))],
])('a format that breaks %s is told, and nobody waits for its rows', async (_, open) => {
  const format = msprobe()
  vi.spyOn(format, 'open').mockImplementation(open as never)
  const watched = watchedEngine()
  const { session } = await watched.open(pair)
  await expect(watched.rows(session)).rejects.toThrow('internal')
  const { units } = await watched.engine.session({ session }, new AbortController().signal)
  expect(units[0]).toMatchObject({ state: 'failed', failure: { code: 'internal' } })
  await expect(watched.until(session, allDone)).rejects.toThrow('internal')
})

it('a unit that breaks outside of its steps is told, and left alone', async () => {
  const work = vi
    .spyOn(PairUnit.prototype, 'work')
    .mockImplementation(() => Promise.reject(new TypeError('no')))
  const watched = watchedEngine()
  const { session } = await watched.open(pair)
  await expect(watched.rows(session)).rejects.toThrow('internal')
  expect(watched.events).toContainEqual(expect.objectContaining({ is: 'problem' }))
  expect(work).toHaveBeenCalledOnce()
})
