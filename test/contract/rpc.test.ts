// The line between window and engine: answers, refusals, bugs, cancellation, events, and a cut at every
// message.
import { MessageChannel } from 'node:worker_threads'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { problem, Refusal } from '../../main/engine/model/problem.ts'
import { connect, lineOf, serve, weigh, type Remote } from '../../preload/contract/rpc.ts'
import { wire, type Wire } from '../support/line.ts'

interface Api {
  add(q: { readonly a: number; readonly b: number }, s: AbortSignal): Promise<number>
  bytes(q: { readonly of: 'view' | 'shared' | 'deep' }, s: AbortSignal): Promise<unknown>
  fail(
    q: { readonly how: 'refusal' | 'bug' | 'text' | 'cancelled' | 'unsendable' },
    s: AbortSignal,
  ): Promise<unknown>
  wait(q: { readonly key: string }, s: AbortSignal): Promise<string>
}
type News = { readonly n: number }

function engine(): { api: Api; aborted: string[]; release: Map<string, () => void> } {
  const aborted: string[] = []
  const release = new Map<string, () => void>()
  const api: Api = {
    async add({ a, b }) {
      return a + b
    },
    async bytes({ of }) {
      const whole = new Uint8Array(1_000_000).fill(7)
      if (of === 'view') return whole.subarray(10, 20)
      if (of === 'shared') return new Float64Array(new SharedArrayBuffer(64), 8, 2)
      return { list: [{ part: whole.subarray(0, 3) }], name: 'x' }
    },
    async fail({ how }) {
      if (how === 'refusal') throw new Refusal(problem('not-readable', '/a/b', { reason: 'EIO' }))
      if (how === 'text') throw 'only text' // oxlint-disable-line no-throw-literal
      if (how === 'cancelled') throw new DOMException('stop', 'AbortError')
      if (how === 'unsendable') return () => 1
      throw new RangeError('out of range')
    },
    wait: ({ key }, signal) =>
      new Promise((resolve, reject) => {
        release.set(key, () => resolve(key))
        signal.addEventListener('abort', () => {
          aborted.push(key)
          reject(new DOMException('stop', 'AbortError'))
        })
      }),
  }
  return { api, aborted, release }
}

const setUp = (line: Wire = wire()) => {
  const { api, aborted, release } = engine()
  const bugs: unknown[] = []
  const news: News[] = []
  let cuts = 0
  const server = serve<News>(api, line.far, error => bugs.push(error))
  const client = connect<Api, News>(
    line.near,
    event => news.push(event),
    () => {
      cuts++
    },
  )
  return { line, server, client, call: client.call, aborted, release, bugs, news, cuts: () => cuts }
}

/** Resolves after everything that is on its way has arrived. */
const settled = async (): Promise<void> => {
  for (let i = 0; i < 8; i++) await new Promise(resolve => setImmediate(resolve))
}

describe('answers', () => {
  test('a value comes back to its own call, in any order', async () => {
    const { call, release } = setUp()
    const slow = call.wait({ key: 'slow' })
    await expect(call.add({ a: 2, b: 3 })).resolves.toBe(5)
    release.get('slow')?.()
    await expect(slow).resolves.toBe('slow')
  })

  test('the client type follows the API', () => {
    expectTypeOf<Remote<Api>['add']>().toEqualTypeOf<
      (arg: { readonly a: number; readonly b: number }, signal?: AbortSignal) => Promise<number>
    >()
    const { call } = setUp()
    // @ts-expect-error a missing field must not compile
    void (() => call.add({ a: 1 }))
    // @ts-expect-error neither must an unknown call
    void (() => call.subtract({ a: 1, b: 2 }))
  })

  test('views are sent without the buffer behind them, shared memory as a copy', async () => {
    const { call, line } = setUp()
    const view = await call.bytes({ of: 'view' })
    expect(view).toEqual(new Uint8Array(10).fill(7))
    expect(view instanceof Uint8Array && view.buffer.byteLength).toBe(10)
    expect(await call.bytes({ of: 'shared' })).toEqual(new Float64Array(2))
    expect(await call.bytes({ of: 'deep' })).toEqual({
      list: [{ part: new Uint8Array(3).fill(7) }],
      name: 'x',
    })
    for (const { message } of line.passed) expect(weigh(message)).toBeLessThan(400)
  })
})

describe('failures', () => {
  test('a refusal keeps its problem', async () => {
    await expect(setUp().call.fail({ how: 'refusal' })).rejects.toMatchObject({
      name: 'Refused',
      problem: { code: 'not-readable', path: '/a/b', facts: { reason: 'EIO' } },
    })
  })

  test('a bug keeps name, message and the stack of the other side, and is reported there', async () => {
    const { call, bugs } = setUp()
    const error: unknown = await call.fail({ how: 'bug' }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'RemoteBug', message: 'fail: RangeError: out of range' })
    expect(error instanceof Error && error.stack).toContain('rpc.test.ts')
    expect(bugs).toHaveLength(1)
    await expect(call.fail({ how: 'text' })).rejects.toMatchObject({ message: 'fail: Error: only text' })
    await expect(call.fail({ how: 'unsendable' })).rejects.toMatchObject({ name: 'RemoteBug' })
  })

  test('cancelled on the other side is cancelled here', async () => {
    await expect(setUp().call.fail({ how: 'cancelled' })).rejects.toMatchObject({ name: 'Cancelled' })
  })

  test('only own calls of the API can be reached', async () => {
    const { client } = setUp()
    for (const name of ['missing', 'toString', 'constructor', '__proto__', 'hasOwnProperty']) {
      const method: unknown = Reflect.get(client.call, name)
      await expect((method as (arg: unknown) => Promise<unknown>)({})).rejects.toMatchObject({
        name: 'RemoteBug',
      })
    }
  })
})

