// A worker thread as its pool sees it: one long order at a time, short ones between its steps, and what becomes of them when the
// thread is gone.
import { Worker } from 'node:worker_threads'
import { problem, Refusal, type Problem } from '../model/index.ts'
import { Cancelled } from './job.ts'
import { type Answer, bugOf, type Order } from './messages.ts'
import type { RunOptions } from './task.ts'

/** What becomes of the task of a thread that is gone. */
type Loss =
  | { readonly is: 'problem'; readonly problem: Problem }
  | { readonly is: 'bug'; readonly name: string; readonly message: string; readonly stack: string }

const tooLarge = (reason: string): Loss => ({
  is: 'problem',
  problem: problem('engine-restarted', '', { reason }),
})

/** Only a thread that ran out of memory had too much to do; whatever else ends one is a bug. */
function lossOf(error: unknown): Loss {
  if (!(error instanceof Error)) return { is: 'bug', name: 'Error', message: String(error), stack: '' }
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return tooLarge(error.message)
  return { is: 'bug', name: error.name, message: error.message, stack: error.stack ?? '' }
}

export interface ThreadLife {
  /** It can take the next order. */
  idle(thread: AskedThread): void
  lost(thread: AskedThread): void
}

export class AskedThread {
  readonly #worker: Worker
  readonly #life: ThreadLife
  #sound = false
  #gone = false
  #lastId = 0
  readonly #orders = new Map<number, (answer: Answer) => void>()
  readonly #waiting = new Int32Array(new SharedArrayBuffer(4))

  /** `task`: what it will be asked first, where that is known already. */
  constructor(script: URL, life: ThreadLife, task?: string) {
    this.#life = life
    this.#worker = new Worker(script, { workerData: task })
    // An idle thread must not keep the process alive.
    this.#worker.unref()
    this.#worker.on('message', (answer: Answer) => {
      this.#sound = true
      this.#orders.get(answer.id)?.(answer)
    })
    this.#worker.on('error', error => this.#lose(lossOf(error)))
    this.#worker.on('exit', code => this.#lose(tooLarge(`exit ${code}`)))
  }

  /** It has answered once: a thread that cannot even start is not started again and again. */
  get sound(): boolean {
    return this.#sound
  }

  /** How many are not answered yet. */
  get orders(): number {
    return this.#orders.size
  }

  /** `isBetween`: it may run between two steps of what runs now. */
  ask(task: string, arg: unknown, options: RunOptions, isBetween: boolean): Promise<unknown> {
    const id = ++this.#lastId
    const cancel = new Int32Array(new SharedArrayBuffer(4))
    const abort = (): void => {
      Atomics.store(cancel, 0, 1)
    }
    options.signal?.addEventListener('abort', abort)
    this.#worker.ref()
    return new Promise((resolve, reject) => {
      const settle = (answer: Answer): void => {
        if (answer.is === 'told') return options.tell?.(answer.message)
        options.signal?.removeEventListener('abort', abort)
        this.#rest(id)
        if (answer.is === 'done') resolve(answer.value)
        else if (answer.is === 'cancelled') reject(new Cancelled())
        else reject(answer.is === 'problem' ? new Refusal(answer.problem) : bugOf(answer))
      }
      this.#orders.set(id, settle)
      const order: Order = { id, task, arg, cancel: cancel.buffer, waiting: this.#waiting.buffer, isBetween }
      if (isBetween) Atomics.add(this.#waiting, 0, 1)
      try {
        this.#worker.postMessage(order)
      } catch (error) {
        if (isBetween) Atomics.sub(this.#waiting, 0, 1)
        settle({ id, is: 'bug', name: 'DataCloneError', message: String(error), stack: '' })
      }
    })
  }

  /** Ends the thread; who waits for it is told that it was cancelled. */
  async end(): Promise<void> {
    this.#gone = true
    for (const [id, settle] of this.#orders) settle({ id, is: 'cancelled' })
    await this.#worker.terminate()
  }

  #rest(id: number): void {
    this.#orders.delete(id)
    if (this.#orders.size > 0) return
    this.#worker.unref()
    if (!this.#gone) this.#life.idle(this)
  }

  #lose(why: Loss): void {
    if (this.#gone) return
    this.#gone = true
    this.#life.lost(this)
    for (const [id, settle] of this.#orders) settle({ id, ...why })
  }
}
