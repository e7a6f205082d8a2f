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
  /** One listener for all that wait under a signal: a thousand of them are no leak. */
  readonly #leaving = new WeakMap<AbortSignal, Set<Waiting>>()

  constructor(places: number) {
    this.#free = places
  }

  /** Resolves when a place is free; rejects with `Cancelled` when the signal aborts before that. */
  take(signal?: AbortSignal, priority = 0): Promise<void> {
    if (this.#closed || signal?.aborted) return Promise.reject(new Cancelled())
    return new Promise((resolve, reject) => {
      const leaving = signal && this.#leavingOf(signal)
      const entry: Waiting = {
        priority,
        leave: () => {
          this.#waiting = this.#waiting.filter(one => one !== entry)
          leaving?.delete(entry)
          reject(new Cancelled())
        },
        go: () => {
          leaving?.delete(entry)
          resolve()
        },
      }
      leaving?.add(entry)
      this.#waiting.push(entry)
      this.#next()
    })
  }

  #leavingOf(signal: AbortSignal): Set<Waiting> {
    const known = this.#leaving.get(signal)
    if (known) return known
    const all = new Set<Waiting>()
    this.#leaving.set(signal, all)
    signal.addEventListener('abort', () => all.forEach(one => one.leave()), { once: true })
    return all
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
