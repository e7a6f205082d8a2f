// Dumps for tests, laid out from the small real ones: any number of ranks of both sides.
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { bigDump } from '../bench/big-dump.ts'
import { fixturesRoot } from './fixtures.ts'
import { temporaryFolder } from './temporary.ts'

export const dumpFolder = (name: string): string => path.join(fixturesRoot(), 'dumps', name)

/** Both sides' folders with so many ranks each, all copies of one rank of two fixtures. */
export function ranks(
  count: number,
  debug = 'pt_lenet_w_conv2_statistics_mix',
  bench = 'pt_lenet_none_statistics_mix',
): readonly [debug: string, bench: string] {
  const root = temporaryFolder()
  const side = (name: string, fixture: string): string => {
    const folder = path.join(root, name)
    mkdirSync(folder)
    for (let rank = 0; rank < count; rank++)
      cpSync(path.join(dumpFolder(fixture), 'step0', 'rank'), path.join(folder, `rank${rank}`), {
        recursive: true,
      })
    return folder
  }
  return [side('npu', debug), side('bench', bench)]
}

/** The same with a last rank of so many bytes: it is still being read while much else is asked. */
export function ranksWithLongLast(count: number, bytes: number): readonly [debug: string, bench: string] {
  const sides = ranks(count)
  sides.forEach((side, i) => {
    const last = path.join(side, `rank${count - 1}`)
    rmSync(last, { recursive: true })
    cpSync(
      bigDump(i === 0 ? 'pt_lenet_w_conv2_statistics_mix' : 'pt_lenet_none_statistics_mix', bytes, true)
        .folder,
      last,
      { recursive: true },
    )
  })
  return sides
}
