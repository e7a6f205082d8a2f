// A graph file as the JSON that GE's own converter makes of it, written while it is read: one op at a time in memory.
import { wholeText } from './columns.ts'
import { dataType, type JsonTag, listType } from './messages.ts'
import type { Events, Field } from './schema.ts'

/** A message that is being read; its members are JSON texts already. */
interface Frame {
  readonly field: Field<JsonTag> | null
  /** Blanks before its closing brace. */
  readonly level: number
  /** By name: a text, the texts of a list, or those of a map by its keys. */
  readonly members: Map<string, string | string[] | Map<string, string>>
  /** Members that are written as they come. */
  streamed: number
}

const frameOf = (field: Field<JsonTag> | null, level: number): Frame => ({
  field,
  level,
  members: new Map(),
  streamed: 0,
})

/** Characters of JSON that one op, or all else of a graph, may take. */
const largest = 1 << 28

/** One op has more in it than is put together in memory. */
export class TooMuch extends Error {
  readonly limit = largest
}

export class JsonMaker implements Events<JsonTag> {
  readonly #write: ((text: string) => void) | null
  readonly #outer: Frame[] = []
  #frame: Frame = frameOf(null, 0)
  #held = 0
  /** Ops that were written. */
  ops = 0

  /** `write`: where graphs and ops go as they come; null keeps all for `text`. */
  constructor(write: ((text: string) => void) | null = null) {
    this.#write = write
  }

  open(field: Field<JsonTag>): boolean {
    this.#outer.push(this.#frame)
    this.#frame = frameOf(field, this.#frame.level + (field.tag.repeated ? 2 : 1))
    return true
  }

  close(field: Field<JsonTag>): void {
    const frame = this.#frame
    const outer = this.#outer.pop()
    if (!outer) return
    this.#frame = outer
    if (this.#streams(field)) this.#emit(frame)
    else if (field.tag.map) this.#enter(field.name, frame)
    else if (field.tag.repeated) this.#add(field.name, textOf(frame) || 'null')
    else this.#set(field, textOf(frame))
  }

  value(field: Field<JsonTag>, bytes: Uint8Array, from: number, to: number): void {
    this.#held += to - from
    if (this.#held > largest) throw new TooMuch()
    const { tag, name } = field
    const text = scalars[tag.kind](bytes.subarray(from, to), tag.repeated)
    if (tag.repeated) this.#add(name, text)
    else this.#set(field, !tag.oneof && text === defaults[tag.kind] ? '' : text)
  }

  /** The whole, when nothing was written on the way. */
  text(): string {
    return textOf(this.#frame) || '{}'
  }

  /** Ends what was begun, wherever the file ended: an op that is not whole is left out. */
  finish(): void {
    while (this.#outer.length > 0) {
      const frame = this.#frame
      this.#frame = this.#outer.pop() ?? this.#frame
      if (this.#outer.length === 0 && frame.field && this.#streams(frame.field)) this.#emit(frame)
    }
    this.#put(this.#frame.streamed > 0 ? restOf(this.#frame) : this.text())
    this.#put('\n')
  }

  /** Graphs of the file, and ops of these, go out as they come. */
  #streams({ name }: Field<JsonTag>): boolean {
    return this.#write !== null && name === ['graph', 'op'][this.#outer.length]
  }

  /** A graph or an op that has ended; its op list may have been begun. */
  #emit(frame: Frame): void {
    if (this.#outer.length > 0) this.ops++
    if (frame.streamed > 0) this.#put(restOf(frame))
    else {
      this.#begin(this.#frame)
      this.#put(textOf(frame) || 'null')
    }
    this.#held = 0
  }

  /** Writes all that must stand before the next element of a list that goes out as it comes. */
  #begin(frame: Frame): void {
    const list = this.#outer.length === 0 || frame.field === null ? 'graph' : 'op'
    if (frame.streamed++ > 0) this.#put(',')
    else {
      if (frame.field) this.#begin(this.#outer[0])
      this.#put(`{\n${pad(frame.level + 1)}"${list}": [`)
    }
    this.#put(`\n${pad(frame.level + 2)}`)
  }

  #put(text: string): void {
    this.#write?.(text)
  }

  #enter(name: string, frame: Frame): void {
    const known = this.#frame.members.get(name)
    const entries = known instanceof Map ? known : new Map<string, string>()
    if (!known) this.#frame.members.set(name, entries)
    const key = frame.members.get('key')
    const spelled = typeof key === 'string' ? key : '""'
    frame.members.set('key', spelled)
    if (!frame.members.has('value')) frame.members.set('value', 'null')
    entries.set(spelled, textOf(frame))
  }

  #add(name: string, text: string): void {
    const known = this.#frame.members.get(name)
    if (Array.isArray(known)) known.push(text)
    else this.#frame.members.set(name, [text])
  }

  /** The last one counts; of a oneof only that is left. */
  #set({ name, tag }: Field<JsonTag>, text: string): void {
    const { members } = this.#frame
    if (tag.oneof) members.clear()
    if (text === '') members.delete(name)
    else members.set(name, text)
  }
}

