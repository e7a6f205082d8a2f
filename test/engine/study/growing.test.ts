// A pair of which one side is still being dumped, as the window's engine sees it.
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { LiveView, SessionId, UnitInfo } from '../../../preload/contract/engine.ts'
import { Dumping } from '../../support/dumping.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { never, type Watched, watchedEngine } from '../../support/watched.ts'

const opened: { readonly watched: Watched; readonly session: SessionId }[] = []
afterEach(async () => {
  for (const { watched, session } of opened.splice(0)) await watched.engine.close({ session }, never)
})

async function grown(calls = 4) {
  const root = temporaryFolder()
  const at = (...names: readonly string[]): string => path.join(root, ...names)
  const bench = new Dumping(at('bench', 'step0', 'rank0')).calls(12).flush()
  const debug = new Dumping(at('debug', 'step0', 'rank0'), { scale: 2 }).calls(calls).flush()
  const watched = watchedEngine()
  const { session } = await watched.open([at('debug'), at('bench')])
  opened.push({ watched, session })
  const until = async (ready: (unit: UnitInfo) => boolean): Promise<UnitInfo> => {
    const { units } = await watched.until(session, info => ready(info.units[0]))
    return units[0]
  }
  const live = (): Promise<LiveView> => watched.engine.live({ session }, never)
  await until(({ state }) => state === 'done')
  return { at, bench, debug, watched, session, until, live }
}

const calls = ({ calls: { debug } }: UnitInfo): number => debug.all

describe('a pair that grows', () => {
  test('takes in what comes, first by tensor files alone, then by dump.json', async () => {
    const { debug, until, live, watched, session } = await grown()
    await live()
    debug.calls(3, 4)
    const provisional = await until(unit => unit.state === 'done' && calls(unit) === 7)
    expect(provisional).toMatchObject({ growing: true, partial: true, outdated: false })
    const { view, rows } = await watched.rows(session)
    expect(rows).toBe(14)
    const { rows: told } = await watched.engine.order(
      { session, unit: 0, filter: { show: ['differs'], quick: 'relu.6', columns: [] }, sort: [] },
      never,
    )
    expect(told).toBe(1)
    expect(view).toBeGreaterThan(0)
    const node = await watched.engine.node(
      { session, unit: 0, at: { debug: 'Functional.relu.6.forward', bench: 'Functional.relu.6.forward' } },
      never,
    )
    expect(node.facts.debug).toEqual([{ key: 'provisional', text: '' }])
    expect(node.items[0]?.debug).toMatchObject({ dtype: 'Float32', shape: '[2]', max: '7.0', min: '6.0' })

    debug.flush()
    const whole = await until(unit => unit.state === 'done' && !unit.partial)
    expect(calls(whole)).toBe(7)
  })

  test('a file that is met half written takes nothing away', async () => {
    const { debug, until, live, watched, session } = await grown()
    await live()
    let least = Infinity
    watched.onEvent = event => {
      if (event.is === 'units') for (const unit of event.units) least = Math.min(least, calls(unit))
    }
    debug.calls(2, 4)
    debug.flush(debug.text().length / 3)
    await until(unit => unit.growing)
    debug.flush()
    await until(unit => unit.state === 'done' && calls(unit) === 6 && !unit.partial)
    expect(least).toBeGreaterThanOrEqual(4)
    expect((await watched.engine.session({ session }, never)).problems).toEqual([])
  })

  test('steps that appear come in by themselves once both sides have them', async () => {
    const { at, live, watched, session } = await grown()
    expect((await live()).fresh).toBe(0)
    const units = async () => (await watched.engine.session({ session }, never)).units
    const [first] = await units()
    new Dumping(at('debug', 'step1', 'rank0')).calls(2).flush()
    await new Promise<void>(resolve => {
      watched.onEvent = event => {
        if (event.is === 'live')
          void live().then(({ sides: [debug] }) => debug!.run.ranks.length === 2 && resolve())
      }
    })
    expect(await units()).toHaveLength(1)
    new Dumping(at('bench', 'step1', 'rank0')).calls(2).flush()
    await new Promise<void>(resolve => {
      watched.onEvent = () => void units().then(([, unit]) => unit?.state === 'done' && resolve())
    })
    const [before, come] = await units()
    expect(before).toMatchObject({ unit: 0, step: first!.step, rows: first!.rows })
    expect(come).toMatchObject({ unit: 1, step: 1, rank: 0, failure: null })
    expect(calls(come!)).toBe(2)
    expect((await live()).fresh).toBe(0)
  })

  test('a rank of an old step that comes late stands with its step', async () => {
    const { at, live, watched, session } = await grown()
    await live()
    const overall = () => watched.engine.overall({ session }, never)
    const come = async (step: string, rank: string): Promise<void> => {
      const { length } = (await watched.engine.session({ session }, never)).units
      new Dumping(at('bench', step, rank)).calls(2).flush()
      new Dumping(at('debug', step, rank), { scale: 3 }).calls(2).flush()
      await watched.until(session, ({ units }) => units[length]?.state === 'done')
    }
    await come('step1', 'rank0')
    await come('step0', 'rank1')
    await watched.engine.across({ session }, never)
    expect((await overall()).differ).toEqual([0, 2, 1])
  })

  test('two finished dumps are left alone', async () => {
    const { live } = await grown()
    await live()
    const { sides, fresh } = await live()
    expect(fresh).toBe(0)
    for (const { run } of sides) expect(run.ranks.map(({ state }) => state)).toEqual(['quiet'])
  })
})
