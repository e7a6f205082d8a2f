// Runs tasks in worker threads where the built worker stands beside this code, inline where it does not.
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { Cancelled } from '../job.ts'
import { problem, Refusal } from '../problem.ts'
import { inlinePool } from './inline.ts'
import type { Pool, RunOptions, Tasks } from './task.ts'
import { type Answer, bugOf, type Order } from './messages.ts'
import { Turns } from './turns.ts'
import { withCaller } from './with-caller.ts'

/** More threads than this only wait for the same disk and the same memory. */
const mostThreads = 4

/**
 * The build puts `worker.js` beside this code, or one folder above its chunks. Where it is missing (TypeScript run as it is, tests)
 * threads could not load the tasks, and everything runs inline. Only then is `load` called: threads bring their own.
 */
export function openPool(load: () => Promise<Tasks>, size = threads()): Pool {
  const script = workerScript(import.meta.url)
  return script ? threadPool(script, size) : inlinePool(load)
}

/** For a process that does nothing but wait for what it asked: all threads and the calling one, and those beside it; null where there are none. */
export function openPools(load: () => Promise<Tasks>): { readonly all: Pool; readonly beside: Pool | null } {
  const script = threads() > 1 ? workerScript(import.meta.url) : undefined
  const caller = inlinePool(load)
  if (!script) return { all: caller, beside: null }
  const beside = threadPool(script, threads() - 1)
  return { all: withCaller(beside, caller), beside }
}

const threads = (): number => Math.min(mostThreads, availableParallelism())

function workerScript(beside: string): URL | undefined {
  return ['./worker.js', '../worker.js'].map(name => new URL(name, beside)).find(url => existsSync(fileURLToPath(url)))
}

interface Thread {
  readonly worker: Worker
  /** It has answered once: a thread that cannot even start is not started again and again. */
  sound: boolean
  current: { readonly id: number; settle(answer: Answer): void } | null
}

export function threadPool(script: URL, size: number): Pool {
  const turns = new Turns(size)
  const idle: Thread[] = []
  let all = new Set<Thread>()
  let lastId = 0
  let closed = false

  const start = (): Thread => {
    const worker = new Worker(script)
    const thread: Thread = { worker, sound: false, current: null }
    all.add(thread)
    // An idle thread must not keep the process alive.
    worker.unref()
    worker.on('message', (answer: Answer) => {
      thread.sound = true
      if (answer.id === thread.current?.id) thread.current.settle(answer)
    })
    const lost = (reason: string): void => {
      if (!all.delete(thread)) return
      const at = idle.indexOf(thread)
      if (at >= 0) idle.splice(at, 1)
      thread.current?.settle({ id: thread.current.id, is: 'problem', problem: problem('engine-restarted', '', { reason }) })
      // The next task finds a warm thread again.
      if (!closed && thread.sound) idle.push(start())
    }
    worker.on('error', error => lost(error instanceof Error ? error.message : String(error)))
    worker.on('exit', code => lost(`exit ${code}`))
    return thread
  }

  const warm = (threads = size): void => { while (all.size < Math.min(threads, size)) idle.push(start()) }

  function ask(thread: Thread, name: string, arg: unknown, options: RunOptions): Promise<unknown> {
    const id = ++lastId
    const cancel = new Int32Array(new SharedArrayBuffer(4))
    const abort = (): void => { Atomics.store(cancel, 0, 1) }
    options.signal?.addEventListener('abort', abort)
    thread.worker.ref()
    return new Promise((resolve, reject) => {
      const settle = (answer: Answer): void => {
        if (answer.is === 'told') return options.tell?.(answer.message)
        options.signal?.removeEventListener('abort', abort)
        thread.current = null
        thread.worker.unref()
        if (all.has(thread)) idle.push(thread)
        if (answer.is === 'done') resolve(answer.value)
        else if (answer.is === 'cancelled') reject(new Cancelled())
        else reject(answer.is === 'problem' ? new Refusal(answer.problem) : bugOf(answer))
      }
      thread.current = { id, settle }
      const order: Order = { id, task: name, arg, cancel: cancel.buffer }
      try {
        thread.worker.postMessage(order)
      } catch (error) {
        settle({ id, is: 'bug', name: 'DataCloneError', message: String(error), stack: '' })
      }
    })
  }

  return {
    size,
    warm,
    async run<R>(name: string, arg: unknown, options: RunOptions = {}): Promise<R> {
      await turns.take(options.signal, options.priority)
      try {
        return (await ask(idle.pop() ?? start(), name, arg, options)) as R
      } finally {
        turns.give()
      }
    },
    async close() {
      closed = true
      turns.close()
      const threads = [...all]
      all = new Set()
      for (const thread of threads) thread.current?.settle({ id: thread.current.id, is: 'cancelled' })
      await Promise.all(threads.map(thread => thread.worker.terminate()))
    },
  }
}
