// Statistics over steps of two frameworks: what is called otherwise stands beside what it meets.
import { cpSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { CellKind } from '../../preload/contract/engine.ts'
import { dumpFolder } from '../support/dumps.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { allDone, never, watchedEngine } from '../support/watched.ts'

/** The only step of a dump, twice. */
function twoSteps(name: string): string {
  const root = path.join(temporaryFolder(), name)
  for (const step of ['step0', 'step1'])
    cpSync(path.join(dumpFolder(name), 'step0'), path.join(root, step), { recursive: true })
  return root
}

it('MindSpore against PyTorch, by the pairing', async () => {
  const watched = watchedEngine()
  const sides = ['ms_lenet_none_statistics_mix', 'pt_lenet_none_statistics_mix'].map(twoSteps)
  const { session } = await watched.open(sides)
  await watched.until(session, allDone)
  const both = async (): Promise<number> => {
    const at = { session, unit: 0 }
    const info = await watched.engine.series(at, never)
    expect(info.metrics[0]).toMatchObject({ both: true, steps: [0, 1] })
    const asked = { metric: 0, stat: 'norm', view: 'ratio', fixed: 'rank', at: 0, target: '' } as const
    const shown = { columns: 10, rows: 300, window: null, tags: [], search: '' } as const
    const { kinds } = await watched.engine.seriesMap({ ...at, ...asked, ...shown }, never)
    return kinds.filter(kind => kind === CellKind.number).length
  }
  expect(await both()).toBeGreaterThan(20)
})
