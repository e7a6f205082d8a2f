// Dumps under other names, as the engine reads them; what meets is known, for the calls are the same.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Dump } from '../../main/engine/model/dump.ts'
import { dumpFilesOf, readDump } from '../../main/engine/formats/msprobe/read.ts'
import { job } from '../../main/engine/work/job.ts'
import { MappingDesk } from '../../main/engine/mapping/desk.ts'
import type { Pairing } from '../../main/engine/pair/pairing.ts'
import { fixturesRoot } from './fixtures.ts'
import { memoryFiles } from './memory-files.ts'
import { files, renamedTexts, type Words } from './renamed-files.ts'

export async function renamedDump(name: string, words: Words): Promise<Dump> {
  const texts = renamedTexts(name, words)
  const at = memoryFiles(Object.fromEntries(files.map(file => [`/d/${file}`, texts[file]])))
  return readDump(at, dumpFilesOf(at, '/d'), job())
}

/** Bench item by debug item. */
export const pairsOf = ({ debugItem, benchItem }: Pairing): ReadonlyMap<number, number> =>
  new Map(
    [...debugItem].flatMap((item, row) => (benchItem[row] < 0 ? [] : [[item, benchItem[row]] as const])),
  )

/** What meets by a golden mapping under the names that the dumps really have; other names change no place. */
export async function truthOf(
  debug: string,
  bench: string,
  golden: string,
): Promise<ReadonlyMap<number, number>> {
  const text = readFileSync(path.join(fixturesRoot(), 'cases', golden, 'layer_mapping.yaml'), 'utf8')
  const [mine, theirs] = await Promise.all([renamedDump(debug, {}), renamedDump(bench, {})])
  const desk = new MappingDesk(mine, theirs, {
    rules: 'plumbline',
    engine: 'mindspore',
    fuzzy: false,
    mapping: {},
  })
  return pairsOf(desk.pairing('layer', text))
}
