// The dumps of the ranks that hold one model together, as the dump that a single rank would have made.
import {
  type ConstructTable,
  Direction,
  type Dump,
  type ItemRow,
  Kind,
  type OpRow,
  problem,
  type Problem,
  Refusal,
  sharedColumn,
  type StackTable,
  State,
  stateNames,
  type TextCode,
  TextPool,
} from '../model/index.ts'
import { cellNames, itemColumns, itemsUpTo, Origins, shapeOf, shapeText } from './columns.ts'
import type { Seat } from './groups.ts'
import { type SharingRule, sharingBy } from './rules.ts'
import { inSequence, type Sequence, type StageOp } from './stages.ts'
import { ShardTensors, type JoinTensors } from './tensors.ts'
import { areSame, type Decided, decide, joinedCell, joinedShape, type Piece, valueKey } from './values.ts'

export interface Shard {
  readonly seat: Seat
  readonly dump: Dump
}

export interface Merging {
  /** All of one copy of the model. */
  readonly shards: readonly Shard[]
  readonly rules: readonly SharingRule[]
  /** What the whole is called by. */
  readonly path: string
  readonly join: JoinTensors
}

/** A dump of many ranks, with what its values were made of. */
export interface MergedDump extends Dump {
  readonly origins: Origins
  readonly stages: readonly Stage[]
  readonly join: JoinTensors
}

/** The ranks of one pipeline stage; the first one's ops are gone through. */
export class Stage {
  readonly dumps: readonly Dump[]
  readonly ranks: readonly number[]
  readonly #opOf: readonly ReadonlyMap<string, OpRow>[]

  constructor(shards: readonly Shard[]) {
    this.dumps = shards.map(({ dump }) => dump)
    this.ranks = shards.map(({ seat }) => seat.rank)
    this.#opOf = this.dumps.slice(1).map(rowsByName)
  }

  get main(): Dump {
    return this.dumps[0]
  }

  /** The op of that name on each of the other ranks, -1 where it is missing. */
  twins(op: OpRow): readonly OpRow[] {
    const name = this.main.texts.get(this.main.ops.name[op])
    return this.#opOf.map(rows => rows.get(name) ?? -1)
  }

  /** The same item on each of the other ranks; -1 where it is missing. */
  itemTwins(item: ItemRow, twins: readonly OpRow[]): readonly ItemRow[] {
    const { items, texts, ops } = this.main
    const name = texts.get(items.name[item])
    const place = item - ops.first[items.op[item]]
    return twins.map((op, i) => (op < 0 ? -1 : itemNamed(this.dumps[i + 1], op, name, place)))
  }

  /** The item on every rank; null where one has none. */
  pieces(item: ItemRow, twins: readonly ItemRow[]): readonly Piece[] | null {
    if (twins.includes(-1)) return null
    return [{ dump: this.main, item }, ...twins.map((row, i) => ({ dump: this.dumps[i + 1], item: row }))]
  }
}

const withoutParts = (name: string, parts: number): string => name.split('.').slice(0, -parts).join('.')

/** Last size of what row-parallel products take of a rank, by the module that they stand in. */
function narrowIn(dump: Dump): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const { ops, items, texts, names } = dump
  for (let op = 0; op < ops.length; op++) {
    const { form, owner, direction } = names.parse(texts.get(ops.name[op]))
    if (form !== 'module' || direction !== Direction.forward || !owner.endsWith('RowParallelLinear')) continue
    const first = ops.first[op]
    const size = first < ops.first[op + 1] && items.tensor[first] === 1 ? shapeOf(dump, first)?.at(-1) : 0
    if (size) found.set(withoutParts(owner, 2), size)
  }
  return found
}

const meet = (one: Dump, other: Dump): boolean =>
  Array.from(one.ops.name).some(code => other.texts.findPlain(one.texts.get(code)) >= 0)

