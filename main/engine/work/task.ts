// What can run in a thread: a generator whose every `yield` is a place where it may be cancelled or let
// others run, or a promise that minds the signal.

export interface TaskContext {
  /** Sends something to whoever started the task. */
  tell(message: unknown, transfer?: readonly ArrayBuffer[]): void
  /** For tasks that are promises; generators are stopped between steps. */
  readonly signal: AbortSignal
}

/** Arguments and answers are cloned between threads; SharedArrayBuffers are shared. */
export type Task = (arg: never, context: TaskContext) => Generator<void, unknown, void> | Promise<unknown>
export type Tasks = Readonly<Record<string, Task>>

/**
 * From this priority on a task waits for no place: it runs between two steps of a longer one. For generators that are short, and
 * looked at.
 */
export const betweenSteps = 10

export interface RunOptions {
  readonly signal?: AbortSignal
  /** Larger runs earlier; equal ones in the order they were asked for. */
  readonly priority?: number
  tell?(message: unknown): void
}

/** Runs tasks by name. Two kinds, one contract: threads, and inline where there are none. */
export interface Pool {
  /** How many tasks run at the same time, those between steps aside. */
  readonly size: number
  /** Starts what the first task would have to wait for: so many threads, or all; `task`: for this one alone. */
  warm(threads?: number, task?: string): void
  /** Rejects with `Cancelled` when the signal aborts, with the task's Refusal, or with its bug. */
  run<R>(task: string, arg: unknown, options?: RunOptions): Promise<R>
  close(): Promise<void>
}
