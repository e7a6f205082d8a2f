// What numpy made and counted: ten cases of every kind of difference and thirty of none, and every view of ten pairs.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { Looks } from '../../main/engine/inspect/index.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { type KindOfDifference, kindsOfDifference } from '../../main/engine/model/index.ts'
import { tasks } from '../../main/engine/threads/index.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import { job } from '../../main/engine/work/job.ts'
import { fixturesRoot } from '../support/fixtures.ts'

const root = path.join(fixturesRoot(), 'next', 'differences')
const files = diskFiles()
files.allow(root)
const looks = new Looks(inlinePool(tasks), files)

interface Case {
  readonly kind: KindOfDifference | null
  readonly left: string
  readonly right: string
  readonly before: {
    readonly mismatched: number
    readonly maxAbs: number
    readonly relative: number | null
  } | null
}

type Counts = Readonly<Record<'nan' | 'inf' | 'zero' | 'subnormal', number>>

interface View {
  readonly left: string
  readonly right: string
  readonly health: { readonly debug: Counts; readonly bench: Counts }
  readonly along?: readonly { readonly max: readonly number[]; readonly mean: readonly number[] }[]
  readonly spread?: {
    readonly range: readonly [number, number]
    readonly debug: readonly number[]
    readonly bench: readonly number[]
  }
  readonly heat?: { readonly max: readonly number[]; readonly mean: readonly number[] }
  readonly worst?: readonly number[]
  readonly ulp?: readonly number[]
  readonly pair?: Readonly<Record<'mismatched' | 'maxAbs' | 'meanAbs' | 'cosine', number>>
}

const read = <T>(name: string): T => JSON.parse(readFileSync(path.join(root, name), 'utf8')) as T
const cases = read<readonly Case[]>('cases.json')
const views = read<readonly View[]>('views.json')
const at = ({ left, right }: { readonly left: string; readonly right: string }) => ({
  debug: { file: path.join(root, left) },
  bench: { file: path.join(root, right) },
  align: null,
})
const close = (found: ArrayLike<number>, wanted: readonly number[]): void => {
  expect(found.length).toBe(wanted.length)
  for (const [i, x] of wanted.entries())
    expect(Math.abs(found[i]! - x)).toBeLessThanOrEqual(1e-12 * Math.abs(x))
}

describe.each([...kindsOfDifference, null])('the kind %s', kind => {
  const some = cases.filter(one => one.kind === kind)
  it('has its cases', () => {
    expect(some.length).toBeGreaterThanOrEqual(kind === null ? 30 : 10)
  })
  it.each(some)('$left $right', async one => {
    const found = await looks.kind(at(one), job())
    expect(found?.kind ?? null, JSON.stringify(found)).toBe(kind)
    if (!one.before) return
    expect(found?.before).toMatchObject({ mismatched: one.before.mismatched, maxAbs: one.before.maxAbs })
    if (one.before.relative !== null) expect(found?.before?.relative).toBeCloseTo(one.before.relative, 10)
    if (kind !== null && kind !== 'constant') expect(found?.after?.relative).toBeLessThan(1e-6)
  })
})

describe.each(views)('$left beside $right, finite or not,', view => {
  it('has the health that numpy counts', async () => {
    const about = await looks.about(at(view), false, job())
    for (const side of ['debug', 'bench'] as const)
      for (const [kind, count] of Object.entries(view.health[side])) {
        const { zeros, ailments } = about[side]!
        const found = ailments
          .filter(one => one.kind === kind || (kind === 'inf' && one.kind.endsWith('Inf')))
          .reduce((sum, one) => sum + one.count, kind === 'zero' ? zeros : 0)
        expect(found, `${side} ${kind}`).toBe(count)
      }
  })
})

describe.each(views.filter(({ pair }) => pair))('$left beside $right', view => {
  it('has the sums, the worst and the errors along each axis', async () => {
    const { pair, worst, along } = await looks.about(at(view), false, job())
    const { mismatched, ...sums } = view.pair!
    expect(pair!.mismatched).toBe(mismatched)
    for (const [name, value] of Object.entries(sums)) expect(pair![name as 'maxAbs']).toBeCloseTo(value, 12)
    close(
      worst.map(({ error }) => error),
      view.worst!,
    )
    // An axis of one index says nothing.
    for (const { axis, max, mean } of along) {
      close(max, view.along![axis]!.max)
      close(mean, view.along![axis]!.mean)
    }
  })
  it('is spread as numpy.histogram counts', async () => {
    const { values } = await looks.spread(at(view), false, job())
    const { range, debug, bench } = view.spread!
    expect([values!.edges[0], values!.edges.at(-1)]).toEqual(range)
    expect([...(values!.debug ?? [])]).toEqual(debug)
    expect([...(values!.bench ?? [])]).toEqual(bench)
  })
  it('is the picture of the first and the last axis', async () => {
    const { shape } = (await looks.about(at(view), false, job())).debug!
    const [rows, cols] = [shape[0]!, shape.at(-1)!]
    const query = { measure: 'abs', rowAxis: 0, colAxis: shape.length - 1, at: shape.map(() => 0) } as const
    for (const rest of ['max', 'mean'] as const) {
      const heat = await looks.heat(
        at(view),
        { ...query, rest, rows: [0, rows], cols: [0, cols], sample: false },
        job(),
      )
      close(heat.values, view.heat![rest])
    }
  })
})

it.each(views.filter(({ ulp }) => ulp))('$left beside $right is so many steps apart', async view => {
  const query = { rowAxis: -1, colAxis: 0, at: [0], rows: 1, cols: 40, wrap: 40 }
  close((await looks.numbers(at(view), query, job())).ulp!, view.ulp!)
})
