// What is closed is given back.
import { describe, expect, it } from 'vitest'
import { apart } from '../../support/apart.ts'
import { bigDump } from '../../bench/big-dump.ts'

/** Parsed, both sides hold several times less than their text, and far more than everything else of a session. */
const bytes = 24 << 20

describe('closed sessions', () => {
  // Whoever looks at pair after pair for a day must not run out of memory.
  it('keep no dumps', async () => {
    const paths = ['pt_lenet_w_conv2_statistics_mix', 'pt_lenet_none_statistics_mix'].map(
      name => bigDump(name, bytes, false).folder,
    )
    const { open, closed } = await apart<{ readonly open: number; readonly closed: readonly number[] }>(
      'closeMany',
      { paths, sessions: 10 },
    )
    // A step that was under way when its session was closed ends a little later: the floor counts, not the last level.
    const half = closed.length / 2
    const grown = Math.min(...closed.slice(half)) - Math.min(...closed.slice(0, half))
    expect({ open, closed, keepsAnother: grown > open / 2 }).toEqual({ open, closed, keepsAnother: false })
  })
})