function rowsByName({ ops, texts }: Dump): ReadonlyMap<string, OpRow> {
  const rows = new Map<string, OpRow>()
  for (let op = 0; op < ops.length; op++) rows.set(texts.get(ops.name[op]), op)
  return rows
}

/** Items mostly stand at the same place. */
function itemNamed({ items, ops, texts }: Dump, op: OpRow, name: string, place: number): ItemRow {
  const [from, to] = [ops.first[op], ops.first[op + 1]]
  if (from + place < to && texts.get(items.name[from + place]) === name) return from + place
  for (let item = from; item < to; item++) if (texts.get(items.name[item]) === name) return item
  return -1
}

export const isMerged = (dump: Dump): dump is MergedDump => 'origins' in dump

export function mergeDumps(merging: Merging): MergedDump {
  return new Merge(merging).run()
}

/** Calls that move values between stages: one rank makes none of them. */
const transfers: ReadonlySet<string> = new Set(['send', 'recv', 'isend', 'irecv', 'batch_isend_irecv'])

interface Told {
  count: number
  name: string
}

class Merge {
  readonly #merging: Merging
  readonly #stages: readonly Stage[]
  readonly #texts = new TextPool()
  readonly #sharing: ReturnType<typeof sharingBy>
  readonly #items: ReturnType<typeof itemColumns>
  readonly #origins: Origins
  readonly #told = new Map<string, Told>()
  readonly #dropped: number[]
  /** Of each stage: what the last product in a module takes of a rank, by the module. */
  readonly #narrow: readonly ReadonlyMap<string, number>[]
  /** Of each stage: the result of a collective by what went into it. */
  readonly #reduced: readonly Map<string, ItemRow>[]
  #length = 0

  constructor(merging: Merging) {
    this.#merging = merging
    const { shards } = merging
    const stages = [...new Set(shards.map(({ seat }) => seat.stage))].toSorted((a, b) => a - b)
    this.#stages = stages.map(stage => new Stage(shards.filter(({ seat }) => seat.stage === stage)))
    this.#sharing = sharingBy(merging.rules)
    const most = this.#stages.reduce((sum, { main }) => sum + main.items.length, 0)
    this.#items = itemColumns(most)
    this.#origins = new Origins(most, Math.max(...this.#stages.map(({ dumps }) => dumps.length)) - 1)
    this.#dropped = this.#stages.map(() => 0)
    this.#reduced = this.#stages.map(() => new Map())
    this.#narrow = this.#stages.map(({ main }) => narrowIn(main))
    this.#checkAlike()
  }

