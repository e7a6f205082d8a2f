// What tables say of single calls, whichever wrote them: a state per row, and all that it rests on.
import type {
  VerdictCheck,
  VerdictHolds,
  VerdictReason,
  VerdictStandard,
  VerdictState,
  VerdictTable,
  VerdictWish,
} from '../model/index.ts'
import type { PrecheckGeneration } from './standards.ts'

/** Which call of a dump a row speaks of. */
export type VerdictCall =
  | { readonly is: 'call'; readonly name: string; readonly direction: 'forward' | 'backward' | null }
  /** A module by its path, without its class. */
  | { readonly is: 'module'; readonly path: string; readonly direction: 'forward' | 'backward' }

export interface VerdictTypes {
  readonly device: string
  readonly bench: string
  readonly shape: string
}

export interface Verdicts {
  readonly holds: VerdictHolds
  /** One file, or that of the NPU and that of the GPU. */
  readonly paths: readonly string[]
  readonly generation: PrecheckGeneration | null
  /** Of a comparison only: how it may be judged otherwise. */
  readonly judging?: NonNullable<VerdictTable['judging']> & { by(wish: VerdictWish): Verdicts }
  readonly length: number
  name(row: number): string
  /** What rows of one API have in common. */
  api(row: number): string
  /** Null where a row speaks of no call. */
  call(row: number): VerdictCall | null
  /** As the file has it. */
  status(row: number): string
  state(row: number): VerdictState
  standard(row: number): VerdictStandard | null
  /** The worst first where several decided. */
  checks(row: number): readonly VerdictCheck[]
  reason(row: number): VerdictReason | null
  texts(row: number): readonly string[]
  types(row: number): VerdictTypes
}

const states: Readonly<Record<string, VerdictState>> = {
  pass: 'pass',
  warning: 'warning',
  warn: 'warning',
  error: 'error',
  fail: 'error',
  missing: 'missing',
}

/** What is blank, skipped or unknown says nothing. */
export const stateOf = (status: string): VerdictState => states[status.trim().toLowerCase()] ?? 'skip'

const ending = /^(.*)\.(forward|backward)(?:\..*)?$/s

/** `Torch.mul.0.forward.output.0`, or `Torch.mul.0` where a row speaks of both directions. */
export function callNamed(name: string): VerdictCall {
  const [, call = name, direction] = ending.exec(name) ?? []
  return {
    is: 'call',
    name: call,
    direction: direction === 'forward' || direction === 'backward' ? direction : null,
  }
}

/** `Torch.mul.0` → `mul`, `Torch.linalg.norm.0` → `linalg.norm`. */
export function apiNamed(name: string): string {
  const [, call = name] = ending.exec(name) ?? []
  const parts = call.split('.')
  return parts.length > 2 ? parts.slice(1, -1).join('.') : call
}

export const plainCheck: Omit<VerdictCheck, 'metric'> = {
  npu: null,
  gpu: null,
  ratio: null,
  floor: null,
  limit: null,
  verdict: '',
  counted: false,
  odd: null,
}
