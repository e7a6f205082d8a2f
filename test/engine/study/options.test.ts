// Options that change: what is told of it, whose answer stands in the end, and what becomes of work that is under way.
import { defaultThresholds } from '../../../main/engine/rules/thresholds.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CompareOptions, SessionId, SessionInfo } from '../../../preload/contract/engine.ts'
import { dumpFolder } from '../../support/dumps.ts'
import { watchReads } from '../../support/reads.ts'
import { allDone, never, turn, watchedEngine, type Watched } from '../../support/watched.ts'

const tensors = [dumpFolder('pt_lenet_w_conv2_tensor_mix'), dumpFolder('pt_lenet_none_tensor_mix')]
const call = 'Functional.conv2d.1.forward'
const data = `${call}.output.0: Functional.conv2d.0.forward.output.0`

let watched: Watched
let stop = (): void => {}
beforeEach(() => {
  watched = watchedEngine()
})
afterEach(() => {
  stop()
})

const change = (session: SessionId, options: Partial<CompareOptions>) =>
  watched.engine.setOptions({ session, options }, never)

describe('what a row of tensors rests on', () => {
  const changes: readonly (readonly [string, (session: SessionId) => Promise<unknown>])[] = [
    [
      'a match by hand',
      session =>
        watched.engine.match({ session, unit: 0, debug: call, bench: '', descendants: false }, never),
    ],
    ['another mapping', session => change(session, { mapping: { data } })],
    ['another rule set', session => change(session, { rules: 'msprobe-26' })],
  ]

  // Otherwise slices, histograms and closeness of the old partner stay beside the new names.
  it.each(changes)('has a new version after %s', async (_, act) => {
    const { session } = await watched.open(tensors)
    const before = (await watched.until(session, allDone)).units[0]?.versions
    watched.events.length = 0
    await act(session)
    const after = (await watched.until(session, allDone)).units[0]?.versions
    expect([after?.pairs === before?.pairs, after?.metrics === before?.metrics]).toEqual([false, false])
    expect(after?.dumps).toBe(before?.dumps)
    // What has changed is told once the event loop has turned.
    await turn()
    const told = watched.events.flatMap(event => (event.is === 'units' ? event.units : []))
    expect(told.some(info => info.versions.metrics === after?.metrics)).toBe(true)
  })
})

describe('of two changes', () => {
  const strict = { thresholds: { ...defaultThresholds, gainForward: 1 } }
  const last: readonly (readonly [string, Partial<CompareOptions>])[] = [
    ['the rule set before', { rules: 'plumbline' }],
    ['a mapping', { rules: 'plumbline', mapping: { layer: '' } }],
    ['thresholds', strict],
  ]

  // The slower answer belongs to the older question: it must not come last.
  it.each(last)('the second stands where the first has to measure: %s', async (_, second) => {
    const first: Partial<CompareOptions> = { rules: 'msprobe-26' }
    const fresh = watchedEngine()
    const opened = await fresh.open(tensors, { ...first, ...second })
    await fresh.until(opened.session, allDone)
    const expected = await fresh.rows(opened.session)
    const { session } = await watched.open(tensors)
    await watched.until(session, allDone)
    // The second comes as soon as the first reads a tensor: what the second needs was measured before.
    const reads = new Promise<void>(resolve => {
      stop = watchReads(file => {
        if (file.endsWith('.pt')) resolve()
      })
    })
    const older = change(session, first)
    await Promise.race([reads, older])
    await Promise.all([older, change(session, second)])
    const { options } = await watched.until(session, allDone)
    expect(options).toMatchObject({ ...first, ...second })
    const shown = await watched.rows(session)
    expect([shown.counts, shown.columns]).toEqual([expected.counts, expected.columns])
  })
})

describe('options that change while the dumps are read', () => {
  const changes: readonly (readonly [string, Partial<CompareOptions>])[] = [
    ['thresholds', { thresholds: { ...defaultThresholds, gainForward: 1 } }],
    ['a rule set', { rules: 'msprobe-26' }],
    ['a mapping', { mapping: { data } }],
  ]
  const dumps = ['pt_lenet_w_conv2_statistics_mix', 'pt_lenet_none_statistics_mix'].map(dumpFolder)

  /** Opens the pair, waits for its rows and changes options, both as soon as it is read; the bytes that were read, and what came to the one who waited. */
  async function openAndChange(
    options: Partial<CompareOptions> | null,
  ): Promise<{ readonly bytes: number; readonly answer: unknown }> {
    let bytes = 0
    stop = watchReads((file, read) => {
      if (file.endsWith('.json')) bytes += read
    })
    const asked = new Promise<{ readonly rows: Promise<unknown>; readonly changed: Promise<unknown> }>(
      resolve => {
        watched.onEvent = event => {
          if (event.is !== 'units') return
          watched.onEvent = () => {}
          queueMicrotask(() =>
            resolve({
              rows: watched.rows(event.session).then(
                ({ rows }) => rows > 0,
                (error: unknown) => error,
              ),
              changed: options ? change(event.session, options) : Promise.resolve(),
            }),
          )
        }
      },
    )
    const { session } = await watched.open(dumps)
    const { rows, changed } = await asked
    const answer = await rows
    await changed
    await watched.until(session, allDone)
    stop()
    return { bytes, answer }
  }

  // "Something went wrong inside" is no answer to a change of options.
  it.each(changes)('leave whoever waits for rows waiting: %s', async (_, options) => {
    expect((await openAndChange(options)).answer).toBe(true)
  })

  // None of them changes what stands in the files.
  it.each(changes)('do not read them again: %s', async (_, options) => {
    const { bytes } = await openAndChange(null)
    watched = watchedEngine()
    expect((await openAndChange(options)).bytes).toBe(bytes)
  })
})

describe('the built-in mapping between two frameworks', () => {
  const across = ['ms_tr_none_statistics_mix', 'pt_tr_none_statistics_mix'].map(dumpFolder)

  // A choice that nobody made would stay when the sides are swapped, and pair everything anew with each threshold.
  it('is in force without having been chosen', async () => {
    const { session } = await watched.open(across)
    const before = await watched.until(session, allDone)
    const { thresholds } = before.options
    await change(session, { thresholds: { ...thresholds, tolerance: 0.01 } })
    const after = await watched.until(session, allDone)
    expect([before.options.mapping, after.options.mapping]).toEqual([{}, {}])
    expect([before.mapping, after.mapping]).toEqual([{ api: '' }, { api: '' }])
    expect(after.units[0]?.versions.pairs).toBe(before.units[0]?.versions.pairs)
    expect(after.units[0]?.versions.states).not.toBe(before.units[0]?.versions.states)
  })
})

describe('a unit that failed', () => {
  const failed = (info: SessionInfo): boolean => info.units.every(unit => unit.state === 'failed')
  const unreadable = { data: '- no list' }
  const trials: readonly (readonly [string, Partial<CompareOptions>, Partial<CompareOptions>])[] = [
    ['a mapping that maps', { mapping: unreadable }, { mapping: {} }],
    ['a rule set that takes it', { rules: 'msprobe-1.2.2', mapping: { api: '' } }, { rules: 'msprobe-26' }],
  ]

  // What stopped it is no reason to stop for ever.
  it.each(trials)('is tried again under %s', async (_, first, second) => {
    const { session } = await watched.open(tensors, first)
    await watched.until(session, failed)
    expect((await change(session, second)).ok).toBe(true)
    const { units } = await watched.until(session, info => allDone(info) || failed(info))
    expect(units.map(({ state, rows }) => [state, rows > 0])).toEqual([['done', true]])
  })
})
