// What holding ranks against each other needs of one of them, as columns that any thread can hand on.
import { RawReader } from '../formats/index.ts'
import type { Files } from '../io/index.ts'
import { isObject } from '../json/index.ts'
import { type Dump, Direction, type OpRow, State } from '../model/index.ts'
import { communicates, endsOf } from '../overflow/index.ts'
import { type Calls, callsOf, type Laws, lawsOf } from './calls.ts'
import { type Again, recomputedIn } from './recomputed.ts'
import { type Prints, printsOf, type Sizes, sizesOf } from './values.ts'

/** What a group is used for, by which the dimensions of a layout are told. */
export interface GroupUse {
  /** None: everyone. */
  readonly members: readonly number[]
  /** Sums and gathers inside of modules on their way forward, and all others. */
  inside: number
  outside: number
  /** Sums behind the first backward call. */
  sums: number
  /** Everybody sends everybody a part. */
  exchanges: number
  /** Sends and receives. */
  pairs: number
}

/** A collective that gives all its members the same: one row each. */
export interface Shares {
  /** Row of the call, its group (`keys`), and the how manieth of the group. */
  readonly op: Uint32Array
  readonly key: Uint32Array
  readonly ordinal: Uint32Array
  /** The item that all should have. */
  readonly item: Uint32Array
  readonly keys: readonly string[]
  readonly members: readonly (readonly number[])[]
}

export interface RankValues extends Laws {
  readonly rank: number
  /** Names of calls in their order, a line each. */
  readonly names: string
  /** Items of call i are first[i] … first[i+1]-1. */
  readonly first: Uint32Array
  readonly state: Uint8Array
  /** What follows the name of the call in that of the item: rows of `suffixes`. */
  readonly suffix: Uint16Array
  readonly suffixes: readonly string[]
  readonly prints: Prints
  readonly sizes: Sizes
  /** Per item: the output that it was last, -1 where it is new, -2 where it was seen before as no output. */
  readonly maker: Int32Array
  /** Items that are weights, as the first forward of their module found them, and the gradients of weights. */
  readonly weights: Uint32Array
  readonly gradients: Uint32Array
  readonly shares: Shares
  readonly groups: readonly GroupUse[]
  readonly again: readonly Again[]
  /** Second forwards that could be held against the first. */
  readonly twice: number
}

const letterD = 'D'.charCodeAt(0)

export function valuesOf(files: Files, dump: Dump, rank: number): RankValues {
  const prints = printsOf(dump)
  const reader = new RawReader(files, dump)
  try {
    const calls = callsOf(dump)
    const talks = new Talks(dump, rank, reader, calls)
    const { again, twice } = recomputedIn(dump, prints, calls, reader)
    return {
      rank,
      names: Array.from(dump.ops.name, code => dump.texts.get(code)).join('\n'),
      first: Uint32Array.from(dump.ops.first),
      state: Uint8Array.from(dump.items.state),
      ...suffixesOf(dump),
      prints,
      sizes: sizesOf(dump),
      maker: makersOf(dump, prints),
      ...weightsOf(dump, calls),
      ...lawsOf(dump, prints, calls),
      shares: talks.shares(),
      groups: talks.groups(),
      again,
      twice,
    }
  } finally {
    reader.close()
  }
}

function suffixesOf({ ops, items, texts }: Dump): Pick<RankValues, 'suffix' | 'suffixes'> {
  const codes = new Map<string, number>()
  const suffix = new Uint16Array(items.length)
  for (let op = 0; op < ops.length; op++) {
    const head = texts.get(ops.name[op])
    for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
      const name = texts.get(items.name[item])
      const tail = name.startsWith(head) ? name.slice(head.length + 1) : name
      let code = codes.get(tail)
      if (code === undefined && codes.size < 0xffff) codes.set(tail, (code = codes.size))
      suffix[item] = code ?? 0
    }
  }
  return { suffix, suffixes: [...codes.keys()] }
}

function weightsOf({ ops, items }: Dump, { names }: Calls): Pick<RankValues, 'weights' | 'gradients'> {
  const weights: number[] = []
  const gradients: number[] = []
  const seen = new Set<string>()
  for (let op = 0; op < ops.length; op++) {
    const { form, owner, direction } = names[op]
    const isFirst = form === 'module' && direction === Direction.forward && !seen.has(owner)
    if (isFirst) seen.add(owner)
    for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
      if (items.tensor[item] !== 1) continue
      if (items.state[item] === State.parametersGrad) gradients.push(item)
      else if (isFirst && items.state[item] === State.parameters) weights.push(item)
    }
  }
  return { weights: Uint32Array.from(weights), gradients: Uint32Array.from(gradients) }
}

