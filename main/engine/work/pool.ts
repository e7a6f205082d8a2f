// Runs tasks in worker threads where the built worker stands beside this code, inline where it does not.
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { AskedThread } from './asked-thread.ts'
import { inlinePool } from './inline.ts'
import { Cancelled } from './job.ts'
import { betweenSteps, type Pool, type RunOptions, type Tasks } from './task.ts'
import { Turns } from './turns.ts'
import { withCaller } from './with-caller.ts'

/** More threads than this only wait for the same disk and the same memory. */
const mostThreads = 4

/**
 * The build puts `worker.js` beside this code, or one folder above its chunks. Where it is missing
 * (TypeScript run as it is, tests)
 * threads could not load the tasks, and everything runs inline. Only then is `load` called: threads bring
 * their own.
 */
export function openPool(load: () => Promise<Tasks>, size = threads()): Pool {
  const script = workerScript(import.meta.url)
  return script ? threadPool(script, size) : inlinePool(load)
}

/**
 * For a process that does nothing but wait for what it asked: all threads and the calling one, and those
 * beside it; null where there are none.
 */
export function openPools(load: () => Promise<Tasks>): { readonly all: Pool; readonly beside: Pool | null } {
  const script = threads() > 1 ? workerScript(import.meta.url) : undefined
  const caller = inlinePool(load)
  if (!script) return { all: caller, beside: null }
  const beside = threadPool(script, threads() - 1)
  return { all: withCaller(beside, caller), beside }
}

const threads = (): number => Math.min(mostThreads, availableParallelism())

function workerScript(beside: string): URL | undefined {
  return ['./worker.js', '../worker.js']
    .map(name => new URL(name, beside))
    .find(url => existsSync(fileURLToPath(url)))
}

export const threadPool = (script: URL, size: number): Pool => new ThreadPool(script, size)

class ThreadPool implements Pool {
  readonly size: number
  readonly #script: URL
  readonly #turns: Turns
  readonly #all = new Set<AskedThread>()
  #idle: AskedThread[] = []
  #closed = false

  constructor(script: URL, size: number) {
    this.size = size
    this.#script = script
    this.#turns = new Turns(size)
  }

  warm(threads = this.size, task?: string): void {
    while (this.#all.size < Math.min(threads, this.size)) this.#idle.push(this.#start(task))
  }

  async run<R>(name: string, arg: unknown, options: RunOptions = {}): Promise<R> {
    const isBetween = (options.priority ?? 0) >= betweenSteps
    if (this.#closed || options.signal?.aborted) throw new Cancelled()
    if (isBetween) return (await this.#thread().ask(name, arg, options, isBetween)) as R
    await this.#turns.take(options.signal, options.priority)
    try {
      return (await this.#thread().ask(name, arg, options, isBetween)) as R
    } finally {
      this.#turns.give()
    }
  }

  /** One at rest, a new one, or where all are busy the least busy. */
  #thread(): AskedThread {
    const rested = this.#idle.pop()
    if (rested) return rested
    if (this.#all.size < this.size) return this.#start()
    return [...this.#all].reduce((a, b) => (b.orders < a.orders ? b : a))
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#turns.close()
    const threads = [...this.#all]
    this.#all.clear()
    await Promise.all(threads.map(thread => thread.end()))
  }

  #start(task?: string): AskedThread {
    const life = {
      idle: (rested: AskedThread) => {
        this.#idle.push(rested)
      },
      lost: (gone: AskedThread) => this.#replace(gone),
    }
    const thread = new AskedThread(this.#script, life, task)
    this.#all.add(thread)
    return thread
  }

  /** The next task finds a warm thread again. */
  #replace(gone: AskedThread): void {
    this.#all.delete(gone)
    this.#idle = this.#idle.filter(thread => thread !== gone)
    if (!this.#closed && gone.sound) this.#idle.push(this.#start())
  }
}
