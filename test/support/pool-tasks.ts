// Tasks for the tests of pools: small things that a task can do, good and bad.
import { Cancelled } from '../../main/engine/work/job.ts'
import { problem, Refusal } from '../../main/engine/model/problem.ts'
import { serveTasks } from '../../main/engine/work/thread.ts'
import type { TaskContext, Tasks } from '../../main/engine/work/task.ts'
import { isMainThread } from 'node:worker_threads'

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

export const tasks: Tasks = {
  *double(x: number) {
    yield
    return x * 2
  },
  *tell(messages: readonly unknown[], context: TaskContext) {
    for (const message of messages) {
      context.tell(message)
      yield
    }
    return messages.length
  },
  *refuse() {
    yield
    throw new Refusal(problem('npy-invalid', '/a/file', { reason: 'test' }))
  },
  *bug() {
    yield
    throw new TypeError('broken on purpose')
  },
  *endless(counter: SharedArrayBuffer) {
    for (;;) {
      Atomics.add(new Int32Array(counter), 0, 1)
      yield
    }
  },
  *note({ log, value }: { log: SharedArrayBuffer; value: number }) {
    const words = new Int32Array(log)
    words[Atomics.add(words, 0, 1) + 1] = value
    yield
  },
  async later(x: number) {
    await turn()
    return x * 3
  },
  async laterRefuse() {
    await turn()
    throw new Refusal(problem('npy-invalid', '/a/file', { reason: 'later' }))
  },
  async laterEndless(counter: SharedArrayBuffer, { signal }: TaskContext) {
    for (;;) {
      Atomics.add(new Int32Array(counter), 0, 1)
      await turn()
      if (signal.aborted) throw new Cancelled()
    }
  },
  *change(bytes: Uint8Array) {
    bytes[0] = 99
    yield
    return bytes[0]
  },
}

if (!isMainThread) void serveTasks(async () => tasks)
