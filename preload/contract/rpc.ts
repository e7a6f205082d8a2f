// Calls over anything that sends and receives: ids, cancellation, errors, events and a meter. Knows neither
// Electron nor the engine.
//
//   window                                    engine process
//   connect<Api, Event>(line)                 serve(api, line)
//     { id, call, arg }            ─────────▶   api[call](arg, signal)
//     { cancel: id }               ─────────▶   signal aborts
//     ◀─────────  { id, value } | { id, refused } | { id, cancelled } | { id, bug }
//     ◀─────────  { event }
import type { Problem } from '../../main/engine/model/shared.ts'

/** One end of a line. Messages arrive in order or not at all; a closed line never opens again. */
export interface Line {
  send(message: unknown): void
  onMessage(take: (message: unknown) => void): void
  onClose(tell: () => void): void
  close(): void
}

/** The asynchronous client of an API whose methods take one object and an AbortSignal. */
export type Remote<T> = {
  readonly [K in keyof T]: T[K] extends (arg: infer A, signal: AbortSignal) => infer R
    ? (arg: A, signal?: AbortSignal) => Promise<Awaited<R>>
    : never
}

/** Rejects calls that were cancelled. Nobody shows it. */
export class CancelledCall extends Error {
  constructor() {
    super('cancelled')
    this.name = 'Cancelled'
  }
}

/** Rejects calls whose line was cut before the answer came. */
export class LineCut extends Error {
  constructor(call: string) {
    super(`the engine went away during ${call}`)
    this.name = 'LineCut'
  }
}

/** An expected failure of a call that does not return a Result. */
export class RefusedCall extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(`${problem.code} ${problem.path}`)
    this.name = 'Refused'
    this.problem = problem
  }
}

interface Bug {
  readonly name: string
  readonly message: string
  readonly stack: string
}

/** A fault of the program on the other side, with the stack of the other side. */
export class RemoteBug extends Error {
  constructor(call: string, bug: Bug) {
    super(`${call}: ${bug.name}: ${bug.message}`)
    this.name = 'RemoteBug'
    this.stack = `${this.name}: ${this.message}\n${bug.stack}`
  }
}

// ---------------------------------------- serving

export interface Server<E> {
  emit(event: E): void
  /** Cancels what runs and closes the line. */
  close(): void
}

type Method = (arg: unknown, signal: AbortSignal) => unknown
type OnBug = (error: unknown, call: string) => void

export const serve = <E>(api: object, line: Line, onBug: OnBug = () => {}): Server<E> =>
  new ServedLine(api, line, onBug)

class ServedLine<E> implements Server<E> {
  readonly #api: object
  readonly #line: Line
  readonly #onBug: OnBug
  readonly #running = new Map<number, AbortController>()
  #open = true

