// The calls of a dump.json that somebody else is writing: their names, which are complete, which have no outputs. Values
// are gone past. A file is written anew from its first byte each time, but says the same up to where it ended before: it
// is read on from there, after a look whether it does.
import type { Handle } from '../io/index.ts'
import type { Job } from '../work/index.ts'

/** What a dump.json said when it was read. */
export interface Calls {
  readonly header: Readonly<Record<'task' | 'level' | 'framework', string>>
  /** Of complete entries, in their order. */
  readonly names: readonly string[]
  /** Those with inputs and without outputs. */
  readonly open: ReadonlySet<string>
  /** The text goes to its end; otherwise it was cut, or is being written. */
  readonly whole: boolean
  /** Bytes that were gone through this time. */
  readonly read: number
  readonly mark: Mark
}

/** Behind the last complete entry, and what stood before it. */
interface Mark {
  readonly at: number
  readonly before: Uint8Array
}

export const noCalls: Calls = {
  header: { task: '', level: '', framework: '' },
  names: [],
  open: new Set(),
  whole: false,
  read: 0,
  mark: { at: 0, before: new Uint8Array(0) },
}

const chunkBytes = 1 << 20
/** Enough to hold the last entry's numbers, which no other state of the file has at the same place. */
const markBytes = 2048

/** Reads what is new in the file; all of it where what was read before has changed. */
export async function scanCalls(handle: Handle, before: Calls, job: Job): Promise<Calls> {
  const from = stillSays(handle, before.mark) ? before.mark.at : 0
  const reading = new Reading(from > 0 ? before : noCalls)
  const chunk = new Uint8Array(chunkBytes)
  let at = from
  for (;;) {
    const got = handle.read(at, chunk)
    reading.take(chunk.subarray(0, got), at)
    at += got
    if (got < chunk.length || reading.stopped) break
    await job.breathe()
  }
  return reading.calls(at - from, to => bytesAt(handle, Math.max(0, to - markBytes), to))
}

/** Whether a file goes on as one did that was read under another name. */
export const goesOnFrom = (handle: Handle, { mark }: Calls): boolean => mark.at > 0 && stillSays(handle, mark)

function stillSays(handle: Handle, { at, before }: Mark): boolean {
  if (at === 0 || handle.size < at) return false
  const now = bytesAt(handle, at - before.length, at)
  return now.length === before.length && now.every((byte, i) => byte === before[i])
}

function bytesAt(handle: Handle, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(to - from)
  return bytes.subarray(0, handle.read(from, bytes))
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Depths: 1 the file's own keys, 2 the calls, 3 the parts of a call. */
const callDepth = 2
const partDepth = 3
/** Deeper than any value that is meant; the reader of values says so. */
const deepest = 4096
const longestKey = 1 << 16

/** A walk over the bytes that knows objects, keys and the ends of calls, and nothing of values. */
class Reading {
  readonly #names: string[]
  readonly #open: Set<string>
  readonly #header: Record<'task' | 'level' | 'framework', string>
  #markAt: number
  #depth: number
  /** Whether the container at each depth is an object. */
  readonly #objects = new Uint8Array(deepest + 1)
  #inData: boolean
  #inString = false
  #escaped = false
  /** A string is the name of a member. */
  #atKey: boolean
  #word: number[] | null = null
  /** The last key of the file's own. */
  #key = ''
  #call: string | null = null
  #parts = { input: false, output: false }
  #ended = false
  #broken = false

  constructor(before: Calls) {
    this.#names = [...before.names]
    this.#open = new Set(before.open)
    this.#header = { ...before.header }
    this.#markAt = before.mark.at
    const within = before.mark.at > 0
    this.#depth = within ? callDepth : 0
    this.#inData = within
    this.#objects.fill(1, 1, callDepth + 1)
    this.#atKey = false
  }

  get stopped(): boolean {
    return this.#ended || this.#broken
  }

  calls(read: number, before: (at: number) => Uint8Array): Calls {
    return {
      header: this.#header,
      names: this.#names,
      open: this.#open,
      whole: this.#ended && !this.#broken,
      read,
      mark: { at: this.#markAt, before: this.#markAt > 0 ? before(this.#markAt) : new Uint8Array(0) },
    }
  }

  take(bytes: Uint8Array, at: number): void {
    for (let i = 0; i < bytes.length && !this.stopped; i++) {
      const byte = bytes[i]
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false
        else if (byte === backslash) this.#escaped = true
        else if (byte === quote) {
          this.#inString = false
          if (this.#word) this.#said(this.#word)
          this.#word = null
          continue
        }
        if (this.#word && this.#word.push(byte) > longestKey) this.#broken = true
      } else this.#outside(byte, at + i)
    }
  }

  #outside(byte: number, at: number): void {
    switch (byte) {
      case quote:
        this.#inString = true
        this.#word = this.#wanted ? [] : null
        return
      case colon:
        this.#atKey = false
        return
      case comma:
        if (this.#depth === callDepth && this.#inData) this.#finish(at)
        this.#atKey = this.#objects[this.#depth] === 1
        return
      case openBrace:
      case openBracket:
        return this.#enter(byte === openBrace)
      case closeBrace:
      case closeBracket:
        return this.#leave(byte === closeBrace, at)
      case 0:
        // A file that was cut to nothing and written further behind.
        this.#broken = true
    }
  }

  get #wanted(): boolean {
    if (this.#atKey) return this.#depth === 1 || (this.#inData && this.#depth <= partDepth)
    return this.#depth === 1 && Object.hasOwn(this.#header, this.#key)
  }

  #enter(object: boolean): void {
    if (this.#depth >= deepest || (this.#depth === 0 && !object)) {
      this.#broken = true
      return
    }
    if (this.#depth === 1 && this.#key === 'data' && object) this.#inData = true
    this.#objects[++this.#depth] = object ? 1 : 0
    this.#atKey = object
  }

  #leave(object: boolean, at: number): void {
    if (this.#depth === 0 || (this.#objects[this.#depth] === 1) !== object) {
      this.#broken = true
      return
    }
    if (this.#depth === callDepth && this.#inData) {
      this.#finish(at)
      this.#inData = false
    }
    this.#depth--
    this.#atKey = false
    if (this.#depth === callDepth && this.#inData) this.#finish(at + 1)
    if (this.#depth === 0) this.#ended = true
  }

  #said(word: readonly number[]): void {
    const text = textOf(word)
    if (!this.#atKey) {
      if (this.#key === 'task' || this.#key === 'level' || this.#key === 'framework')
        this.#header[this.#key] = text
    } else if (this.#depth === 1) this.#key = text
    else if (this.#depth === callDepth) {
      this.#call = text
      this.#parts = { input: false, output: false }
    } else if (text.startsWith('input')) this.#parts.input = true
    else if (text === 'output') this.#parts.output = true
  }

  /** A call is told to its end. */
  #finish(at: number): void {
    if (this.#call === null) return
    this.#names.push(this.#call)
    if (this.#parts.input && !this.#parts.output) this.#open.add(this.#call)
    this.#call = null
    this.#markAt = at
  }
}

const utf8 = new TextDecoder()

function textOf(word: readonly number[]): string {
  const text = utf8.decode(Uint8Array.from(word))
  if (!text.includes('\\')) return text
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}
