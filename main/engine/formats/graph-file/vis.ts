// Reads .vis files piece by piece: the hierarchy at once, the items of a node when somebody asks for them.
import { type Json, JsonNumber, JsonReader, JsonScan, JsonStop, SkipWindow } from '../../json/index.ts'
import { problem, type Problem, Refusal, type TextPool } from '../../model/index.ts'
import type { Files, Handle } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import {
  colorsIn,
  lastLink,
  overflowOf,
  readTexts,
  type FileColor,
  type FileSide,
  type GraphFile,
} from './graph-file.ts'
import { lazyStacks, SideRows } from './side-rows.ts'

const firstWindow = 4 << 20
const largestNode = 256 << 20
const readAhead = 1 << 19
const quote = 0x22
const underscore = 0x5f

/**
 * Reads the hierarchy of a .vis file. A file that ends early gives what is there. Close it when its items are
 * no longer wanted.
 */
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

/** The rows of one side, with where the file holds what is read when asked for. */
class VisRows extends SideRows {
  /** Byte ranges of inputs and outputs, four numbers a row. */
  readonly ranges: number[] = []
  readonly stackRanges: number[] = []
  readonly #stackByHash = new Map<number, number>()

  /** Number of a stack by its bytes; equal bytes are one stack. */
  addStack(window: SkipWindow, from: number, to: number, base: number): number {
    if (to - from <= 2) return -1
    const hash = window.hash(from, to)
    const known = this.#stackByHash.get(hash)
    if (known !== undefined) return known
    const made = this.stackRanges.push(base + from, base + to) / 2 - 1
    this.#stackByHash.set(hash, made)
    return made
  }
}

