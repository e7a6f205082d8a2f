// What is asked of the tensors of a row: first of a sample of large ones, then of all elements.
import type {
  Result,
  TensorAbout,
  TensorAlignment,
  TensorsAt,
  TensorSpread,
} from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { valueOf, type Answer } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'

/** The tensors on screen: a row, both by name, and how one is laid over the other. */
export interface Shown {
  readonly row: number
  /** A row may come to stand for others. */
  readonly of: string
  readonly align: TensorAlignment | null
  /** Of large tensors all elements are wanted, not only a sample. */
  readonly exact: boolean
}

type Row = Pick<TensorsAt, 'row' | 'align'>

export function useLook<T>(
  what: string,
  { row, of, align }: Shown,
  key: readonly (string | number | boolean)[] | null,
  load: (at: TensorsAt, signal: AbortSignal) => Promise<T>,
): Answer<T> {
  const tensors: Row = { row, align }
  return useUnitQuery({
    steps: ['dumps', 'metrics'],
    key: key && [what, row, of, JSON.stringify(align), ...key],
    load: (here, signal) => load({ ...here, ...tensors } as TensorsAt, signal),
    keep: true,
  })
}

interface Sampled {
  readonly sampled: number | null
}

/** The exact answer, or that of the sample until it is there; `isExact` says which. */
export function useExact<T extends Sampled>(
  what: string,
  shown: Shown,
  /** What else the answer depends on; null asks nothing. */
  key: readonly string[] | null,
  load: (q: TensorsAt & { readonly sample: boolean }, signal: AbortSignal) => Promise<Result<T>>,
): Answer<Result<T>> {
  const first = useLook(what, shown, key && [...key, true], (at, signal) =>
    load({ ...at, sample: true }, signal),
  )
  const seen = valueOf(first)
  const isPart = seen?.ok === true && seen.value.sampled !== null && first.is === 'ready'
  const second = useLook(what, shown, key && isPart && shown.exact ? [...key, false] : null, (at, signal) =>
    load({ ...at, sample: false }, signal),
  )
  return isPart && second.is === 'ready' ? second : first
}

export const useAbout = (shown: Shown): Answer<Result<TensorAbout>> =>
  useExact('tensor-about', shown, [], (q, signal) => engine.tensorAbout(q, signal))

export const useSpread = (shown: Shown, isAsked: boolean): Answer<Result<TensorSpread>> =>
  useExact('tensor-spread', shown, isAsked ? [] : null, (q, signal) => engine.tensorSpread(q, signal))
