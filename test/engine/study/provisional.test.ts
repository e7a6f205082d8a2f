// Rows that are shown before all of a dump has been read.
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bigDump } from '../../bench/big-dump.ts'
import { dumpFolder } from '../../support/dumps.ts'
import { allDone, never, turn, watchedEngine } from '../../support/watched.ts'

// A clock that is always late: whatever may take a breath, or look at what is there, does so every time, on any machine.
beforeEach(() => {
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1000))
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** So long that there is much left to read when the first rows are shown. */
const longBytes = 64 << 20

describe('rows before the end', () => {
  // A question that was asked before them is answered by them: asked again at the end, it must not be the same one.
  it('have versions of their own, and the whole has others than what was there before them', async () => {
    const watched = watchedEngine()
    const parts: (number | undefined)[] = []
    watched.onEvent = event => {
      const unit = event.is === 'units' ? event.units[0] : undefined
      if (unit && unit.state !== 'done' && unit.rows > 0) parts.push(unit.versions.states)
    }
    const { session, units } = await watched.open([
      path.join(dumpFolder('pt_lenet_w_conv2_statistics_mix'), 'step0', 'rank'),
      bigDump('pt_lenet_none_statistics_mix', longBytes, false).folder,
    ])
    const whole = await watched.until(session, allDone)
    expect(parts.length).toBeGreaterThan(0)
    const [before, last] = [units[0]?.versions.states, whole.units[0]?.versions.states]
    expect(last).not.toBe(before)
    expect(parts).not.toContain(before)
    expect(parts).not.toContain(last)
  })

  // What was begun under other options must not come back over what has been shown since.
  it.each([4, 8, 12])(
    'are never those of options that hold no longer, changed at news %i of the reading',
    async nth => {
      const paths = [
        path.join(dumpFolder('pt_lenet_w_conv2_statistics_mix'), 'step0', 'rank'),
        bigDump('pt_lenet_none_statistics_mix', longBytes, false).folder,
      ]
      const watched = watchedEngine()
      const shown: Promise<readonly string[]>[] = []
      let news = 0
      let holds = false
      watched.onEvent = event => {
        if (event.is === 'job' && ++news === nth)
          void watched.engine
            .setOptions({ session: event.job.session, options: { rules: 'plumbline' } }, never)
            .then(() => {
              holds = true
            })
        if (event.is === 'units' && holds)
          shown.push(watched.rows(event.session).then(({ columns }) => columns.map(column => column.id)))
      }
      const { session } = await watched.open(paths, { rules: 'msprobe-26' })
      // Set by the answer to what was changed meanwhile.
      // oxlint-disable-next-line no-unmodified-loop-condition
      while (!holds) await turn()
      await watched.until(session, allDone)
      const last = (await watched.rows(session)).columns.map(column => column.id)
      for (const columns of await Promise.all(shown)) expect(columns).toEqual(last)
    },
  )
})
