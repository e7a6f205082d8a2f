// The only scheduler: the most wanted worker has the turn, the others wait where they stand.
import { Cancelled, job as newJob, type Job, type Progress } from './job.ts'

/** How much a worker is wanted. `seen`: it is on screen. `asked`: somebody waits for an answer. */
export const Urgency = { background: 0, asked: 1, seen: 2 } as const
export type Urgency = (typeof Urgency)[keyof typeof Urgency]

/** Somebody who works through a list of steps, one after the other. */
export interface Worker {
  /** How much its next step is wanted; null when there is nothing to do, or it may not work. */
  urgency(): Urgency | null
  /** Does the next step. What fails is the worker's own affair: it leaves a Problem and does not throw. */
  work(job: Job): Promise<void>
  report(progress: Progress): void
  /** Another worker is wanted more: what runs outside of this thread may stop. */
  interrupt?(): void
}

interface Entry {
  readonly worker: Worker
  readonly abort: AbortController
  /** The step under way; null between steps. */
  running: Promise<void> | null
  /** Parts of the step that wait for its turn: a step may do several things side by side. */
  waiting: (() => void)[]
}

export class Queue {
  readonly #entries = new Map<Worker, Entry>()
  #turn: Entry | null = null
  #looking = false

  add(worker: Worker): void {
    this.#entries.set(worker, { worker, abort: new AbortController(), running: null, waiting: [] })
    this.look()
  }

  /** Ends what the worker does; resolves when it has left. */
  async remove(worker: Worker): Promise<void> {
    const entry = this.#entries.get(worker)
    if (!entry) return
    this.#entries.delete(worker)
    entry.abort.abort()
    goOn(entry)
    if (this.#turn === entry) this.#turn = null
    this.look()
    await entry.running
  }

  /** Something may be wanted more, or less, than before. */
  look(): void {
    if (this.#looking) return
    this.#looking = true
    // Whoever calls has not finished saying what has changed.
    queueMicrotask(() => {
      this.#looking = false
      this.#choose()
    })
  }

  #choose(): void {
    let best: Entry | null = null
    let most = -1
    for (const entry of this.#entries.values()) {
      const urgency = entry.worker.urgency()
      // Among equals whoever has the turn keeps it.
      if (urgency === null || urgency < most || (urgency === most && entry !== this.#turn)) continue
      best = entry
      most = urgency
    }
    if (best === this.#turn && best?.running) return
    if (this.#turn && this.#turn !== best && this.#turn.running) this.#turn.worker.interrupt?.()
    this.#turn = best
    if (!best) return
    if (best.running) goOn(best)
    else this.#start(best)
  }

  #start(entry: Entry): void {
    entry.running = entry.worker.work(this.#jobOf(entry)).finally(() => {
      entry.running = null
      if (this.#turn === entry) this.#turn = null
      // Hundreds of steps too short to breathe would keep everybody else from being heard.
      setImmediate(() => this.look())
    })
  }

  #jobOf(entry: Entry): Job {
    const { signal } = entry.abort
    const job = newJob(signal, progress => entry.worker.report(progress))
    const breathe = async (): Promise<void> => {
      await job.breathe()
      while (this.#turn !== entry && !signal.aborted)
        await new Promise<void>(resolve => {
          entry.waiting.push(resolve)
        })
      if (signal.aborted) throw new Cancelled()
    }
    return { ...job, breathe }
  }
}

function goOn(entry: Entry): void {
  for (const resume of entry.waiting.splice(0)) resume()
}
