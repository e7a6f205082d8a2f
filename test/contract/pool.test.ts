// One contract for all pools: threads, inline, and threads with the caller.
import { getEventListeners } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Cancelled } from '../../main/engine/work/job.ts'
import { Refusal } from '../../main/engine/model/problem.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import { openPool, threadPool } from '../../main/engine/work/pool.ts'
import { betweenSteps, type Pool } from '../../main/engine/work/task.ts'
import { withCaller } from '../../main/engine/work/with-caller.ts'
import { tasks } from '../support/pool-tasks.ts'
import { builtScript } from '../support/worker.ts'

const kinds: readonly [string, () => Promise<Pool>][] = [
  ['inline', async () => inlinePool(tasks)],
  ['threads', async () => threadPool(await builtScript('test/support/pool-tasks.ts'), 2)],
  [
    'a thread and the caller',
    async () => withCaller(threadPool(await builtScript('test/support/pool-tasks.ts'), 1), inlinePool(tasks)),
  ],
]

describe.each(kinds)('a pool of kind %s', (_, make) => {
  let pool: Pool
  beforeAll(async () => {
    pool = await make()
  })
  afterAll(async () => {
    await pool.close()
  })

  it('answers with the value of the task', async () => {
    expect(await Promise.all([1, 2, 3, 4, 5].map(x => pool.run<number>('double', x)))).toEqual([
      2, 4, 6, 8, 10,
    ])
  })

  it('passes on what a task tells, in order and before the answer', async () => {
    const told: unknown[] = []
    const answer = await pool.run<number>('tell', ['a', { b: 1 }], { tell: message => told.push(message) })
    expect([answer, told]).toEqual([2, ['a', { b: 1 }]])
  })

  it('hands out refusals and bugs as what they are, and goes on', async () => {
    const refusal = await pool.run('refuse', null).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect((refusal as Refusal).problem).toMatchObject({
      code: 'npy-invalid',
      path: '/a/file',
      facts: { reason: 'test' },
    })
    await expect(pool.run('bug', null)).rejects.toMatchObject({
      name: 'TypeError',
      message: 'broken on purpose',
    })
    await expect(pool.run('missing', null)).rejects.toThrow('no task missing')
    expect(await pool.run('double', 21)).toBe(42)
  })

  it('waits with one listener, however many tasks one signal stands for', async () => {
    const { signal } = new AbortController()
    const all = Array.from({ length: 40 }, (_, x) => pool.run<number>('double', x, { signal }))
    expect(getEventListeners(signal, 'abort').length).toBeLessThan(8)
    expect((await Promise.all(all)).at(-1)).toBe(78)
  })

  it('stops a task that was cancelled while it ran', async () => {
    const counter = new SharedArrayBuffer(4)
    const stop = new AbortController()
    const running = pool.run('endless', counter, { signal: stop.signal })
    while (Atomics.load(new Int32Array(counter), 0) < 3) await new Promise(setImmediate)
    stop.abort()
    await expect(running).rejects.toBeInstanceOf(Cancelled)
    expect(await pool.run('double', 1)).toBe(2)
  })

  it('serves tasks that are promises: answers, refusals, cancelling', async () => {
    expect(await Promise.all([pool.run<number>('later', 2), pool.run<number>('double', 2)])).toEqual([6, 4])
    const refusal = await pool.run('laterRefuse', null).catch((error: unknown) => error)
    expect((refusal as Refusal).problem).toMatchObject({ code: 'npy-invalid', facts: { reason: 'later' } })
    const counter = new SharedArrayBuffer(4)
    const stop = new AbortController()
    const running = pool.run('laterEndless', counter, { signal: stop.signal })
    while (Atomics.load(new Int32Array(counter), 0) < 3) await new Promise(setImmediate)
    stop.abort()
    await expect(running).rejects.toBeInstanceOf(Cancelled)
    expect(await pool.run('later', 5)).toBe(15)
  })

  it('never starts a task that was cancelled while it waited', async () => {
    const log = new SharedArrayBuffer(64)
    const stop = new AbortController()
    const blockers = Array.from({ length: pool.size }, () => {
      const end = new AbortController()
      const counter = new SharedArrayBuffer(4)
      return {
        end,
        counter,
        running: pool.run('endless', counter, { signal: end.signal }).catch((error: unknown) => error),
      }
    })
    const waiting = pool.run('note', { log, value: 1 }, { signal: stop.signal })
    stop.abort()
    await expect(waiting).rejects.toBeInstanceOf(Cancelled)
    for (const { end } of blockers) end.abort()
    for (const { running } of blockers) expect(await running).toBeInstanceOf(Cancelled)
    await pool.run('double', 1)
    expect(new Int32Array(log)[0]).toBe(0)
  })

  it('takes what is urgent first, else in the order asked for', async () => {
    const log = new SharedArrayBuffer(64)
    const blockers = Array.from({ length: pool.size }, () => {
      const end = new AbortController()
      const counter = new SharedArrayBuffer(4)
      return {
        end,
        counter,
        running: pool.run('endless', counter, { signal: end.signal }).catch((error: unknown) => error),
      }
    })
    for (const { counter } of blockers)
      while (Atomics.load(new Int32Array(counter), 0) < 1) await new Promise(setImmediate)
    const notes = (
      [
        [1, 0],
        [2, 0],
        [3, 5],
      ] as const
    ).map(([value, priority]) => pool.run('note', { log, value }, { priority }))
    // One place becomes free, so the order is the queue's.
    blockers[0].end.abort()
    await Promise.all(notes)
    for (const { end } of blockers) end.abort()
    for (const { running } of blockers) await running
    expect([...new Int32Array(log).slice(1, 4)]).toEqual([3, 1, 2])
  })

  it('runs what is short between the steps of what takes every place, and goes on with that', async () => {
    const blockers = Array.from({ length: pool.size }, () => {
      const end = new AbortController()
      const counter = new SharedArrayBuffer(4)
      return {
        end,
        counter: new Int32Array(counter),
        running: pool.run('endless', counter, { signal: end.signal }).catch((error: unknown) => error),
      }
    })
    const goOn = async (): Promise<void> => {
      for (const { counter } of blockers)
        for (const from = Atomics.load(counter, 0); Atomics.load(counter, 0) < from + 2;)
          await new Promise(setImmediate)
    }
    await goOn()
    const short = { priority: betweenSteps }
    const told: unknown[] = []
    const answers = await Promise.all([
      ...[1, 2, 3, 4, 5].map(x => pool.run<number>('double', x, short)),
      pool.run<number>('tell', ['a'], { ...short, tell: message => told.push(message) }),
    ])
    expect([answers, told]).toEqual([[2, 4, 6, 8, 10, 1], ['a']])
    await expect(pool.run('bug', null, short)).rejects.toThrow('broken on purpose')
    const waiting = pool.run<number>('double', 50)
    await goOn()
    for (const { end } of blockers) end.abort()
    for (const { running } of blockers) expect(await running).toBeInstanceOf(Cancelled)
    expect(await waiting).toBe(100)
    expect(await pool.run('double', 6, short)).toBe(12)
  })

  it('copies arguments, so that a task cannot change what the caller holds', async () => {
    const bytes = new Uint8Array([1, 2])
    expect(await pool.run('change', bytes)).toBe(99)
    expect(bytes[0]).toBe(1)
  })

  it('rejects what comes after closing', async () => {
    const other = await make()
    const counter = new SharedArrayBuffer(4)
    const running = other.run('endless', counter)
    const outcome = running.catch((error: unknown) => error)
    while (Atomics.load(new Int32Array(counter), 0) < 1) await new Promise(setImmediate)
    await other.close()
    expect(await outcome).toBeInstanceOf(Cancelled)
    await expect(other.run('double', 1)).rejects.toBeInstanceOf(Cancelled)
  })
})

describe('opening a pool', () => {
  it('runs inline where no built worker stands beside it', () => {
    expect(openPool(async () => tasks).size).toBe(1)
  })
})
