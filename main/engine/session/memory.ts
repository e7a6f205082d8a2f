// What units hold in memory, of all sessions together: beyond the budget the least recently seen give it back.

/** Somebody who holds memory that can be given back. */
export interface Holder {
  readonly bytes: number
  /** When it was last looked at or asked about; rises. */
  readonly seen: number
  /** It is on screen, at work or waited for. */
  readonly pinned: boolean
  release(): void
}

export class Memory {
  readonly #budget: number
  readonly #holders = new Set<Holder>()
  #clock = 0

  constructor(budget: number) {
    this.#budget = budget
  }

  add(holder: Holder): void {
    this.#holders.add(holder)
  }

  remove(holder: Holder): void {
    this.#holders.delete(holder)
  }

  tick(): number {
    return ++this.#clock
  }

  keepWithin(): void {
    const held = [...this.#holders].filter(holder => holder.bytes > 0)
    let sum = held.reduce((bytes, holder) => bytes + holder.bytes, 0)
    if (sum <= this.#budget) return
    for (const holder of held.sort((a, b) => a.seen - b.seen)) {
      if (sum <= this.#budget) return
      if (holder.pinned) continue
      sum -= holder.bytes
      holder.release()
    }
  }
}
