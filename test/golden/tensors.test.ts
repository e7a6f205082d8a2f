// show and diff against numpy: statistics, histograms, slices and differences of files of every kind.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundleAt, chosenOf } from '../../main/engine/doors/command/tensor-at.ts'
import { command as diff } from '../../main/engine/doors/command/diff/run.ts'
import { readCut, survey } from '../../main/engine/inspect/index.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { measurePairs } from '../../main/engine/measure/tensor-pairs.ts'
import { Refusal } from '../../main/engine/model/problem.ts'
import { tasks } from '../../main/engine/threads/index.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import { job } from '../../main/engine/work/job.ts'
import { fixturesRoot } from '../support/fixtures.ts'

interface Shown {
  readonly file: string
  readonly args: readonly string[]
  readonly dtype: string
  readonly shape: readonly number[]
  readonly stats: Readonly<Record<string, unknown>>
  readonly histogram: {
    readonly range: readonly number[]
    readonly counts: readonly (readonly number[])[]
  } | null
  readonly slices: readonly {
    readonly slice: string
    readonly shape: readonly number[]
    readonly values: readonly unknown[]
  }[]
}
interface Differing extends Readonly<Record<string, unknown>> {
  readonly left: string
  readonly right: string
  readonly args: readonly string[]
}
const folder = path.join(fixturesRoot(), 'next', 'tensors')
const wanted = JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')) as {
  readonly show: readonly Shown[]
  readonly list: readonly { readonly file: string; readonly members: readonly unknown[] }[]
  readonly diff: readonly Differing[]
  readonly refuse: readonly string[]
}
const files = diskFiles()
const pool = inlinePool(tasks)
const tools = {
  files,
  pool,
  job: job(),
  tell: () => {},
  measure: (pairs: Parameters<typeof measurePairs>[2], work: Parameters<typeof measurePairs>[3]) =>
    measurePairs(pool, files, pairs, work),
} as never
const at = (name: string): string => path.join(folder, 'files', name)
const option = (args: readonly string[], name: string): string | undefined =>
  args[args.indexOf(name) + 1 || args.length]

/** NaN and infinities as the texts that JSON has for them. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, v: unknown) => (typeof v === 'number' && !Number.isFinite(v) ? String(v) : v)),
  )

function near(have: unknown, want: unknown, rel: number, where = ''): void {
  if (typeof want === 'object' && want !== null) {
    for (const [key, value] of Object.entries(want))
      near((have as Readonly<Record<string, unknown>> | null)?.[key], value, rel, `${where}.${key}`)
    if (Array.isArray(want)) expect((have as readonly unknown[]).length, where).toBe(want.length)
  } else if (typeof want === 'number' && Number.isFinite(Number(have)) && have !== null)
    expect(Math.abs(Number(have) - want), `${where}: ${String(have)} for ${want}`).toBeLessThanOrEqual(
      rel * Math.abs(want),
    )
  else if (typeof have === 'number' && typeof want === 'string' && Number.isFinite(Number(want)))
    expect(have, where).toBe(Number(want))
  else expect(have, where).toEqual(want)
}

describe('a tensor is what numpy says', () => {
  it.each(wanted.show.map(one => [`${one.file} ${one.args.join(' ')}`, one] as const))(
    '%s',
    async (_, one) => {
      const bundle = await bundleAt(at(one.file), tools)
      const { ref } = chosenOf(bundle, { member: option(one.args, '--member'), as: option(one.args, '--as') })
      const query = { left: ref, right: null, tolerance: { atol: 0, rtol: 0 }, top: 0, bins: 64 }
      const { left, leftNumbers: n, histogram } = await survey(pool, files, query, job())
      expect([left.dtype, left.shape]).toEqual([one.dtype, one.shape])
      const { counts, ...rest } = n
      near(plain({ ...rest, ...counts }), one.stats, 1e-9)
      if (one.histogram === null) expect(histogram).toBeNull()
      else {
        near(histogram?.range, one.histogram.range, 1e-12)
        expect([...(histogram?.left ?? [])]).toEqual(one.histogram.counts[0])
      }
      for (const { slice, shape, values } of one.slices) {
        const cut = await readCut(pool, files, { ref, expression: slice, most: 400 }, job())
        expect(cut.shape).toEqual(shape)
        near(plain(cut.values), values, 1e-12)
      }
    },
  )

  it.each(wanted.list.map(one => [one.file, one.members] as const))(
    'lists what %s holds',
    async (file, members) => {
      const { tensors } = await bundleAt(at(file), tools)
      expect(tensors.map(({ name, dtype, shape }) => [name, dtype, shape])).toEqual(members)
    },
  )

  it.each(wanted.refuse)('refuses %s', async file => {
    const opened = async (): Promise<unknown> => {
      const { ref } = chosenOf(await bundleAt(at(file), tools), { member: undefined, as: undefined })
      return survey(
        pool,
        files,
        { left: ref, right: null, tolerance: { atol: 0, rtol: 0 }, top: 0, bins: 64 },
        job(),
      )
    }
    await expect(opened()).rejects.toThrow(Refusal)
  })
})

describe('two tensors differ as numpy says', () => {
  it.each(wanted.diff.map(one => [`${one.left} ${one.right} ${one.args.join(' ')}`, one] as const))(
    '%s',
    async (_, { left, right, args, what: _what, ...numbers }) => {
      const number = (name: string): number | undefined =>
        args.includes(name) ? Number(option(args, name)) : undefined
      const flags = { as: option(args, '--as'), al: number('--atol'), rl: number('--rtol') }
      const asked = { flags, paths: [at(left), at(right)], framework: null, facts: {} } as never
      const answer = await diff.run(asked, tools)
      near(plain(diff.json(answer, asked)), numbers, 1e-9)
      const said = diff.outcome?.(answer, asked)
      expect(said).toBe(numbers['comparable'] === true && numbers['allclose'] !== true ? 'found' : 'ran')
    },
  )
})
