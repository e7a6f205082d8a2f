// Mappings as msprobe 26.2.0 reads them: who met whom, what came of it, and which rows show a stack.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { cli } from '../support/cli.ts'
import { csvRows } from '../support/csv.ts'
import { fixturesRoot } from '../support/fixtures.ts'

interface Golden {
  readonly mappings: Readonly<Record<string, string>>
  readonly cases: readonly {
    readonly name: string
    readonly sides: readonly [string, string]
    readonly flags: readonly string[]
    /** Both names, the result, and whether there is a stack. */
    readonly rows: readonly (readonly [string, string, string, string])[]
  }[]
}

const root = fixturesRoot()
const { mappings, cases } = JSON.parse(
  gunzipSync(readFileSync(path.join(import.meta.dirname, '../fixtures/spec/mappings-26.json.gz'))).toString(),
) as Golden

test.each(cases)('$name', async ({ sides, flags, rows }) => {
  const out = mkdtempSync(path.join(tmpdir(), 'plumbline-mappings-'))
  const words = flags.map(flag => {
    const text = mappings[flag]
    if (text === undefined) return flag
    const file = path.join(out, `${flag}.yaml`)
    writeFileSync(file, text)
    return file
  })
  const [debug, bench] = sides.map(name => path.join(root, 'dumps', name, 'step0/rank/dump.json'))
  const { code } = await cli([
    'compare',
    '-tp',
    debug ?? '',
    '-gp',
    bench ?? '',
    '-o',
    out,
    ...words,
    '--rules',
    'msprobe-26',
  ])
  expect(code).toBe(0)
  const file = readdirSync(out).find(name => name.endsWith('.csv')) ?? ''
  const [head = [], ...found] = csvRows(readFileSync(path.join(out, file), 'utf8'))
  const [debugName, benchName, result, stack] = ['NPU Name', 'Bench Name', 'Result', 'NPU_Stack_Info'].map(
    title => head.indexOf(title),
  ) as [number, number, number, number]
  expect(
    found.map(row => [row[debugName], row[benchName], row[result], row[stack] === 'N/A' ? '' : 'stack']),
  ).toEqual(rows)
})
