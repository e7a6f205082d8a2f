// What a finding explains: the disagreeing rows that can be reached from it along inferred edges.
import { Direction, type SideView } from '../pair/index.ts'
import { type Explains, type ItemRow, type OpRow, type PairRow, RowState, State } from '../model/index.ts'
import type { Judged } from './findings.ts'
import type { Case } from './links.ts'
import type { Event } from './scan.ts'

/** What follows from a finding, and which rows: one bit each, none set where nothing is known. */
interface Reached {
  readonly explains: Explains
  readonly rows: Uint8Array
}

/** Whether a row is among those of a finding. */
export const reaches = (rows: Uint8Array, row: PairRow): boolean => ((rows[row >> 3] >> (row & 7)) & 1) === 1

/**
 * Edges of one side as lists: who reads a class of equal tensors, and what lies directly below or beside an
 * op.
 */
class Reach {
  readonly #view: SideView
  readonly #head: Int32Array
  readonly #next: Int32Array
  readonly #backward: Int32Array
  readonly #alongside: Int32Array

  constructor(view: SideView) {
    this.#view = view
    const { items } = view.dump
    this.#head = new Int32Array(items.length).fill(-1)
    this.#next = new Int32Array(items.length).fill(-1)
    for (let i = items.length - 1; i >= 0; i--) {
      const of = view.flow.view[i]
      if (items.state[i] === State.output || of < 0) continue
      this.#next[i] = this.#head[of]
      this.#head[of] = i
    }
    // Entries that belong to a forward op: its backward half and the gradients of its parameters.
    this.#backward = new Int32Array(view.api.length).fill(-1)
    this.#alongside = new Int32Array(view.api.length).fill(-1)
    for (let op = 0; op < view.api.length; op++) {
      const of = view.forward[op]
      if (of < 0) continue
      this.#alongside[op] = this.#backward[of]
      this.#backward[of] = op
    }
  }

  /** Ops that the outputs of these ops reach, themselves included. */
  from(starts: readonly OpRow[]): Uint8Array {
    const { dump, flow, parent, direction, forward } = this.#view
    const reached = new Uint8Array(this.#view.api.length)
    // Per tensor the first op from which its readers were gone through: a later one finds nothing new.
    const gone = new Map<OpRow, number>()
    const queue: OpRow[] = []
    const visit = (op: OpRow): void => {
      if (op < 0 || reached[op] === 1) return
      reached[op] = 1
      queue.push(op)
    }
    starts.forEach(visit)
    // In the order found: what comes first in time has the most readers, and finding them again costs
    // nothing.
    for (let at = 0; at < queue.length; at++) {
      const op = queue[at]
      for (let i = dump.ops.first[op]; i < dump.ops.first[op + 1]; i++) {
        const view = flow.view[i]
        if (dump.items.state[i] !== State.output || view < 0 || (gone.get(view) ?? Infinity) <= op) continue
        gone.set(view, op)
        for (let read = this.#head[view]; read >= 0; read = this.#next[read])
          if (dump.items.op[read] > op || direction[dump.items.op[read]] === Direction.gradients)
            visit(dump.items.op[read])
      }
      visit(parent[op])
      for (let back = this.#backward[op]; back >= 0; back = this.#alongside[back]) visit(back)
      if (direction[op] === Direction.backward && forward[op] >= 0)
        for (let back = this.#backward[forward[op]]; back >= 0; back = this.#alongside[back])
          if (direction[back] === Direction.gradients) visit(back)
    }
    return reached
  }
}

export class Explaining {
  readonly #c: Case
  readonly #comparison: Judged
  readonly #debug: Reach
  #bench: Reach | null = null
  readonly #failing: PairRow[] = []

  constructor(c: Case, comparison: Judged) {
    this.#c = c
    this.#comparison = comparison
    this.#debug = new Reach(c.debug)
    for (let row = 0; row < comparison.length; row++)
      if (comparison.state[row] === RowState.differs) this.#failing.push(row)
  }

  by(event: Event): Reached {
    if (this.#failing.length === 0) return this.none
    const onDebug = event.debug >= 0
    const op = onDebug ? event.debug : event.bench
    const reach = onDebug ? this.#debug : (this.#bench ??= new Reach(this.#c.bench))
    const reached = reach.from([op])
    const along = this.#failing.filter(row => this.#in(row, onDebug, reached))
    const later = this.#failing.filter(row => this.#time(row) >= event.at)
    // Where few edges could be inferred (NaN, constants, modules alone) time has to do.
    return along.length * 2 >= later.length ? this.#told(along, 'edges') : this.#told(later, 'scope')
  }

  /** Of what nothing is known. */
  get none(): Reached {
    return this.#told([], 'none')
  }

  #told(found: readonly number[], by: Explains['by']): Reached {
    const rows = new Uint8Array(found.length === 0 ? 0 : (this.#comparison.length + 7) >> 3)
    for (const row of found) rows[row >> 3] |= 1 << (row & 7)
    return { explains: { rows: found.length, of: this.#failing.length, by }, rows }
  }

  #in(row: PairRow, onDebug: boolean, reached: Uint8Array): boolean {
    const { debug, bench, aligned } = this.#c
    const [i, j] = [this.#comparison.debugItem[row], this.#comparison.benchItem[row]]
    const [d, b] = [opOf(debug, i), opOf(bench, j)]
    const [own, other] = onDebug ? [d, b] : [b, d]
    if (own >= 0) return reached[own] === 1
    if (other < 0) return false
    const { toBench, toDebug } = aligned.ops
    const partner = onDebug ? toDebug[other] : toBench[other]
    return partner >= 0 && reached[partner] === 1
  }

  #time(row: PairRow): number {
    const { debug, bench, time } = this.#c
    const [i, j] = [this.#comparison.debugItem[row], this.#comparison.benchItem[row]]
    if (i >= 0) return time.ofDebug[debug.dump.items.op[i]]
    return j >= 0 ? time.ofBench[bench.dump.items.op[j]] : -1
  }
}

const opOf = ({ dump }: SideView, item: ItemRow): OpRow => (item < 0 ? -1 : dump.items.op[item])
