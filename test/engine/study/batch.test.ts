// Of several ranks that one command compares, those that are finished stay, whatever becomes of the others.
import { readdirSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { cli } from '../../support/cli.ts'
import { ranks } from '../../support/dumps.ts'
import { watchReads } from '../../support/reads.ts'
import { temporaryFolder } from '../../support/temporary.ts'

let stop = (): void => {}
afterEach(() => {
  stop()
})

/** Compares three ranks; `act` is called when the dump of the last one is first read. */
async function compareThree(
  act: () => void,
  signal?: AbortSignal,
): Promise<{ readonly code: number; readonly err: string; readonly files: readonly string[] }> {
  const [debug, bench] = ranks(3)
  const out = temporaryFolder()
  stop = watchReads(file => {
    if (file.startsWith(debug) && file.includes('rank2')) act()
  })
  const { code, err } = await cli(
    ['compare', '-tp', debug, '-gp', bench, '-o', out, '--format', 'csv', '--rules', 'plumbline'],
    signal && { signal },
  )
  stop()
  return {
    code,
    err,
    files: readdirSync(out)
      .map(name => name.replace(/_\d{14}/, ''))
      .sort(),
  }
}

const finished = ['0', '1']
  .flatMap(rank => [`advisor_rank${rank}-rank${rank}.txt`, `compare_result_rank${rank}-rank${rank}.csv`])
  .sort()

describe('two ranks of three that are finished', () => {
  // A night of a batch system is not lost because of its last rank.
  it('are kept when the third meets a bug', async () => {
    const { code, files } = await compareThree(() => {
      throw new TypeError('broken on purpose')
    })
    expect(code).not.toBe(0)
    expect(files).toEqual(finished)
  })

  it('are kept when the user interrupts the third', async () => {
    const interrupt = new AbortController()
    const { code, err, files } = await compareThree(() => interrupt.abort(), interrupt.signal)
    expect(code).toBe(130)
    expect(err).toContain('what was finished before is there')
    expect(err.match(/^written: /gm)).toHaveLength(finished.length)
    expect(files).toEqual(finished)
  })
})
