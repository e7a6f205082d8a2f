// Protobuf's text format as events, over a window of the file: no string, list or comment must fit into it.
import type { Handle } from '../../io/index.ts'
import { type Events, type Field, Message } from './schema.ts'
import { TextString } from './text-string.ts'

/** Why reading stopped. `truncated`: the file ends inside a message. */
export class TextStop extends Error {
  readonly why: 'broken' | 'truncated' | 'deep'
  /** Byte of the file. */
  readonly at: number
  constructor(why: TextStop['why'], at: number) {
    super(`text ${why} at ${at}`)
    this.name = 'TextStop'
    this.why = why
    this.at = at
  }
}

/** What comes next. */
const State = { entry: 0, named: 1, value: 2, string: 3, joined: 4, list: 5, listed: 6, done: 7 } as const
type State = (typeof State)[keyof typeof State]

/** Of a name or a number; nothing honest comes near. */
const longestToken = 1 << 12
/** As protobuf's own readers allow. */
const deepest = 100
/** Bytes of a window; tests make it small, so that everything meets a border. */
export const textRoom = { bytes: 1 << 20 }

const [space, token] = [1, 2]
/** 1 white space, 2 part of a name or number, 0 anything else. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) return space
  return /[\w.+-]/.test(String.fromCharCode(byte)) && byte < 0x80 ? token : 0
})

/** A message that is being read. */
interface Frame<T> {
  /** Null: nobody wants what is in it. */
  readonly message: Message<T> | null
  readonly field: Field<T> | null
  readonly closer: number
  /** It stands in a list. */
  readonly listed: boolean
}

export class TextReader<T> {
  readonly #handle: Handle
  readonly #events: Events<T>
  #bytes = new Uint8Array(textRoom.bytes)
  readonly #end: number
  readonly #string: TextString
  #at = 0
  #filled = 0
  /** File position of the window's first byte. */
  #base: number
  #final = false
  #state: State = State.entry
  #comment = false
  #listed = false
  #field: Field<T> | null = null
  #frame: Frame<T>
  readonly #frames: Frame<T>[] = []

  /** Reads the message that stands in a file, or in a range of it. `keep`: longer texts are dropped. */
  constructor(
    handle: Handle,
    root: Message<T>,
    events: Events<T>,
    keep: number,
    range?: readonly [number, number],
  ) {
    const [from, to] = range ?? [0, handle.size]
    this.#handle = handle
    this.#events = events
    this.#base = from
    this.#end = to
    this.#string = new TextString(keep)
    this.#frame = { message: root, field: null, closer: 0, listed: false }
  }

  /** Byte of the file that is read next. */
  get position(): number {
    return this.#base + this.#at
  }

  /** Texts that were longer than is kept. */
  get dropped(): number {
    return this.#string.dropped
  }

