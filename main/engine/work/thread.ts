// The inside of a worker thread: runs one task after the other. Whenever a task yields it looks whether that shall stop, and
// runs what waits to come in between.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { Cancelled } from './job.ts'
import { Refusal } from '../model/index.ts'
import type { Answer, Order } from './messages.ts'
import type { Tasks } from './task.ts'

/** How often a promise is looked after. */
const lookMs = 50

/**
 * Serves orders for ever. `load` gives tasks, one of them that of the name, which is the first order's or what the thread was started
 * for; all that there are where it waits for whatever comes.
 */
export async function serveTasks(load: (task?: string) => Promise<Tasks>): Promise<void> {
  const port = parentPort
  if (!port) throw new Error('not in a worker thread')
  const aside: Order[] = []
  const first = receiveMessageOnPort(port)?.message as Order | undefined
  let tasks = await load(first?.task ?? (typeof workerData === 'string' ? workerData : undefined))
  const take = async (order: Order): Promise<void> => {
    for (let next: Order | undefined = order; next; next = aside.shift()) {
      // eslint-disable-next-line no-await-in-loop -- the next waits for it
      if (!tasks[next.task]) tasks = await load()
      const answered = serve(next, tasks, port, aside)
      // eslint-disable-next-line no-await-in-loop -- the next waits for it
      if (answered) await answered
    }
  }
  port.on('message', take)
  if (first) await take(first)
}

function serve(order: Order, tasks: Tasks, port: MessagePort, aside: Order[]): Promise<void> | undefined {
  const waiting = new Int32Array(order.waiting)
  if (order.isBetween) Atomics.sub(waiting, 0, 1)
  const tell = (message: unknown, transfer: readonly ArrayBuffer[]): void =>
    port.postMessage({ id: order.id, is: 'told', message } satisfies Answer, [...transfer])
  const between = (): void => {
    if (Atomics.load(waiting, 0) === 0) return
    for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) {
      const other = got.message as Order
      if (other.isBetween) void serve(other, tasks, port, aside)
      else aside.push(other)
    }
  }
  const answer = answerTo(order, tasks, tell, between)
  if (answer instanceof Promise) return answer.then(value => port.postMessage(value))
  port.postMessage(answer)
  return undefined
}

/** `between` is called where other tasks may come in. */
function answerTo(
  order: Order,
  tasks: Tasks,
  tell: (message: unknown, transfer: readonly ArrayBuffer[]) => void,
  between: () => void,
): Answer | Promise<Answer> {
  const { id } = order
  const cancel = new Int32Array(order.cancel)
  const stopping = new AbortController()
  try {
    const task = tasks[order.task]
    if (!task) throw new Error(`no task ${order.task}`)
    const running = task(order.arg as never, {
      tell: (message, transfer = []) => tell(message, transfer),
      signal: stopping.signal,
    })
    if (running instanceof Promise) {
      const look = setInterval(() => {
        if (Atomics.load(cancel, 0)) stopping.abort()
      }, lookMs)
      return running
        .then(
          (value): Answer => ({ id, is: 'done', value }),
          (error: unknown) => failed(id, error),
        )
        .finally(() => clearInterval(look))
    }
    try {
      for (;;) {
        if (Atomics.load(cancel, 0)) return { id, is: 'cancelled' }
        between()
        const step = running.next()
        if (step.done) return { id, is: 'done', value: step.value }
      }
    } finally {
      running.return(undefined)
    }
  } catch (error) {
    return failed(id, error)
  }
}

function failed(id: number, error: unknown): Answer {
  if (error instanceof Cancelled) return { id, is: 'cancelled' }
  if (error instanceof Refusal) return { id, is: 'problem', problem: error.problem }
  const bug = error instanceof Error ? error : new Error(String(error))
  return { id, is: 'bug', name: bug.name, message: bug.message, stack: bug.stack ?? '' }
}
