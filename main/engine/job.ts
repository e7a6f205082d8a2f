// What every long thing runs in: progress with a figure, and cancellation.

export interface Progress {
  /** A key of contract/words: job.reading, job.comparing … */
  readonly what: string
  readonly done: number
  readonly total: number
  readonly unit: 'bytes' | 'rows' | 'files' | 'items'
}

export interface Job {
  readonly signal: AbortSignal
  report(progress: Progress): void
  /** Lets other work of the thread run (timers, messages) and throws `Cancelled` when the job was cancelled. Cheap when called often. */
  breathe(): Promise<void>
}

export class Cancelled extends Error {
  constructor() {
    super('cancelled')
    this.name = 'Cancelled'
  }
}

const sliceMs = 12

export function job(signal: AbortSignal = new AbortController().signal, report: (p: Progress) => void = () => {}): Job {
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
