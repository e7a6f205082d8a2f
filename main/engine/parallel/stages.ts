// Ops of pipeline stages as those of one run: in the order in which one rank would make the calls, under the names that
// they would have there.
import { Direction, type Dump, type OpName, type OpRow } from '../model/index.ts'

/** One op of one stage, under the name that the whole run has for it. */
export interface StageOp {
  readonly stage: number
  readonly op: OpRow
  readonly parsed: OpName
  name: string
  /** Micro batch, pass, and place along the model. */
  readonly slot: Slot
}

interface Slot {
  readonly micro: number
  readonly backward: boolean
  /** Piece of the model, where a stage holds several. */
  readonly chunk: number
}

export interface Sequence {
  readonly ops: readonly StageOp[]
  /** The name that a call of a stage has in the whole run; calls that left no op have their own. */
  nameOf(stage: number, name: string): string
}

/** Stages in their order, each with the ops that stay. */
export function inSequence(dumps: readonly Dump[], kept: readonly (readonly OpRow[])[]): Sequence {
  if (dumps.length === 1 && chunksIn(dumps[0], kept[0]) < 2) return untouched(dumps[0], kept[0])
  const stages = dumps.map((dump, stage) => stageOps(dump, stage, kept[stage]))
  const layers = new Layers(stages, dumps)
  const ops = stages.flat().toSorted(byPlace)
  const named = new Map<string, string>()
  renumber(ops, dumps, named)
  for (const one of ops) if (one.parsed.form !== 'api') one.name = layers.renamed(one.stage, one.name)
  return { ops, nameOf: (stage, name) => named.get(`${stage} ${name}`) ?? layers.renamed(stage, name) }
}

function untouched(dump: Dump, kept: readonly OpRow[]): Sequence {
  const slot = { micro: 0, backward: false, chunk: 0 }
  return {
    ops: kept.map(op => {
      const name = dump.texts.get(dump.ops.name[op])
      return { stage: 0, op, parsed: dump.names.parse(name), name, slot }
    }),
    nameOf: (_, name) => name,
  }
}

const chunkForm = /^((?:Module|Cell)\.)(\d+)(\..*)$/s
const chunkOf = (name: string): number => Number(chunkForm.exec(name)?.[2] ?? 0)

const chunksIn = ({ ops, texts }: Dump, kept: readonly OpRow[]): number =>
  new Set(kept.map(op => texts.get(ops.name[op])).flatMap(name => chunkForm.exec(name)?.[2] ?? [])).size

/** Forwards go along the model, backwards the other way. */
function byPlace(a: StageOp, b: StageOp): number {
  const way = a.slot.backward ? -1 : 1
  return (
    a.slot.micro - b.slot.micro ||
    Number(a.slot.backward) - Number(b.slot.backward) ||
    way * (a.slot.chunk - b.slot.chunk) ||
    way * (a.stage - b.stage) ||
    a.op - b.op
  )
}

// ---------------------------------------- places

function stageOps(dump: Dump, stage: number, kept: readonly OpRow[]): readonly StageOp[] {
  const slots = new Slots(dump, kept)
  const ops = kept.map(op => {
    const name = dump.texts.get(dump.ops.name[op])
    const parsed = dump.names.parse(name)
    return { stage, op, parsed, name, ...slots.of(name, parsed) }
  })
  // What nothing holds and a backward follows at once is the seed of that backward.
  return ops.map((one, i) => {
    const next = ops[i + 1]
    return one.found || !next?.slot.backward || one.slot.backward === next.slot.backward
      ? one
      : { ...one, slot: next.slot }
  })
}

/** To which micro batch and pass calls belong: by the call of the whole model that holds them, else by what came before. */
class Slots {
  readonly #dump: Dump
  readonly #roots: ReadonlySet<string>
  readonly #ofForward = new Map<string, Slot>()
  #current: Slot = { micro: 0, backward: false, chunk: 0 }

  constructor(dump: Dump, kept: readonly OpRow[]) {
    this.#dump = dump
    this.#roots = rootsOf(dump, kept)
  }

  of(name: string, parsed: OpName): { readonly slot: Slot; readonly found: boolean } {
    const known = this.#found(name, parsed)
    const slot = known ?? this.#next(parsed)
    if (parsed.direction === Direction.forward) this.#ofForward.set(`${parsed.owner} ${parsed.call}`, slot)
    this.#current = slot
    return { slot, found: known !== null }
  }

