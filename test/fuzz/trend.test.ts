// Trend databases of other tools, damaged anywhere: an answer or a refusal, never a bug.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { diskFiles } from '../../main/engine/io/index.ts'
import { Refusal } from '../../main/engine/model/index.ts'
import { readTrend, trendCells } from '../../main/engine/trend/index.ts'
import { job } from '../../main/engine/work/index.ts'
import { cli } from '../support/cli.ts'
import { firstSeed, fuzzRuns } from '../support/fuzz.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('a damaged trend database is answered from or refused', async () => {
  const folder = temporaryFolder()
  const data = path.join(fixturesRoot(), 'next', 'database', 'monitor', 'data')
  await cli(['data2db', '--db', folder, '--data', data])
  const whole = readFileSync(path.join(folder, 'monitor_data.trend.db'))
  const files = diskFiles()
  const at = path.join(folder, 'damaged')
  mkdirSync(at)
  files.allow(at)
  const file = path.join(at, 'x.trend.db')
  const damage = fc.tuple(fc.nat(whole.length - 1), fc.nat(255))
  const places = fc.array(damage, { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(places, fc.integer({ min: 0, max: whole.length }), async (changes, cut) => {
      const bytes = Buffer.from(whole)
      for (const [place, byte] of changes) bytes[place] = byte
      writeFileSync(file, cut % 4 === 0 ? bytes.subarray(0, cut) : bytes)
      try {
        await readTrend(files, file, () => {}, job())
        await trendCells(files, file, {
          metric: 'exp_avg',
          stat: 'norm',
          tags: ['bias'],
          fixed: { by: 'rank', value: 0 },
        })
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal)
      }
    }),
    { numRuns: fuzzRuns(300), seed: firstSeed },
  )
})
