// The scheduler: steps that are too short to breathe leave room for others all the same.
import { expect, test } from 'vitest'
import { Queue, Urgency } from '../../main/engine/work/index.ts'

test('between two steps the event loop turns, however short they are', async () => {
  const queue = new Queue()
  let left = 50
  let turns = 0
  const turn = (): void => {
    turns++
    if (left > 0) setImmediate(turn)
  }
  setImmediate(turn)
  const ended = new Promise<void>(resolve => {
    queue.add({
      urgency: () => (left > 0 ? Urgency.background : null),
      work: () => {
        if (--left === 0) resolve()
        return Promise.resolve()
      },
      report() {},
    })
  })
  await ended
  expect(turns).toBeGreaterThan(40)
})
