// A run of very many ranks: what a terminal gets stays short, what a program gets is whole.
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { cli } from '../../support/cli.ts'
import { ranks } from '../../support/dumps.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const count = 60
const broken = 25

it('is told in a few lines, and every rank that can be compared is written', async () => {
  const [debug, bench] = ranks(count)
  for (let rank = 0; rank < broken; rank++) writeFileSync(path.join(debug, `rank${rank}`, 'dump.json'), '{')
  cpSync(path.join(bench, 'rank59'), path.join(debug, 'rank59'), { recursive: true })
  const out = temporaryFolder()
  const words = ['compare', debug, bench, '--format', 'csv', '-o', out]
  const people = await cli(words)
  expect(people.code).toBe(2)
  expect(people.out.split('\n').length).toBeLessThan(20)
  expect(people.out).toContain('34 of 35 differ')
  expect(people.out).toContain('rank 25–58')
  expect(people.out).toContain(`70 files in ${out}`)
  expect(people.err).toContain(`${broken - 20} more of this kind`)
  expect(readdirSync(out)).toHaveLength(70)
  const programs = JSON.parse((await cli([...words, '-c', '--json'])).out) as {
    units: unknown[]
    failed: number
    problems: { code: string }[]
  }
  expect([programs.units.length, programs.failed]).toEqual([count - broken, broken])
  expect(programs.problems.filter(({ code }) => code === 'rank-failed')).toHaveLength(broken)
})
