// Where NaN and infinity enter a step of many ranks: every rank is followed in its order, communication calls meet, and
// what is bad goes from rank to rank with the data.
import type { SymptomReason } from '../model/index.ts'
import { givesIn, Role } from './communication.ts'
import { Meetings, type Meeting } from './meetings.ts'
import type { RankRecord } from './record.ts'
import { Evidence, Scene } from './scenes.ts'

export interface Found {
  readonly rank: number
  /** Every rank at which this very call went bad: several of a collective. */
  readonly ranks: number[]
  /** Row of the call on `rank`. */
  readonly op: number
  /** Events before it in the longest chain that leads to it, over all ranks. */
  readonly depth: number
  readonly why: 'direct' | SymptomReason
  /** Calls behind it that are bad, and the ranks of those; null where too many begin to be told apart. */
  downstream: number | null
  readonly reached: Set<number>
}

/** The first time that something bad came to a rank from another, by rows of the calls. */
export interface Arrival {
  readonly from: number
  readonly fromOp: number
  readonly to: number
  readonly toOp: number
}

export interface Origins {
  /** Where it enters, the earliest first: none of them can follow from another. */
  readonly origins: readonly Found[]
  /** First visible calls with bad inputs that nothing before them explains. */
  readonly symptoms: readonly Found[]
  /** Calls with clean inputs and bad outputs behind one of these. */
  readonly later: number
  readonly arrivals: readonly Arrival[]
  /** Communication calls that met nobody, by what they meet by. */
  readonly unmatched: readonly Unmatched[]
  /** Calls that waited for each other, so that their meeting was given up. */
  readonly deadlocks: number
}

export interface Unmatched {
  readonly key: string
  /** Of the first such call. */
  readonly rank: number
  readonly op: number
  readonly count: number
  /** Ranks of which there is no folder; empty where they are there and made fewer calls. */
  readonly missing: readonly number[]
}

/** So many are told apart behind themselves: a bit each, and one for the rest. */
const tellable = 31

/** What a rank has seen so far: nothing bad; what may well be meant, such as the infinities of masks; what is not. */
const Seen = { nothing: 0, inputs: 1, fault: 2 } as const
type Seen = (typeof Seen)[keyof typeof Seen]

const weak: readonly Found['why'][] = ['inputs-bad', 'asked']

/** What is known of a rank while its calls are gone through. */
interface Walk {
  readonly record: RankRecord
  /** Next call, and the next end of a communication call. */
  op: number
  end: number
  /** Ends of the call that is waited for; -1 for none. */
  waiting: number
  depth: number
  /** Where what is bad here came from, as bits of `Found`s. */
  marks: number
  seen: Seen
  /** Something bad that was asked for and had not come when the call was recorded. */
  coming: { readonly meeting: Meeting; readonly op: number } | null
}

export function originsOf(records: readonly RankRecord[]): Origins {
  return new Order(records).run()
}

class Order {
  readonly #walks: readonly Walk[]
  readonly #meetings: Meetings
  readonly #origins: Found[] = []
  readonly #symptoms: Found[] = []
  /** By bit: origins and symptoms. */
  readonly #marked: Found[] = []
  /** Bits of origins. */
  #direct = 0
  readonly #arrivals: Arrival[] = []
  readonly #runnable: number[] = []
  #later = 0
  #deadlocks = 0

