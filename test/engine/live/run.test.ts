// A run that is being dumped, looked at while a simulated one writes.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { diskFiles } from '../../../main/engine/io/index.ts'
import { Run } from '../../../main/engine/live/index.ts'
import type { LiveRank, LiveRun } from '../../../main/engine/model/index.ts'
import { job } from '../../../main/engine/work/index.ts'
import { Dumping } from '../../support/dumping.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const quietMs = 30_000

/** A run with a clock that the test turns. */
function watched(root = temporaryFolder()) {
  const files = diskFiles()
  files.allow(root)
  let later = 0
  const run = new Run(root, files, { quietMs, now: () => Date.now() + later })
  return {
    root,
    run,
    at: (...names: readonly string[]): string => path.join(root, ...names),
    look: (): Promise<LiveRun> => run.look(job()),
    only: async (): Promise<LiveRank> => {
      const { ranks } = await run.look(job())
      if (ranks.length !== 1) throw new RangeError(`${ranks.length} ranks`)
      return ranks[0]
    },
    wait: (ms = quietMs): void => {
      later += ms
    },
  }
}

describe('one rank', () => {
  test('is empty, is written, and is quiet when nothing changes any more', async () => {
    const { at, only, wait } = watched()
    const dump = new Dumping(at('step0', 'rank0'))
    expect(await only()).toMatchObject({ step: 0, rank: 0, state: 'empty', calls: 0 })
    dump.calls(3).flush()
    expect(await only()).toMatchObject({
      state: 'writing',
      calls: 3,
      provisional: 0,
      last: 'Functional.relu.2.forward',
      open: '',
    })
    wait()
    expect(await only()).toMatchObject({ state: 'quiet', calls: 3, cut: false })
  })

  test('between two writings of dump.json its tensor files tell what it does', async () => {
    const { at, only } = watched()
    const dump = new Dumping(at('step0', 'rank0')).calls(2).flush()
    await only()
    dump.calls(2, 2).input('Functional.softmax.0.forward')
    expect(await only()).toMatchObject({
      state: 'writing',
      calls: 2,
      provisional: 3,
      last: 'Functional.relu.3.forward',
      open: 'Functional.softmax.0.forward',
    })
    dump.output('Functional.softmax.0.forward').flush()
    expect(await only()).toMatchObject({ calls: 5, provisional: 0, open: '' })
  })

  test('a call that hangs is the innermost one with inputs and without outputs', async () => {
    const { at, only, wait } = watched()
    new Dumping(at('step0', 'rank0'))
      .input('Cell.net.Net.forward.0')
      .call('Functional.relu.0.forward')
      .input('Functional.softmax.0.forward')
    await only()
    wait()
    expect(await only()).toMatchObject({
      state: 'stalled',
      open: 'Functional.softmax.0.forward',
      last: 'Functional.relu.0.forward',
    })
  })

  test('so it is where only dump.json tells of it', async () => {
    const { at, only, wait } = watched()
    new Dumping(at('step0', 'rank0'), { task: 'statistics' })
      .input('Cell.net.Net.forward.0')
      .calls(3)
      .input('Functional.softmax.0.forward')
      .flush()
    await only()
    wait()
    expect(await only()).toMatchObject({ state: 'stalled', open: 'Functional.softmax.0.forward', calls: 5 })
  })

  test('a finished dump of yesterday is quiet at the first look, one of this moment is not', async () => {
    const { at, only, wait } = watched()
    new Dumping(at('rank0')).calls(3).flush()
    wait(24 * 3600 * 1000)
    expect(await only()).toMatchObject({ step: null, state: 'quiet' })
  })

  test('a folder of one rank can be looked at by itself', async () => {
    const root = temporaryFolder()
    new Dumping(path.join(root, 'step4', 'rank2')).calls(2).flush()
    const { only } = watched(path.join(root, 'step4', 'rank2'))
    expect(await only()).toMatchObject({ step: 4, rank: 2, calls: 2 })
  })
})

describe('half a file', () => {
  test('cut at any byte it never tells of less than before, nor of half a call', async () => {
    const { at, only, look } = watched()
    const dump = new Dumping(at('rank0'), { task: 'statistics' }).calls(4).flush()
    await look()
    dump.calls(3, 4)
    const { length } = dump.text()
    for (let bytes = 0; bytes < length; bytes += 7) {
      dump.flush(bytes)
      const { calls } = await only()
      expect(calls).toBeGreaterThanOrEqual(4)
      expect(calls).toBeLessThanOrEqual(7)
    }
    dump.flush()
    expect(await only()).toMatchObject({ calls: 7, cut: false })
  })

  test('it is taken when it stays half, and is said to be', async () => {
    const { at, only, wait } = watched()
    const dump = new Dumping(at('rank0'), { task: 'statistics' }).calls(40)
    dump.flush(dump.text().length - 300)
    for (let i = 0; i < 3; i++) await only()
    const rank = await only()
    expect(rank).toMatchObject({ cut: true })
    expect(rank.calls).toBeGreaterThan(30)
    wait()
    expect(await only()).toMatchObject({ state: 'stalled', cut: true })
  })

  test('a file of other calls replaces what was there once it is whole', async () => {
    const { at, only } = watched()
    new Dumping(at('rank0'), { task: 'statistics' }).calls(5).flush()
    await only()
    new Dumping(at('rank0'), { task: 'statistics' }).call('Functional.gelu.0.forward').flush()
    expect(await only()).toMatchObject({ calls: 1, last: 'Functional.gelu.0.forward' })
  })

  test('names that are escaped are said as they are meant', async () => {
    const { at, only } = watched()
    new Dumping(at('rank0'), { task: 'statistics' }).call(String.raw`Module.a\"b.\u4e2d.forward.0`).flush()
    expect(await only()).toMatchObject({ last: 'Module.a"b.中.forward.0' })
  })
})

