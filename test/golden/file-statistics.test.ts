// Statistics of whole kernel tensors against those that msprobe printed.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { fileStatistics } from '../../main/engine/measure/file-statistics.ts'
import { g16 } from '../../main/engine/python/numpy.ts'
import { tasks } from '../../main/engine/threads/index.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import { csvRows } from '../support/csv.ts'
import { fixturesRoot } from '../support/fixtures.ts'

const root = fixturesRoot()

it('gives the statistics of every kernel tensor', async () => {
  const golden = path.join(root, 'cases', 'kernel_npy', 'golden')
  const wanted = new Map<string, readonly string[]>()
  for (const sheet of readdirSync(golden).filter(name => name.endsWith('.csv'))) {
    for (const row of csvRows(readFileSync(path.join(golden, sheet), 'utf8')).slice(1)) {
      for (const [file, dtype, shape, first] of [
        [0, 2, 4, 6],
        [1, 3, 5, 10],
      ]) {
        const at = row[file].replace('/workspace/fx/visible', root)
        if (at.endsWith('.npy')) wanted.set(at, [row[dtype], row[shape], ...row.slice(first, first + 4)])
      }
    }
  }
  expect(wanted.size).toBeGreaterThan(60)
  const files = diskFiles()
  files.allow(root)
  const all = await fileStatistics(inlinePool(tasks), files, [...wanted.keys()], job())
  const cell = (x: number): string =>
    Number.isNaN(x) ? '' : Number.isFinite(x) ? g16(x) : String(x).toLowerCase().replace('infinity', 'inf')
  const wrong = [...wanted].flatMap(([file, cells], i) => {
    const { dtype, shape, max, min, mean, norm } = all[i]
    const ours = [
      dtype,
      `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`,
      cell(max),
      cell(min),
      cell(mean),
      cell(norm),
    ]
    return ours.join('|') === cells.join('|')
      ? []
      : [{ file: path.basename(file), ours: ours.join('|'), cells: cells.join('|') }]
  })
  expect(wrong).toEqual([])
})
