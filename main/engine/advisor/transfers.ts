// What goes from one rank to another: the k-th receive from a rank is its k-th send, whatever else is called in between.
import {
  type BenchOp,
  type DebugOp,
  type ItemRow,
  itemName,
  Kind,
  State,
  type Transfer,
} from '../model/index.ts'
import { Direction, type SideView } from '../pair/index.ts'
import type { Case } from './links.ts'

const gives = /^(?:i?send)$/
const takes = /^(?:i?recv)$/
const batch = 'batch_isend_irecv'

/** Whether a communication call talks to one other rank and not to a group. */
export const isTransfer = (view: SideView, op: DebugOp | BenchOp): boolean => {
  const word = wordOf(view, op)
  return gives.test(word) || takes.test(word) || word === batch
}

export function transfersOf({ debug, time }: Pick<Case, 'debug' | 'time'>): Transfer[] {
  const found: Transfer[] = []
  for (let at = 0; at < time.length; at++) {
    const op = time.debug[at]
    if (op < 0 || debug.kind[op] !== 'communication' || debug.direction[op] !== Direction.forward) continue
    const word = wordOf(debug, op)
    if (word === batch) found.push(...inBatch(debug, op, at))
    else if (gives.test(word) || takes.test(word)) {
      const peer = peerOf(debug, op, gives.test(word) ? 'dst' : 'src')
      if (peer !== null) found.push({ at, peer, gives: gives.test(word), tag: named(debug, op, 'tag') ?? 0 })
    }
  }
  return found
}

function wordOf(view: SideView, op: DebugOp | BenchOp): string {
  const api = view.names.text(view.api[op])
  return api.slice(api.lastIndexOf('.') + 1)
}

/** The rank that a call names by keyword, or else by its first whole number. */
function peerOf(view: SideView, op: DebugOp, keyword: 'src' | 'dst'): number | null {
  const told = named(view, op, keyword)
  if (told !== null) return told
  for (const item of inputsOf(view, op)) {
    const number = wholeIn(view, item)
    if (number !== null) return number
  }
  return null
}

/** Every element of a batch has its own peer. */
function inBatch(view: SideView, op: DebugOp, at: number): Transfer[] {
  const found: Transfer[] = []
  let sends: boolean | null = null
  for (const item of inputsOf(view, op)) {
    const name = itemName(view.dump, item)
    const { max } = view.dump.items
    if (name.endsWith('.op') && max.kind[item] === Kind.text)
      sends = view.dump.texts.get(max.value[item]).includes('send')
    else if (name.endsWith('.peer') && sends !== null) {
      const peer = wholeIn(view, item)
      if (peer !== null) found.push({ at, peer, gives: sends, tag: 0 })
    }
  }
  return found
}

function named(view: SideView, op: DebugOp, keyword: string): number | null {
  for (const item of inputsOf(view, op))
    if (itemName(view.dump, item).endsWith(`.${keyword}`)) return wholeIn(view, item)
  return null
}

function inputsOf({ dump: { ops, items } }: SideView, op: DebugOp): ItemRow[] {
  const found: ItemRow[] = []
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) if (items.state[i] === State.input) found.push(i)
  return found
}

function wholeIn({ dump: { items } }: SideView, item: ItemRow): number | null {
  return items.tensor[item] === 0 && items.max.kind[item] === Kind.int ? items.max.value[item] : null
}

// ---------------------------------------- over all ranks

export interface RankTransfers {
  readonly rank: number | null
  readonly transfers: readonly Transfer[]
}

/** A place on the line of time of a rank. */
interface Point {
  readonly unit: number
  readonly at: number
}

/** Who sent what another rank received, and how deep in the chain of transfers a place lies. */
export class TransferGraph {
  /** By unit, the transfers in order; of a receive where it was sent. */
  readonly #sent: readonly (Point | null)[][]
  readonly #depth: readonly number[][]
  readonly #units: readonly RankTransfers[]

  constructor(units: readonly RankTransfers[]) {
    this.#units = units
    const sends = new Map<string, Point[]>()
    const key = (from: number | null, to: number | null, tag: number): string => `${from} ${to} ${tag}`
    for (const [unit, { rank, transfers }] of units.entries())
      for (const { at, peer, gives: sending, tag } of transfers) {
        if (!sending) continue
        const of = key(rank, peer, tag)
        const known = sends.get(of)
        if (known) known.push({ unit, at })
        else sends.set(of, [{ unit, at }])
      }
    const taken = new Map<string, number>()
    this.#sent = units.map(({ rank, transfers }) =>
      transfers.map(({ peer, gives: sending, tag }) => {
        if (sending) return null
        const of = key(peer, rank, tag)
        const nth = taken.get(of) ?? 0
        taken.set(of, nth + 1)
        return sends.get(of)?.[nth] ?? null
      }),
    )
    this.#depth = this.#depths()
  }

  /** Where that was sent which a rank receives at a place; null where nothing of it is known. */
  sourceOf(unit: number, at: number): Point | null {
    const { transfers } = this.#units[unit]
    const k = transfers.findIndex((transfer, index) => transfer.at === at && this.#sent[unit][index] !== null)
    return k < 0 ? null : this.#sent[unit][k]
  }

  /** What happened on any rank before a place and could be known there lies at a smaller depth. */
  depthOf(unit: number, at: number): number {
    const { transfers } = this.#units[unit]
    let depth = 0
    for (let k = 0; k < transfers.length && transfers[k].at <= at; k++) depth = this.#depth[unit][k]
    return depth
  }

  /**
   * Longest chains; ranks take turns, each as far as what it receives is known. Those who wait for each other
   * stay where they are.
   */
  #depths(): number[][] {
    const depth: number[][] = this.#units.map(() => [])
    let moved = true
    while (moved) {
      moved = false
      for (const [unit, { transfers }] of this.#units.entries()) {
        while (depth[unit].length < transfers.length) {
          const k = depth[unit].length
          const before = depth[unit][k - 1] ?? 0
          const from = this.#sent[unit][k]
          const there = from ? this.#known(depth, from) : 0
          if (there === null) break
          depth[unit].push(from ? Math.max(before, there + 1) : before)
          moved = true
        }
      }
    }
    for (const [unit, { transfers }] of this.#units.entries())
      while (depth[unit].length < transfers.length) depth[unit].push(depth[unit].at(-1) ?? 0)
    return depth
  }

  #known(depth: readonly number[][], { unit, at }: Point): number | null {
    const k = this.#units[unit].transfers.findIndex(transfer => transfer.at === at)
    return k < depth[unit].length ? depth[unit][k] : null
  }
}
