// Which ends of communication calls belong together over all ranks, and what is not there to meet.
import { givesIn } from './communication.ts'
import type { Found, Unmatched } from './origins.ts'
import type { RankRecord } from './record.ts'

/** Ends that belong together. */
export interface Meeting {
  /** Ends that give and have not come yet. */
  awaited: number
  /** Ranks that wait for those. */
  readonly waiters: number[]
  /** All that should take part are there. */
  complete: boolean
  /** Somebody gives something bad: who first, and where that came from. */
  bad: boolean
  marks: number
  fromRank: number
  fromOp: number
  depth: number
  /** It went bad here, by itself. */
  origin: Found | null
}

interface Gathered extends Meeting {
  readonly key: string
  readonly ranks: number[]
  readonly members: readonly number[] | null
  /** The first end: of which rank, and which call. */
  readonly rank: number
  readonly op: number
  takes: number
}

export class Meetings {
  readonly #rows: readonly Uint32Array[]
  readonly #all: Gathered[] = []
  readonly #there: ReadonlySet<number>
  /** Every rank that there should be: all numbers up to the largest. */
  readonly #world: readonly number[]

  constructor(records: readonly RankRecord[]) {
    this.#there = new Set(records.map(({ rank }) => rank))
    const most = Math.max(-1, ...this.#there)
    this.#world =
      most < records.length * 2 + 64 ? Array.from({ length: most + 1 }, (_, i) => i) : [...this.#there]
    const known = new Map<string, Map<number, number>>()
    this.#rows = records.map(record => this.#gather(record, known))
    for (const meeting of this.#all)
      meeting.complete = this.#missing(meeting).length === 0 && isWhole(meeting)
  }

  of(rank: number, end: number): Meeting {
    return this.#all[this.#rows[rank][end]]
  }

  unmatched(): readonly Unmatched[] {
    const found = new Map<string, { -readonly [K in keyof Unmatched]: Unmatched[K] }>()
    for (const meeting of this.#all) {
      const { key, rank, op } = meeting
      const missing = this.#missing(meeting)
      if (missing.length === 0 && isWhole(meeting)) continue
      const known = found.get(key)
      if (known) known.count++
      else found.set(key, { key, rank, op, count: 1, missing: missing.filter(one => !this.#there.has(one)) })
    }
    return [...found.values()]
  }

  #gather({ rank, ends, keys, members }: RankRecord, known: Map<string, Map<number, number>>): Uint32Array {
    const rows = new Uint32Array(ends.length)
    const byKey = keys.map(key => {
      let found = known.get(key)
      if (!found) known.set(key, (found = new Map()))
      return found
    })
    for (let end = 0; end < ends.length; end++) {
      const code = ends.key[end]
      let row = byKey[code].get(ends.ordinal[end])
      if (row === undefined) {
        row = this.#all.length
        byKey[code].set(ends.ordinal[end], row)
        this.#all.push(empty(keys[code], members[code], rank, ends.op[end]))
      }
      const meeting = this.#all[row]
      meeting.ranks.push(rank)
      if (givesIn(ends.role[end])) meeting.awaited++
      else meeting.takes++
      rows[end] = row
    }
    return rows
  }

  /** Who should take part and does not. Of a group that only has a name nobody knows. */
  #missing({ key, members, ranks }: Gathered): readonly number[] {
    const wanted = members ?? (key.endsWith('"') ? ranks : this.#world)
    if (wanted.length === ranks.length && members === null) return []
    const here = new Set(ranks)
    return wanted.filter(member => !here.has(member))
  }
}

/** Somebody gives where somebody takes. */
const isWhole = ({ takes, ranks }: Gathered): boolean => takes < ranks.length

const empty = (key: string, members: Gathered['members'], rank: number, op: number): Gathered => ({
  key,
  members,
  rank,
  op,
  ranks: [],
  takes: 0,
  awaited: 0,
  waiters: [],
  complete: true,
  bad: false,
  marks: 0,
  fromRank: -1,
  fromOp: -1,
  depth: 0,
  origin: null,
})
