// Threads and the thread that asks as one pool: a process that soon ends saves starting a thread, and would
// only wait meanwhile.
import { betweenSteps, type Pool, type RunOptions } from './task.ts'
import { Turns } from './turns.ts'

/** Tasks go to `threads` while one of them is free, else to `caller`, which runs one at a time. */
export function withCaller(threads: Pool, caller: Pool): Pool {
  const size = threads.size + 1
  const turns = new Turns(size)
  let inThreads = 0
  return {
    size,
    warm: (many, task) => threads.warm(many, task),
    async run<R>(task: string, arg: unknown, options: RunOptions = {}): Promise<R> {
      if ((options.priority ?? 0) >= betweenSteps) return threads.run<R>(task, arg, options)
      await turns.take(options.signal, options.priority)
      const inThread = inThreads < threads.size
      if (inThread) inThreads++
      try {
        return await (inThread ? threads : caller).run<R>(task, arg, options)
      } finally {
        if (inThread) inThreads--
        turns.give()
      }
    },
    async close() {
      turns.close()
      await Promise.all([threads.close(), caller.close()])
    },
  }
}