  /** Reads on as far as one window goes; false at the end. */
  step(): boolean {
    this.#fill()
    while (this.#next());
    if (this.#state === State.done) return false
    if (!this.#final) return true
    throw new TextStop('truncated', this.#base + this.#filled)
  }

  #fill(): void {
    if (this.#state === State.joined) this.#string.settle()
    const bytes = this.#at === 0 && this.#filled === this.#bytes.length ? this.#widened() : this.#bytes
    bytes.copyWithin(0, this.#at, this.#filled)
    this.#base += this.#at
    this.#filled -= this.#at
    this.#at = 0
    const from = this.#base + this.#filled
    const room = bytes.subarray(
      this.#filled,
      this.#filled + Math.max(0, Math.min(bytes.length - this.#filled, this.#end - from)),
    )
    const read = this.#handle.read(from, room)
    if (from === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.#at = 3
    this.#filled += read
    this.#final = from + read >= this.#end || read < room.length
  }

  /** A token fills the window: `#cut` refuses those that are too long. */
  #widened(): Uint8Array {
    const wide = new Uint8Array(this.#bytes.length * 2)
    wide.set(this.#bytes)
    this.#bytes = wide
    return wide
  }

  /** One piece of the grammar; false where the window ends before it. */
  #next(): boolean {
    if (this.#state === State.string) return this.#inString()
    if (!this.#blank()) return this.#atEnd()
    switch (this.#state) {
      case State.entry:
        return this.#entry()
      case State.named:
        return this.#named()
      case State.joined:
        return this.#joined()
      case State.listed:
        return this.#listedNext()
      default:
        return this.#value()
    }
  }

  /** Goes past white space and comments; false at the end of the window. */
  #blank(): boolean {
    const bytes = this.#bytes
    const end = this.#filled
    let at = this.#at
    for (;;) {
      if (this.#comment) {
        const line = bytes.subarray(0, end).indexOf(0x0a, at)
        at = line < 0 ? end : line + 1
        this.#comment = line < 0
      }
      while (at < end && kinds[bytes[at]] === space) at++
      if (at >= end || bytes[at] !== 0x23) break
      this.#comment = true
    }
    this.#at = at
    return at < end
  }

  /** The window is used up. At the end of the file a text that may have gone on has not, and the root closes. */
  #atEnd(): boolean {
    if (!this.#final) return false
    if (this.#state === State.joined) {
      this.#deliver()
      return true
    }
    if (this.#state === State.entry && this.#frames.length === 0) this.#state = State.done
    return false
  }

  #entry(): boolean {
    const byte = this.#bytes[this.#at]
    if (kinds[byte] === token) return this.#name()
    if (byte === 0x7d || byte === 0x3e) return this.#close(byte)
    if (byte === 0x2c || byte === 0x3b) {
      this.#at++
      return true
    }
    if (byte === 0x5b) return this.#extension()
    return this.#broken()
  }

  #name(): boolean {
    const bytes = this.#bytes
    const end = this.#filled
    let at = this.#at
    let hash = 0
    for (; at < end && kinds[bytes[at]] === token; at++) hash = (Math.imul(hash, 31) + bytes[at]) | 0
    if (at >= end) return this.#cut()
    this.#field = this.#frame.message?.fields.find(bytes, this.#at, at, hash) ?? null
    this.#at = at
    this.#state = State.named
    // The usual case at once: a colon, or a blank and a brace.
    if (bytes[at] === 0x3a) {
      this.#at++
      this.#state = State.value
    }
    return true
  }

  /** `[name.of.extension]`: of no field that we know. */
  #extension(): boolean {
    const close = this.#bytes.subarray(0, this.#filled).indexOf(0x5d, this.#at)
    if (close < 0) return this.#cut()
    this.#field = null
    this.#at = close + 1
    this.#state = State.named
    return true
  }

  #named(): boolean {
    const byte = this.#bytes[this.#at]
    if (byte === 0x3a) {
      this.#at++
      this.#state = State.value
      return true
    }
    return byte === 0x7b || byte === 0x3c ? this.#open(byte) : this.#broken()
  }

  #value(): boolean {
    const byte = this.#bytes[this.#at]
    if (kinds[byte] === token) return this.#word()
    if (byte === 0x22 || byte === 0x27) {
      this.#string.begin(byte, this.#wanted())
      this.#at++
      this.#state = State.string
      return true
    }
    if (byte === 0x7b || byte === 0x3c) return this.#open(byte)
    if (byte === 0x5b && this.#state === State.value && !this.#listed) {
      this.#at++
      this.#listed = true
      this.#state = State.list
      return true
    }
    if (byte === 0x5d && this.#state === State.list) {
      this.#at++
      this.#listed = false
      this.#state = State.entry
      return true
    }
    return this.#broken()
  }

  #word(): boolean {
    const bytes = this.#bytes
    const end = this.#filled
    let at = this.#at + 1
    while (at < end && kinds[bytes[at]] === token) at++
    if (at >= end && !this.#final) return this.#cut()
    if (this.#field?.message === null) this.#events.value(this.#field, bytes, this.#at, at)
    this.#at = at
    this.#valued()
    return true
  }

  #inString(): boolean {
    const string = this.#string
    this.#at = string.read(this.#bytes, this.#at, this.#filled)
    if (string.broken) return this.#broken()
    if (!string.ended) return false
    this.#state = State.joined
    return true
  }

  /** Behind a closing quote: the next piece of the same text, or something else. */
  #joined(): boolean {
    const byte = this.#bytes[this.#at]
    if (byte === 0x22 || byte === 0x27) {
      this.#string.goOn(byte)
      this.#at++
      this.#state = State.string
    } else this.#deliver()
    return true
  }

  #deliver(): void {
    const { bytes, from, to, kept } = this.#string
    if (this.#field !== null && kept) this.#events.value(this.#field, bytes, from, to)
    this.#valued()
  }

  #wanted(): boolean {
    return this.#field?.message === null
  }

  #valued(): void {
    this.#state = this.#listed ? State.listed : State.entry
  }

  #listedNext(): boolean {
    const byte = this.#bytes[this.#at]
    if (byte !== 0x2c && byte !== 0x5d) return this.#broken()
    this.#at++
    if (byte === 0x2c) this.#state = State.list
    else {
      this.#listed = false
      this.#state = State.entry
    }
    return true
  }

  #open(byte: number): boolean {
    if (this.#frames.length >= deepest) throw new TextStop('deep', this.position)
    const field = this.#field
    const wanted = field !== null && field.message !== null && this.#events.open(field, this.position + 1)
    this.#frames.push(this.#frame)
    this.#frame = { message: wanted ? field.message : null, field, closer: byte + 2, listed: this.#listed }
    this.#listed = false
    this.#at++
    this.#state = State.entry
    return true
  }

  #close(byte: number): boolean {
    const frame = this.#frame
    const outer = this.#frames.pop()
    if (!outer || byte !== frame.closer) return this.#broken()
    if (frame.field !== null && frame.message !== null) this.#events.close(frame.field, this.position)
    this.#at++
    this.#frame = outer
    this.#listed = frame.listed
    // The list goes on with messages of the same field.
    if (frame.listed) this.#field = frame.field
    this.#valued()
    return true
  }

  /** A token that the window cuts: it is read again with more behind it. */
  #cut(): boolean {
    if (this.#filled - this.#at > longestToken) return this.#broken()
    return false
  }

  #broken(): never {
    throw new TextStop('broken', this.position)
  }
}
