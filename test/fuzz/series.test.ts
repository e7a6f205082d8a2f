// Csv files of probes and monitors: what is written comes back, and whatever is damaged is read as far as it goes.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../main/engine/model/index.ts'
import { pyFloat } from '../../main/engine/python/index.ts'
import { monitorAt, Points, readMonitor } from '../../main/engine/series/index.ts'
import { job } from '../../main/engine/work/index.ts'
import { seedsOf } from '../support/fuzz.ts'
import { memoryFiles } from '../support/memory-files.ts'
import { mutate } from '../support/mutate.ts'

const at = '/m/Dec03_21-34-40-rank3-00000000/grad_reduced_0-9.csv'
const number = fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -Infinity, 0, -0, 1e-300))
const row = fc.record({
  name: fc.stringMatching(/^[a-z_.]{1,12}$/),
  step: fc.nat(99),
  values: fc.array(number, { maxLength: 5 }),
})

async function read(text: string | Uint8Array): Promise<Points> {
  const files = memoryFiles({ [at]: text })
  const points = new Points()
  const sinkOf = (metric: string): Points => (metric === 'grad_reduced' ? points : new Points())
  await readMonitor(monitorAt(files, '/m').runs[0], sinkOf, { files, job: job(), tell() {} })
  return points
}

test('every cell that stands below a title comes back, however long the rows are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async rows => {
      const lines = rows.map(({ name, step, values }) => ['0', name, step, ...values.map(pyFloat)].join(','))
      const points = await read(`vpp_stage,name,step,norm,min,max\n${lines.join('\n')}\n`)
      expect(points.length).toBe(rows.length)
      for (const [i, { name, step, values }] of rows.entries()) {
        expect([points.target(points.targetAt(i)), points.stepAt(i), points.rankAt(i)]).toEqual([
          `0:${name}`,
          step,
          3,
        ])
        for (const [k, stat] of ['norm', 'min', 'max'].entries()) {
          expect(points.stat(stat)?.has(i) ?? false).toBe(k < values.length)
          if (k < values.length) expect(points.stat(stat)?.value(i)).toBe(values[k])
        }
      }
    }),
    { numRuns: 200 },
  )
})

test('rows are found by rank, step and target; of several the last one', () => {
  const place = fc.record({ rank: fc.nat(4), step: fc.nat(6), target: fc.constantFrom('a', 'b', 'c') })
  fc.assert(
    fc.property(fc.array(place, { maxLength: 60 }), places => {
      const points = new Points()
      for (const { rank, step, target } of places) points.add(rank, step, target)
      for (const { rank, step, target } of places) {
        const last = places.findLastIndex(p => p.rank === rank && p.step === step && p.target === target)
        expect(points.find(rank, step, points.targetOf(target))).toBe(last)
      }
      expect(points.find(9, 0, 0)).toBe(-1)
      const walked = Array.from({ length: points.targets }, (_, target) => [...points.rowsOf(target)]).flat()
      expect(walked.sort((a, b) => a - b)).toEqual(places.map((_, i) => i))
    }),
  )
})

test('a damaged file is read as far as it goes', async () => {
  const whole = `\uFEFFvpp_stage,name,step,norm,max\n${Array.from({ length: 30 }, (_, i) => `0,"layers.${i}",${i},${i / 7},nan\n`).join('')}`
  for (const seed of seedsOf(300))
    try {
      await read(mutate(new TextEncoder().encode(whole), seed).bytes)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
})
