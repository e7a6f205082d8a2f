// What a finding explains: the disagreeing rows that can be reached from it along inferred edges.
import { State, Verdict } from '../model.ts'
import type { Matched } from './index.ts'
import type { Case } from './links.ts'
import type { Event } from './scan.ts'
import { Direction, type SideView } from './side.ts'

export interface Explained {
  readonly rows: number
  readonly of: number
  readonly by: 'edges' | 'scope' | 'none'
}

/** Edges of one side as lists: who reads a class of equal tensors, and what lies directly below or beside an op. */
export class Reach {
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
  from(starts: readonly number[]): Uint8Array {
    const { dump, flow, parent, direction, forward } = this.#view
    const reached = new Uint8Array(this.#view.api.length)
    // Per tensor the first op from which its readers were gone through: a later one finds nothing new.
    const gone = new Map<number, number>()
    const queue: number[] = []
    const visit = (op: number): void => {
      if (op < 0 || reached[op] === 1) return
      reached[op] = 1
      queue.push(op)
    }
    starts.forEach(visit)
    // In the order found: what comes first in time has the most readers, and finding them again costs nothing.
    for (let at = 0; at < queue.length; at++) {
      const op = queue[at]
      for (let i = dump.ops.first[op]; i < dump.ops.first[op + 1]; i++) {
        const view = flow.view[i]
        if (dump.items.state[i] !== State.output || view < 0 || (gone.get(view) ?? Infinity) <= op) continue
        gone.set(view, op)
        for (let read = this.#head[view]; read >= 0; read = this.#next[read]) if (dump.items.op[read] > op || direction[dump.items.op[read]] === Direction.gradients) visit(dump.items.op[read])
      }
      visit(parent[op])
      for (let back = this.#backward[op]; back >= 0; back = this.#alongside[back]) visit(back)
      if (direction[op] === Direction.backward && forward[op] >= 0) for (let back = this.#backward[forward[op]]; back >= 0; back = this.#alongside[back]) if (direction[back] === Direction.gradients) visit(back)
    }
    return reached
  }
}

export class Explaining {
  readonly #c: Case
  readonly #comparison: Matched
  readonly #debug: Reach
  #bench: Reach | null = null
  readonly #failing: number[] = []

  constructor(c: Case, comparison: Matched) {
    this.#c = c
    this.#comparison = comparison
    this.#debug = new Reach(c.debug)
    for (let row = 0; row < comparison.length; row++) if (comparison.verdict[row] === Verdict.disagree) this.#failing.push(row)
  }

  get failing(): number { return this.#failing.length }

  by(event: Event): Explained {
    const of = this.#failing.length
    if (of === 0) return { rows: 0, of, by: 'none' }
    const onDebug = event.debug >= 0
    const op = onDebug ? event.debug : event.bench
    const reach = onDebug ? this.#debug : (this.#bench ??= new Reach(this.#c.bench))
    const reached = reach.from([op])
    const count = this.#failing.filter(row => this.#in(row, onDebug, reached)).length
    const later = this.#failing.filter(row => this.#time(row) >= event.at).length
    // Where few edges could be inferred (NaN, constants, modules alone) time has to do.
    return count * 2 >= later ? { rows: count, of, by: 'edges' } : { rows: later, of, by: 'scope' }
  }

  #in(row: number, onDebug: boolean, reached: Uint8Array): boolean {
    const { debug, bench, aligned } = this.#c
    const [i, j] = [this.#comparison.debugItem[row], this.#comparison.benchItem[row]]
    const op = onDebug ? (i >= 0 ? debug.dump.items.op[i] : -1) : j >= 0 ? bench.dump.items.op[j] : -1
    if (op >= 0) return reached[op] === 1
    const other = onDebug ? (j >= 0 ? aligned.back[bench.dump.items.op[j]] : -1) : i >= 0 ? aligned.mate[debug.dump.items.op[i]] : -1
    return other >= 0 && reached[other] === 1
  }

  #time(row: number): number {
    const { debug, bench, time } = this.#c
    const [i, j] = [this.#comparison.debugItem[row], this.#comparison.benchItem[row]]
    return i >= 0 ? time.ofDebug[debug.dump.items.op[i]] : j >= 0 ? time.ofBench[bench.dump.items.op[j]] : -1
  }
}
