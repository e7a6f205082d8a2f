// Runs tasks on the calling thread, a slice at a time, where there are no threads.
import { Cancelled, job } from './job.ts'
import { betweenSteps, type Pool, type RunOptions, type Tasks } from './task.ts'
import { Turns } from './turns.ts'

/** Tasks run one after the other; other work of the thread and short tasks come in between. */
export function inlinePool(tasks: Tasks | (() => Promise<Tasks>)): Pool {
  const turns = new Turns(1)
  const closing = new AbortController()

  async function work(name: string, arg: unknown, options: RunOptions): Promise<unknown> {
    const task = (typeof tasks === 'function' ? await tasks() : tasks)[name]
    if (!task) throw new Error(`no task ${name}`)
    const breathing = job(AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]))
    await breathing.breathe()
    const running = task(structuredClone(arg) as never, {
      tell: message => options.tell?.(message),
      signal: breathing.signal,
    })
    if (running instanceof Promise) return running
    try {
      for (;;) {
        const step = running.next()
        if (step.done) return step.value
        await breathing.breathe()
      }
    } finally {
      running.return(undefined)
    }
  }

  return {
    size: 1,
    warm() {},
    async run<R>(name: string, arg: unknown, options: RunOptions = {}): Promise<R> {
      if (closing.signal.aborted) throw new Cancelled()
      if ((options.priority ?? 0) >= betweenSteps) return (await work(name, arg, options)) as R
      await turns.take(options.signal, options.priority)
      try {
        return (await work(name, arg, options)) as R
      } finally {
        turns.give()
      }
    },
    async close() {
      closing.abort()
      turns.close()
    },
  }
}
