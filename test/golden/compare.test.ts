// msprobe 1.2.2's own answers, cell for cell: every compare case of the fixtures.
import { dataMappingText } from '../../main/engine/pair/listed.ts'
import { advisorText, firstFailing } from '../../main/engine/judge/first.ts'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Refusal } from '../../main/engine/model/problem.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { compareOnly, goldenOf, readCase, runCase, tally } from '../support/golden-compare.ts'

const root = fixturesRoot()
const cases = readdirSync(path.join(root, 'cases'))
  .filter(name => compareOnly.test(name))
  .map(name => readCase(root, name))
const lines: string[] = []

test.each(cases.map(one => [one.name, one] as const))('%s', async (name, one) => {
  if (one.failed && name.includes('_err_')) {
    await expect(runCase(one, one.runs[0]!, 'msprobe-1.2.2')).rejects.toThrow(Refusal)
    lines.push(`${name.padEnd(42)} refused`)
    return
  }
  for (const run of one.runs) {
    const comparison = await runCase(one, run, 'msprobe-1.2.2')
    // Where the reference crashed on good input there is nothing to agree with.
    if (one.failed) {
      expect(comparison.length).toBeGreaterThan(0)
      continue
    }
    const golden = goldenOf(one, run.suffix)
    const { cells, equal, near, different } = tally(comparison, golden.csv, golden.cells)
    lines.push(
      `${(name + run.suffix).padEnd(42)} ${String(cells).padStart(6)} cells ${String(equal).padStart(6)} equal ${String(near).padStart(3)} within bound ${different.length} different`,
    )
    expect(different.slice(0, 10)).toEqual([])
    if (golden.mapping) expect(dataMappingText(comparison)).toEqual(golden.mapping)
    if (golden.advisor)
      expect(advisorText(firstFailing(comparison), '').split('\n').slice(0, 2)).toEqual(
        golden.advisor.split('\n').slice(0, 2),
      )
  }
})

afterAll(() => {
  console.log(lines.join('\n'))
})