/** Where each value was last made, by what it holds; what comes from other ranks may have come late. */
function makersOf(dump: Dump, { print, tells }: Prints): Int32Array {
  const { ops, items, texts, names } = dump
  const maker = new Int32Array(items.length).fill(-1)
  const made = new Map<number, number>()
  const seen = new Set<number>()
  const comes = (op: OpRow): boolean =>
    texts.firstByte(ops.name[op]) === letterD && names.communication(texts.get(ops.name[op])) !== null
  for (let item = 0; item < items.length; item++) {
    if (items.tensor[item] !== 1 || tells[item] === 0) continue
    const of = print[item]
    maker[item] = made.get(of) ?? (seen.has(of) ? -2 : -1)
    const op = items.op[item]
    const isMade = items.state[item] === State.output
    if (isMade && !comes(op)) made.set(of, item)
    else seen.add(of)
  }
  return maker
}

// ---------------------------------------- who talks to whom

/** No group was given. */
const everyone: readonly number[] = []

/** Gives all members the same. */
const giving = /^(?:all_reduce|_?all_gather|broadcast$)/
const summing = /all_reduce|reduce_scatter/

class Talks {
  readonly #dump: Dump
  readonly #rank: number
  readonly #groups = new Map<string, GroupUse>()
  readonly #keys = new Map<string, number>()
  readonly #members: (readonly number[])[] = []
  readonly #seen: number[] = []
  readonly #rows: { readonly op: number; readonly key: number; ordinal: number; readonly item: number }[] = []

  constructor(dump: Dump, rank: number, reader: RawReader, calls: Calls) {
    this.#dump = dump
    this.#rank = rank
    const { ops, texts, names } = dump
    for (let op = 0; op < ops.length; op++) {
      // Only names of calls are looked at whose first letter is that of `Distributed`.
      if (texts.firstByte(ops.name[op]) !== letterD) continue
      const name = texts.get(ops.name[op])
      const api = names.communication(name)
      if (api !== null && communicates(api)) this.#look(op, api, reader, calls)
    }
  }

  shares(): Shares {
    const column = (of: 'op' | 'key' | 'ordinal' | 'item'): Uint32Array =>
      Uint32Array.from(this.#rows, row => row[of])
    return {
      op: column('op'),
      key: column('key'),
      ordinal: column('ordinal'),
      item: column('item'),
      keys: [...this.#keys.keys()],
      members: this.#members,
    }
  }

  groups(): readonly GroupUse[] {
    return [...this.#groups.values()]
  }

  #look(op: OpRow, api: string, reader: RawReader, { names, firstBackward }: Calls): void {
    const entry = reader.json(op) ?? null
    const direction = names[op].direction === Direction.backward ? 'backward' : 'forward'
    const isForward = op < firstBackward && direction === 'forward'
    const entryOf = this.#dump.construct.find(this.#dump.ops.name[op])
    const isInside = isForward && (entryOf < 0 || this.#dump.construct.parent[entryOf] >= 0)
    for (const { key, members: named } of endsOf(api, direction, entry, this.#rank)) {
      // Of a group that only has a name nobody knows who is in it.
      const members = named ?? (key.endsWith(' all') ? everyone : null)
      if (!members || members.length === 1) continue
      if (!key.startsWith('pair')) this.#share(op, api, key, members, entry)
      const use = this.#use(members)
      if (key.startsWith('pair')) use.pairs++
      else if (api.includes('all_to_all')) use.exchanges++
      else if (/reduce|gather/.test(api)) {
        if (isInside) use.inside++
        else {
          use.outside++
          if (summing.test(api) && !isForward) use.sums++
        }
      }
    }
  }

  #use(members: readonly number[]): GroupUse {
    const sorted = [...new Set(members)].sort((a, b) => a - b)
    const key = sorted.join()
    let use = this.#groups.get(key)
    if (!use)
      this.#groups.set(
        key,
        (use = { members: sorted, inside: 0, outside: 0, sums: 0, exchanges: 0, pairs: 0 }),
      )
    return use
  }

  /** What comes later than the call returns is not in its record. */
  #share(
    op: OpRow,
    api: string,
    key: string,
    members: readonly number[],
    entry: Parameters<typeof endsOf>[2],
  ): void {
    if (!giving.test(api)) return
    let code = this.#keys.get(key)
    if (code === undefined) {
      this.#keys.set(key, (code = this.#members.length))
      this.#members.push(members)
      this.#seen.push(0)
    }
    const ordinal = this.#seen[code]++
    const named = isObject(entry) ? entry.get('input_kwargs') : undefined
    const later = isObject(named ?? null)
      ? (named as ReadonlyMap<string, unknown>).get('async_op')
      : undefined
    if (isTrue(later)) return
    const { ops, items } = this.#dump
    for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
      if (items.state[item] !== State.output || items.tensor[item] !== 1) continue
      this.#rows.push({ op, key: code, ordinal, item })
      // Behind the first result come the other arguments.
      if (!api.includes('gather') || /into_tensor|_base/.test(api)) return
      return
    }
  }
}

const isTrue = (value: unknown): boolean =>
  value === true || (value instanceof Map && (value as ReadonlyMap<string, unknown>).get('value') === true)