  constructor(api: object, line: Line, onBug: OnBug) {
    this.#api = api
    this.#line = line
    this.#onBug = onBug
    line.onClose(() => this.#stop())
    line.onMessage(message => this.#take(message))
  }

  emit(event: E): void {
    if (this.#open) this.#line.send({ event })
  }

  close(): void {
    if (!this.#open) return
    this.#stop()
    this.#line.close()
  }

  #stop(): void {
    this.#open = false
    for (const controller of this.#running.values()) controller.abort()
    this.#running.clear()
  }

  #take(message: unknown): void {
    if (typeof message !== 'object' || message === null || !this.#open) return
    if ('cancel' in message && typeof message.cancel === 'number') {
      this.#running.get(message.cancel)?.abort()
      this.#running.delete(message.cancel)
    } else if (isQuestion(message) && !this.#running.has(message.id)) {
      void this.#answer(message.id, message.call, 'arg' in message ? message.arg : undefined)
    }
  }

  async #answer(id: number, call: string, arg: unknown): Promise<void> {
    const controller = new AbortController()
    this.#running.set(id, controller)
    const reply = await this.#reply(id, call, arg, controller.signal)
    // Cancelled or cut in the meantime: nobody waits for this answer.
    if (!this.#running.delete(id) || !this.#open) return
    try {
      this.#line.send(reply)
    } catch (error) {
      this.#onBug(error, call)
      this.#line.send(failure(id, error))
    }
  }

  async #reply(id: number, call: string, arg: unknown, signal: AbortSignal): Promise<object> {
    try {
      const method: unknown = Reflect.get(this.#api, call)
      if (typeof method !== 'function' || call in Object.prototype)
        throw new TypeError(`the engine has no call "${call}"`)
      return { id, value: compact(await (method as Method).call(this.#api, arg, signal)) }
    } catch (error) {
      const reply = failure(id, error)
      if ('bug' in reply && this.#running.has(id)) this.#onBug(error, call)
      return reply
    }
  }
}

const isQuestion = (message: object): message is { readonly id: number; readonly call: string } =>
  'id' in message && typeof message.id === 'number' && 'call' in message && typeof message.call === 'string'

function failure(id: number, error: unknown): object {
  if (!(error instanceof Error)) return { id, bug: { name: 'Error', message: String(error), stack: '' } }
  if (error.name === 'Cancelled' || error.name === 'AbortError') return { id, cancelled: true }
  if (error.name === 'Refusal' && 'problem' in error) return { id, refused: error.problem }
  return { id, bug: { name: error.name, message: error.message, stack: error.stack ?? '' } }
}

// ---------------------------------------- calling

export interface CallMeter {
  calls: number
  bytes: number
  largest: number
  ms: number
  slowest: number
}

export interface Client<T> {
  readonly call: Remote<T>
  /** Bytes and time per call since the start. */
  readonly meter: ReadonlyMap<string, Readonly<CallMeter>>
  /** Calls without an answer yet. */
  readonly pending: number
  close(): void
}

interface Open {
  readonly call: string
  readonly since: number
  readonly sent: number
  resolve(value: unknown): void
  reject(error: Error): void
  /** Nobody can cancel it any more. */
  settled(): void
}

export function connect<T, E>(
  line: Line,
  onEvent: (event: E) => void = () => {},
  onCut: () => void = () => {},
): Client<T> {
  const calls = new Calls(line, event => onEvent(event as E), onCut)
  return {
    call: remote<T>((call, arg, signal) => calls.ask(call, arg, signal)),
    meter: calls.meter,
    get pending() {
      return calls.pending
    },
    close: () => calls.close(),
  }
}

type Ask = (call: string, arg: unknown, signal?: AbortSignal) => Promise<unknown>

/** An object that has every method, and asks for each by its name. */
function remote<T>(ask: Ask): Remote<T> {
  const methods = new Map<string, unknown>()
  return new Proxy(
    {},
    {
      get(_, name) {
        // A proxy that answers `then` would be taken for a promise.
        if (typeof name !== 'string' || name === 'then') return undefined
        if (!methods.has(name))
          methods.set(name, (arg: unknown, signal?: AbortSignal) => ask(name, arg, signal))
        return methods.get(name)
      },
    },
  ) as Remote<T>
}

/** The calls that wait on one line. */
class Calls {
  readonly meter = new Map<string, CallMeter>()
  readonly #line: Line
  readonly #onEvent: (event: unknown) => void
  readonly #onCut: () => void
  readonly #open = new Map<number, Open>()
  #last = 0
  #cut = false

  constructor(line: Line, onEvent: (event: unknown) => void, onCut: () => void) {
    this.#line = line
    this.#onEvent = onEvent
    this.#onCut = onCut
    line.onClose(() => this.#hangUp())
    line.onMessage(message => this.#take(message))
  }

  get pending(): number {
    return this.#open.size
  }

  close(): void {
    if (this.#cut) return
    this.#hangUp()
    this.#line.close()
  }

  ask(call: string, arg: unknown, signal?: AbortSignal): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(new CancelledCall())
    if (this.#cut) return Promise.reject(new LineCut(call))
    return new Promise((resolve, reject) => {
      const message = { id: ++this.#last, call, arg }
      const cancel = (): void => this.#cancel(message.id)
      signal?.addEventListener('abort', cancel, { once: true })
      this.#open.set(message.id, {
        call,
        since: performance.now(),
        sent: weigh(message),
        resolve,
        reject,
        settled: () => signal?.removeEventListener('abort', cancel),
      })
      try {
        this.#line.send(message)
      } catch (error) {
        this.#settle(message.id)?.reject(error instanceof Error ? error : new Error(String(error)))
      }
    })
  }

  /** Takes a call off those that wait. */
  #settle(id: number): Open | undefined {
    const asked = this.#open.get(id)
    this.#open.delete(id)
    asked?.settled()
    return asked
  }

  #cancel(id: number): void {
    const asked = this.#settle(id)
    if (!asked) return
    this.#line.send({ cancel: id })
    asked.reject(new CancelledCall())
  }

  #hangUp(): void {
    if (this.#cut) return
    this.#cut = true
    for (const [id, { call, reject }] of this.#open) {
      this.#settle(id)
      reject(new LineCut(call))
    }
    this.#onCut()
  }

  #take(message: unknown): void {
    if (typeof message !== 'object' || message === null || this.#cut) return
    if ('event' in message) return this.#onEvent(message.event)
    if (!('id' in message) || typeof message.id !== 'number') return
    const asked = this.#settle(message.id)
    if (!asked) return
    count(this.meter, asked, weigh(message))
    if ('value' in message) asked.resolve(message.value)
    else if ('refused' in message) asked.reject(new RefusedCall(message.refused as Problem))
    else if ('cancelled' in message) asked.reject(new CancelledCall())
    else if ('bug' in message) asked.reject(new RemoteBug(asked.call, message.bug as Bug))
  }
}

function count(meter: Map<string, CallMeter>, { call, since, sent }: Open, received: number): void {
  const row = meter.get(call) ?? { calls: 0, bytes: 0, largest: 0, ms: 0, slowest: 0 }
  const ms = performance.now() - since
  row.calls++
  row.bytes += sent + received
  row.largest = Math.max(row.largest, sent, received)
  row.ms += ms
  row.slowest = Math.max(row.slowest, ms)
  meter.set(call, row)
}

// ---------------------------------------- values

/** Bytes that a message takes on the line, near enough to keep messages small. */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return value.length + 4
  if (typeof value !== 'object' || value === null) return 8
  if (ArrayBuffer.isView(value)) return value.byteLength + 16
  if (value instanceof ArrayBuffer) return value.byteLength
  let sum = 8
  if (Array.isArray(value)) for (const item of value) sum += weigh(item)
  else for (const key in value) sum += key.length + 4 + weigh(value[key as keyof typeof value])
  return sum
}

/**
 * Cloning a view sends its whole buffer, and shared memory cannot be sent: such views are replaced by copies
 * of what they show.
 */
function compact(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength) return value
    return 'slice' in value && typeof value.slice === 'function' ? value.slice() : value
  }
  if (Array.isArray(value)) {
    const items = value.map(compact)
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  let changed: Record<string, unknown> | undefined
  for (const [key, item] of Object.entries(value)) {
    const small = compact(item)
    if (small !== item) changed = { ...(changed ?? value), [key]: small }
  }
  return changed ?? value
}

// ---------------------------------------- lines

/** A port of a page or of Node. */
interface DomPort {
  postMessage(message: unknown): void
  addEventListener(name: 'message' | 'close', take: (event: { readonly data?: unknown }) => void): void
  start(): void
  close(): void
}

/** A port of Electron's main or utility process. */
interface EmitterPort {
  postMessage(message: unknown): void
  on(name: 'message', take: (event: { readonly data: unknown }) => void): unknown
  on(name: 'close', take: () => void): unknown
  start(): void
  close(): void
}

export function lineOf(port: DomPort | EmitterPort): Line {
  return {
    send: message => port.postMessage(message),
    onMessage(take) {
      if ('addEventListener' in port) port.addEventListener('message', event => take(event.data))
      else port.on('message', event => take(event.data))
      port.start()
    },
    onClose(tell) {
      if ('addEventListener' in port) port.addEventListener('close', tell)
      else port.on('close', tell)
    },
    close: () => port.close(),
  }
}
