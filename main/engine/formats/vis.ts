// Reads .vis files piece by piece: the hierarchy at once, the items of a node when somebody asks for them.
import { TextPool } from '../columns.ts'
import type { Files, Handle } from '../io/files.ts'
import type { Job } from '../job.ts'
import { problem, Refusal, type Problem } from '../problem.ts'
import { childLists, colorsIn, overflowOf, settleTree, type FileColor, type FileSide, type GraphFile } from './graph-file.ts'
import { isArray, isObject, JsonNumber, JsonReader, JsonStop, type Json } from './json-stream.ts'

const firstWindow = 4 << 20
const largestNode = 256 << 20
const quote = 0x22
const backslash = 0x5c

/** Reads the hierarchy of a .vis file. A file that ends early gives what is there. Close it when its items are no longer wanted. */
export async function readVis(files: Files, file: string, job: Job): Promise<GraphFile & { close(): void }> {
  const handle = files.open(file)
  const reading = new Reading(handle, file, job)
  try {
    await reading.run()
    return { ...reading.result(), close: () => handle.close() }
  } catch (error) {
    handle.close()
    throw error
  }
}

/** The rows of one side while they come. */
class SideRows {
  readonly texts = new TextPool()
  readonly name: number[] = []
  readonly kind: number[] = []
  readonly micro: number[] = []
  readonly partner: number[] = []
  readonly index: number[] = []
  readonly overflow: number[] = []
  readonly stack: number[] = []
  /** Byte ranges of inputs and outputs, four numbers a row. */
  readonly ranges: number[] = []
  readonly childFirst: number[] = [0]
  readonly childNames: number[] = []
  readonly upnode: number[] = []
  readonly stackRanges: number[] = []
  readonly #stackByHash = new Map<number, number>()
  tensors = ''

  /** Number of a stack by its bytes; equal bytes are one stack. */
  addStack(bytes: Uint8Array, from: number): number {
    if (bytes.length <= 2) return -1
    let hash = 0x811c9dc5
    let second = 0x9e3779b9
    for (const byte of bytes) {
      hash = Math.imul(hash ^ byte, 0x01000193)
      second = Math.imul(second + byte, 0x85ebca6b) ^ (second >>> 15)
    }
    const key = (hash >>> 0) * 0x100000 + ((second >>> 0) & 0xfffff)
    const known = this.#stackByHash.get(key)
    if (known !== undefined) return known
    const made = this.stackRanges.push(from, from + bytes.length) / 2 - 1
    this.#stackByHash.set(key, made)
    return made
  }
}

class Reading {
  readonly #handle: Handle
  readonly #file: string
  readonly #job: Job
  readonly #problems: Problem[] = []
  readonly #top = new Map<string, Json>()
  readonly #sides = new Map<string, SideRows>()
  #bytes = new Uint8Array(firstWindow)
  #at = 0
  #end = 0
  #base = 0
  #finished = false
  #partial = false

  constructor(handle: Handle, file: string, job: Job) {
    this.#handle = handle
    this.#file = file
    this.#job = job
  }