test('what was read of dump.json is not read again when it has only grown', async () => {
  const { at, only, run } = watched()
  const dump = new Dumping(at('rank0'), { task: 'statistics' }).calls(2000).flush()
  await only()
  const first = run.bytesRead
  expect(first).toBe(Buffer.byteLength(dump.text()))
  dump.calls(10, 2000).flush()
  expect(await only()).toMatchObject({ calls: 2010 })
  expect(run.bytesRead - first).toBeLessThan(first / 50)
})

describe('several ranks and steps', () => {
  test('a rank that has begun a later step has completed the one before', async () => {
    const { at, look, wait } = watched()
    new Dumping(at('step0', 'rank0')).calls(2).flush()
    new Dumping(at('step0', 'rank1')).calls(2).flush()
    new Dumping(at('step1', 'rank0')).calls(1).flush()
    const { ranks, missing } = await look()
    expect(ranks.map(({ step, rank, state }) => [step, rank, state])).toEqual([
      [0, 0, 'complete'],
      [0, 1, 'writing'],
      [1, 0, 'writing'],
    ])
    expect(missing).toEqual([{ step: 1, ranks: [1] }])
    wait()
    expect((await look()).ranks.map(({ state }) => state)).toEqual(['complete', 'quiet', 'quiet'])
  })

  test('steps that pass while dumping is switched off are no gap, and it goes on where it is switched on again', async () => {
    const { at, look } = watched()
    for (const rank of [0, 1]) new Dumping(at('step0', `rank${rank}`)).calls(2).flush()
    await look()
    const again = new Dumping(at('step7', 'rank0')).calls(1).flush()
    const { ranks, missing } = await look()
    expect(ranks.map(({ step, rank, state }) => [step, rank, state])).toEqual([
      [0, 0, 'complete'],
      [0, 1, 'writing'],
      [7, 0, 'writing'],
    ])
    expect(missing).toEqual([{ step: 7, ranks: [1] }])
    again.input('Functional.softmax.0.forward')
    new Dumping(at('step7', 'rank1')).calls(1).flush()
    const later = await look()
    expect(later.missing).toEqual([])
    expect(later.ranks.map(({ state }) => state)).toEqual(['complete', 'complete', 'writing', 'writing'])
  })

  test('processes that learn their ranks are the same dumps under other names', async () => {
    const { at, look } = watched()
    const mine = new Dumping(at('step0', 'proc71')).calls(2).flush()
    const other = new Dumping(at('step0', 'proc72')).calls(3).flush()
    expect((await look()).ranks.map(({ name, rank }) => [name, rank])).toEqual([
      ['proc71', null],
      ['proc72', null],
    ])
    other.rename('rank0')
    mine.rename('rank1').calls(1, 2).flush()
    const { ranks, missing } = await look()
    expect(ranks.map(({ name, formerly, calls }) => [name, formerly, calls])).toEqual([
      ['rank0', 'proc72', 3],
      ['rank1', 'proc71', 3],
    ])
    expect(missing).toEqual([])
  })

  test('a rank whose folder vanishes is gone, and missing', async () => {
    const { at, look } = watched()
    const dump = new Dumping(at('step0', 'rank0')).calls(2).flush()
    new Dumping(at('step0', 'rank1')).calls(2).flush()
    await look()
    dump.vanish()
    const { ranks, missing, gone } = await look()
    expect(ranks.map(({ rank, state, calls }) => [rank, state, calls])).toEqual([
      [0, 'gone', 2],
      [1, 'writing', 2],
    ])
    expect(missing).toEqual([{ step: 0, ranks: [0] }])
    expect(gone).toBe(false)
  })

  test('the whole folder may vanish and come back', async () => {
    const { root, at, look } = watched()
    new Dumping(at('step0', 'rank0')).calls(2).flush()
    await look()
    rmSync(root, { recursive: true })
    expect(await look()).toMatchObject({ gone: true, ranks: [{ state: 'gone', calls: 2 }] })
    new Dumping(at('step0', 'rank0')).calls(3).flush()
    expect(await look()).toMatchObject({ gone: false, ranks: [{ state: 'writing', calls: 3 }] })
  })
})
