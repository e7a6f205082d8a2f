// Forwards of a module that were computed a second time for the backward pass, held against the first.
import type { RawReader } from '../formats/index.ts'
import { isObject } from '../json/index.ts'
import { Direction, type Dump, type OpRow, State } from '../model/index.ts'
import { type Calls, readBy } from './calls.ts'
import { put } from './grouped.ts'
import { nothing, type Prints } from './values.ts'

/** A second forward that is unlike the first. */
export interface Again {
  readonly op: OpRow
  readonly first: OpRow
  /** Items that are unlike, of the second and of the first. */
  readonly item: number
  readonly of: number
  readonly reads: boolean
  /** What other ranks gave is in it. */
  readonly talks: boolean
}

export function recomputedIn(
  dump: Dump,
  prints: Prints,
  calls: Calls,
  reader: RawReader,
): { readonly again: readonly Again[]; readonly twice: number } {
  if (calls.firstBackward === dump.ops.length) return { again: [], twice: 0 }
  const found = new Second(dump, prints, calls, reader)
  found.run()
  return { again: found.again.toSorted((a, b) => a.op - b.op), twice: found.twice }
}

class Second {
  readonly again: Again[] = []
  twice = 0
  readonly #dump: Dump
  readonly #prints: Prints
  readonly #calls: Calls
  readonly #reader: RawReader
  readonly #children = new Map<number, OpRow[]>()

  constructor(dump: Dump, prints: Prints, calls: Calls, reader: RawReader) {
    this.#dump = dump
    this.#prints = prints
    this.#calls = calls
    this.#reader = reader
  }

  run(): void {
    const { ops, construct } = this.#dump
    const byModule = new Map<string, OpRow[]>()
    for (let op = 0; op < ops.length; op++) {
      const { form, owner, direction } = this.#calls.names[op]
      if (direction !== Direction.forward) continue
      if (form === 'module') put(byModule, owner, op)
      const entry = construct.find(ops.name[op])
      if (entry >= 0 && construct.parent[entry] >= 0) put(this.#children, construct.parent[entry], op)
    }
    for (const rows of byModule.values()) {
      if (rows.length < 2) continue
      const second = new Set(rows.filter(op => op > this.#calls.firstBackward && this.#isSecond(op)))
      if (second.size > 0)
        this.#pair(
          rows.filter(op => !second.has(op)),
          [...second],
        )
    }
  }

  /**
   * The dump says so, or the call hangs below one of the backward pass. One that was stopped half-way leaves its name to a backward
   * call.
   */
  #isSecond(op: OpRow): boolean {
    const { ops, construct, texts, names } = this.#dump
    const entry = this.#reader.json(op) ?? null
    if (!isObject(entry) || !entry.has('input_args')) return false
    const told = entry.get('is_recompute')
    if (typeof told === 'boolean') return told
    const above = new Set<number>()
    for (let at = construct.find(ops.name[op]); at >= 0;) {
      const parent = construct.parent[at]
      if (parent < 0 || above.has(parent)) return false
      above.add(parent)
      if (names.direction(texts.get(parent)) === Direction.backward) return true
      at = construct.find(parent)
    }
    return false
  }

  /** By what they read; where nobody reads the same, only one that is alone can be meant. */
  #pair(first: readonly OpRow[], second: readonly OpRow[]): void {
    const free = new Map<number, OpRow[]>()
    for (const op of first) put(free, this.#reads(op), op)
    for (const op of second) {
      const same = this.#reads(op)
      const match = same === nothing ? undefined : free.get(same)?.shift()
      if (match !== undefined) this.#hold(op, match, false)
      else if (first.length === 1 && second.length === 1) this.#hold(op, first[0], true)
    }
  }

  #reads(op: OpRow): number {
    return readBy(this.#dump, this.#prints, op)
  }

  #hold(op: OpRow, first: OpRow, reads: boolean): void {
    const unlike = this.#unlike(op, first, reads)
    if (unlike === undefined) return
    this.twice++
    if (unlike !== null)
      this.again.push({ op, first, ...unlike, reads, talks: !reads && this.#talks(op, new Set()) })
    if (!reads) this.#inside(op, first)
  }

  #talks(op: OpRow, seen: Set<OpRow>): boolean {
    const { ops, names, texts } = this.#dump
    if (seen.has(op)) return false
    seen.add(op)
    if (names.communication(texts.get(ops.name[op])) !== null) return true
    return (this.#children.get(ops.name[op]) ?? []).some(child => this.#talks(child, seen))
  }

  /** Functions within, as far as both call the same one after the other. */
  #inside(op: OpRow, first: OpRow): void {
    const { ops, names } = this.#dump
    const within = (of: OpRow): readonly OpRow[] =>
      (this.#children.get(ops.name[of]) ?? []).filter(child => this.#calls.names[child].form === 'api')
    const [own, theirs] = [within(op), within(first)]
    for (const [i, child] of own.entries()) {
      const other = theirs[i]
      if (other === undefined || this.#calls.names[other].owner !== this.#calls.names[child].owner) return
      if (names.communication(this.#dump.texts.get(ops.name[child])) !== null) continue
      const [reads, read] = [this.#reads(child), this.#reads(other)]
      if (reads === nothing || reads !== read) continue
      const unlike = this.#unlike(child, other, false)
      if (unlike) this.again.push({ op: child, first: other, ...unlike, reads: false, talks: false })
    }
  }

  /** The first item that is unlike; null where all are alike, undefined where nothing can be told. */
  #unlike(
    op: OpRow,
    first: OpRow,
    reads: boolean,
  ): { readonly item: number; readonly of: number } | null | undefined {
    const { ops, items } = this.#dump
    const { print } = this.#prints
    const wanted = reads ? State.input : State.output
    const of = (at: OpRow): readonly number[] =>
      Array.from({ length: ops.first[at + 1] - ops.first[at] }, (_, i) => ops.first[at] + i).filter(
        item => items.state[item] === wanted && items.tensor[item] === 1 && print[item] !== nothing,
      )
    const [own, theirs] = [of(op), of(first)]
    if (own.length === 0 || own.length !== theirs.length) return undefined
    const at = own.findIndex((item, i) => print[item] !== print[theirs[i]])
    return at < 0 ? null : { item: own[at], of: theirs[at] }
  }
}
