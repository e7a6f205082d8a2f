// Reads the few pickle instructions that torch.save writes. Nothing is imported, called or built: names stay
// names.
import { problem, Refusal } from '../../model/index.ts'

/** A class or function by name; never resolved. */
export class Global {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}
/** A call that the file asks for, left undone. */
export class Call {
  readonly of: Global
  readonly args: readonly Value[]
  /** What the object would be given to fill itself with. */
  state: Value = null
  constructor(of: Global, args: readonly Value[]) {
    this.of = of
    this.args = args
  }
}
/** What `persistent_load` would be asked for. */
export class Persistent {
  readonly id: Value
  constructor(id: Value) {
    this.id = id
  }
}
export class Tuple {
  readonly items: readonly Value[]
  constructor(items: readonly Value[]) {
    this.items = items
  }
}
export type Value =
  number | string | boolean | null | Global | Call | Persistent | Tuple | Value[] | Map<Value, Value>

const mark = Symbol('mark')
const most = { steps: 1 << 26, text: 1 << 20 }

/** The value of a pickle; refuses every instruction outside the subset. */
export const readPickle = (bytes: Uint8Array, file = ''): Value => new Machine(bytes, file).run()

/** The values of pickles that stand one behind the other, and where the last one ends. */
export function readPickles(
  bytes: Uint8Array,
  count: number,
  file: string,
): { readonly values: readonly Value[]; readonly end: number } {
  const values: Value[] = []
  let end = 0
  for (let i = 0; i < count; i++) {
    const machine = new Machine(bytes.subarray(end), file)
    values.push(machine.run())
    end += machine.at
  }
  return { values, end }
}

/** The stack, the memo and the place in the bytes; instructions are rows of the table below. */
class Machine {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #file: string
  readonly #stack: (Value | typeof mark)[] = []
  readonly #memo = new Map<number, Value>()
  #at = 0