const pads: string[] = []
const pad = (level: number): string => (pads[level] ??= ' '.repeat(level))
const order = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

/** Members as lines, in the order of their names. */
function membersOf({ level, members }: Frame): string[] {
  const inner = pad(level + 1)
  const between = `\n${pad(level + 2)}`
  const spelled = (value: string | readonly string[] | ReadonlyMap<string, string>): string => {
    if (typeof value === 'string') return value
    const items = value instanceof Map ? [...value].sort(order).map(([, text]) => text) : [...value.values()]
    return `[${between}${items.join(`,${between}`)}\n${inner}]`
  }
  const all = members.size > 1 ? [...members].sort(order) : [...members]
  return all.map(([name, value]) => `${inner}"${name}": ${spelled(value)}`)
}

/** Nothing where nothing is in it. */
function textOf(frame: Frame): string {
  const members = membersOf(frame)
  return members.length === 0 ? '' : `{\n${members.join(',\n')}\n${pad(frame.level)}}`
}

/** What stands behind the list that went out as it came. */
const restOf = (frame: Frame): string =>
  [`\n${pad(frame.level + 1)}]`, ...membersOf(frame)].join(',\n') + `\n${pad(frame.level)}}`

// ---------------------------------------- values

const decoder = new TextDecoder()
const ascii = new TextDecoder('latin1')
const quoted = (bytes: Uint8Array): string => JSON.stringify(decoder.decode(bytes))
const isTrue = (bytes: Uint8Array): boolean => /^(?:true|True|t|1)$/.test(ascii.decode(bytes))

/** What a field that is not there would say; of a oneof it is said. */
const defaults: Readonly<Partial<Record<JsonTag['kind'], string>>> = {
  text: '""',
  bytes: '""',
  whole: '0',
  bool: 'false',
  DataType: JSON.stringify(dataType('0')),
  ListType: JSON.stringify(listType('0')),
}

const scalars: Readonly<Record<JsonTag['kind'], (bytes: Uint8Array, repeated: boolean) => string>> = {
  message: () => '',
  text: quoted,
  bytes: (bytes, repeated) => (repeated ? quoted(bytes) : JSON.stringify(escaped(bytes))),
  whole: bytes => wholeText(ascii.decode(bytes)),
  float: (bytes, repeated) => {
    const value = Math.fround(floatOf(ascii.decode(bytes)))
    return repeated ? floatText(value) : JSON.stringify(shortFloat(value))
  },
  bool: bytes => String(isTrue(bytes)),
  DataType: bytes => JSON.stringify(dataType(ascii.decode(bytes))),
  ListType: bytes => JSON.stringify(listType(ascii.decode(bytes))),
}

function floatOf(word: string): number {
  const [, sign = '', size = ''] = /^([+-]?)(.*)$/.exec(word) ?? []
  const value = /^inf/i.test(size) ? Infinity : Number(/^0x/i.test(size) ? size : size.replace(/f$/i, ''))
  return sign === '-' ? -value : value
}

/** JSON has no word for what is no number. */
function floatText(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  return /^-?\d+$/.test(text) ? `${text}.0` : text
}

/** As C prints `%g` into ten bytes. */
export function shortFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  const minus = value < 0 || Object.is(value, -0) ? '-' : ''
  if (!Number.isFinite(value)) return `${minus}inf`
  if (value === 0) return `${minus}0`
  const [digits, exponent] = sixDigits(Math.abs(value))
  return (minus + spelled(digits.replace(/0+$/, ''), exponent)).slice(0, 9)
}

function spelled(digits: string, exponent: number): string {
  if (exponent < -4 || exponent >= 6) {
    const power = String(Math.abs(exponent)).padStart(2, '0')
    return `${pointed(digits, 1)}e${exponent < 0 ? '-' : '+'}${power}`
  }
  return exponent < 0 ? `0.${'0'.repeat(-exponent - 1)}${digits}` : pointed(digits, exponent + 1)
}

const pointed = (digits: string, whole: number): string =>
  digits.length > whole ? `${digits.slice(0, whole)}.${digits.slice(whole)}` : digits.padEnd(whole, '0')

/** The first six digits and the power of the first; a half goes to the even digit, as C has it. */
function sixDigits(value: number): readonly [string, number] {
  const [long, power] = value.toExponential(40).replace('.', '').split('e')
  if (/^50*$/.test(long.slice(6)) && Number(long[5]) % 2 === 0) return [long.slice(0, 6), Number(power)]
  const [rounded, exponent] = value.toExponential(5).replace('.', '').split('e')
  return [rounded, Number(exponent)]
}

const letters: Readonly<Record<number, string>> = {
  9: '\\t',
  10: '\\n',
  13: '\\r',
  34: '\\"',
  39: "\\'",
  92: '\\\\',
}

/** With C's escapes: bytes that do not print are three digits. */
function escaped(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) {
    const plain =
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
    text += letters[byte] ?? plain
  }
  return text
}