describe('cancelling', () => {
  test('rejects at once, aborts the other side, and drops the late answer', async () => {
    const { call, client, aborted } = setUp()
    const stop = new AbortController()
    const waiting = call.wait({ key: 'k' }, stop.signal)
    await settled()
    stop.abort()
    expect(client.pending).toBe(0)
    await expect(waiting).rejects.toMatchObject({ name: 'Cancelled' })
    await settled()
    expect(aborted).toEqual(['k'])
  })

  test('an aborted signal sends nothing; aborting after the answer does nothing', async () => {
    const { call, line } = setUp()
    await expect(call.add({ a: 1, b: 1 }, AbortSignal.abort())).rejects.toMatchObject({ name: 'Cancelled' })
    expect(line.passed).toHaveLength(0)
    const stop = new AbortController()
    await call.add({ a: 1, b: 1 }, stop.signal)
    stop.abort()
    await settled()
    expect(line.passed).toHaveLength(2)
  })
})

describe('events and meter', () => {
  test('events arrive in order', async () => {
    const { server, news } = setUp()
    for (let n = 0; n < 5; n++) server.emit({ n })
    await settled()
    expect(news.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4])
  })

  test('calls and bytes are counted', async () => {
    const { call, client } = setUp()
    await call.add({ a: 1, b: 2 })
    await call.bytes({ of: 'view' })
    expect(client.meter.get('add')?.calls).toBe(1)
    expect(client.meter.get('bytes')?.largest).toBeGreaterThanOrEqual(10)
    expect(client.meter.get('bytes')?.largest).toBeLessThan(200)
  })

  test('messages that mean nothing are dropped', async () => {
    const { line, call } = setUp()
    for (const message of [
      null,
      7,
      'text',
      [],
      {},
      { id: 'x' },
      { id: 99, value: 1 },
      { cancel: 99 },
      { id: 1 },
    ]) {
      line.near.send(message)
      line.far.send(message)
    }
    await settled()
    await expect(call.add({ a: 1, b: 1 })).resolves.toBe(2)
  })
})

describe('a cut line', () => {
  /**
   * A conversation that uses every kind of message: an answer, a refusal, a cancellation, an event, a late
   * answer.
   */
  const talk = async ({
    call,
    server,
    release,
  }: ReturnType<typeof setUp>): Promise<PromiseSettledResult<unknown>[]> => {
    const stop = new AbortController()
    const calls = [
      call.add({ a: 1, b: 2 }),
      call.fail({ how: 'refusal' }),
      call.wait({ key: 'cancelled' }, stop.signal),
      call.wait({ key: 'late' }),
    ]
    const all = Promise.allSettled(calls)
    await settled()
    stop.abort()
    server.emit({ n: 1 })
    release.get('late')?.()
    await settled()
    return all
  }
  const outcome = (result: PromiseSettledResult<unknown>): string =>
    result.status === 'fulfilled' ? 'value' : result.reason instanceof Error ? result.reason.name : ''

  test('uncut, the conversation has the messages that the next tests cut', async () => {
    const all = setUp()
    expect((await talk(all)).map(outcome)).toEqual(['value', 'Refused', 'Cancelled', 'value'])
    expect(all.line.passed.length).toBe(9)
  })

  test.each(Array.from({ length: 9 }, (_, at) => at))(
    'cut at message %i: every call ends, nothing runs on',
    async at => {
      const all = setUp(wire(at))
      const results = await talk(all)
      for (const result of results)
        expect(['value', 'Refused', 'Cancelled', 'LineCut']).toContain(outcome(result))
      expect(all.client.pending).toBe(0)
      expect(all.cuts()).toBe(1)
      expect(all.bugs).toEqual([])
      await expect(all.call.add({ a: 1, b: 1 })).rejects.toMatchObject({ name: 'LineCut' })
      all.server.emit({ n: 2 })
      await settled()
      expect(all.news.every(({ n }) => n === 1)).toBe(true)
    },
  )
})

test('runs over real message ports', async () => {
  const { port1, port2 } = new MessageChannel()
  const { api, aborted, release } = engine()
  let cut = false
  serve<News>(api, lineOf(port1))
  const client = connect<Api, News>(
    lineOf(port2),
    () => {},
    () => {
      cut = true
    },
  )
  await expect(client.call.add({ a: 20, b: 22 })).resolves.toBe(42)
  const waiting = client.call.wait({ key: 'open' })
  await expect.poll(() => release.has('open')).toBe(true)
  port1.close()
  await expect(waiting).rejects.toMatchObject({ name: 'LineCut' })
  expect(cut).toBe(true)
  await expect.poll(() => aborted).toEqual(['open'])
})
