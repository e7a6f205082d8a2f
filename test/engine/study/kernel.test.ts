// Kernels of static graphs are opened like everything else: at once, compared behind, and compared anew when the rules change.
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Rules, SessionId, ViewInfo } from '../../../preload/contract/engine.ts'
import { cli } from '../../support/cli.ts'
import { fixturesRoot } from '../../support/fixtures.ts'
import { watchReads } from '../../support/reads.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { allDone, never, watchedEngine } from '../../support/watched.ts'

const kernels = (name: string): string => path.join(fixturesRoot(), 'cases', name, 'compare.json')

let stop = (): void => {}
afterEach(() => {
  stop()
})

describe('dumps of kernels', () => {
  // A hundred thousand kernels are minutes: nothing could be cancelled, and no bar would move.
  it('are open before they have been compared', async () => {
    const watched = watchedEngine()
    const read = new Set<string>()
    stop = watchReads(file => {
      if (file.endsWith('.npy')) read.add(file)
    })
    const { session, units } = await watched.open([kernels('kernel_npy')])
    const before = read.size
    expect(units.map(({ state, rows }) => [state === 'waiting' || state === 'reading', rows])).toEqual(
      units.map(() => [true, 0]),
    )
    await watched.until(session, allDone)
    expect(before).toBeLessThan(read.size / 2)
  })

  // What a mapping.csv names is matched by our rules only.
  it('are compared anew under another rule set', async () => {
    const watched = watchedEngine()
    const counts = async (rules: Rules, session: SessionId): Promise<ViewInfo['counts']> => {
      await watched.engine.setOptions({ session, options: { rules } }, never)
      await watched.until(session, allDone)
      return (await watched.rows(session)).counts
    }
    const { session } = await watched.open([kernels('kernel_npy_r1_s0')])
    const before = await counts('plumbline', session)
    const after = await counts('msprobe-1.2.2', session)
    const fresh = await counts(
      'msprobe-1.2.2',
      (await watched.open([kernels('kernel_npy_r1_s0')], { rules: 'msprobe-1.2.2' })).session,
    )
    expect(before).not.toEqual(fresh)
    expect(after).toEqual(fresh)
  })
  // One comparison, two doors: the rows that fail are the same.
  it.each(['plumbline', 'msprobe-1.2.2'] as const)(
    'fail in the same rows at both doors by %s',
    async rules => {
      const ran = await cli([
        'compare',
        '-i',
        kernels('kernel_npy_r1_s0'),
        '-o',
        temporaryFolder(),
        '--rules',
        rules,
        '--json',
      ])
      const told = (
        JSON.parse(ran.out) as { readonly counts: { readonly rows: number; readonly differs: number } }
      ).counts
      const watched = watchedEngine()
      const {
        units: [unit],
      } = await watched.until((await watched.open([kernels('kernel_npy_r1_s0')], { rules })).session, allDone)
      expect({ rows: unit.rows + unit.unmatchedBench, differs: unit.differs }).toEqual({
        rows: told.rows,
        differs: told.differs,
      })
    },
  )
})
