// Who may run next: a number of free places, handed out by priority and then by order of asking.
import { Cancelled } from './job.ts'

interface Waiting {
  readonly priority: number
  go(): void
  leave(): void
}

export class Turns {
  #free: number
  #waiting: Waiting[] = []
  #closed = false

  constructor(places: number) {
    this.#free = places
  }

  /** Resolves when a place is free; rejects with `Cancelled` when the signal aborts before that. */
  take(signal?: AbortSignal, priority = 0): Promise<void> {
    if (this.#closed || signal?.aborted) return Promise.reject(new Cancelled())
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting = this.#waiting.filter(one => one !== entry)
        signal?.removeEventListener('abort', leave)
        reject(new Cancelled())
      }
      const entry: Waiting = {
        priority,
        leave,
        go: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal?.addEventListener('abort', leave)
      this.#waiting.push(entry)
      this.#next()
    })
  }

  give(): void {
    this.#free++
    this.#next()
  }

  close(): void {
    this.#closed = true
    for (const one of this.#waiting) one.leave()
  }

  #next(): void {
    if (!this.#free || !this.#waiting.length) return
    const best = this.#waiting.reduce((a, b) => (b.priority > a.priority ? b : a))
    this.#waiting = this.#waiting.filter(one => one !== best)
    this.#free--
    best.go()
  }
}