  constructor(bytes: Uint8Array, file: string) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#file = file
  }

  /** How many bytes were read. */
  get at(): number {
    return this.#at
  }

  run(): Value {
    for (let steps = 0; steps < most.steps; steps++) {
      const code = this.uint8()
      if (code === stop) return this.pop()
      const instruction = instructions[code]
      if (!instruction) throw this.#bad(`pickle-instruction ${code}`)
      instruction(this)
    }
    throw this.#bad('pickle-long')
  }

  #bad(reason: string): Refusal {
    return new Refusal(problem('pt-invalid', this.#file, { reason: `${reason} at ${this.#at}` }))
  }

  // ---------------------------------------- bytes

  skip(length: number): number {
    if (length < 0 || length > most.text || this.#at + length > this.#bytes.length)
      throw this.#bad('pickle-short')
    this.#at += length
    return this.#at - length
  }

  uint8(): number {
    return this.#view.getUint8(this.skip(1))
  }
  uint16(): number {
    return this.#view.getUint16(this.skip(2), true)
  }
  uint32(): number {
    return this.#view.getUint32(this.skip(4), true)
  }
  int32(): number {
    return this.#view.getInt32(this.skip(4), true)
  }
  /** The only number that is written with its highest byte first. */
  float64(): number {
    return this.#view.getFloat64(this.skip(8))
  }

  text(length: number): string {
    const from = this.skip(length)
    return new TextDecoder().decode(this.#bytes.subarray(from, from + length))
  }

  line(): string {
    const end = this.#bytes.indexOf(10, this.#at)
    if (end < 0) throw this.#bad('pickle-short')
    const text = this.text(end - this.#at)
    this.#at++
    return text
  }

  /** A whole number of any length. */
  long(length: number): number {
    const from = this.skip(length)
    let value = 0n
    for (let i = length - 1; i >= 0; i--) value = (value << 8n) | BigInt(this.#bytes[from + i])
    return Number(length ? BigInt.asIntN(length * 8, value) : 0n)
  }

  // ---------------------------------------- the stack

  push(value: Value | typeof mark): void {
    this.#stack.push(value)
  }

  drop(): void {
    this.#stack.pop()
  }

  pop(): Value {
    const value = this.#top()
    this.#stack.pop()
    return value
  }

  /** All above the last mark, which goes too. */
  popMarked(): Value[] {
    const from = this.#stack.lastIndexOf(mark)
    if (from < 0) throw this.#bad('pickle-stack')
    return this.#stack.splice(from).slice(1) as Value[]
  }

  tuple(count: number): void {
    const items: Value[] = []
    for (let i = 0; i < count; i++) items.unshift(this.pop())
    this.push(new Tuple(items))
  }

  setItems(pairs: readonly Value[]): void {
    const into = this.#top()
    if (into instanceof Call) return
    if (!(into instanceof Map)) throw this.#bad('pickle-dict')
    for (let i = 0; i + 1 < pairs.length; i += 2) into.set(pairs[i], pairs[i + 1])
  }

  append(items: readonly Value[]): void {
    const into = this.#top()
    if (!Array.isArray(into)) throw this.#bad('pickle-list')
    for (const item of items) into.push(item)
  }

  call(): void {
    const args = this.pop()
    const of = this.pop()
    if (!(of instanceof Global) || !(args instanceof Tuple)) throw this.#bad('pickle-call')
    const isEmptyMap = of.name === 'collections.OrderedDict' && args.items.length === 0
    this.push(isEmptyMap ? new Map() : new Call(of, args.items))
  }

  fill(state: Value): void {
    const into = this.#top()
    if (into instanceof Call) into.state = state
  }

  memoize(key = this.#memo.size): void {
    this.#memo.set(key, this.#top())
  }

  recall(key: number): void {
    const value = this.#memo.get(key)
    if (value === undefined) throw this.#bad('pickle-memo')
    this.push(value)
  }

  /** A name: a list that holds itself would make a text without end. */
  plainName(): string {
    const value = this.pop()
    if (typeof value !== 'string') throw this.#bad('pickle-name')
    return value
  }

  #top(): Value {
    const value = this.#stack.at(-1)
    if (value === undefined || value === mark) throw this.#bad('pickle-stack')
    return value
  }
}

const stop = 0x2e

/** By code, with their names in Python's pickletools. */
const instructions: Readonly<Record<number, (at: Machine) => void>> = {
  0x80: at => void at.skip(1), // PROTO
  0x95: at => void at.skip(8), // FRAME
  0x28: at => at.push(mark), // MARK
  0x30: at => at.drop(), // POP
  0x4e: at => at.push(null), // NONE
  0x88: at => at.push(true), // NEWTRUE
  0x89: at => at.push(false), // NEWFALSE
  0x4a: at => at.push(at.int32()), // BININT
  0x4b: at => at.push(at.uint8()), // BININT1
  0x4d: at => at.push(at.uint16()), // BININT2
  0x8a: at => at.push(at.long(at.uint8())), // LONG1
  0x47: at => at.push(at.float64()), // BINFLOAT
  0x58: at => at.push(at.text(at.uint32())), // BINUNICODE
  0x8c: at => at.push(at.text(at.uint8())), // SHORT_BINUNICODE
  0x55: at => at.push(at.text(at.uint8())), // SHORT_BINSTRING
  0x63: at => at.push(new Global(`${at.line()}.${at.line()}`)), // GLOBAL: module, name
  0x93: stackGlobal, // STACK_GLOBAL
  0x29: at => at.push(new Tuple([])), // EMPTY_TUPLE
  0x85: at => at.tuple(1), // TUPLE1
  0x86: at => at.tuple(2), // TUPLE2
  0x87: at => at.tuple(3), // TUPLE3
  0x74: at => at.push(new Tuple(at.popMarked())), // TUPLE
  0x5d: at => at.push([]), // EMPTY_LIST
  0x61: at => at.append([at.pop()]), // APPEND
  0x65: at => at.append(at.popMarked()), // APPENDS
  0x7d: at => at.push(new Map()), // EMPTY_DICT
  0x73: setItem, // SETITEM
  0x75: at => at.setItems(at.popMarked()), // SETITEMS
  0x71: at => at.memoize(at.uint8()), // BINPUT
  0x72: at => at.memoize(at.uint32()), // LONG_BINPUT
  0x94: at => at.memoize(), // MEMOIZE
  0x68: at => at.recall(at.uint8()), // BINGET
  0x6a: at => at.recall(at.uint32()), // LONG_BINGET
  0x51: at => at.push(new Persistent(at.pop())), // BINPERSID
  0x52: at => at.call(), // REDUCE
  0x81: at => at.call(), // NEWOBJ
  0x62: at => at.fill(at.pop()), // BUILD
}

function stackGlobal(at: Machine): void {
  const name = at.plainName()
  at.push(new Global(`${at.plainName()}.${name}`))
}

function setItem(at: Machine): void {
  const value = at.pop()
  at.setItems([at.pop(), value])
}
