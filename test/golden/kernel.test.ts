// Static-graph dump trees against msprobe 1.2.2's own answers. Its rows come in the order of a directory
// listing: compared by name.
import { compareKernels, type KernelTable } from '../../main/engine/study/index.ts'
import { wholeOf } from '../../main/engine/formats/index.ts'
import { formatOf, planOf } from '../../main/engine/layout/index.ts'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { measurePairs } from '../../main/engine/measure/tensor-pairs.ts'
import type { Rules } from '../../main/engine/model/names.ts'
import { type Problem, Refusal } from '../../main/engine/model/problem.ts'
import { tasks } from '../../main/engine/threads/index.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import { csvRows } from '../support/csv.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { openPorts } from '../support/plans.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = fixturesRoot()
const cases = readdirSync(path.join(root, 'cases')).filter(name => name.startsWith('kernel_'))
const lines: string[] = []

interface Run {
  readonly tables: readonly KernelTable[]
  readonly problems: readonly Problem[]
}

async function run(name: string, rules: Rules): Promise<Run> {
  const files = diskFiles()
  const pool = inlinePool(tasks)
  const ports = openPorts(files, rules)
  const json = path.join(root, 'cases', name, 'compare.json')
  const { units, problems } = await planOf([json], { stacks: 'auto', ordered: true }, ports, job())
  const tables: KernelTable[] = []
  for (const unit of units) {
    const format = formatOf(unit)
    const { debug, bench } = unit.places
    if (format.holds !== 'kernels' || !bench) throw new Error(format.id)
    const table = await compareKernels(
      await wholeOf(format.open(debug, ports, job())),
      await wholeOf(format.open(bench, ports, job())),
      { files, job: job(), measure: (pairs, at) => measurePairs(pool, files, pairs, at) },
    )
    if (table) tables.push(table)
  }
  return { tables, problems }
}

/** Names without the folder of the run. */
const bare = (name: string): string => name.replace(/(?:^|(?<= ))\/\S*\/kernel\//, '')
const keyed = (rows: readonly (readonly string[])[]): Map<string, readonly string[]> =>
  new Map(
    rows.map(row => [
      `${bare(row[0] ?? '')} | ${bare(row[1] ?? '')} | ${row[4]} | ${row[5]} | ${row[6]}`,
      row,
    ]),
  )
const texts = (table: KernelTable): string[][] =>
  Array.from({ length: table.length }, (_, row) => table.columns.map((_, column) => table.text(row, column)))

test.each(cases)('%s', async name => {
  const golden = path.join(root, 'cases', name, 'golden')
  const files = readdirSync(golden).filter(file => file.endsWith('.csv'))
  if (!readFileSync(path.join(golden, 'console.log'), 'utf8').includes('exit code 0 ---')) {
    // The reference aborts on an empty array; ours says so in its row.
    const { tables } = await run(name, 'msprobe-1.2.2')
    expect(tables.flatMap(texts).map(row => row[15])).toContain('This is empty data, can not compare.\n')
    return
  }
  const { tables, problems } = await run(name, 'msprobe-1.2.2')
  expect(tables.map(table => `compare_result_${table.rank}_${table.step}_`)).toEqual(
    files.map(file => file.replace(/\d{14}\.csv$/, '')),
  )
  if (files.length === 0) expect(problems.map(p => p.code)).toContain('kernel-modes-differ')
  let [cells, equal, near] = [0, 0, 0]
  tables.forEach((table, i) => {
    const [head = [], ...rows] = csvRows(readFileSync(path.join(golden, files[i]!), 'utf8'))
    expect(table.columns.map(column => column.title)).toEqual(head)
    const mine = keyed(texts(table))
    const theirs = keyed(rows)
    expect([...mine.keys()].sort()).toEqual([...theirs.keys()].sort())
    for (const [key, want] of theirs) {
      const have = mine.get(key) ?? []
      want.forEach((cell, c) => {
        cells++
        if (bare(have[c] ?? '') === bare(cell)) equal++
        else {
          near++
          // Norms are summed in another order by each CPU's library: one step of the type is allowed; metrics
          // may be off by one in the 12th decimal.
          const bound = head[c]?.endsWith('l2norm') ? 2 ** -23 * Math.abs(Number(cell)) : 1.01e-12
          expect([key, head[c], have[c], cell, Math.abs(Number(have[c]) - Number(cell)) <= bound]).toEqual([
            key,
            head[c],
            have[c],
            cell,
            true,
          ])
        }
      })
    }
  })
  lines.push(`${name.padEnd(20)} ${cells} cells ${equal} equal ${near} within bound`)
})

describe('our own rules', () => {
  test('read long names through mapping.csv', async () => {
    const theirs = (await run('kernel_npy', 'msprobe-1.2.2')).tables.flatMap(texts)
    const ours = (await run('kernel_npy', 'plumbline')).tables.flatMap(texts)
    const unmatched = (rows: string[][]): number =>
      rows.filter(row => row[0] === '' && row[1]?.includes('MatMul')).length
    expect(unmatched(theirs)).toBeGreaterThan(0)
    expect(unmatched(ours)).toBe(0)
  })

  test('a tree without kernels is refused', async () => {
    const nowhere = path.join(root, 'cases', 'kernel_npy')
    const json = path.join(temporaryFolder(), 'compare.json')
    writeFileSync(json, JSON.stringify({ npu_path: nowhere, bench_path: nowhere, rank_id: [] }))
    const asked = { stacks: 'auto', ordered: true } as const
    await expect(planOf([json], asked, openPorts(diskFiles()), job())).rejects.toThrow(Refusal)
  })
})

afterAll(() => {
  console.log(lines.join('\n'))
})
