// One table of verdicts to be looked at: counted, grouped, filtered, the worst first; rows by the call that they speak of.
import type {
  NodeRef,
  VerdictCounts,
  VerdictFilter,
  VerdictGroup,
  VerdictLine,
  VerdictPage,
  VerdictTable,
} from '../model/index.ts'
import { type VerdictState, verdictStates } from '../model/index.ts'
import type { KnownCalls } from './calls.ts'
import type { Verdicts } from './verdicts.ts'

type Counts = Record<VerdictState, number>
const noCounts = (): Counts => ({ error: 0, warning: 0, missing: 0, pass: 0, skip: 0 })
/** Groups beyond these are not looked through one by one. */
const mostGroups = 400

export class VerdictList {
  readonly verdicts: Verdicts
  readonly #table: number
  readonly #calls: KnownCalls | null
  /** Index into `verdictStates`. */
  readonly #state: Uint8Array
  readonly #groups: Readonly<Record<VerdictFilter['by'], Grouping>>
  #rowsOf: Map<string, number[]> | null = null

  constructor(verdicts: Verdicts, table: number, calls: KnownCalls | null) {
    this.verdicts = verdicts
    this.#table = table
    this.#calls = calls
    const { length } = verdicts
    this.#state = Uint8Array.from({ length }, (_, row) => verdictStates.indexOf(verdicts.state(row)))
    this.#groups = {
      api: new Grouping(length, row => verdicts.api(row)),
      standard: new Grouping(length, row => verdicts.standard(row) ?? ''),
    }
  }

  info(): VerdictTable {
    const { holds, paths, generation, length, judging } = this.verdicts
    const states = noCounts()
    for (let row = 0; row < length; row++) states[this.#stateOf(row)]++
    return {
      holds,
      paths,
      generation,
      judging: judging ? { told: judging.told, limits: judging.limits } : null,
      rows: length,
      states,
      joined: this.#calls && this.#joined(),
    }
  }

  page({ states, by, group, text }: VerdictFilter, first: number, count: number): VerdictPage {
    const wanted = new Set(states)
    const grouping = this.#groups[by]
    const groups = new Map<number, Counts>()
    const all = noCounts()
    const rows: number[][] = verdictStates.map(() => [])
    const part = text.trim().toLowerCase()
    for (let row = 0; row < this.verdicts.length; row++) {
      if (part !== '' && !this.verdicts.name(row).toLowerCase().includes(part)) continue
      const state = this.#stateOf(row)
      const isShown = wanted.size === 0 || wanted.has(state)
      const code = grouping.of(row)
      if (isShown) {
        const counts = groups.get(code) ?? noCounts()
        counts[state]++
        groups.set(code, counts)
      }
      if (group !== null && grouping.key(code) !== group) continue
      all[state]++
      if (isShown) rows[this.#state[row]].push(row)
    }
    const shown = rows.flat()
    return {
      total: shown.length,
      states: all,
      groups: grouped(groups, grouping),
      lines: shown.slice(first, first + count).map(row => this.line(row)),
    }
  }

  line(row: number): VerdictLine {
    const { verdicts } = this
    const [check = null] = verdicts.checks(row)
    return {
      table: this.#table,
      row,
      name: verdicts.name(row),
      state: this.#stateOf(row),
      status: verdicts.status(row),
      standard: verdicts.standard(row),
      check: check?.counted ? check : null,
      reason: verdicts.reason(row),
    }
  }

  at(row: number): NodeRef | null {
    return this.#calls?.at(this.verdicts.call(row)) ?? null
  }

  /** Rows that speak of a call of the open dump, the worst first. */
  rowsOf(op: string): readonly number[] {
    const rows = this.#byOp().get(op) ?? []
    return rows.toSorted((a, b) => this.#state[a] - this.#state[b] || a - b)
  }

  #byOp(): ReadonlyMap<string, readonly number[]> {
    if (this.#rowsOf) return this.#rowsOf
    const found = new Map<string, number[]>()
    for (let row = 0; row < this.verdicts.length; row++) {
      const at = this.at(row)
      const op = at?.debug ?? at?.bench
      if (op === undefined) continue
      const rows = found.get(op)
      if (rows) rows.push(row)
      else found.set(op, [row])
    }
    this.#rowsOf = found
    return found
  }

  #joined(): number {
    let joined = 0
    for (const rows of this.#byOp().values()) joined += rows.length
    return joined
  }

  #stateOf(row: number): VerdictState {
    return verdictStates[this.#state[row]]
  }
}

/** Rows by a text that several of them share. */
class Grouping {
  readonly #keys: readonly string[]
  readonly #codes: Uint32Array

  constructor(length: number, keyOf: (row: number) => string) {
    const codes = new Map<string, number>()
    this.#codes = Uint32Array.from({ length }, (_, row) => {
      const key = keyOf(row)
      const known = codes.get(key)
      if (known !== undefined) return known
      codes.set(key, codes.size)
      return codes.size - 1
    })
    this.#keys = [...codes.keys()]
  }

  of(row: number): number {
    return this.#codes[row]
  }

  key(code: number): string {
    return this.#keys[code]
  }
}

function grouped(groups: ReadonlyMap<number, VerdictCounts>, grouping: Grouping): readonly VerdictGroup[] {
  const all = [...groups].map(([code, states]) => ({
    key: grouping.key(code),
    rows: verdictStates.reduce((sum, state) => sum + states[state], 0),
    states,
  }))
  return all.toSorted(worseFirst).slice(0, mostGroups)
}

function worseFirst(a: VerdictGroup, b: VerdictGroup): number {
  const worst = verdictStates.find(state => a.states[state] !== b.states[state])
  return worst === undefined ? (a.key < b.key ? -1 : 1) : b.states[worst] - a.states[worst]
}
