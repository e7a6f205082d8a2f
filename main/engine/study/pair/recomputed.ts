// What was recomputed of a unit: answers by call, and what they say of its rows.
import {
  type Column,
  type Dump,
  type Finding,
  type FindingRecomputed,
  isCompared,
  type ItemRow,
  type ItemRows,
  type NodeRecomputed,
  type NodeRef,
  type OpRow,
  type PairRow,
  type RecomputedCall,
  type RecomputedState,
  recomputedStates,
  type Side,
  State,
} from '../../model/index.ts'
import {
  type CallPair,
  callPairs,
  recomputePair,
  type RecomputePairOptions,
  type RecomputePorts,
  type RecomputeSides,
} from '../../recompute/index.ts'
import { noHandMatches } from '../../pair/index.ts'
import { type Lookup, opsBelow } from '../../view/index.ts'
import type { Job } from '../../work/index.ts'
import { pairUp } from './compare.ts'
import { defaultOptions, settingsOf } from './settings.ts'

/** More calls of a node are not listed; those that are wrong come first. */
const mostListed = 200
/** Of a module that a finding names, so many calls are recomputed. */
const mostOfFinding = 64

/** The number of a state among those of rows; 0 stands for none. */
const codeOf = (state: RecomputedState): number => recomputedStates.indexOf(state) + 1

const wrong: ReadonlySet<RecomputedState> = new Set(['bothWrong', 'debugWrong', 'benchWrong', 'wrong'])

export class Recomputed {
  readonly #table: ItemRows
  readonly #sides: RecomputeSides
  #known: Calls | null = null
  readonly #found = new Map<number, readonly RecomputedCall[]>()
  #rows: Column<Uint8Array, PairRow> | null = null
  #headline: FindingRecomputed | null = null

  constructor(table: ItemRows) {
    this.#table = table
    const { debug, bench } = table
    const toBench = isCompared(table) ? table.pairing.ops.toBench : new Int32Array(0)
    this.#sides = { debug, bench, toBench }
  }