  run(): MergedDump {
    const { path, join } = this.#merging
    const kept = this.#stages.map((stage, i) => this.#keptOf(stage, i))
    const sequence = inSequence(
      this.#stages.map(({ main }) => main),
      kept,
    )
    const calls = asOneCall(sequence)
    const ops = {
      name: sharedColumn(Uint32Array, calls.length),
      first: sharedColumn(Uint32Array, calls.length + 1),
    }
    calls.forEach((call, row) => {
      ops.name[row] = this.#texts.addPlain(call.name)
      for (const { op, states } of call.parts) this.#addItems(op, call.name, row, states)
      ops.first[row + 1] = this.#length
    })
    const { main } = this.#stages[0]
    const items = itemsUpTo(this.#items, this.#length)
    const none = new Float64Array(calls.length)
    const merged = {
      dir: path,
      file: path,
      raw: null,
      header: { ...main.header, hasMd5: this.#hasMd5() },
      texts: this.#texts,
      names: main.names,
      ops: { length: calls.length, ...ops, from: none, to: none },
      items,
      stacks: this.#stacks(sequence),
      construct: this.#construct(sequence, calls),
      edges: null,
      tensors: new ShardTensors(path, items, this.#texts, this.#origins, this.#stages, join),
      partial: this.#merging.shards.some(({ dump }) => dump.partial),
      problems: this.#problems(),
      origins: this.#origins,
      stages: this.#stages,
      join,
    }
    return withAbout(merged)
  }

  /** Dumps of other kinds cannot be parts of one. */
  #checkAlike(): void {
    const [first, ...others] = this.#merging.shards
    const kind = ({ dump: { header, names } }: Shard): string =>
      [names.id, header.framework, header.task, header.level].join(' ')
    const odd = others.find(shard => kind(shard) !== kind(first))
    if (odd) throw new Refusal(problem('ranks-unlike', odd.dump.file, { other: first.dump.file }))
    for (const { main, dumps, ranks } of this.#stages)
      for (const [i, dump] of dumps.entries())
        if (i > 0 && !meet(main, dump))
          throw new Refusal(problem('ranks-strangers', dump.file, { rank: ranks[i], other: ranks[0] }))
  }

  /** Checksums of pieces say nothing of the whole, where there are numbers beside them. */
  #hasMd5(): boolean {
    const { main, dumps } = this.#stages[0]
    if (!main.header.hasMd5) return false
    const { kind } = main.items.max
    const hasNumbers = kind.some((one, item) => main.items.tensor[item] === 1 && one === Kind.float)
    return dumps.length === 1 && !hasNumbers
  }

  // ---------------------------------------- ops

  /** Ops of a stage but for those that speak to ranks of the same copy; what these gave is kept in mind. */
  #keptOf(stage: Stage, at: number): readonly OpRow[] {
    const { main, ranks } = stage
    const several = this.#stages.length > 1
    const slices = ranks.toSorted((a, b) => a - b).join()
    const kept: OpRow[] = []
    for (let op = 0; op < main.ops.length; op++) {
      const name = main.texts.get(main.ops.name[op])
      const word = main.names.communication(name)
      const isTransfer = several && word !== null && transfers.has(word)
      const isWithin = word !== null && ranks.length > 1 && groupOf(main, op) === slices
      if (isWithin && word.includes('reduce')) this.#noteReduced(stage, at, op)
      if (isTransfer || isWithin) this.#dropped[at]++
      else {
        if (stage.twins(op).includes(-1)) this.#tell('ranks-op-missing', name)
        kept.push(op)
      }
    }
    return kept
  }

  #noteReduced({ main }: Stage, at: number, op: OpRow): void {
    const of = (state: State): ItemRow[] => {
      const rows: ItemRow[] = []
      for (let item = main.ops.first[op]; item < main.ops.first[op + 1]; item++)
        if (main.items.state[item] === state && main.items.tensor[item] === 1) rows.push(item)
      return rows
    }
    const [output] = of(State.output)
    if (output === undefined) return
    for (const item of of(State.input)) {
      const key = valueKey({ dump: main, item })
      if (key !== '') this.#reduced[at].set(key, output)
    }
  }

  // ---------------------------------------- items

