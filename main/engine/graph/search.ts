// Search over names, ops, stack lines, dtypes, shapes and what else is known of ops, in both graphs: one heap of
// lower-cased bytes per kind, searched as a whole.
import {
  type Dump,
  type Ids,
  type ItemRow,
  type NameGrammar,
  type OpRow,
  type SearchHit,
  type Side,
  type TextCode,
  type TextPool,
} from '../model/index.ts'
import { atOnce, type Steps } from '../work/index.ts'
import { nodeName } from './graph.ts'
import { rangeOf } from './items.ts'
import { sideMarks, type Marks, type SideMarks } from './marks.ts'

const separator = 10

/** Texts one after the other, lower-cased, with the number of each. */
class Heap {
  #bytes = new Uint8Array(1 << 16)
  #end = 0
  readonly #starts: number[] = []

  add(text: Uint8Array): void {
    this.#grow(text.length)
    this.#bytes.set(text, this.#end)
    this.#close(this.#end + text.length)
  }

  /** A text of a pool, without making an object of it. */
  addCode(texts: TextPool, code: TextCode): void {
    this.#grow(texts.bytesOf(code))
    this.#close(texts.copy(code, this.#bytes, this.#end))
  }

  #grow(length: number): void {
    if (this.#end + length + 1 <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#end + length + 1))
    grown.set(this.#bytes.subarray(0, this.#end))
    this.#bytes = grown
  }

  #close(end: number): void {
    const bytes = this.#bytes
    this.#starts.push(this.#end)
    for (let at = this.#end; at < end; at++) {
      const byte = bytes[at]
      if (byte >= 0x41 && byte <= 0x5a) bytes[at] = byte | 0x20
      else if (byte === separator) bytes[at] = 32
    }
    bytes[end] = separator
    this.#end = end + 1
  }

  /**
   * Calls `hit` with the number of each text that holds the needle and where; stops when it returns false.
   */
  find(needle: Uint8Array, hit: (text: number, at: number) => boolean): void {
    const heap = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#end)
    for (let at = heap.indexOf(needle); at >= 0;) {
      const text = this.#textAt(at)
      if (!hit(text, at - this.#starts[text])) return
      const next = this.#starts[text + 1] ?? this.#end
      at = next < this.#end ? heap.indexOf(needle, next) : -1
    }
  }

  #textAt(at: number): number {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle] <= at) low = middle
      else high = middle - 1
    }
    return low
  }
}

interface SearchedSide {
  readonly name: Side
  readonly marks: SideMarks
  /** Ids in execution order. */
  readonly names: Heap
  readonly stacks: Heap
  readonly codes: Record<'dtype' | 'shape', CodeHeap>
  readonly facts: readonly FactHeap[]
}

interface CodeHeap {
  readonly heap: Heap
  readonly codes: readonly number[]
}

/** What a compiler knows of ops, and users look for. */
const soughtFacts = ['type', 'originals', 'pass', 'kernel'] as const
type SoughtFact = (typeof soughtFacts)[number]
const isSought = (word: string | undefined): word is SoughtFact => soughtFacts.some(key => key === word)

/** Distinct texts of one fact, and which of them each op has. */
class FactHeap {
  readonly key: SoughtFact
  readonly heap = new Heap()
  readonly texts: string[] = []
  readonly #of: Int32Array
  readonly #known = new Map<string, number>()

  constructor(key: SoughtFact, ops: number) {
    this.key = key
    this.#of = new Int32Array(ops).fill(-1)
  }

  add(op: OpRow, text: string): void {
    let known = this.#known.get(text)
    if (known === undefined) {
      known = this.texts.push(text) - 1
      this.#known.set(text, known)
      this.heap.add(new TextEncoder().encode(text))
    }
    this.#of[op] = known
  }

  /** Row of the op's text, -1 for none. */
  of(op: OpRow): number {
    return op < 0 ? -1 : this.#of[op]
  }
}

