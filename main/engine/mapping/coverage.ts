// How much of both dumps a mapping pairs, of what has a counterpart at all: around a free call everything has
// met, and what met it holds nothing like the call that is free too.
import type { MappingCoverage, Side } from '../model/index.ts'
import { apiOf, builtInName, type Pairing } from '../pair/index.ts'
import { callsOf } from './calls.ts'
import { nameLikeness } from './likeness.ts'
import type { SideNames } from './names-of.ts'
import { isPart } from './parts.ts'

/** Names of calls that may mean the same. */
const leastLikeness = 0.6

export function coverageOf(sides: Readonly<Record<Side, SideNames>>, pairing: Pairing): MappingCoverage {
  const debug = new Met(sides.debug, pairing.debugItem, pairing.benchItem, sides.bench)
  const bench = new Met(sides.bench, pairing.benchItem, pairing.debugItem, sides.debug)
  return { debug: debug.counted(bench), bench: bench.counted(debug) }
}

/** Calls of one name that are free below one module call: a name, and a call that has it. */
type Words = Map<string, number>

/** One side: which items and calls met, and what is free where. */
class Met {
  readonly #names: SideNames
  readonly #items: Uint8Array
  readonly #partner: Int32Array
  readonly #calls: ReturnType<typeof callsOf>
  readonly #free = new Map<string, Words>()
  /** By op: 0 not known yet, 1 has no counterpart, 2 may have one. */
  readonly #alone: Uint8Array

  constructor(
    names: SideNames,
    mine: Pairing['debugItem'] | Pairing['benchItem'],
    theirs: Pairing['debugItem'] | Pairing['benchItem'],
    other: SideNames,
  ) {
    const { ops, items } = names.dump
    this.#names = names
    this.#items = new Uint8Array(items.length)
    this.#partner = new Int32Array(ops.length).fill(-1)
    this.#calls = callsOf(names.dump)
    this.#alone = new Uint8Array(ops.length)
    for (let row = 0; row < mine.length; row++) {
      if (mine[row] < 0 || theirs[row] < 0) continue
      this.#items[mine[row]] = 1
      this.#partner[items.op[mine[row]]] = other.dump.items.op[theirs[row]]
    }
    for (let op = 0; op < ops.length; op++) {
      if (this.#partner[op] >= 0) continue
      const key = this.#place(op, this.#around(op))
      const words = this.#free.get(key) ?? new Map<string, number>()
      this.#free.set(key, words)
      const word = this.#calls.words[op]
      if (!words.has(word)) words.set(word, op)
    }
  }

  counted(other: Met): MappingCoverage[Side] {
    const { items, ops } = this.#names.dump
    let matched = 0
    let alone = 0
    let modules = 0
    for (let item = 0; item < items.length; item++) {
      const op = items.op[item]
      if (this.#items[item] === 1) matched++
      else if (this.#partner[op] >= 0 || this.#isAlone(op, other)) alone++
    }
    for (let op = 0; op < ops.length; op++)
      if (this.#partner[op] < 0 && this.#calls.module[op] === 2 && !this.#isAlone(op, other)) modules++
    return { matched, alone, modules, all: items.length }
  }

  #isAlone(op: number, other: Met): boolean {
    if (this.#alone[op] === 0) this.#alone[op] = this.#findAlone(op, other) ? 1 : 2
    return this.#alone[op] === 1
  }

  #findAlone(op: number, other: Met): boolean {
    // What takes part in a call is told by the forward call.
    const forward = this.#calls.forward[op]
    if (forward >= 0) return this.#partner[forward] < 0 && this.#isAlone(forward, other)
    const parent = this.#calls.parents[op]
    if (parent >= 0 && this.#partner[parent] < 0 && !this.#isAlone(parent, other)) return false
    const around = this.#around(op)
    const there = other.#free.get(this.#place(op, around < 0 ? -1 : this.#partner[around]))
    if (!there) return true
    if (this.#calls.module[op] > 0) return false
    const word = this.#calls.words[op]
    const twin = builtInName(`${word}.0`)
    for (const [name, one] of there) {
      const alike = apiOf(twin) === name || nameLikeness(lastOf(word), lastOf(name)) >= leastLikeness
      if (alike && !isPart(this.#names, op, other.#names, one)) return false
    }
    return true
  }

  /** The nearest call around an op that has met; -1 where there is none. */
  #around(op: number): number {
    let parent = this.#calls.parents[op]
    while (parent >= 0 && this.#partner[parent] < 0) parent = this.#calls.parents[parent]
    return parent
  }

  #place(op: number, around: number): string {
    return `${this.#calls.module[op] > 0 ? 'module' : 'call'} ${around}`
  }
}

const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1)
