// What steps and ranks of an opened pair came to: seen as one picture, asked, kept between openings.
import { copyFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  cellStates,
  type EngineApi,
  type SessionId,
  type SessionInfo,
} from '../../../preload/contract/engine.ts'
import { rankTrees } from '../../support/rank-trees.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { allDone, never, turn, watchedEngine, type Watched } from '../../support/watched.ts'

const call = 'Functional.linear.9.forward'

const open: { watched: Watched; session: SessionId }[] = []
afterEach(async () => {
  for (const { watched, session } of open.splice(0)) await watched.engine.close({ session }, never)
})

const runs = (): readonly [string, string] => {
  const fault = { rank: 2, step: 1, layer: 1 }
  const { debug, bench } = rankTrees({ folder: temporaryFolder(), steps: 2, ranks: 4, tensors: 100, fault })
  return [debug, bench]
}

async function opened(
  paths: readonly string[],
  cache: string,
): Promise<{ watched: Watched; info: SessionInfo }> {
  const watched = watchedEngine(undefined, cache)
  const info = await watched.open(paths)
  open.push({ watched, session: info.session })
  return { watched, info }
}

const picture = ({ engine }: Watched, session: SessionId): ReturnType<EngineApi['ranks']> =>
  engine.ranks({ session, unit: 0, layout: null }, never)

async function whole(watched: Watched, session: SessionId): ReturnType<EngineApi['ranks']> {
  await watched.until(session, allDone)
  for (;;) {
    const seen = await picture(watched, session)
    if (!seen.open && seen.names.length > 0 && [...seen.first].some(at => at >= 0)) return seen
    await turn()
  }
}

/** Units of which a dump was read. */
const read = ({ events }: Watched): readonly number[] => [
  ...new Set(events.flatMap(event => (event.is === 'job' && !event.job.finished ? [event.job.unit] : []))),
]

async function asked(watched: Watched, session: SessionId, sql: string): Promise<readonly unknown[]> {
  const answer = await watched.engine.ask({ session, unit: 0, sql }, never)
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem))
  return answer.value.cells.map(column => column[0])
}

/** Until as many units as there are can be asked for. */
async function allKept(watched: Watched, session: SessionId, units: number): Promise<void> {
  while ((await asked(watched, session, "select count(*) from units where state = 'done'"))[0] !== units)
    await turn()
}

describe('an opened pair of several steps and ranks', () => {
  it('is a picture whose cells are its units, and says where the error enters', async () => {
    const { watched, info } = await opened(runs(), temporaryFolder())
    expect(info.panes).toContain('units')
    const seen = await whole(watched, info.session)
    expect([...seen.unit]).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect([...seen.state].map(state => cellStates[state])).toEqual(Array(8).fill('done'))
    expect([...seen.differs].map(count => count > 0)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ])
    expect(seen.findings[0]).toMatchObject({ node: call, step: 1, rank: 2 })
  })

  it('answers questions over all of them, and colours them by one call', async () => {
    const { watched, info } = await opened(runs(), temporaryFolder())
    await allKept(watched, info.session, 8)
    const sql = `select count(*), max(level) > 0 from nodes where node = '${call}' and differs > 0`
    expect(await asked(watched, info.session, sql)).toEqual([1, true])
    const levels = await watched.engine.ranksNode({ session: info.session, unit: 0, node: call }, never)
    expect([...levels].map(level => level > 0)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      true,
      false,
    ])
  })

  it('a single step and rank can be asked, too', async () => {
    const [debug, bench] = runs()
    const { watched, info } = await opened(
      [debug, bench].map(run => path.join(run, 'step1', 'rank2')),
      temporaryFolder(),
    )
    expect(await asked(watched, info.session, 'select first from units')).toEqual([call])
  })

  it('goes on where the last opening stopped: only what is on screen is read again', async () => {
    const [paths, cache] = [runs(), temporaryFolder()]
    const first = await opened(paths, cache)
    await allKept(first.watched, first.info.session, 8)
    const before = await whole(first.watched, first.info.session)
    const next = await opened(paths, cache)
    expect(await whole(next.watched, next.info.session)).toEqual(before)
    expect(read(next.watched)).toEqual([0])
    const { units } = await next.watched.engine.session({ session: next.info.session }, never)
    const old = await first.watched.engine.session({ session: first.info.session }, never)
    expect(units.map(unit => ({ ...unit, versions: null }))).toEqual(
      old.units.map(unit => ({ ...unit, versions: null })),
    )
  })

  it('compares again what was dumped anew, and everything under other options', async () => {
    const [paths, cache] = [runs(), temporaryFolder()]
    const first = await opened(paths, cache)
    await allKept(first.watched, first.info.session, 8)
    const changed = path.join(paths[0], 'step1', 'rank3', 'dump.json')
    rmSync(changed)
    copyFileSync(path.join(paths[0], 'step1', 'rank2', 'dump.json'), changed)
    const next = await opened(paths, cache)
    await whole(next.watched, next.info.session)
    expect(read(next.watched).toSorted()).toEqual([0, 7])
    const { session } = await next.watched.open(paths, { rules: 'msprobe-26' })
    open.push({ watched: next.watched, session })
    next.watched.events.length = 0
    await next.watched.until(session, allDone)
    expect(read(next.watched)).toHaveLength(8)
  })

  it('a result that was cut is made again', async () => {
    const [paths, cache] = [runs(), temporaryFolder()]
    const first = await opened(paths, cache)
    await allKept(first.watched, first.info.session, 8)
    const [folder = ''] = readdirSync(path.join(cache, 'units'))
    const part = path.join(cache, 'units', folder, 'step=1', 'rank=0', 'part.parquet')
    writeFileSync(part, 'cut')
    utimesSync(part, 0, 0)
    const next = await opened(paths, cache)
    await allKept(next.watched, next.info.session, 8)
    expect(read(next.watched).toSorted()).toEqual([0, 4])
  })

  it('shows what it knows where nothing can be kept, and says so of questions', async () => {
    const { watched, info } = await opened(runs(), '')
    const seen = await whole(watched, info.session).catch(() => null)
    expect(seen?.findings[0]).toMatchObject({ node: call })
    const answer = await watched.engine.ask({ session: info.session, unit: 0, sql: 'select 1' }, never)
    expect(answer).toMatchObject({ ok: false, problem: { code: 'ranks-not-kept' } })
  })
})
