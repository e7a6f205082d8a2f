// Runs a graph case of the fixtures through the graph command and reads what came out beside what the real
// tool wrote.
import type { GraphRequest } from '../../main/engine/graph/request.ts'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readCompareJson } from '../../main/engine/layout/compare-json.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { measurePairs } from '../../main/engine/measure/tensor-pairs.ts'
import type { Rules } from '../../main/engine/model/names.ts'
import { tasks } from '../../main/engine/threads/index.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import { graphsWritten, type GraphsWritten } from './graphs-written.ts'
import { temporaryFolder } from './temporary.ts'

interface GraphCase {
  readonly name: string
  readonly folder: string
  readonly words: readonly string[]
}

export function graphCases(root: string, pattern: RegExp): GraphCase[] {
  const cases = path.join(root, 'cases')
  return readdirSync(cases)
    .filter(name => pattern.test(name))
    .sort()
    .map(name => {
      const folder = path.join(cases, name)
      return {
        name,
        folder,
        words: readFileSync(path.join(folder, 'cmd.txt'), 'utf8').split('\n')[0]!.split(' ').slice(1),
      }
    })
}

/** Files of a golden folder by their names without the time. */
export function goldenFiles(one: GraphCase, folder: string): ReadonlyMap<string, string> {
  const dir = path.join(one.folder, folder)
  if (!existsSync(dir)) return new Map()
  return new Map(
    readdirSync(dir)
      .filter(name => /\.vis(\.db)?$/.test(name))
      .map(name => [untimed(name), path.join(dir, name)]),
  )
}

const untimed = (name: string): string => name.replace(/_?\d{14}/, '')

export async function runGraph(
  one: GraphCase,
  rules: Rules,
): Promise<{ readonly report: GraphsWritten; readonly written: ReadonlyMap<string, string> }> {
  const files = diskFiles()
  const { words } = one
  const after = words.slice(words.findIndex(word => word.startsWith('graph')) + 1)
  const value = (word: string): string | null =>
    after.includes(word) ? after[after.indexOf(word) + 1]! : null
  const input = value('-i')
  const paths = input
    ? readCompareJson(files, path.join(one.folder, input), true)
    : {
        debug: path.join(one.folder, value('-tp')!),
        bench: value('-gp') ? path.join(one.folder, value('-gp')!) : '',
      }
  const mapping = value('-lm')
  const output = temporaryFolder()
  const request: GraphRequest = {
    debug: paths.debug,
    bench: paths.bench,
    output,
    rules,
    fuzzy: after.includes('-f'),
    fullStacks: after.includes('-cs'),
    overflow: after.includes('-oc'),
    layerMapping: mapping ? readFileSync(path.join(one.folder, mapping), 'utf8') : null,
    format: rules === 'msprobe-26' ? 'vis.db' : 'vis',
  }
  const pool = inlinePool(tasks)
  const report = await graphsWritten(request, (pairs, work) => measurePairs(pool, files, pairs, work), files)
  await pool.close()
  return { report, written: new Map(report.files.map(file => [untimed(path.basename(file)), file])) }
}
