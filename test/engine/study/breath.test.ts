// A comparison of many rows lets others have their turn, tells how far it is, and stops where it is told to.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Dump } from '../../../main/engine/model/dump.ts'
import { Cancelled, type Job, type Progress } from '../../../main/engine/work/job.ts'
import { compareDumps, type CompareSettings } from '../../../main/engine/study/pair/compare.ts'
import { defaultThresholds } from '../../../main/engine/rules/thresholds.ts'
import { drawn, tensor } from '../../support/dump-text.ts'

const calls = 9_000
let dump: Dump
let rows = 0

beforeAll(async () => {
  const leaf = tensor('Float32', [2, 3], ['1.5', '-1.5', '0.25', '2.5'])
  dump = await drawn(
    Object.fromEntries(
      Array.from({ length: calls }, (_, i) => [
        `Mint.add.${i}.forward`,
        { input_args: `[${leaf}]`, output: `[${leaf}]` },
      ]),
    ),
  )
  rows = dump.items.length
})

/** Breathes so often, then is cancelled. */
function counting(breaths: number, seen: Progress[]): Job & { readonly taken: () => number } {
  let taken = 0
  return {
    signal: new AbortController().signal,
    report: progress => {
      seen.push(progress)
    },
    async breathe() {
      if (++taken > breaths) throw new Cancelled()
    },
    taken: () => taken,
  }
}

const compared = (settings: Partial<CompareSettings>, job: Job): Promise<unknown> =>
  compareDumps(
    dump,
    dump,
    {
      rules: 'plumbline',
      engine: 'mindspore',
      fuzzy: false,
      mapping: {},
      stack: 'auto',
      thresholds: defaultThresholds,
      ...settings,
    },
    { job, measure: () => Promise.reject(new Error('nothing is measured here')) },
  )

describe.each([
  ['by name', {}],
  ['fuzzily', { fuzzy: true }],
  ['call by call', { engine: 'pytorch' }],
  ['call by call, fuzzily', { engine: 'pytorch', fuzzy: true }],
  ['as msprobe 1.2.2', { rules: 'msprobe-1.2.2' }],
  ['as msprobe 26', { rules: 'msprobe-26' }],
] as const satisfies readonly (readonly [string, Partial<CompareSettings>])[])(
  'rows matched %s',
  (_name, settings) => {
    it('are gone through with many breaths, and the progress never falls', async () => {
      const seen: Progress[] = []
      const job = counting(Infinity, seen)
      await compared(settings, job)
      expect(job.taken()).toBeGreaterThan(15)
      expect([...new Set(seen.map(progress => progress.what))]).toEqual(['job.pairing', 'job.judging'])
      for (const what of ['job.pairing', 'job.judging']) {
        const done = seen.filter(progress => progress.what === what).map(progress => progress.done)
        expect(done).toEqual(done.toSorted((a, b) => a - b))
        expect(done.at(-1)).toBeLessThanOrEqual(rows)
      }
    })

    it('stop at the next breath when cancelled', async () => {
      const whole = counting(Infinity, [])
      await compared(settings, whole)
      for (const breaths of [0, 1, 7, whole.taken() - 1]) {
        const job = counting(breaths, [])
        await expect(compared(settings, job)).rejects.toBeInstanceOf(Cancelled)
        expect(job.taken()).toBe(breaths + 1)
      }
    })
  },
)
