// Tar files as a stream of entries: ustar, pax and GNU; nothing is believed that the bytes do not bear out.
import { problem, Refusal } from '../model/index.ts'

/** Where the bytes of an entry go. */
export interface EntrySink {
  write(bytes: Uint8Array): void
  close(): void
}

export interface TarEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
}

const block = 512
/** Names and notes of one entry never need more. */
const mostNotes = 1 << 20

/** What stands before an entry and is said of it: a name too long for its header, notes in key=value form. */
type Notes = Readonly<Record<string, string>>

/** Goes through all entries in order; `begin` says where the bytes of one go, null: nowhere. */
export async function readTar(
  pieces: AsyncIterable<Uint8Array>,
  file: string,
  begin: (entry: TarEntry) => EntrySink | null,
): Promise<void> {
  const stream = new Stream(pieces, file)
  let always: Notes = {}
  let notes: Notes = {}
  for (let head = await stream.block(); head && !isEmpty(head); head = await stream.block()) {
    checkSum(head, file)
    const type = typeOf(head)
    const size = numberOf(notes['size'], head, file)
    const note = noteTypes[type]
    if (note) {
      const said = note(await stream.small(size))
      if (type === 'g') always = { ...always, ...said }
      else notes = { ...notes, ...said }
      continue
    }
    const told = { ...always, ...notes }
    if (type === 'S' || 'GNU.sparse.major' in told) throw invalid(file, 'sparse')
    const entry = entryOf(type, told['path'] ?? nameOf(head))
    await stream.pass(withoutBytes.has(type) ? 0 : size, begin(entry))
    notes = {}
  }
}

export const looksLikeTar = (head: Uint8Array): boolean => head.length >= block && sumFits(head)

/** Links, devices and folders: their size is of something else. */
const withoutBytes = new Set(['1', '2', '3', '4', '5', '6'])

const noteTypes: Readonly<Record<string, (bytes: Uint8Array) => Notes>> = {
  L: bytes => ({ path: textOf(bytes) }),
  K: () => ({}),
  x: paxNotes,
  g: paxNotes,
}

/** The letter of a header; the oldest ones have none. */
const typeOf = (head: Uint8Array): string => (head[156] === 0 ? '0' : String.fromCharCode(head[156]))

function entryOf(type: string, name: string): TarEntry {
  if (type === '5' || type === 'D') return { name, kind: 'folder' }
  if (type !== '0' && type !== '7') return { name, kind: 'other' }
  return { name, kind: name.endsWith('/') ? 'folder' : 'file' }
}

function nameOf(head: Uint8Array): string {
  const name = textOf(head.subarray(0, 100))
  // Only the standard's own headers end in a folder; those of GNU keep times there.
  const isStandard = textOf(head.subarray(257, 263)) === 'ustar' && head[262] === 0
  const folder = isStandard ? textOf(head.subarray(345, 500)) : ''
  return folder === '' ? name : `${folder}/${name}`
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end))
}

function numberOf(told: string | undefined, head: Uint8Array, file: string): number {
  const field = head.subarray(124, 136)
  // Beyond 8 GiB GNU writes the number itself.
  const value =
    told === undefined && field[0] & 0x80
      ? field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0)
      : numberIn(told ?? textOf(field).trim(), told === undefined ? 8 : 10)
  if (!Number.isSafeInteger(value) || value < 0) throw invalid(file, 'size')
  return value
}

const numberIn = (text: string, base: 8 | 10): number =>
  (base === 8 ? /^[0-7]*$/ : /^\d+$/).test(text) ? Number.parseInt(text || '0', base) : NaN

/** Lines of `length key=value`, whose length counts the whole line in bytes. */
function paxNotes(bytes: Uint8Array): Notes {
  const notes: Record<string, string> = {}
  for (let at = 0; at < bytes.length;) {
    const text = new TextDecoder().decode(bytes.subarray(at, at + 12))
    const length = Number(/^(\d+) /.exec(text)?.[1] ?? 0)
    if (length < 5 || at + length > bytes.length) break
    const line = new TextDecoder().decode(bytes.subarray(at, at + length - 1))
    const [key, ...value] = line.slice(line.indexOf(' ') + 1).split('=')
    notes[key] = value.join('=')
    at += length
  }
  return notes
}

const isEmpty = (head: Uint8Array): boolean => head.every(byte => byte === 0)

/** The sum of a header's bytes stands in it, its own place counted as spaces; old writers added signed bytes. */
function sumFits(head: Uint8Array): boolean {
  const said = numberIn(textOf(head.subarray(148, 156)).trim(), 8)
  let plain = 0
  let signed = 0
  for (let i = 0; i < block; i++) {
    const byte = i >= 148 && i < 156 ? 32 : head[i]
    plain += byte
    signed += byte > 127 ? byte - 256 : byte
  }
  return said === plain || said === signed
}

function checkSum(head: Uint8Array, file: string): void {
  if (!sumFits(head)) throw invalid(file, 'header')
}

/** Bytes that come in pieces, taken in blocks. */
class Stream {
  readonly #pieces: AsyncIterator<Uint8Array>
  readonly #file: string
  #rest: Uint8Array = new Uint8Array(0)

  constructor(pieces: AsyncIterable<Uint8Array>, file: string) {
    this.#pieces = pieces[Symbol.asyncIterator]()
    this.#file = file
  }

  /** The next header; null where the file ends before it. */
  async block(): Promise<Uint8Array | null> {
    if (this.#rest.length === 0 && !(await this.#more())) return null
    return this.small(block)
  }

  /** Bytes that are wanted in one piece. */
  async small(size: number): Promise<Uint8Array> {
    if (size > mostNotes) throw invalid(this.#file, 'notes')
    const bytes = new Uint8Array(size)
    let done = 0
    const into = {
      write: (piece: Uint8Array) => {
        bytes.set(piece, done)
        done += piece.length
      },
      close() {},
    }
    await this.pass(size, into)
    return bytes
  }

  /** Hands so many bytes on, and steps over what fills up their last block. */
  async pass(size: number, sink: EntrySink | null): Promise<void> {
    try {
      await this.#hand(size, sink)
    } finally {
      sink?.close()
    }
    await this.#hand((block - (size % block)) % block, null)
  }

  async #hand(size: number, sink: EntrySink | null): Promise<void> {
    for (let left = size; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) throw invalid(this.#file, 'end')
      const piece = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(piece.length)
      left -= piece.length
      sink?.write(piece)
    }
  }

  async #more(): Promise<boolean> {
    for (;;) {
      const next = await this.#pieces.next()
      if (next.done) return false
      this.#rest = next.value
      if (next.value.length > 0) return true
    }
  }
}

const invalid = (file: string, reason: string): Refusal =>
  new Refusal(problem('zip-invalid', file, { reason }))
