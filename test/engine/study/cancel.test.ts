// Work that was paused rests until the user goes on with it.
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EngineApi, SessionId } from '../../../preload/contract/engine.ts'
import { dumpFolder } from '../../support/dumps.ts'
import { watchReads } from '../../support/reads.ts'
import { allDone, allRows, never, watchedEngine, type Watched } from '../../support/watched.ts'

const pair = ['pt_lenet_w_conv2_statistics_mix', 'pt_lenet_none_statistics_mix'].map(dumpFolder)
const other = ['pt_tr_w_qkv1_statistics_mix', 'pt_tr_none_statistics_mix'].map(dumpFolder)

let watched: Watched
let stop = (): void => {}
beforeEach(() => {
  watched = watchedEngine()
})
afterEach(() => {
  stop()
})

/** Opens the pair and cancels as soon as it is read. */
async function openAndCancel(): Promise<SessionId> {
  const cancelled = new Promise<void>(resolve => {
    watched.onEvent = event => {
      if (event.is !== 'job') return
      watched.onEvent = () => {}
      queueMicrotask(() => resolve(watched.engine.pause({ session: event.job.session }, never)))
    }
  })
  const { session } = await watched.open(pair)
  await cancelled
  return session
}

describe('after a cancel', () => {
  const scene = { open: [], top: 0, bottom: 600 }
  const questions: readonly (readonly [
    string,
    (engine: EngineApi, session: SessionId) => Promise<unknown>,
  ])[] = [
    [
      'session and walk, as the window asks when a job has ended',
      (engine, session) =>
        engine
          .session({ session }, never)
          .then(() => engine.walk({ session, unit: 0, from: null, to: 'first', row: null }, never)),
    ],
    [
      'walk',
      (engine, session) => engine.walk({ session, unit: 0, from: null, to: 'first', row: null }, never),
    ],
    ['legend', (engine, session) => engine.legend({ session, unit: 0 }, never)],
    ['order', (engine, session) => engine.order({ session, unit: 0, ...allRows }, never)],
    ['scene', (engine, session) => engine.scene({ session, unit: 0, debug: scene, bench: scene }, never)],
    ['findings', (engine, session) => engine.findings({ session, unit: 0 }, never)],
  ]

  // Whoever cancels a long reading must not find it running again because a panel asked for a colour.
  it.each(questions)('nothing is read for %s', async (_, ask) => {
    const session = await openAndCancel()
    const read = new Set<string>()
    stop = watchReads(file => {
      if (pair.some(folder => file.startsWith(folder))) read.add(path.basename(file))
    })
    // It may wait for ever: it is waited for by nobody.
    void ask(watched.engine, session).catch(() => {})
    // Another pair is read to its end meanwhile: whatever the question began would have begun.
    await watched.until((await watched.open(other)).session, allDone)
    const {
      units: [unit],
    } = await watched.engine.session({ session }, never)
    expect([...read]).toEqual([])
    expect(['reading', 'comparing', 'done']).not.toContain(unit.state)
    await watched.engine.close({ session }, never)
  })

  // Only the user goes on with it; then nothing is missing.
  it('the rest is read once the user goes on', async () => {
    const session = await openAndCancel()
    expect((await watched.engine.session({ session }, never)).paused).toBe(true)
    await watched.engine.resume({ session }, never)
    const { units, paused } = await watched.until(session, allDone)
    expect(paused).toBe(false)
    expect(units[0]?.rows).toBe((await watched.rows(session)).rows)
    await watched.engine.close({ session }, never)
  })
})
