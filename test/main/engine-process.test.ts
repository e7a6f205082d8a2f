// The supervisor of the engine process, driven by a clock of its own.
import { describe, expect, test } from 'vitest'
import { beatMs, superviseEngine, type EngineChild } from '../../main/engine-process.ts'

class Child implements EngineChild {
  readonly messages: unknown[] = []
  killed = false
  #spawn: (() => void)[] = []
  #exit: ((code: number) => void)[] = []
  #hear: (() => void)[] = []
  postMessage(message: unknown): void {
    this.messages.push(message)
  }
  once(event: 'spawn' | 'exit', tell: (code: number) => void): void {
    if (event === 'spawn') this.#spawn.push(() => tell(0))
    else this.#exit.push(tell)
  }
  on(_event: 'message', hear: () => void): void {
    this.#hear.push(hear)
  }
  answer(): void {
    for (const hear of this.#hear) hear()
  }
  kill(): void {
    this.killed = true
    this.exit(15)
  }
  spawn(): void {
    for (const tell of this.#spawn.splice(0)) tell()
  }
  exit(code: number): void {
    for (const tell of this.#exit.splice(0)) tell(code)
  }
}

function stage() {
  let clock = 0
  const timers: { at: number; run: () => void }[] = []
  const children: Child[] = []
  const joined: Child[] = []
  const states: string[] = []
  const waits: number[] = []
  const engine = superviseEngine({
    fork: () => {
      const child = new Child()
      children.push(child)
      return child
    },
    join: child => joined.push(child as Child),
    end: child => (child as Child).exit(137),
    tell: (state, attempt) => states.push(`${state} ${attempt}`),
    note: () => {},
    now: () => clock,
    after: (ms, run) => {
      if (ms !== beatMs) waits.push(ms)
      timers.push({ at: clock + ms, run })
    },
  })
  const pass = (ms: number): void => {
    clock += ms
    for (const timer of timers.splice(0))
      if (timer.at <= clock) timer.run()
      else timers.push(timer)
  }
  const last = (): Child => children.at(-1)!
  return { engine, children, joined, states, waits, pass, last }
}

describe('lines', () => {
  test('a window that asks early gets its line when the process is up, and a new one after a crash', () => {
    const { engine, joined, last, pass } = stage()
    engine.connect()
    expect(joined).toEqual([])
    last().spawn()
    expect(joined).toEqual([last()])
    last().exit(9)
    pass(100)
    last().spawn()
    expect(joined).toHaveLength(2)
    expect(joined[1]).toBe(last())
  })

  test('a page that is loaded again gets another line to the same process', () => {
    const { engine, joined, last, children } = stage()
    last().spawn()
    engine.connect()
    engine.connect()
    expect(joined).toEqual([last(), last()])
    expect(children).toHaveLength(1)
  })
})

describe('crashes', () => {
  test('restarts wait longer each time, then stop until the window asks again', () => {
    const { engine, children, states, waits, pass, last } = stage()
    for (let i = 0; i < 5; i++) {
      last().spawn()
      last().exit(1)
      pass(10_000)
    }
    expect(waits).toEqual([100, 500, 2_000, 5_000])
    expect(children).toHaveLength(5)
    expect(states.at(-1)).toBe('gone 5')
    engine.connect()
    expect(children).toHaveLength(6)
    expect(states.at(-1)).toBe('starting 0')
  })

  test('a process that lived long starts the count anew', () => {
    const { waits, pass, last } = stage()
    for (let i = 0; i < 3; i++) {
      last().spawn()
      pass(60_000)
      last().exit(1)
      pass(100)
    }
    expect(waits).toEqual([100, 100, 100])
  })
})

describe('leaving', () => {
  test('asks first; a process that goes is not killed nor restarted', async () => {
    const { engine, children, last, pass } = stage()
    last().spawn()
    const gone = engine.stop()
    expect(last().messages).toEqual([{ is: 'stop' }])
    last().exit(0)
    await gone
    pass(60_000)
    expect(last().killed).toBe(false)
    expect(children).toHaveLength(1)
  })

  test('kills one that stays', async () => {
    const { engine, last, pass } = stage()
    last().spawn()
    const gone = engine.stop()
    pass(1_000)
    await gone
    expect(last().killed).toBe(true)
  })

  test('has nothing to wait for when there is no process', async () => {
    const { engine, last } = stage()
    last().exit(1)
    await engine.stop()
  })
})

describe('an engine that does not answer', () => {
  test('is said after a few beats, and when it answers again', () => {
    const { last, pass, states } = stage()
    last().spawn()
    const beats = (): number => last().messages.filter(m => JSON.stringify(m) === '{"is":"beat"}').length
    for (let i = 0; i < 20; i++) {
      pass(beatMs)
      last().answer()
    }
    expect(states).toEqual(['starting 0', 'ready 0'])
    const before = beats()
    for (let i = 0; i < 10; i++) pass(beatMs)
    expect(states.slice(2)).toEqual(['busy 0'])
    expect(beats()).toBe(before + 1)
    last().answer()
    expect(states.slice(3)).toEqual(['ready 0'])
    for (let i = 0; i < 3; i++) pass(beatMs)
    expect(states).toHaveLength(4)
  })

  test('a long sleep of the machine is one missed beat', () => {
    const { last, pass, states } = stage()
    last().spawn()
    pass(beatMs)
    pass(36_000_000)
    last().answer()
    expect(states).toEqual(['starting 0', 'ready 0'])
  })

  test('can be ended; another one comes, and the beats of the old one with it end', () => {
    const { engine, last, pass, states, joined } = stage()
    engine.connect()
    last().spawn()
    for (let i = 0; i < 5; i++) pass(beatMs)
    engine.restart()
    pass(100)
    last().spawn()
    expect(joined).toHaveLength(2)
    expect(states.slice(2)).toEqual(['busy 0', 'restarting 1', 'ready 1'])
    for (let i = 0; i < 3; i++) pass(beatMs)
    expect(states).toHaveLength(5)
  })
})
