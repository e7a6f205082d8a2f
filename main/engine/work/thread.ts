// The inside of a worker thread: runs one task after the other and looks at the cancel flag whenever a task yields.
import { parentPort } from 'node:worker_threads'
import { Refusal } from '../problem.ts'
import type { Answer, Order } from './messages.ts'
import type { Tasks } from './task.ts'

/** Serves orders for ever; `warm` is called once before the first. */
export function serveTasks(tasks: Tasks, warm: () => void = () => {}): void {
  const port = parentPort
  if (!port) throw new Error('not in a worker thread')
  port.on('message', (order: Order) => port.postMessage(answerTo(order, tasks, (message, transfer) => {
    port.postMessage({ id: order.id, is: 'told', message } satisfies Answer, [...transfer])
  })))
  warm()
}

function answerTo(order: Order, tasks: Tasks, tell: (message: unknown, transfer: readonly ArrayBuffer[]) => void): Answer {
  const { id } = order
  const cancel = new Int32Array(order.cancel)
  try {
    const task = tasks[order.task]
    if (!task) throw new Error(`no task ${order.task}`)
    const running = task(order.arg as never, { tell: (message, transfer = []) => tell(message, transfer) })
    try {
      for (;;) {
        if (Atomics.load(cancel, 0)) return { id, is: 'cancelled' }
        const step = running.next()
        if (step.done) return { id, is: 'done', value: step.value }
      }
    } finally {
      running.return(undefined)
    }
  } catch (error) {
    if (error instanceof Refusal) return { id, is: 'problem', problem: error.problem }
    const bug = error instanceof Error ? error : new Error(String(error))
    return { id, is: 'bug', name: bug.name, message: bug.message, stack: bug.stack ?? '' }
  }
}
