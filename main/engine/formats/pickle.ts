// Reads the few pickle instructions that torch.save writes. Nothing is imported, called or built: names stay names.
import { problem, Refusal } from '../problem.ts'

/** A class or function by name; never resolved. */
export class Global {
  readonly name: string
  constructor(name: string) { this.name = name }
}
/** A call that the file asks for, left undone. */
export class Call {
  readonly of: Global
  readonly args: readonly Value[]
  constructor(of: Global, args: readonly Value[]) { this.of = of; this.args = args }
}
/** What `persistent_load` would be asked for. */
export class Persistent {
  readonly id: Value
  constructor(id: Value) { this.id = id }
}
export class Tuple {
  readonly items: readonly Value[]
  constructor(items: readonly Value[]) { this.items = items }
}
export type Value = number | string | boolean | null | Global | Call | Persistent | Tuple | Value[] | Map<Value, Value>

const mark = Symbol('mark')
const most = { steps: 1 << 20, text: 1 << 20 }

/** The value of a pickle; refuses every instruction outside the subset. */
export function readPickle(bytes: Uint8Array, file = ''): Value {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const stack: (Value | typeof mark)[] = []
  const memo = new Map<number, Value>()
  let at = 0

  const bad = (reason: string): Refusal => new Refusal(problem('pt-invalid', file, { reason, at }))
  const take = (length: number): number => {
    if (length < 0 || length > most.text || at + length > bytes.length) throw bad('pickle-short')
    at += length
    return at - length
  }
  const pop = (): Value => {
    const value = stack.pop()
    if (value === undefined || value === mark) throw bad('pickle-stack')
    return value
  }
  const popMarked = (): Value[] => {
    const from = stack.lastIndexOf(mark)
    if (from < 0) throw bad('pickle-stack')
    const items = stack.splice(from) as Value[]
    items.shift()
    return items
  }
  const top = (): Value => {
    const value = stack.at(-1)
    if (value === undefined || value === mark) throw bad('pickle-stack')
    return value
  }
  const text = (length: number): string => {
    const from = take(length)
    return new TextDecoder().decode(bytes.subarray(from, from + length))
  }
  const line = (): string => {
    const end = bytes.indexOf(10, at)
    if (end < 0) throw bad('pickle-short')
    const got = text(end - at)
    at++
    return got
  }
  const tuple = (count: number): void => {
    const items: Value[] = []
    for (let i = 0; i < count; i++) items.unshift(pop())
    stack.push(new Tuple(items))
  }
  const setItems = (pairs: readonly Value[]): void => {
    const into = top()
    if (!(into instanceof Map) && !(into instanceof Call)) throw bad('pickle-dict')
    if (into instanceof Map) for (let i = 0; i + 1 < pairs.length; i += 2) into.set(pairs[i], pairs[i + 1])
  }
  const append = (items: readonly Value[]): void => {
    const into = top()
    if (!Array.isArray(into)) throw bad('pickle-list')
    for (const item of items) into.push(item)
  }
  const call = (): void => {
    const args = pop()
    const of = pop()
    if (!(of instanceof Global) || !(args instanceof Tuple)) throw bad('pickle-call')
    stack.push(of.name === 'collections.OrderedDict' && args.items.length === 0 ? new Map() : new Call(of, args.items))
  }
  const long = (length: number): number => {
    const from = take(length)
    let value = 0n
    for (let i = length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[from + i])
    return Number(length ? BigInt.asIntN(length * 8, value) : 0n)
  }

  const instructions: Readonly<Record<number, () => void>> = {
    0x80: () => { take(1) },                                                           // PROTO
    0x95: () => { take(8) },                                                           // FRAME
    0x28: () => { stack.push(mark) },                                                  // MARK
    0x30: () => { stack.pop() },                                                       // POP
    0x4e: () => { stack.push(null) },                                                  // NONE
    0x88: () => { stack.push(true) },                                                  // NEWTRUE
    0x89: () => { stack.push(false) },                                                 // NEWFALSE
    0x4a: () => { stack.push(view.getInt32(take(4), true)) },                          // BININT
    0x4b: () => { stack.push(view.getUint8(take(1))) },                                // BININT1
    0x4d: () => { stack.push(view.getUint16(take(2), true)) },                         // BININT2
    0x8a: () => { stack.push(long(view.getUint8(take(1)))) },                          // LONG1
    0x47: () => { stack.push(view.getFloat64(take(8))) },                              // BINFLOAT
    0x58: () => { stack.push(text(view.getUint32(take(4), true))) },                   // BINUNICODE
    0x8c: () => { stack.push(text(view.getUint8(take(1)))) },                          // SHORT_BINUNICODE
    0x55: () => { stack.push(text(view.getUint8(take(1)))) },                          // SHORT_BINSTRING
    0x63: () => { const module = line(); stack.push(new Global(`${module}.${line()}`)) }, // GLOBAL
    0x93: () => { const name = pop(); stack.push(new Global(`${String(pop())}.${String(name)}`)) }, // STACK_GLOBAL
    0x29: () => { stack.push(new Tuple([])) },                                         // EMPTY_TUPLE
    0x85: () => tuple(1),                                                              // TUPLE1
    0x86: () => tuple(2),                                                              // TUPLE2
    0x87: () => tuple(3),                                                              // TUPLE3
    0x74: () => { stack.push(new Tuple(popMarked())) },                                // TUPLE
    0x5d: () => { stack.push([]) },                                                    // EMPTY_LIST
    0x61: () => { const item = pop(); append([item]) },                                // APPEND
    0x65: () => { append(popMarked()) },                                               // APPENDS
    0x7d: () => { stack.push(new Map()) },                                             // EMPTY_DICT
    0x73: () => { const value = pop(); setItems([pop(), value]) },                     // SETITEM
    0x75: () => { setItems(popMarked()) },                                             // SETITEMS
    0x71: () => { memo.set(view.getUint8(take(1)), top()) },                           // BINPUT
    0x72: () => { memo.set(view.getUint32(take(4), true), top()) },                    // LONG_BINPUT
    0x94: () => { memo.set(memo.size, top()) },                                        // MEMOIZE
    0x68: () => { recall(view.getUint8(take(1))) },                                    // BINGET
    0x6a: () => { recall(view.getUint32(take(4), true)) },                             // LONG_BINGET
    0x51: () => { stack.push(new Persistent(pop())) },                                 // BINPERSID
    0x52: call,                                                                        // REDUCE
    0x81: call,                                                                        // NEWOBJ
    0x62: () => { pop() },                                                             // BUILD: the state of an object is of no use here
  }
  const recall = (key: number): void => {
    const value = memo.get(key)
    if (value === undefined) throw bad('pickle-memo')
    stack.push(value)
  }

  for (let steps = 0; steps < most.steps; steps++) {
    const code = bytes[take(1)]
    if (code === 0x2e) return pop()
    const instruction = instructions[code]
    if (!instruction) throw new Refusal(problem('pt-invalid', file, { reason: 'pickle-instruction', code, at: at - 1 }))
    instruction()
  }
  throw bad('pickle-long')
}