  #addItems({ stage: at, op, parsed }: StageOp, name: string, row: OpRow, states: ReadonlySet<number>): void {
    const stage = this.#stages[at]
    const { main } = stage
    const own = main.texts.get(main.ops.name[op])
    const twins = stage.twins(op)
    const backward = parsed.direction === Direction.backward
    const gate = this.#gateOf(at, own, parsed.owner)
    for (let item = main.ops.first[op]; item < main.ops.first[op + 1]; item++) {
      const state = main.items.state[item]
      if (!states.has(state)) continue
      const itemName = main.texts.get(main.items.name[item])
      const to = this.#length++
      const tail = itemName.startsWith(own) ? itemName.slice(own.length) : `.${itemName}`
      const renamed = this.#texts.addPlain(name + tail)
      this.#copy(main, item, to)
      this.#items.op[to] = row
      this.#items.name[to] = renamed
      this.#origins.stage[to] = at
      this.#origins.row[to] = item
      this.#origins.gate[to] = gate
      const gradients = stateNames[state] === 'parameters_grad'
      const key = gradients ? `parameters_grad${tail}` : tail.slice(1)
      this.#put(stage, at, to, item, stage.itemTwins(item, twins), () =>
        this.#sharing(parsed.owner, key, backward),
      )
    }
  }

  /** Of a module, or of the one that makes a call: what the product behind a gate takes of a rank. */
  #gateOf(at: number, name: string, owner: string): number {
    const { construct, texts, names } = this.#stages[at].main
    const parsed = names.parse(name)
    let of = owner
    if (parsed.form === 'api') {
      const row = construct.find(texts.findPlain(name))
      const parent = row < 0 ? -1 : construct.parent[row]
      if (parent < 0) return 0
      of = names.parse(texts.get(parent)).owner
    }
    const narrow = this.#narrow[at]
    return narrow.get(withoutParts(of, 2)) ?? narrow.get(withoutParts(of, 1)) ?? 0
  }

  #copy({ items, texts }: Dump, from: ItemRow, to: ItemRow): void {
    const out = this.#items
    const text = (code: TextCode): TextCode => (code < 0 ? -1 : this.#texts.addPlain(texts.get(code)))
    out.state[to] = items.state[from]
    out.type[to] = text(items.type[from])
    out.dtype[to] = text(items.dtype[from])
    out.shape[to] = text(items.shape[from])
    out.md5[to] = text(items.md5[from])
    out.dataName[to] = text(items.dataName[from])
    out.requiresGrad[to] = items.requiresGrad[from]
    out.tensor[to] = items.tensor[from]
    for (const name of cellNames) {
      const kind = items[name].kind[from]
      const isText = kind === Kind.text || kind === Kind.bigint
      out[name].kind[to] = kind
      out[name].value[to] = isText ? text(items[name].value[from]) : items[name].value[from]
    }
  }

  /** One item of a stage, of all its ranks. */
  #put(
    stage: Stage,
    at: number,
    to: ItemRow,
    item: ItemRow,
    twins: readonly ItemRow[],
    sharing: () => ReturnType<ReturnType<typeof sharingBy>>,
  ): void {
    const origins = this.#origins
    const pieces = stage.pieces(item, twins)
    if (stage.dumps.length === 1 || !pieces || stage.main.items.tensor[item] === 0) {
      origins.setWay(to, stage.dumps.length > 1 && pieces ? 'same' : 'one')
      return
    }
    origins.twins.set(twins, to * origins.others)
    const rule = sharing()
    const decided = decide(rule, pieces)
    const isSum = rule === null || rule.how === 'sum' || rule.how === 'sequence'
    if (decided.way !== 'same' && isSum && this.#takeReduced(stage, at, to, item)) return
    origins.guessed[to] = Number(decided.guessed)
    this.#join(to, decided, pieces)
  }

  #join(to: ItemRow, decided: Decided, pieces: readonly Piece[]): void {
    const { way, axis, blocks } = decided
    this.#origins.setWay(to, way, axis, blocks)
    if (way === 'same') return
    const name = this.#texts.get(this.#items.name[to])
    if (way === 'unequal') return this.#tell('ranks-replicas-differ', name)
    this.#items.md5[to] = -1
    if (way === 'split') {
      this.#putSplit(to, axis, pieces)
      return
    }
    this.#tell(way === 'unfit' ? 'ranks-shards-unfit' : 'ranks-sums', name)
    for (const cell of cellNames) this.#items[cell].kind[to] = Kind.absent
    this.#items.dataName[to] = -1
  }

  #putSplit(to: ItemRow, axis: number, pieces: readonly Piece[]): void {
    const [{ dump, item }] = pieces
    const like = dump.texts.get(dump.items.shape[item])
    this.#items.shape[to] = this.#texts.addPlain(shapeText(like, joinedShape(pieces, axis)))
    for (const name of cellNames) {
      const { kind, value } = joinedCell(name, pieces)
      this.#items[name].kind[to] = kind
      this.#items[name].value[to] = value
    }
  }

  /** A summand whose collective was dumped is what that gave. */
  #takeReduced(stage: Stage, at: number, to: ItemRow, item: ItemRow): boolean {
    const { main } = stage
    const output = this.#reduced[at].get(valueKey({ dump: main, item }))
    if (output === undefined) return false
    const twins = stage.itemTwins(output, stage.twins(main.items.op[output]))
    const pieces = stage.pieces(output, twins)
    if (!pieces) return false
    const scattered = areSame(pieces) !== true
    if (scattered && String(shapeOf(main, output)) === String(shapeOf(main, item))) return false
    const { op, name, state } = this.#items
    const kept = [op[to], name[to], state[to]]
    this.#copy(main, output, to)
    ;[op[to], name[to], state[to]] = kept
    this.#origins.row[to] = output
    this.#origins.twins.set(twins, to * this.#origins.others)
    this.#origins.setWay(to, 'sum', scattered ? 0 : -1)
    if (scattered) this.#putSplit(to, 0, pieces)
    return true
  }

  // ---------------------------------------- what stands beside

  #stacks({ ops, nameOf }: Sequence): StackTable {
    const starts: number[] = []
    let length = 0
    for (const { main } of this.#stages) {
      starts.push(length)
      length += main.stacks.length
    }
    const stackOf = new Map<TextCode, number>()
    for (const { stage, op } of ops) {
      const { main } = this.#stages[stage]
      const code = main.ops.name[op]
      const stack = main.stacks.of(code)
      const name = this.#texts.addPlain(nameOf(stage, main.texts.get(code)))
      if (stack >= 0 && !stackOf.has(name)) stackOf.set(name, starts[stage] + stack)
    }
    const stages = this.#stages
    const { file, newLayout = false } = stages[0].main.stacks
    return {
      file,
      newLayout,
      length,
      of: name => stackOf.get(name) ?? -1,
      frames(stack) {
        const at = starts.findLastIndex(start => start <= stack)
        return stages[at].main.stacks.frames(stack - starts[at])
      },
    }
  }

  /** Siblings stand in the order of the calls; what left no op comes behind. */
  #construct({ nameOf }: Sequence, calls: readonly Call[]): ConstructTable {
    const parents = new Map<TextCode, { readonly parent: TextCode; readonly micro: number }>()
    let microSteps = 0
    for (const [at, { main }] of this.#stages.entries()) {
      const { construct, texts } = main
      microSteps = Math.max(microSteps, construct.microSteps)
      const named = (code: TextCode): TextCode => this.#texts.addPlain(nameOf(at, texts.get(code)))
      for (let row = 0; row < construct.length; row++) {
        const child = named(construct.child[row])
        const parent = construct.parent[row] < 0 ? -1 : named(construct.parent[row])
        if (!parents.has(child) && child !== parent)
          parents.set(child, { parent, micro: construct.micro[row] })
      }
    }
    const ordered = new Set<TextCode>()
    for (const { name } of calls) {
      const code = this.#texts.addPlain(name)
      if (parents.has(code)) ordered.add(code)
    }
    const dropped = new Set(this.#droppedNames(nameOf))
    for (const code of parents.keys()) if (!dropped.has(code)) ordered.add(code)
    const rows = [...ordered]
    const rowOf = new Map(rows.map((code, row) => [code, row]))
    return {
      file: this.#stages[0].main.construct.file,
      length: rows.length,
      child: Uint32Array.from(rows),
      parent: Int32Array.from(rows, code => parents.get(code)?.parent ?? -1),
      micro: Int32Array.from(rows, code => parents.get(code)?.micro ?? -1),
      microSteps,
      find: code => rowOf.get(code) ?? -1,
    }
  }

  *#droppedNames(nameOf: Sequence['nameOf']): Iterable<TextCode> {
    for (const [at, stage] of this.#stages.entries()) {
      if (this.#dropped[at] === 0) continue
      const { main, ranks } = stage
      const slices = ranks.toSorted((a, b) => a - b).join()
      for (let op = 0; op < main.ops.length; op++) {
        const name = main.texts.get(main.ops.name[op])
        const word = main.names.communication(name)
        const isTransfer = this.#stages.length > 1 && word !== null && transfers.has(word)
        if (isTransfer || (word !== null && ranks.length > 1 && groupOf(main, op) === slices))
          yield this.#texts.addPlain(nameOf(at, name))
      }
    }
  }

  #tell(code: string, name: string): void {
    const known = this.#told.get(code)
    if (known) known.count++
    else this.#told.set(code, { count: 1, name })
  }

  #problems(): readonly Problem[] {
    const { path, shards } = this.#merging
    const found: Problem[] = shards.flatMap(({ dump }) => dump.problems)
    for (const [code, severity] of tellings) {
      const told = this.#told.get(code)
      if (told) found.push(problem(code, path, { count: told.count, item: told.name }, severity))
    }
    const transfersLeft = this.#dropped.reduce((sum, count) => sum + count, 0)
    if (transfersLeft > 0) found.push(problem('ranks-transfers', path, { count: transfersLeft }, 'note'))
    return found
  }
}

