// The only client of the engine: one line at a time, replaced after a crash; hands events on and counts what
// is pending.
import type { EngineApi, EngineEvent, Problem } from '../preload/contract/engine.ts'
import {
  CancelledCall,
  connect,
  lineOf,
  LineCut,
  RefusedCall,
  type CallMeter,
  type Remote,
} from '../preload/contract/rpc.ts'
import { enginePort } from '../preload/contract/host.ts'

/** What a line offers; the gallery brings one of its own. */
export interface EngineLine {
  readonly call: Remote<EngineApi>
  readonly meter: ReadonlyMap<string, Readonly<CallMeter>>
}

interface Watcher {
  event(event: EngineEvent): void
  /** A line stands; `again` when one was lost before. */
  up(again: boolean): void
  down(): void
}

let line: EngineLine | null = null
let waiting = Promise.withResolvers<EngineLine>()
let watcher: Watcher = { event() {}, up() {}, down() {} }
let lines = 0
let open = 0

export const pendingCalls = (): number => open
export const engineMeter = (): ReadonlyMap<string, Readonly<CallMeter>> => line?.meter ?? new Map()

export const watchEngine = (next: Watcher): void => {
  watcher = next
}
export const onEngineEvent = (event: EngineEvent): void => watcher.event(event)

export function attachEngine(next: EngineLine): void {
  line = next
  waiting.resolve(next)
  watcher.up(lines++ > 0)
}

export function detachEngine(): void {
  if (!line) return
  line = null
  waiting = Promise.withResolvers()
  watcher.down()
}

/** Takes the ports that the preload script hands over, now and after each restart of the engine. */
export function listenForEngine(): void {
  window.addEventListener('message', event => {
    const port = event.ports[0]
    if (event.source !== window || event.data !== enginePort || !port) return
    attachEngine(connect<EngineApi, EngineEvent>(lineOf(port), onEngineEvent, detachEngine))
  })
}

async function ask(name: keyof EngineApi, arg: never, signal?: AbortSignal): Promise<unknown> {
  open++
  try {
    const { call } = line ?? (await waiting.promise)
    if (signal?.aborted) throw new CancelledCall()
    return await call[name](arg, signal)
  } finally {
    open--
  }
}

const methods = new Map<string, unknown>()
export const engine = new Proxy(
  {},
  {
    get(_, name) {
      if (typeof name !== 'string' || name === 'then') return undefined
      if (!methods.has(name))
        methods.set(name, (arg: never, signal?: AbortSignal) => ask(name as keyof EngineApi, arg, signal))
      return methods.get(name)
    },
  },
) as Remote<EngineApi>

/** Cancelled calls and cut lines are nobody's fault and are not shown. */
export const isQuiet = (error: unknown): boolean => error instanceof CancelledCall || error instanceof LineCut

/** The engine said why not: what is wrong with a unit is told of the unit itself too. */
export const isRefused = (error: unknown): boolean => error instanceof RefusedCall

/** What to show for a failed call: its problem when it has one, else the fault itself. */
export function problemOf(error: unknown): Problem {
  if (error instanceof RefusedCall) return error.problem
  return {
    code: 'internal',
    severity: 'error',
    path: '',
    facts: { reason: error instanceof Error ? error.message : String(error) },
  }
}