  async run(): Promise<void> {
    this.#more()
    try {
      this.#step(reader => reader.expect(0x7b))
      await this.#members(null)
    } catch (error) {
      if (!(error instanceof JsonStop)) throw error
      const byte = this.#base + error.at
      if (![...this.#sides.values()].some(side => side.name.length > 0)) throw new Refusal(problem('vis-invalid', this.#file, { byte }))
      this.#partial = true
      this.#problems.push(problem(error.why === 'truncated' ? 'vis-truncated' : 'vis-invalid', this.#file, { byte, size: this.#handle.size }, 'warning'))
    }
    if (![...this.#sides.values()].some(side => side.name.length > 0)) throw new Refusal(problem('vis-invalid', this.#file, { byte: 0 }))
  }

  /** Members of the object that the window stands in; `side` is null at the top. */
  async #members(side: SideRows | null): Promise<void> {
    if (this.#step(reader => reader.peek()) === 0x7d) return this.#step(reader => reader.expect(0x7d))
    for (;;) {
      const key = this.#step(reader => {
        const name = reader.string()
        reader.expect(0x3a)
        return { name, opens: reader.peek() === 0x7b }
      })
      if (key.opens && side === null && (key.name === 'NPU' || key.name === 'Bench')) {
        this.#step(reader => reader.expect(0x7b))
        await this.#members(this.#side(key.name))
      } else if (key.opens && key.name === 'node') {
        this.#step(reader => reader.expect(0x7b))
        await this.#nodes(side ?? this.#side(''))
      } else {
        const value = this.#step(reader => reader.value(1))
        if (key.name === 'dump_data_dir') (side ?? this.#side('')).tensors = typeof value === 'string' ? value : ''
        else if (side === null) this.#top.set(key.name, value)
      }
      if (this.#next()) return
    }
  }

  async #nodes(side: SideRows): Promise<void> {
    if (this.#step(reader => reader.peek()) === 0x7d) return this.#step(reader => reader.expect(0x7d))
    for (let count = 0; ; count++) {
      this.#step(reader => this.#node(reader, side))
      if ((count & 127) === 127) {
        this.#job.report({ what: 'job.reading', done: this.#base + this.#at, total: this.#handle.size, unit: 'bytes' })
        await this.#job.breathe()
      }
      if (this.#next()) return
    }
  }

  /** Goes past a comma, or past the end of the object: true. */
  #next(): boolean {
    return this.#step(reader => {
      const byte = reader.peek()
      if (byte !== 0x2c && byte !== 0x7d) throw new JsonStop('broken', reader.at)
      reader.at++
      if (byte === 0x2c) reader.space()
      return byte === 0x7d
    })
  }

  /** One node; nothing is kept unless it is whole. */
  #node(reader: JsonReader, side: SideRows): void {
    reader.space()
    const id = reader.string()
    reader.expect(0x3a)
    const found = { kind: 0, up: '', micro: -1, index: NaN, overflow: 0, partner: '', children: [] as string[], stack: -1, ranges: [0, 0, 0, 0] }
    const range = (): [number, number] => {
      reader.space()
      const from = reader.at
      skip(reader)
      return [this.#base + from, this.#base + reader.at]
    }
    const seen: [number, number][] = [[0, 0], [0, 0], [0, 0]]
    reader.space()
    reader.members(key => {
      switch (key) {
        case 'input_data': seen[0] = range(); break
        case 'output_data': seen[1] = range(); break
        case 'stack_info': seen[2] = range(); break
        case 'node_type': found.kind = numberIn(reader.value(2), 0); break
        case 'upnode': found.up = textIn(reader.value(2)); break
        case 'subnodes': found.children = textsIn(reader.value(2)); break
        case 'matched_node_link': found.partner = lastLink(textsIn(reader.value(2))); break
        case 'micro_step_id': found.micro = numberIn(reader.value(2), -1); break
        case 'data': {
          const data = reader.value(2)
          if (isObject(data)) {
            found.index = numberIn(data.get('precision_index'), NaN)
            found.overflow = overflowOf[textIn(data.get('overflow_level'))] ?? 0
          }
          break
        }
        default: skip(reader)
      }
    })
    const { texts } = side
    side.name.push(texts.add(id))
    side.kind.push(found.kind)
    side.micro.push(found.micro)
    side.index.push(found.index)
    side.overflow.push(found.overflow)
    side.partner.push(found.partner === '' ? -1 : texts.add(found.partner))
    side.upnode.push(found.up === '' || found.up === 'None' ? -1 : texts.add(found.up))
    side.ranges.push(...seen[0], ...seen[1])
    const [from, to] = seen[2]
    side.stack.push(to === from ? -1 : side.addStack(reader.bytes.subarray(from - this.#base, to - this.#base), from))
    for (const child of found.children) side.childNames.push(texts.add(child))
    side.childFirst.push(side.childNames.length)
  }

  #side(name: string): SideRows {
    let side = this.#sides.get(name)
    if (!side) this.#sides.set(name, (side = new SideRows()))
    return side
  }

  /** Reads something; when the window ends in the midst of it, reads on and tries again. */
  #step<T>(read: (reader: JsonReader) => T): T {
    for (;;) {
      const reader = new JsonReader(this.#bytes, this.#at, this.#end)
      try {
        const value = read(reader)
        this.#at = reader.at
        return value
      } catch (error) {
        if (error instanceof JsonStop && error.why === 'truncated' && this.#more()) continue
        throw error
      }
    }
  }

  /** Reads the next piece behind what is unread; false at the end of the file. */
  #more(): boolean {
    if (this.#finished) return false
    const left = this.#end - this.#at
    if (left * 2 > this.#bytes.length) {
      if (this.#bytes.length >= largestNode) throw new Refusal(problem('too-large', this.#file, { size: left, limit: largestNode }))
      const grown = new Uint8Array(this.#bytes.length * 2)
      grown.set(this.#bytes.subarray(this.#at, this.#end))
      this.#bytes = grown
    } else this.#bytes.copyWithin(0, this.#at, this.#end)
    this.#base += this.#at
    this.#at = 0
    this.#end = left
    const n = this.#handle.read(this.#base + left, this.#bytes.subarray(left))
    this.#end += n
    this.#finished = this.#end < this.#bytes.length
    return n > 0
  }

  result(): GraphFile {
    const debug = this.#sides.get('NPU') ?? this.#sides.get('')
    if (!debug || debug.name.length === 0) throw new Refusal(problem('vis-invalid', this.#file, { byte: 0 }))
    const bench = this.#sides.get('Bench')
    const flag = this.#top.get('OverflowCheck')
    const colors: FileColor[] = colorsIn(this.#top.get('Colors') ?? null)
    return {
      file: this.#file, step: 0, rank: 0, debug: this.#finish(debug), bench: bench && bench.name.length > 0 ? this.#finish(bench) : null,
      task: textIn(this.#top.get('task')), microSteps: numberIn(this.#top.get('MicroSteps'), 1), overflowChecked: typeof flag === 'boolean' ? flag : null,
      colors, partial: this.#partial, problems: this.#problems,
    }
  }

  #finish(rows: SideRows): FileSide {
    const { texts } = rows
    const length = rows.name.length
    const byName = new Map<number, number>()
    rows.name.forEach((code, row) => { if (!byName.has(code)) byName.set(code, row) })
    const lists = childLists(length, row => rows.childNames.slice(rows.childFirst[row], rows.childFirst[row + 1]), code => byName.get(code) ?? -1)
    const tree = settleTree(lists, row => byName.get(rows.upnode[row]) ?? -1)
    if (lists.missing > 0 || tree.strays > 0) this.#problems.push(problem('vis-tree', this.#file, { missing: lists.missing, strays: tree.strays }, 'note'))
    const handle = this.#handle
    const piece = (from: number, to: number): Uint8Array => {
      const bytes = new Uint8Array(to - from)
      return bytes.subarray(0, handle.read(from, bytes))
    }
    const stacks = new Map<number, readonly string[]>()
    const frames = (stack: number): readonly string[] => {
      let lines = stacks.get(stack)
      if (!lines) stacks.set(stack, (lines = textsIn(new JsonReader(piece(rows.stackRanges[stack * 2], rows.stackRanges[stack * 2 + 1])).value())))
      return lines
    }
    const ranges = Float64Array.from(rows.ranges)
    return {
      texts, length, name: Uint32Array.from(rows.name), kind: Uint8Array.from(rows.kind), parent: tree.parent, attached: tree.attached, micro: Int32Array.from(rows.micro),
      partner: Int32Array.from(rows.partner), index: Float64Array.from(rows.index), overflow: Uint8Array.from(rows.overflow), stack: Int32Array.from(rows.stack),
      stacks: { length: rows.stackRanges.length / 2, frames }, tensors: rows.tensors,
      items(row) {
        const [a, b, c, d] = ranges.subarray(row * 4, row * 4 + 4)
        return [piece(a, b), piece(c, d)]
      },
    }
  }
}

/** Goes past a value without making anything of it. */
function skip(reader: JsonReader): void {
  const { bytes, end } = reader
  const first = reader.peek()
  if (first !== 0x7b && first !== 0x5b) {
    reader.value(1)
    return
  }
  let at = reader.at
  let depth = 0
  for (; at < end; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      for (at++; at < end && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
    } else if (byte === 0x7b || byte === 0x5b) depth++
    else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) {
      reader.at = at + 1
      return
    }
  }
  throw new JsonStop('truncated', end)
}

const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const textsIn = (value: Json | undefined): string[] => (isArray(value) ? value.filter(member => typeof member === 'string') : [])
function numberIn(value: Json | undefined, otherwise: number): number {
  if (value instanceof JsonNumber) return value.value
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : otherwise
}

/** The partner stands last; very old files put a letter for the side before it. */
export function lastLink(links: readonly string[]): string {
  const last = links.at(-1) ?? ''
  return last === 'None' ? '' : last.replace(/^[NB]___/, '')
}
