// Keeps one engine process alive and hands out lines to it. Electron comes in through `Parts`, so that tests drive it with plain objects.
import type { EngineState } from '../preload/contract/host.ts'

export interface EngineChild {
  postMessage(message: unknown, ports?: unknown[]): void
  once(event: 'spawn', tell: () => void): unknown
  once(event: 'exit', tell: (code: number) => void): unknown
  kill(): unknown
}

export interface Parts {
  fork(): EngineChild
  /** Makes a channel, gives one end to the child's message and the other to the window. */
  join(child: EngineChild): void
  tell(state: EngineState, attempt: number): void
  note(text: string): void
  now(): number
  after(ms: number, run: () => void): void
}

export interface EngineProcess {
  /** The window asks for a line: now, and again after each restart. */
  connect(): void
  /** Asks the process to leave, then makes it; resolves when it is gone. */
  stop(): Promise<void>
}

/** Waits before the 1st, 2nd … restart in a row; after the last the engine stays down until the window asks again. */
const delays = [100, 500, 2_000, 5_000] as const
/** A process that lived this long starts the count anew. */
const healthyMs = 30_000
const leaveMs = 1_000

export function superviseEngine(parts: Parts): EngineProcess {
  let child: EngineChild | undefined
  let up = false
  let wanted = false
  let stopping = false
  let failures = 0

  const start = (): void => {
    const since = parts.now()
    const mine = parts.fork()
    child = mine
    up = false
    if (failures === 0) parts.tell('starting', 0)
    mine.once('spawn', () => {
      up = true
      parts.tell('ready', failures)
      if (wanted) parts.join(mine)
    })
    mine.once('exit', code => {
      child = undefined
      up = false
      if (stopping) return
      if (parts.now() - since > healthyMs) failures = 0
      parts.note(`the engine process ended with code ${code} after ${Math.round(parts.now() - since)} ms`)
      const delay = delays[failures++]
      if (delay === undefined) { parts.tell('gone', failures); return }
      parts.tell('restarting', failures)
      parts.after(delay, () => { if (!stopping && !child) start() })
    })
  }

  start()

  return {
    connect() {
      wanted = true
      if (child && up) parts.join(child)
      else if (!child && failures > delays.length) { failures = 0; start() }
    },
    stop() {
      stopping = true
      const leaving = child
      if (!leaving) return Promise.resolve()
      return new Promise(resolve => {
        leaving.once('exit', () => resolve())
        leaving.postMessage({ is: 'stop' })
        parts.after(leaveMs, () => { if (child === leaving) leaving.kill() })
      })
    },
  }
}
