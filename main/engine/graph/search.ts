// Search over names, ops, stack lines, dtypes and shapes of both graphs: one heap of lower-cased bytes per
// kind, searched as a whole.
import {
  type Ids,
  type ItemRow,
  type NameGrammar,
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
}

interface CodeHeap {
  readonly heap: Heap
  readonly codes: readonly number[]
}

const noCodes: CodeHeap = { heap: new Heap(), codes: [] }
/** Names, and stacks, that a step of the preparing goes through. */
const stepNames = 4096
const stepStacks = 64

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
    }
  }

  /** Hits in names first, then in stacks, dtypes and shapes; each kind in execution order. */
  find(text: string, limit: number): SearchHit[] {
    const wanted = text.trim().toLowerCase()
    if (wanted === '') return []
    const needle = new TextEncoder().encode(wanted)
    if (this.#preparing) atOnce(this.#preparing)
    this.#preparing = null
    const hits: SearchHit[] = []
    const share = this.#sides.length === 0 ? 0 : Math.ceil(limit / this.#sides.length)
    for (const side of this.#sides) this.#names(side, needle, share, hits)
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
