// The engine answers whatever is asked of it while a unit is still being read.
import { describe, expect, it } from 'vitest'
import { apart } from '../../support/apart.ts'
import { ranks, ranksWithLongLast } from '../../support/dumps.ts'

const count = 8
/** Read for longer than the advice of three small ranks takes. */
const longBytes = 16 << 20

interface Answered {
  readonly before: readonly string[]
  readonly answer: unknown
  readonly shown: boolean
}

describe('while the last of eight ranks is read', () => {
  // A waiter that is not the last one who asked must not spin: nothing else of the process would ever run again.
  it.each([
    ['the node of an old rank', 'node', 'Functional.conv2d.1.forward'],
    ['the peer of a call in an old rank', 'peer', 'answered'],
    ['the origin over all ranks', 'across', expect.stringContaining('conv2d')],
  ] as const)('%s is found, and the rank on screen is shown', async (_, question, answer) => {
    const asked = { paths: ranksWithLongLast(count, longBytes), question, old: 4, last: count - 1 }
    const told = await apart<Answered>('askOld', asked)
    expect([told.before[asked.old], told.before[asked.last] === 'done']).toEqual(['done', false])
    expect(told).toMatchObject({ answer, shown: true })
  })
})

describe('when eight ranks have been read', () => {
  // Panels may ask about several ranks in the same moment.
  it('three of which the memory was given back are all shown', async () => {
    expect(await apart('askOlds', { paths: ranks(count), old: [3, 4, 5] })).toEqual([true, true, true])
  })
})