const tellings = [
  ['ranks-op-missing', 'warning'],
  ['ranks-replicas-differ', 'warning'],
  ['ranks-shards-unfit', 'warning'],
  ['ranks-sums', 'note'],
] as const

/** The ranks that a collective speaks to, in order; '' where it does not say. */
function groupOf({ items, ops, texts }: Dump, op: OpRow): string {
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
    const type = items.type[item]
    if (type < 0 || texts.get(type) !== 'torch.ProcessGroup') continue
    if (items.max.kind[item] !== Kind.text) return ''
    return (texts.get(items.max.value[item]).match(/\d+/g) ?? [])
      .map(Number)
      .toSorted((a, b) => a - b)
      .join()
  }
  return ''
}

// ---------------------------------------- modules that every stage has

interface Call {
  readonly name: string
  readonly parts: readonly { readonly op: StageOp; readonly states: ReadonlySet<number> }[]
}

const everyState: ReadonlySet<number> = new Set(Object.values(State))
const results: ReadonlySet<number> = new Set([State.output])
const others: ReadonlySet<number> = new Set(Object.values(State).filter(state => state !== State.output))

/** A module around the stages takes what the first takes and gives what the last gives; backwards the other way. */
function asOneCall({ ops }: Sequence): readonly Call[] {
  const same = new Map<string, StageOp[]>()
  for (const op of ops) {
    const known = same.get(op.name)
    if (known) known.push(op)
    else same.set(op.name, [op])
  }
  const calls: Call[] = []
  for (const op of ops) {
    const all = same.get(op.name) ?? [op]
    // Modules are dumped behind what lies in them: the last one of them ends the call.
    if (op !== all[all.length - 1]) continue
    if (all.length === 1) calls.push({ name: op.name, parts: [{ op, states: everyState }] })
    else if (op.parsed.form === 'module')
      calls.push({
        name: op.name,
        parts: [
          { op: all[0], states: others },
          { op, states: results },
        ],
      })
    else calls.push({ name: op.name, parts: [{ op: all[0], states: everyState }] })
  }
  return calls
}

// ---------------------------------------- where values come from

/** The dump with what can be asked about its items. */
export function withAbout(merged: Omit<MergedDump, 'about'>): MergedDump {
  const { origins, stages } = merged
  return {
    ...merged,
    about: {
      op: () => [],
      layout: () => '',
      rounded: item => origins.axis[item] >= 0,
      shards(item) {
        const { ranks } = stages[origins.stage[item]]
        const way = origins.wayOf(item)
        return {
          ranks: way === 'one' ? ranks.slice(0, 1) : ranks,
          way,
          axis: origins.axis[item],
          guessed: origins.guessed[item] === 1,
        }
      },
    },
  }
}
