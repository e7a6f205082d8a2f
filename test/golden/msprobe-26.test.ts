// The answers of msprobe 26.2.0 under the rule set msprobe-26, cell for cell.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { dumpFilesOf, readDump } from '../../main/engine/formats/msprobe/read.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { compareDumps } from '../../main/engine/study/pair/compare.ts'
import { defaultThresholds } from '../../main/engine/rules/thresholds.ts'
import { measurePairs } from '../../main/engine/measure/tensor-pairs.ts'
import { tasks } from '../../main/engine/threads/index.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import { csvRows } from '../support/csv.ts'
import { fixturesRoot } from '../support/fixtures.ts'

const root = fixturesRoot()
const cases = readdirSync(path.join(root, 'cases')).filter(name => /^(?:new|v26)_cmp_(?!.*_da$)/.test(name))
const lines: string[] = []

test.each(cases)('%s', async name => {
  const folder = path.join(root, 'cases', name)
  const [, debugPath = '', benchPath = ''] =
    /-tp (\S+) -gp (\S+)/.exec(readFileSync(path.join(folder, 'cmd.txt'), 'utf8')) ?? []
  const [debugDir, benchDir] = [debugPath, benchPath].map(file => path.dirname(path.resolve(folder, file)))
  const files = diskFiles()
  files.allow(debugDir!)
  files.allow(benchDir!)
  const here = job()
  const [debug, bench] = [
    await readDump(files, dumpFilesOf(files, debugDir!), here),
    await readDump(files, dumpFilesOf(files, benchDir!), here),
  ]
  const pool = inlinePool(tasks)
  const table = await compareDumps(
    debug,
    bench,
    {
      rules: 'msprobe-26',
      engine: 'pytorch',
      fuzzy: false,
      mapping: {},
      stack: 'auto',
      thresholds: defaultThresholds,
    },
    { job: here, measure: (pairs, at, grown) => measurePairs(pool, files, pairs, at, grown) },
  )
  const golden = path.join(folder, 'golden')
  const [file = ''] = readdirSync(golden).filter(one => one.endsWith('.csv'))
  const sheet = existsSync(path.join(golden, file.replace('.csv', '.cells.json')))
  const [head = [], ...rows] = csvRows(readFileSync(path.join(golden, file), 'utf8'))
  const columns = table.columns.map((_, i) => i).filter(i => !table.columns[i]!.extra)
  expect(columns.map(i => table.columns[i]!.title)).toEqual(head)
  let [cells, equal, other] = [0, 0, 0]
  const different: string[] = []
  rows.forEach((row, r) =>
    columns.forEach((column, c) => {
      cells++
      const [have, want] = [table.text(r, column), row[c] ?? '']
      // The sheet keeps 16 digits of a number, the csv all of them.
      if (
        have === want ||
        (sheet && have === (want === '1' ? 'True' : want === '0' ? 'False' : want)) ||
        (sheet && have !== '' && Math.abs(Number(have) - Number(want)) <= Math.abs(Number(want)) * 1e-15)
      )
        equal++
      // pandas prints a whole number of an unmatched row as its neighbours' column type has it.
      else if (have !== '' && `${have}.0` === want) other++
      else if (
        table.mode === 'tensor' &&
        Math.abs(Number(have) - Number(want)) <= Math.max(1.01e-12, 1e-12 * Math.abs(Number(want)))
      )
        other++
      else different.push(`row ${r} ${row[0]} ${head[c]}: ${have} | ${want}`)
    }),
  )
  lines.push(
    `${name.padEnd(34)} ${cells} cells ${equal} equal ${other} in the last digit or print ${different.length} different`,
  )
  expect(table.length).toBe(rows.length)
  expect(different.slice(0, 12)).toEqual([])
})

afterAll(() => {
  console.log(lines.join('\n'))
})