const noCodes: CodeHeap = { heap: new Heap(), codes: [] }
/** Names, and stacks, that a step of the preparing goes through. */
const stepNames = 4096
const stepStacks = 64
const stepFacts = 512

export class NameSearch {
  readonly #sides: SearchedSide[] = []
  #preparing: Steps<void> | null

  constructor(marks: Marks) {
    for (const name of ['debug', 'bench'] as const) {
      const side = sideMarks(marks, name)
      if (side)
        this.#sides.push({
          name,
          marks: side,
          names: new Heap(),
          stacks: new Heap(),
          codes: { dtype: noCodes, shape: noCodes },
          facts: side.dump.about ? soughtFacts.map(key => new FactHeap(key, side.dump.ops.length)) : [],
        })
    }
    this.#preparing = this.#prepare()
  }

  /** A part of what must be there before the first search; false when all of it is. */
  prepare(): boolean {
    if (this.#preparing?.next().done) this.#preparing = null
    return this.#preparing !== null
  }

  *#prepare(): Steps<void> {
    for (const {
      marks: { graph, dump },
      names,
      stacks,
      codes,
      facts,
    } of this.#sides) {
      for (let place = 0; place < graph.length; place++) {
        names.addCode(graph.texts, graph.name[graph.order[place]])
        if (place % stepNames === stepNames - 1) yield
      }
      const encoder = new TextEncoder()
      for (let stack = 0; stack < dump.stacks.length; stack++) {
        stacks.add(encoder.encode(dump.stacks.frames(stack).join(' ')))
        if (stack % stepStacks === stepStacks - 1) yield
      }
      for (const what of ['dtype', 'shape'] as const) {
        codes[what] = codeHeap(dump.texts, dump.items[what])
        yield
      }
      yield* prepareFacts(dump, facts)
    }
  }

  /**
   * Hits in names first, then in what is known of ops, stacks, dtypes and shapes; each kind in execution order.
   * `type:`, `originals:`, `pass:` and `kernel:` before a text look nowhere else.
   */
  find(text: string, limit: number): SearchHit[] {
    const wanted = text.trim().toLowerCase()
    if (wanted === '') return []
    if (this.#preparing) atOnce(this.#preparing)
    this.#preparing = null
    const hits: SearchHit[] = []
    const { only, rest } = asked(wanted)
    if (only && this.#sides.some(({ facts }) => facts.length > 0)) {
      for (const side of this.#sides) factHits(side, [only], rest, limit, hits)
      return hits
    }
    const needle = new TextEncoder().encode(wanted)
    const share = this.#sides.length === 0 ? 0 : Math.ceil(limit / this.#sides.length)
    for (const side of this.#sides) this.#names(side, needle, share, hits)
    for (const side of this.#sides) factHits(side, soughtFacts, wanted, limit, hits)
    if (hits.length < limit) for (const side of this.#sides) this.#stacks(side, needle, limit, hits)
    for (const what of ['dtype', 'shape'] as const)
      if (hits.length < limit) for (const side of this.#sides) this.#items(side, what, needle, limit, hits)
    return hits.slice(0, limit)
  }

  #names({ name, marks, names }: SearchedSide, needle: Uint8Array, limit: number, hits: SearchHit[]): void {
    let left = limit
    names.find(needle, (place, at) => {
      const node = marks.graph.order[place]
      const id = nodeName(marks.graph, node)
      const [from, to] = opWord(marks.graph.names, id)
      const what = at >= from && at + needle.length <= to ? 'op' : 'name'
      hits.push({ side: name, node: id, what, text: id, ...looks(marks, node) })
      return --left > 0
    })
  }

  #stacks(side: SearchedSide, needle: Uint8Array, limit: number, hits: SearchHit[]): void {
    const { stacks } = side.marks.dump
    const found = new Set<number>()
    side.stacks.find(needle, stack => {
      found.add(stack)
      return true
    })
    if (found.size === 0) return
    const { graph } = side.marks
    const wanted = new TextDecoder().decode(needle)
    for (const node of graph.order) {
      const stack = stacks.of(graph.name[node])
      if (stack < 0 || !found.has(stack)) continue
      const line = stacks.frames(stack).find(frame => frame.toLowerCase().includes(wanted)) ?? ''
      hits.push({
        side: side.name,
        node: nodeName(graph, node),
        what: 'stack',
        text: line,
        ...looks(side.marks, node),
      })
      if (hits.length >= limit) return
    }
  }

  #items(
    side: SearchedSide,
    what: 'dtype' | 'shape',
    needle: Uint8Array,
    limit: number,
    hits: SearchHit[],
  ): void {
    const { dump, graph } = side.marks
    const { heap, codes } = side.codes[what]
    const found = new Set<number>()
    heap.find(needle, text => {
      found.add(codes[text])
      return true
    })
    if (found.size === 0) return
    const column = dump.items[what]
    for (const node of graph.order) {
      for (let [item, end] = rangeOf(dump, graph.op[node]); item < end; item++) {
        if (!found.has(column[item])) continue
        hits.push({
          side: side.name,
          node: nodeName(graph, node),
          what,
          text: dump.texts.get(column[item]),
          ...looks(side.marks, node),
        })
        break
      }
      if (hits.length >= limit) return
    }
  }
}

/** Words of compilers, of the ops of one dump. */
function* prepareFacts(dump: Dump, facts: readonly FactHeap[]): Steps<void> {
  if (!dump.about || facts.length === 0) return
  for (let op = 0; op < dump.ops.length; op++) {
    for (const { key, text } of dump.about.op(op)) facts.find(heap => heap.key === key)?.add(op, text)
    if (op % stepFacts === stepFacts - 1) yield
  }
}

/** `type:MatMul` asks for one fact. */
function asked(wanted: string): { readonly only: SoughtFact | null; readonly rest: string } {
  const [, word, rest = ''] = /^([a-z]+):\s*(.+)$/.exec(wanted) ?? []
  return isSought(word) ? { only: word, rest } : { only: null, rest: wanted }
}

/** An op that was found already is not told again. */
function factHits(
  { name, marks, facts }: SearchedSide,
  keys: readonly SoughtFact[],
  wanted: string,
  limit: number,
  hits: SearchHit[],
): void {
  const { graph } = marks
  const told = new Set(hits.flatMap(({ side, node }) => (side === name ? [node] : [])))
  const needle = new TextEncoder().encode(wanted)
  for (const fact of facts.filter(({ key }) => keys.includes(key))) {
    const found = new Set<number>()
    fact.heap.find(needle, text => {
      found.add(text)
      return true
    })
    for (const node of found.size > 0 ? graph.order : []) {
      if (hits.length >= limit) return
      const text = fact.of(graph.op[node])
      const id = found.has(text) ? nodeName(graph, node) : ''
      if (id === '' || told.has(id)) continue
      told.add(id)
      hits.push({ side: name, node: id, what: fact.key, text: fact.texts[text], ...looks(marks, node) })
    }
  }
}

/** How a hit looks. */
const looks = ({ bucket, origin }: SideMarks, node: number): Pick<SearchHit, 'bucket' | 'origin'> => ({
  bucket: bucket[node],
  origin: node === origin,
})

/** Distinct texts of a column. */
function codeHeap(texts: TextPool, column: Ids<ItemRow, TextCode>): CodeHeap {
  const seen = new Uint8Array(texts.size)
  const heap = new Heap()
  const codes: number[] = []
  for (const code of column) {
    if (code < 0 || seen[code] === 1) continue
    seen[code] = 1
    codes.push(code)
    heap.addCode(texts, code)
  }
  return { heap, codes }
}

/** Where the op's own word stands in an id: the API's name, or the class of a module. */
function opWord(names: NameGrammar, id: string): readonly [number, number] {
  const { form, owner, type, path, ofModule } = names.parse(id)
  if (form === 'api' && path !== '') return [type.length + 1, owner.length]
  return form === 'module' && ofModule && path.includes('.')
    ? [owner.lastIndexOf('.') + 1, owner.length]
    : [0, 0]
}
