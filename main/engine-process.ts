// Keeps one engine process alive, notices when it does not answer, and hands out lines to it. Electron comes in
// through `Parts`, so that tests drive it with plain objects.
import type { EngineState } from '../preload/contract/host.ts'

export interface EngineChild {
  postMessage(message: unknown, ports?: unknown[]): void
  once(event: 'spawn', tell: () => void): unknown
  once(event: 'exit', tell: (code: number) => void): unknown
  /** What the process says to main: that it heard a beat. */
  on(event: 'message', hear: () => void): unknown
  readonly pid?: number | undefined
  kill(): unknown
}

interface Parts {
  fork(): EngineChild
  /** Makes a channel, gives one end to the child's message and the other to the window. */
  join(child: EngineChild): void
  /** Ends a process that does not listen. */
  end(child: EngineChild): void
  tell(state: EngineState, attempt: number): void
  note(text: string): void
  now(): number
  after(ms: number, run: () => void): void
}

export interface EngineProcess {
  /** The window asks for a line: now, and again after each restart. */
  connect(): void
  /** Ends a process that does not answer; another one comes in its place. */
  restart(): void
  /** Asks the process to leave, then makes it; resolves when it is gone. */
  stop(): Promise<void>
}

/**
 * Waits before the 1st, 2nd … restart in a row; after the last the engine stays down until the window asks
 * again.
 */
const delays = [100, 500, 2_000, 5_000] as const
/** A process that lived this long starts the count anew. */
const healthyMs = 30_000
const leaveMs = 1_000
export const beatMs = 1_500
/** So many beats in a row unheard: one piece of work holds the process. Beats, not time: a laptop may have slept. */
const unheardBeats = 5

export const superviseEngine = (parts: Parts): EngineProcess => new Supervisor(parts)

class Supervisor implements EngineProcess {
  readonly #parts: Parts
  #child: EngineChild | undefined
  #up = false
  #wanted = false
  #stopping = false
  #failures = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#start()
  }

  connect(): void {
    this.#wanted = true
    if (this.#child && this.#up) this.#parts.join(this.#child)
    else if (!this.#child && this.#failures > delays.length) {
      this.#failures = 0
      this.#start()
    }
  }

  restart(): void {
    if (this.#child) this.#parts.end(this.#child)
  }

  stop(): Promise<void> {
    this.#stopping = true
    const leaving = this.#child
    if (!leaving) return Promise.resolve()
    return new Promise(resolve => {
      leaving.once('exit', () => resolve())
      leaving.postMessage({ is: 'stop' })
      this.#parts.after(leaveMs, () => {
        if (this.#child === leaving) leaving.kill()
      })
    })
  }

  #start(): void {
    const since = this.#parts.now()
    const child = this.#parts.fork()
    this.#child = child
    this.#up = false
    if (this.#failures === 0) this.#parts.tell('starting', 0)
    child.once('spawn', () => {
      this.#up = true
      this.#parts.tell('ready', this.#failures)
      if (this.#wanted) this.#parts.join(child)
      this.#listen(child)
    })
    child.once('exit', code => this.#ended(code, this.#parts.now() - since))
  }

  /** Says when the process has fallen silent, and when it answers again. */
  #listen(child: EngineChild): void {
    let unheard = 0
    child.on('message', () => {
      if (unheard >= unheardBeats) this.#parts.tell('ready', this.#failures)
      unheard = 0
    })
    const beat = (): void => {
      if (this.#child !== child || this.#stopping) return
      // Only what was heard is asked again: a silent process is not sent more to read.
      if (unheard++ === 0) child.postMessage({ is: 'beat' })
      if (unheard === unheardBeats) {
        this.#parts.note('the engine process does not answer')
        this.#parts.tell('busy', this.#failures)
      }
      this.#parts.after(beatMs, beat)
    }
    this.#parts.after(beatMs, beat)
  }

  #ended(code: number, livedMs: number): void {
    this.#child = undefined
    this.#up = false
    if (this.#stopping) return
    if (livedMs > healthyMs) this.#failures = 0
    this.#parts.note(`the engine process ended with code ${code} after ${Math.round(livedMs)} ms`)
    const delay = delays[this.#failures++]
    if (delay === undefined) return this.#parts.tell('gone', this.#failures)
    this.#parts.tell('restarting', this.#failures)
    this.#parts.after(delay, () => {
      if (!this.#stopping && !this.#child) this.#start()
    })
  }
}
