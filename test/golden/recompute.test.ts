// Every call of two dumps recomputed: against what PyTorch itself gives in doubles, and every planted fault found.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DirectionAnswer, ItemAnswer } from '../../main/engine/model/index.ts'
import { type DetailRow, detailsCsv, type ExactArray } from '../../main/engine/recompute/index.ts'
import { csvRows } from '../support/csv.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { arrayOf, openForRecompute, type Wanted, wantedOf } from '../support/recomputed.ts'

const close = (x: number, y: number, relative: number, absolute: number): boolean =>
  x === y || (Number.isNaN(x) && Number.isNaN(y)) || Math.abs(x - y) <= relative * Math.abs(y) + absolute

const largest = (data: Float64Array): number =>
  data.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0)

/** Rows by the titles of their columns. */
function titled(text: string): readonly Readonly<Record<string, string>>[] {
  const [titles, ...rows] = csvRows(text.replace('\uFEFF', ''))
  return rows.map(row => Object.fromEntries(titles.map((title, i) => [title, row[i] ?? ''])))
}

describe.each(['calls', 'wrong'])('%s', part => {
  let folder = ''
  let wanted: readonly Wanted[] = []
  let directions: readonly DirectionAnswer[] = []
  let arrays: ReadonlyMap<string, ExactArray> = new Map()
  const items = (): ReadonlyMap<string, ItemAnswer> =>
    new Map(directions.flatMap(({ outputs }) => outputs).map(output => [output.item, output]))
  /** A gradient inside the call may be left out. */
  const needed = (): readonly Wanted[] =>
    wanted.filter(
      one =>
        one.skip === undefined && (one.direction === 'forward' || one.of !== null || items().has(one.item)),
    )

  beforeAll(async () => {
    folder = path.join(fixturesRoot(), 'next', 'recompute', part)
    wanted = wantedOf(folder)
    const opened = await openForRecompute(path.join(folder, 'step0', 'rank'))
    ;({ directions, arrays } = await opened.recompute())
  })

  it('computes every call that draws no random numbers', () => {
    const known = items()
    expect(
      needed()
        .filter(({ item }) => !known.has(item))
        .map(({ item }) => item),
    ).toEqual([])
    const random = wanted.filter(({ skip }) => skip === 'random')
    for (const { call, direction } of random)
      expect(directions.find(one => one.call === call && one.direction === direction)?.reason).toBe('random')
  })

  it('comes to the same doubles', () => {
    const off: string[] = []
    for (const { item, value } of needed()) {
      const mine = arrays.get(item)
      if (value !== undefined || !mine) continue
      const theirs = arrayOf(path.join(folder, 'float64', `${item}.npy`))
      const slack = 1e-11 * largest(theirs.data)
      expect(mine.shape, item).toEqual(theirs.shape)
      for (let i = 0; i < theirs.data.length; i++)
        if (!close(mine.data[i], theirs.data[i], 1e-9, slack))
          off.push(`${item}[${i}] ${mine.data[i]} ${theirs.data[i]}`)
    }
    expect(off).toEqual([])
  })

  it('finds every result that was made wrong, and no other', () => {
    const known = items()
    const verdicts = needed().map(({ item, corrupted, note }) => {
      const found = known.get(item)
      const right = found?.verdict === 'pass' || found?.verdict === 'warning'
      if (note === 'hf32') return found?.verdict === 'warning' && found.note === 'hf32' ? '' : item
      return (corrupted ? found?.verdict === 'error' : right) ? '' : `${item} ${found?.verdict}`
    })
    expect(verdicts.filter(Boolean)).toEqual([])
  })

  it.each(['1.2.2', '26'] as const)('fills the details of msprobe %s', async generation => {
    const rows: DetailRow[] = []
    const opened = await openForRecompute(path.join(folder, 'step0', 'rank'))
    await opened.recompute({ details: generation, onRows: found => void rows.push(...found) })
    const golden = titled(readFileSync(path.join(folder, `msprobe-${generation}_details.csv`), 'utf8'))
    const mine = new Map(titled(detailsCsv(rows, generation)).map(row => [row['API Name'], row]))
    const asked = new Set(
      needed()
        .filter(one => one.direction === 'forward' || one.of !== null)
        .map(({ item }) => item),
    )
    const off: string[] = []
    for (const row of golden) {
      const own = mine.get(row['API Name'])
      if (!asked.has(row['API Name'])) continue
      for (const [column, text] of Object.entries(row)) {
        if (column === 'Message') continue
        const found = own?.[column] ?? 'no row'
        const [x, y] = [Number(found.replace('nan', 'NaN')), Number(text.replace('nan', 'NaN'))]
        if (found !== text && !(text.trim() && found.trim() && close(x, y, 2e-3, 2e-6)))
          off.push(`${row['API Name']} ${column}: ${found}, golden ${text}`)
      }
    }
    expect(off).toEqual([])
  })

  it('measures the distance as the table does', () => {
    const known = items()
    for (const { item, dtype, value, maxAbs, maxUlp, mismatches } of needed()) {
      const found = known.get(item)
      if (value !== undefined || dtype === 'torch.float64' || typeof maxAbs !== 'number' || !found) continue
      const slack = 1e-11 * largest(arrays.get(item)?.data ?? new Float64Array(0))
      expect(close(found.maxAbs, maxAbs, 1e-6, slack), `${item} ${found.maxAbs} ${maxAbs}`).toBe(true)
      if (maxUlp !== null) expect(close(found.maxUlp ?? NaN, maxUlp, 1e-4, 1e-4), item).toBe(true)
      expect(found.mismatches, item).toBe(mismatches)
    }
  })
})