  #found(name: string, parsed: OpName): Slot | null {
    const root = this.#rootOf(name)
    if (root)
      return { micro: root.call, backward: root.direction === Direction.backward, chunk: chunkOf(root.owner) }
    const backward = parsed.direction === Direction.backward
    const twin = backward ? this.#ofForward.get(`${parsed.owner} ${parsed.call}`) : undefined
    return twin ? { ...twin, backward: true } : null
  }

  /** Of what nothing tells where it belongs. */
  #next(parsed: OpName): Slot {
    const backward = parsed.direction === Direction.backward
    if (this.#roots.size > 0 || backward === this.#current.backward) return this.#current
    // Without a hierarchy a forward behind a backward begins the next micro batch.
    return backward
      ? { ...this.#current, backward: true }
      : { micro: this.#current.micro + 1, backward: false, chunk: 0 }
  }

  /** The call of the whole model that holds this one. */
  #rootOf(name: string): OpName | null {
    const { construct, texts, names } = this.#dump
    let at = name
    for (let depth = 0; depth < deepest; depth++) {
      const parsed = names.parse(at)
      if (parsed.form === 'module' && this.#roots.has(parsed.owner)) return parsed
      const row = construct.find(texts.findPlain(at))
      const parent = row < 0 ? -1 : construct.parent[row]
      if (parent < 0) return null
      at = texts.get(parent)
    }
    return null
  }
}

const deepest = 200

/** The modules that hold all others: of each piece of the model the one with the shortest name. */
function rootsOf({ ops, texts, names }: Dump, kept: readonly OpRow[]): ReadonlySet<string> {
  const shortest = new Map<number, { readonly owner: string; readonly parts: number }>()
  for (const op of kept) {
    const { form, owner } = names.parse(texts.get(ops.name[op]))
    if (form !== 'module') continue
    const chunk = chunkOf(owner)
    const parts = owner.split('.').length
    if (parts < (shortest.get(chunk)?.parts ?? Infinity)) shortest.set(chunk, { owner, parts })
  }
  return new Set([...shortest.values()].map(({ owner }) => owner))
}

// ---------------------------------------- names

const layerForm = /^(.*?\.)(layers?|blocks|h)\.(\d+)(\..*)$/s

/** Layers are numbered anew in each stage, unless their numbers go on from the stage before. */
class Layers {
  readonly #starts = new Map<string, number>()
  readonly #several: boolean

  constructor(stages: readonly (readonly StageOp[])[], dumps: readonly Dump[]) {
    const pieces = new Map<string, { stage: number; chunk: number; numbers: Set<number> }[]>()
    const chunks = new Set<number>()
    for (const [stage, ops] of stages.entries())
      for (const { parsed } of ops) {
        if (!parsed.ofModule) continue
        const chunk = chunkOf(parsed.owner)
        chunks.add(chunk)
        const layer = layerForm.exec(`${withoutChunk(parsed.owner)}.`)
        if (!layer) continue
        const known = pieces.get(layer[1] + layer[2]) ?? []
        pieces.set(layer[1] + layer[2], known)
        let piece = known.find(one => one.stage === stage && one.chunk === chunk)
        if (!piece) known.push((piece = { stage, chunk, numbers: new Set() }))
        piece.numbers.add(Number(layer[3]))
      }
    this.#several = chunks.size > 1
    for (const [prefix, found] of pieces) {
      const along = found.toSorted((a, b) => a.chunk - b.chunk || a.stage - b.stage)
      const all = along.flatMap(({ numbers }) => [...numbers])
      const isWhole = new Set(all).size === all.length && dumps.length > 1 && along.length > 1
      let before = 0
      for (const { stage, chunk, numbers } of along) {
        this.#starts.set(`${prefix} ${stage} ${chunk}`, isWhole ? 0 : before)
        before += Math.max(...numbers) + 1
      }
    }
  }

  /** The name of a module, or what lies in one, in the whole run. */
  renamed(stage: number, name: string): string {
    const chunk = chunkOf(name)
    const plain = this.#several ? withoutChunk(name) : name
    const layer = layerForm.exec(plain)
    if (!layer || !/^(?:Module|Cell)\./.test(plain)) return plain
    const [, head, word, number, tail] = layer
    const start = this.#starts.get(`${withoutChunk(head + word)} ${stage} ${chunk}`) ?? 0
    return `${head}${word}.${Number(number) + start}${tail}`
  }
}

/** All pieces of the model go by the name of the first. */
const withoutChunk = (name: string): string => name.replace(chunkForm, '$10$3')

/** Calls of functions are counted over the whole run; a backward has the number of its forward. */
function renumber(ops: readonly StageOp[], dumps: readonly Dump[], named: Map<string, string>): void {
  const counts = new Map<string, number>()
  const numbers = new Map<string, number>()
  const next = (owner: string): number => {
    const count = counts.get(owner) ?? 0
    counts.set(owner, count + 1)
    return count
  }
  const key = ({ stage, parsed }: StageOp): string => `${stage} ${parsed.owner} ${parsed.call}`
  const apis = ops.filter(({ parsed }) => parsed.form === 'api')
  for (const one of apis)
    if (one.parsed.direction === Direction.forward) numbers.set(key(one), next(one.parsed.owner))
  for (const one of apis) {
    let number = numbers.get(key(one))
    if (number === undefined) numbers.set(key(one), (number = next(one.parsed.owner)))
    const own = dumps[one.stage].texts.get(dumps[one.stage].ops.name[one.op])
    const direction = one.parsed.direction === Direction.backward ? 'backward' : 'forward'
    one.name = `${one.parsed.owner}.${number}.${direction}`
    named.set(`${one.stage} ${own}`, one.name)
  }
}