  constructor(records: readonly RankRecord[]) {
    this.#walks = records.map(record => ({
      record,
      op: 0,
      end: 0,
      waiting: -1,
      depth: 0,
      marks: 0,
      seen: Seen.nothing,
      coming: null,
    }))
    this.#meetings = new Meetings(records)
  }

  run(): Origins {
    for (let walk = this.#walks.length - 1; walk >= 0; walk--) this.#runnable.push(walk)
    for (;;) {
      for (let next = this.#runnable.pop(); next !== undefined; next = this.#runnable.pop())
        this.#follow(next)
      if (!this.#breakOne()) break
    }
    const byDepth = (a: Found, b: Found): number => a.depth - b.depth || a.rank - b.rank
    return {
      origins: this.#origins.toSorted(byDepth),
      symptoms: this.#symptoms.toSorted(byDepth),
      later: this.#later,
      arrivals: this.#arrivals,
      unmatched: this.#meetings.unmatched(),
      deadlocks: this.#deadlocks,
    }
  }

  /** Goes on with one rank until it has to wait or is through. */
  #follow(index: number): void {
    const walk = this.#walks[index]
    const { ends, scene } = walk.record
    if (walk.waiting >= 0 && !this.#goOn(index)) return
    while (walk.end < ends.length) {
      const op = ends.op[walk.end]
      this.#compute(walk, op)
      this.#arrive(index, op)
      if (!this.#goOn(index)) return
    }
    this.#compute(walk, scene.length)
  }

  /** Calls that talk to nobody, up to one that does. */
  #compute(walk: Walk, to: number): void {
    const { scene, evidence, explained } = walk.record
    for (; walk.op < to; walk.op++, walk.depth++) {
      const op = walk.op
      if (scene[op] < Scene.absorbed || (evidence[op] & (Evidence.badInput | Evidence.badOutput)) === 0)
        continue
      // A module that holds the call is no origin, though it comes first.
      if (explained[op] === 0) {
        if (scene[op] === Scene.entered) this.#enters(walk, op)
        else if (walk.seen === Seen.nothing) this.#inputsBad(walk, op)
      }
      this.#count(walk, op)
    }
  }

  /** A rank comes to a communication call and shows what it gives. */
  #arrive(index: number, op: number): void {
    const walk = this.#walks[index]
    const { ends, evidence } = walk.record
    const first = walk.end
    walk.waiting = first
    let last = first
    while (last < ends.length && ends.op[last] === op) last++
    const isGiver = giverIn(walk, first, last)
    const givesBad = isGiver && (evidence[op] & Evidence.badInput) !== 0
    if (givesBad && walk.seen === Seen.nothing) this.#inputsBad(walk, op)
    for (let end = first; end < last; end++) {
      const meeting = this.#meetings.of(index, end)
      if (givesIn(ends.role[end])) {
        meeting.depth = Math.max(meeting.depth, walk.depth)
        if (givesBad) {
          meeting.bad = true
          meeting.marks |= walk.marks
          if (meeting.fromRank < 0) {
            meeting.fromRank = walk.record.rank
            meeting.fromOp = op
          }
        }
      }
      if (givesIn(ends.role[end]) && --meeting.awaited === 0)
        for (const waiter of meeting.waiters.splice(0)) if (waiter !== index) this.#runnable.push(waiter)
    }
  }

  /** Ends the communication call that a rank stands at, once all that it waits for is there. */
  #goOn(index: number): boolean {
    const walk = this.#walks[index]
    const { ends } = walk.record
    const op = ends.op[walk.waiting]
    let last = walk.waiting
    for (; last < ends.length && ends.op[last] === op; last++) {
      if (ends.role[last] === Role.gives) continue
      const meeting = this.#meetings.of(index, last)
      if (meeting.awaited > 0) {
        meeting.waiters.push(index)
        return false
      }
    }
    this.#leave(index, op, last)
    return true
  }

  #leave(index: number, op: number, last: number): void {
    const walk = this.#walks[index]
    const { ends, evidence, scene } = walk.record
    const badOutput = (evidence[op] & Evidence.badOutput) !== 0
    const hasNoOutput = (evidence[op] & Evidence.output) === 0
    let source: Meeting | null = null
    let cause: Meeting | null = null
    for (let end = walk.waiting; end < last; end++) {
      if (ends.role[end] === Role.gives) continue
      const meeting = this.#meetings.of(index, end)
      walk.depth = Math.max(walk.depth, meeting.depth)
      cause = meeting
      // What comes without outputs of its own, such as an asynchronous call, is in the buffers afterwards.
      if (meeting.bad && (badOutput || (hasNoOutput && ends.role[end] !== Role.lends))) {
        source ??= meeting
        this.#takeOver(walk, meeting, op)
      } else if (meeting.bad && ends.role[end] === Role.awaits) walk.coming ??= { meeting, op }
    }
    if (badOutput && !source) this.#ownFault(walk, op, cause)
    walk.waiting = -1
    walk.end = last
    walk.op = op + 1
    walk.depth++
    if (scene[op] >= Scene.absorbed) this.#count(walk, op)
  }

  /** Bad inputs that nothing on the rank explains, unless they have come by now. */
  #inputsBad(walk: Walk, op: number): void {
    if (walk.coming) this.#takeOver(walk, walk.coming.meeting, walk.coming.op)
    else this.#symptom(walk, op, 'inputs-bad')
  }

  #takeOver(walk: Walk, meeting: Meeting, op: number): void {
    const from = meeting.fromRank
    if (walk.seen !== Seen.fault && from !== walk.record.rank)
      this.#arrivals.push({ from, fromOp: meeting.fromOp, to: walk.record.rank, toOp: op })
    walk.marks |= meeting.marks
    walk.seen = Seen.fault
  }

  /** Bad outputs though nobody gave anything bad. */
  #ownFault(walk: Walk, op: number, meeting: Meeting | null): void {
    if (meeting === null) {
      if ((walk.record.evidence[op] & Evidence.badInput) === 0) this.#enters(walk, op)
    } else if (!meeting.complete) {
      if (walk.seen !== Seen.fault) this.#symptom(walk, op, 'partner-missing')
    } else if (meeting.origin === null) {
      meeting.origin = this.#enters(walk, op)
    } else if ((walk.marks & this.#direct) === 0) {
      meeting.origin.ranks.push(walk.record.rank)
      walk.marks |= bitOf(this.#marked.indexOf(meeting.origin))
      walk.seen = Seen.fault
    }
  }

  #enters(walk: Walk, op: number): Found | null {
    const { hasInputs, evidence } = walk.record
    // Without inputs nobody knows whether they were bad already.
    if (!hasInputs || (evidence[op] & Evidence.asked) !== 0) {
      if (walk.seen === Seen.nothing) this.#symptom(walk, op, hasInputs ? 'asked' : 'no-inputs')
      return null
    }
    if ((walk.marks & this.#direct) !== 0) {
      this.#later++
      return null
    }
    const found = this.#found(walk, op, 'direct')
    this.#origins.push(found)
    return found
  }

  #symptom(walk: Walk, op: number, why: SymptomReason): void {
    this.#symptoms.push(this.#found(walk, op, why))
  }

  #found(walk: Walk, op: number, why: Found['why']): Found {
    const { rank } = walk.record
    const bit = this.#marked.length
    const downstream = bit < tellable ? 0 : null
    const found: Found = { rank, ranks: [rank], op, depth: walk.depth, why, downstream, reached: new Set() }
    this.#marked.push(found)
    walk.marks |= bitOf(bit)
    if (why === 'direct') this.#direct |= bitOf(bit)
    walk.seen = Math.max(walk.seen, weak.includes(why) ? Seen.inputs : Seen.fault) as Seen
    return found
  }

  /** A bad call stands behind whatever its rank is marked by. */
  #count(walk: Walk, op: number): void {
    const { rank } = walk.record
    for (let bit = 0, marks = walk.marks; bit < tellable && marks !== 0; bit++, marks >>>= 1) {
      const found = this.#marked[bit]
      if ((marks & 1) === 0 || found.downstream === null) continue
      if (found.op === op && found.ranks.includes(rank)) continue
      found.downstream++
      found.reached.add(rank)
    }
  }

  /** Ranks that wait for each other: the one that has come least far goes on without the others. */
  #breakOne(): boolean {
    let least = -1
    this.#walks.forEach((walk, index) => {
      if (walk.waiting >= 0 && (least < 0 || walk.depth < this.#walks[least].depth)) least = index
    })
    if (least < 0) return false
    this.#deadlocks++
    const walk = this.#walks[least]
    const op = walk.record.ends.op[walk.waiting]
    let last = walk.waiting
    for (; last < walk.record.ends.length && walk.record.ends.op[last] === op; last++)
      this.#meetings.of(least, last).complete = false
    this.#leave(least, op, last)
    this.#runnable.push(least)
    return true
  }
}

const bitOf = (index: number): number => 1 << Math.min(tellable, index)

function giverIn({ record: { ends } }: Walk, first: number, last: number): boolean {
  for (let end = first; end < last; end++) if (givesIn(ends.role[end])) return true
  return false
}
