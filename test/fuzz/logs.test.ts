// Training logs: what is written comes back, and no line, however made, breaks what reads them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kindOfLine, logKinds, readerOf } from '../../main/engine/formats/index.ts'
import { Refusal } from '../../main/engine/model/index.ts'
import { logStat, Points, readLog } from '../../main/engine/series/index.ts'
import { job } from '../../main/engine/work/index.ts'
import { firstSeed, fuzzRuns } from '../support/fuzz.ts'
import { memoryFiles } from '../support/memory-files.ts'

const pieces = fc.constantFrom(
  ' iteration ',
  '1/ 2 |',
  'lm loss: ',
  '{',
  '}',
  "'loss': ",
  'step:3 - ',
  'Epoch:[ 1/ 2], step:[ 3/ 4], ',
  'nan',
  '1e999',
  '-',
  ':',
  ',',
  '|',
  '[',
  '\r',
)
const line = fc.array(fc.oneof(pieces, fc.string({ maxLength: 20 })), { maxLength: 40 })

test('any line is read or left, in time', () => {
  fc.assert(
    fc.property(line, parts => {
      const text = parts.join('')
      kindOfLine(text)
      for (const kind of logKinds) {
        const found = readerOf(kind)(text)
        for (const [name, value] of found?.values ?? [])
          expect([typeof name, typeof value]).toEqual(['string', 'number'])
      }
    }),
    { numRuns: fuzzRuns(2000), seed: firstSeed },
  )
  for (const long of [
    '{'.repeat(60_000),
    "'a': ".repeat(12_000),
    ' iteration 1/ 2 | '.repeat(3000),
    'step:1 - '.repeat(6000),
  ])
    for (const kind of logKinds) readerOf(kind)(long)
})

test('what Megatron writes comes back, cut or not', async () => {
  const row = fc.record({ step: fc.nat(1e6), loss: fc.double({ noNaN: true }), norm: fc.double() })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), fc.nat(), async (rows, cut) => {
      const spelled = (value: number): string =>
        Number.isNaN(value) ? 'nan' : `${Object.is(value, -0) ? '-' : ''}${value}`.replace('Infinity', 'inf')
      const text = rows
        .map(
          ({ step, loss, norm }) =>
            ` iteration ${step}/ 9 | lm loss: ${spelled(loss)} | grad norm: ${spelled(norm)} |\n`,
        )
        .join('')
      const points = new Points()
      const ports = { files: memoryFiles({ '/l/a.log': text }), job: job(), tell() {} }
      await readLog('/l/a.log', '', points, ports)
      const last = new Map(rows.map(one => [one.step, one]))
      for (const [step, { loss, norm }] of last) {
        const value = (name: string): number | undefined =>
          points.stat(logStat)?.value(points.find(0, step, points.targetOf(name)))
        expect([value('loss'), value('grad norm')]).toEqual([loss, norm])
      }
      const part = text.slice(0, cut % text.length)
      try {
        await readLog('/l/a.log', '', new Points(), { ...ports, files: memoryFiles({ '/l/a.log': part }) })
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal)
      }
    }),
    { numRuns: fuzzRuns(200), seed: firstSeed },
  )
})
