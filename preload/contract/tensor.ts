// What the window may ask of the engine: values of tensors.
import type {
  Closeness,
  PairRow,
  Result,
  TensorAbout,
  TensorView,
  UnitAt,
} from '../../main/engine/model/shared.ts'

interface TensorQuery extends UnitAt {
  readonly row: PairRow
  /** First index per leading dimension; the last two dimensions are shown. */
  readonly at: readonly number[]
  readonly rows: number
  readonly cols: number
}

export interface TensorApi {
  tensor(q: TensorQuery, s: AbortSignal): Promise<TensorView>
  /** What all elements of a row's tensors say: health, error along the axes, the kind of difference. */
  tensorAbout(q: UnitAt & { readonly row: PairRow }, s: AbortSignal): Promise<Result<TensorAbout>>
  /** Whether a row's tensors are close: |a − b| ≤ atol + rtol · |b|. */
  closeness(
    q: UnitAt & { readonly row: PairRow; readonly atol: number; readonly rtol: number },
    s: AbortSignal,
  ): Promise<Result<Closeness>>
}