class Reading {
  readonly #handle: Handle
  readonly #file: string
  readonly #job: Job
  readonly #problems: Problem[] = []
  readonly #top = new Map<string, Json>()
  readonly #sides = new Map<string, VisRows>()
  readonly #window = new SkipWindow(firstWindow)
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
      if (![...this.#sides.values()].some(side => side.name.length > 0))
        throw new Refusal(problem('vis-invalid', this.#file, { byte }))
      this.#partial = true
      this.#problems.push(
        problem(error.why === 'truncated' ? 'vis-truncated' : 'vis-invalid', this.#file, { byte }, 'warning'),
      )
    }
    if (![...this.#sides.values()].some(side => side.name.length > 0))
      throw new Refusal(problem('vis-invalid', this.#file, { byte: 0 }))
  }

  /** Members of the object that the window stands in; `side` is null at the top. */
  async #members(side: VisRows | null): Promise<void> {
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
        if (key.name === 'dump_data_dir')
          (side ?? this.#side('')).tensors = typeof value === 'string' ? value : ''
        else if (side === null) this.#top.set(key.name, value)
      }
      if (this.#next()) return
    }
  }

  async #nodes(side: VisRows): Promise<void> {
    if (this.#step(reader => reader.peek()) === 0x7d) return this.#step(reader => reader.expect(0x7d))
    for (let count = 0; ; count++) {
      this.#scanned(scan => this.#node(scan, side))
      if ((count & 127) === 127) {
        this.#job.report({
          what: 'job.reading',
          done: this.#base + this.#at,
          total: this.#handle.size,
          countedIn: 'bytes',
        })
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
  #node(scan: JsonScan, side: VisRows): void {
    const { texts } = side
    scan.string()
    const id = scan.code(texts)
    scan.expect(0x3a)
    let [kind, up, micro, index, overflow, partner] = [0, -1, -1, NaN, 0, -1]
    const children: number[] = []
    const ranges = [0, 0, 0, 0, 0, 0]
    const range = (at: number): void => {
      scan.peek()
      ranges[at] = scan.at
      scan.skip()
      ranges[at + 1] = scan.at
    }
    scan.members(() => {
      if (scan.is('input_data')) range(0)
      else if (scan.is('output_data')) range(2)
      else if (scan.is('stack_info')) range(4)
      else if (scan.is('node_type')) kind = scan.number() || 0
      else if (scan.is('micro_step_id')) micro = numberOr(scan.number(), -1)
      else if (scan.is('upnode')) {
        if (scan.peek() !== quote) return scan.skip()
        scan.string()
        if (!scan.is('None') && scan.to > scan.from) up = scan.code(texts)
      } else if (scan.is('subnodes')) listOf(scan, () => children.push(scan.code(texts)))
      else if (scan.is('matched_node_link')) {
        let any = false
        listOf(scan, () => {
          any = true
        })
        // What the list ends with is still the string that was read last.
        if (any) partner = partnerOf(scan, texts)
      } else if (scan.is('data') && scan.peek() === 0x7b) {
        scan.members(() => {
          if (scan.is('precision_index')) index = scan.number()
          else if (scan.is('overflow_level') && scan.peek() === quote) {
            scan.string()
            overflow = overflowOf[scan.text()] ?? 0
          } else scan.skip()
        })
      } else scan.skip()
    })
    side.name.push(id)
    side.kind.push(kind)
    side.micro.push(micro)
    side.index.push(index)
    side.overflow.push(overflow)
    side.partner.push(partner)
    side.up.push(up)
    for (let i = 0; i < 4; i++) side.ranges.push(ranges[i] === 0 ? 0 : this.#base + ranges[i])
    side.stack.push(ranges[4] === 0 ? -1 : side.addStack(this.#window, ranges[4], ranges[5], this.#base))
    side.children(children)
  }

  #side(name: string): VisRows {
    let side = this.#sides.get(name)
    if (!side) this.#sides.set(name, (side = new VisRows()))
    return side
  }

  /** Reads something; when the window ends in the midst of it, reads on and tries again. */
  #step<T>(read: (reader: JsonReader) => T): T {
    return this.#attempt(() => {
      const reader = new JsonReader(this.#window.bytes, this.#at, this.#end)
      const value = read(reader)
      this.#at = reader.at
      return value
    })
  }

  #scanned(read: (scan: JsonScan) => void): void {
    this.#attempt(() => {
      const scan = new JsonScan(this.#window.bytes, this.#at, this.#end, this.#window)
      read(scan)
      this.#at = scan.at
    })
  }

  #attempt<T>(read: () => T): T {
    for (;;) {
      try {
        return read()
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
    if (left * 2 > this.#window.bytes.length) {
      if (this.#window.bytes.length >= largestNode)
        throw new Refusal(problem('too-large', this.#file, { size: left, limit: largestNode }))
      this.#window.grow()
    }
    const { bytes } = this.#window
    bytes.copyWithin(0, this.#at, this.#end)
    this.#base += this.#at
    this.#at = 0
    this.#end = left
    const n = this.#handle.read(this.#base + left, bytes.subarray(left))
    this.#end += n
    this.#finished = this.#end < bytes.length
    return n > 0
  }

  result(): GraphFile {
    const debug = this.#sides.get('NPU') ?? this.#sides.get('')
    if (!debug || debug.name.length === 0) throw new Refusal(problem('vis-invalid', this.#file, { byte: 0 }))
    const bench = this.#sides.get('Bench')
    const flag = this.#top.get('OverflowCheck')
    const colors: FileColor[] = colorsIn(this.#top.get('Colors') ?? null)
    return {
      file: this.#file,
      step: 0,
      rank: 0,
      debug: this.#finish(debug),
      bench: bench && bench.name.length > 0 ? this.#finish(bench) : null,
      task: textIn(this.#top.get('task')),
      microSteps: numberIn(this.#top.get('MicroSteps'), 1),
      overflowChecked: typeof flag === 'boolean' ? flag : null,
      colors,
      partial: this.#partial,
      problems: this.#problems,
    }
  }

  #finish(rows: VisRows): FileSide {
    const pieces = new ReadAhead(this.#handle)
    const { stackRanges } = rows
    const ranges = Float64Array.from(rows.ranges)
    const order = Uint32Array.from(rows.name, (_, row) => row)
    const { side, missing, strays } = rows.settle(order, {
      stacks: lazyStacks(stackRanges.length / 2, stack =>
        readTexts(pieces.read(stackRanges[stack * 2], stackRanges[stack * 2 + 1])),
      ),
      items(row) {
        const at = row * 4
        const [first, second] = ranges[at] < ranges[at + 2] ? [0, 2] : [2, 0]
        const one = pieces.read(ranges[at + first], ranges[at + first + 1])
        const two = pieces.read(ranges[at + second], ranges[at + second + 1])
        return first === 0 ? [one, two] : [two, one]
      },
    })
    if (missing > 0 || strays > 0)
      this.#problems.push(problem('vis-tree', this.#file, { missing, strays }, 'note'))
    return side
  }
}

/** Byte ranges of a file; nodes are mostly asked for one after the other. */
class ReadAhead {
  readonly #handle: Handle
  #block = new Uint8Array(0)
  #from = 0

  constructor(handle: Handle) {
    this.#handle = handle
  }

  read(from: number, to: number): Uint8Array {
    if (from < this.#from || to > this.#from + this.#block.length) {
      const block = new Uint8Array(Math.max(to - from, readAhead))
      this.#block = block.subarray(0, this.#handle.read(from, block))
      this.#from = from
    }
    return this.#block.subarray(from - this.#from, Math.max(0, to - this.#from))
  }
}

/** The partner that the string read last names, -1 for none. */
function partnerOf(scan: JsonScan, texts: TextPool): number {
  if (scan.to - scan.from > 4 && scan.bytes[scan.from + 1] !== underscore) return scan.code(texts)
  const link = lastLink([scan.text()])
  return link === '' ? -1 : texts.addPlain(link)
}

/** Strings of a list; another value has none. */
function listOf(scan: JsonScan, take: () => void): void {
  if (scan.peek() === 0x5b) scan.strings(take)
  else scan.skip()
}

const numberOr = (value: number, otherwise: number): number => (Number.isFinite(value) ? value : otherwise)

const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
function numberIn(value: Json | undefined, otherwise: number): number {
  if (value instanceof JsonNumber) return value.value
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : otherwise
}
