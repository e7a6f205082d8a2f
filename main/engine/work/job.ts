// What every long thing runs in: progress with a figure, and cancellation.

export interface Progress {
  /** A key of contract/words: job.reading, job.comparing … */
  readonly what: string
  readonly done: number
  readonly total: number
  readonly countedIn: 'bytes' | 'rows' | 'files' | 'items'
}

export interface Job {
  readonly signal: AbortSignal
  report(progress: Progress): void
  /**
   * Lets other work of the thread run (timers, messages) and throws `Cancelled` when the job was cancelled.
   * Cheap when called often.
   */
  breathe(): Promise<void>
}

export class Cancelled extends Error {
  constructor() {
    super('cancelled')
    this.name = 'Cancelled'
  }
}

/** Work in steps: every `yield` is a place where others may have their turn. */
export type Steps<T> = Generator<void, T, void>

/** Rows that a step goes through. */
const stepRows = 4096

/** A loop over rows, a part of them per step. */
export function* overRows(length: number, act: (from: number, to: number) => void): Steps<void> {
  for (let from = 0; from < length; from += stepRows) {
    act(from, Math.min(length, from + stepRows))
    yield
  }
}

/** All steps in one go. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/**
 * Step after step, with breath between them; `told` is told the share of the rows that are done, of about so
 * many in all.
 */
export async function stepwise<T>(
  steps: Steps<T>,
  job: Job,
  rows = 0,
  told: (share: number) => void = () => {},
): Promise<T> {
  for (let done = 0; ; done += stepRows) {
    const step = steps.next()
    if (step.done) return step.value
    told(Math.min(1, done / rows))
    await job.breathe()
  }
}

const sliceMs = 12

export function job(
  signal: AbortSignal = new AbortController().signal,
  report: (p: Progress) => void = () => {},
): Job {
  let last = performance.now()
  return {
    signal,
    report,
    async breathe() {
      if (signal.aborted) throw new Cancelled()
      if (performance.now() - last < sliceMs) return
      await new Promise<void>(resolve => setImmediate(resolve))
      last = performance.now()
      if (signal.aborted) throw new Cancelled()
    },
  }
}