  /** Listed when somebody asks: most units are never recomputed. */
  get #calls(): Calls {
    if (this.#known) return this.#known
    const pairs = callPairs(this.#sides)
    const places = { debug: placesOf(pairs, 'debug'), bench: placesOf(pairs, 'bench') }
    return (this.#known = { pairs, places })
  }

  /** Recomputes the calls of nodes and of what lies in them; all where null is given. */
  async run(
    ports: RecomputePorts,
    nodes: readonly NodeRef[] | null,
    options: RecomputePairOptions,
    job: Job,
  ): Promise<void> {
    const onCalls = (calls: readonly RecomputedCall[]): void => {
      this.#keep(calls)
      options.onCalls?.(calls)
    }
    const some = nodes ? this.#below(nodes).map(place => this.#calls.pairs[place]) : this.#calls.pairs
    await recomputePair(ports, this.#sides, some, { ...options, onCalls }, job)
  }

  /** What is known of the calls of a node. */
  of(at: NodeRef): NodeRecomputed {
    const places = this.#below([at])
    const calls = places.flatMap(place => this.#found.get(place) ?? [])
    const listed = calls.toSorted((a, b) => Number(wrong.has(b.state)) - Number(wrong.has(a.state)))
    return {
      calls: places.length,
      computed: places.filter(place => this.#found.has(place)).length,
      states: countsOf(calls.map(({ state }) => state)),
      listed: listed.slice(0, mostListed),
    }
  }

  /** What recomputing says of a finding: of its call, or of the calls of its module. */
  async ofFinding(
    ports: RecomputePorts,
    { side, node, partner }: Finding,
    options: Pick<RecomputePairOptions, 'limit'>,
    job: Job,
  ): Promise<FindingRecomputed | null> {
    const at: NodeRef = side === 'debug' ? { debug: node, bench: partner } : { debug: partner, bench: node }
    const pairs = this.#pairsOf(at).slice(0, mostOfFinding)
    if (pairs.length === 0) return null
    const answers = await recomputePair(ports, this.#sides, pairs, options, job)
    const backward = (this.#table[side] ?? this.#table.debug).names.direction(node) !== 0
    const named = answers.filter(({ direction }) => (direction === 'backward') === backward)
    this.#headline = deciding(named.length > 0 ? named : answers, pairs.length)
    return this.#headline
  }

  /** What was last said of a finding, for reports. */
  get headline(): FindingRecomputed | null {
    return this.#headline
  }

  /** `RecomputedState` of each row as its place among the states counted from 1; 0 where nothing is known. */
  rows(lookup: Lookup): Column<Uint8Array, PairRow> {
    this.#rows ??= this.#judgeRows(lookup)
    return this.#rows
  }

  get any(): boolean {
    return this.#found.size > 0
  }

  #keep(calls: readonly RecomputedCall[]): void {
    const fresh = new Map<number, RecomputedCall[]>()
    for (const call of calls) {
      const place = this.#placeOf(call)
      fresh.set(place, [...(fresh.get(place) ?? []), call])
    }
    for (const [place, directions] of fresh) this.#found.set(place, directions)
    this.#rows = null
  }

  #placeOf({ debug, bench }: RecomputedCall): number {
    const place = debug
      ? this.#calls.places.debug.get(debug.call)
      : this.#calls.places.bench.get(bench?.call ?? '')
    return place ?? -1
  }

  /** Places of the calls of these nodes and of what lies in them. */
  #below(nodes: readonly NodeRef[]): readonly number[] {
    const found = new Set<number>()
    for (const node of nodes) {
      const inside = (['debug', 'bench'] as const).map(side => this.#opsOn(side, node[side]))
      for (const [place, { debug, bench }] of this.#calls.pairs.entries())
        if ([debug, bench].some((call, s) => call && isAmong(inside[s], call))) found.add(place)
    }
    return [...found].sort((a, b) => a - b)
  }

  #opsOn(side: Side, node: string | undefined): Uint8Array | null {
    const dump = this.#table[side]
    return dump && node !== undefined && node !== '' ? opsBelow(dump, node) : null
  }

  /** The advisor may know a better partner than the rows have. */
  #pairsOf(at: NodeRef): readonly CallPair[] {
    const places = this.#below([at])
    const [mine, theirs] = (['debug', 'bench'] as const).map(side =>
      places
        .map(place => this.#calls.pairs[place][side])
        .find(call => call && isOf(this.#table[side], call, at[side])),
    )
    if (!mine || !theirs) return places.map(place => this.#calls.pairs[place])
    return [{ debug: mine, bench: theirs }]
  }

  #judgeRows(lookup: Lookup): Column<Uint8Array, PairRow> {
    const rows = new Uint8Array(this.#table.length)
    for (const [place, directions] of this.#found)
      for (const direction of directions)
        for (const side of ['debug', 'bench'] as const) this.#mark(rows, lookup, { place, side, direction })
    return rows
  }

  #mark(rows: Uint8Array, lookup: Lookup, { place, side, direction: found }: Marking): void {
    const call = this.#calls.pairs[place]?.[side]
    const dump = this.#table[side]
    const op = call?.[found.direction] ?? -1
    if (!dump || op < 0) return
    const states = new Map(found.outputs.map(output => [output[side]?.item ?? '', output.state]))
    const { first } = dump.ops
    for (let item: ItemRow = first[op as OpRow]; item < first[(op + 1) as OpRow]; item++) {
      if (dump.items.state[item] !== State.output) continue
      const row = lookup.row(side, item)
      if (row < 0) continue
      const name = dump.texts.get(dump.items.name[item])
      const state = states.get(name) ?? states.get(fileName(dump, item)) ?? 'skipped'
      if (dump.items.tensor[item] === 1 || state !== 'skipped') rows[row] = codeOf(state)
    }
  }
}

/** The calls of both sides, and their places by name on each. */
interface Calls {
  readonly pairs: readonly CallPair[]
  readonly places: Readonly<Record<Side, ReadonlyMap<string, number>>>
}

interface Marking {
  readonly place: number
  readonly side: Side
  readonly direction: RecomputedCall
}

/** The name of the file of an item without its ending, by which answers name results. */
function fileName(dump: Dump, item: ItemRow): string {
  const code = dump.items.dataName[item]
  return code < 0 ? '' : dump.texts.get(code).replace(/\.[^.]*$/, '')
}

function placesOf(pairs: readonly CallPair[], side: Side): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const [place, pair] of pairs.entries()) {
    const call = pair[side]
    if (call) places.set(call.call, place)
  }
  return places
}

type Call = NonNullable<CallPair['debug']>

const isAmong = (ops: Uint8Array | null | undefined, { forward, backward }: Call): boolean =>
  ops?.[forward] === 1 || ops?.[backward] === 1

/** Whether an op of a call has this very name. */
const isOf = (dump: Dump | null, { forward, backward }: Call, name: string | undefined): boolean =>
  dump !== null &&
  [forward, backward].some(op => op >= 0 && dump.texts.get(dump.ops.name[op as OpRow]) === name)

function countsOf(states: readonly RecomputedState[]): NodeRecomputed['states'] {
  const counts = Object.fromEntries(recomputedStates.map(state => [state, 0])) as Record<
    RecomputedState,
    number
  >
  for (const state of states) counts[state]++
  return counts
}

/** The call that decides: the first that is wrong, else the first whose inputs differ, else the first computed. */
function deciding(calls: readonly RecomputedCall[], of: number): FindingRecomputed | null {
  const call =
    calls.find(({ state }) => wrong.has(state)) ??
    calls.find(({ state }) => state === 'inputs') ??
    calls.find(({ state }) => state !== 'skipped') ??
    calls[0]
  if (!call) return null
  return { call, calls: of, computed: calls.filter(({ state }) => state !== 'skipped').length }
}

/** Which ops of two dumps met, where nothing else is asked of their comparison. */
export async function opsMet(debug: Dump, bench: Dump, job: Job): Promise<RecomputeSides['toBench']> {
  const dumps = { debug, bench, given: null }
  const settings = settingsOf({ dialect: null, builtInTable: true }, dumps, defaultOptions, noHandMatches)
  const { pairing } = await pairUp(debug, bench, settings, job)
  return pairing.ops.toBench
}
