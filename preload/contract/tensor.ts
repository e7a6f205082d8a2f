// What the window may ask of the engine: values of tensors.
import type {
  Closeness,
  DifferenceKind,
  HeatQuery,
  NumbersQuery,
  PairRow,
  Result,
  TensorAbout,
  TensorAlignment,
  TensorHeat,
  TensorNumbers,
  TensorProposals,
  TensorSpread,
  UnitAt,
} from '../../main/engine/model/shared.ts'

/** The tensors of a row. */
export interface TensorsAt extends UnitAt {
  readonly row: PairRow
  /** How the bench side is laid over the debug side; null: as it is. */
  readonly align: TensorAlignment | null
}

export interface TensorApi {
  /** Numbers of a part, as it is on screen. */
  tensorNumbers(
    q: TensorsAt & { readonly part: NumbersQuery },
    s: AbortSignal,
  ): Promise<Result<TensorNumbers>>
  /** What the elements say: health, error along the axes, the worst. `sample`: of large tensors only a part is read. */
  tensorAbout(q: TensorsAt & { readonly sample: boolean }, s: AbortSignal): Promise<Result<TensorAbout>>
  /** How values and errors are spread. */
  tensorSpread(q: TensorsAt & { readonly sample: boolean }, s: AbortSignal): Promise<Result<TensorSpread>>
  /** Two axes as a picture. */
  tensorHeat(
    q: TensorsAt & { readonly look: HeatQuery; readonly sample: boolean },
    s: AbortSignal,
  ): Promise<Result<TensorHeat>>
  /** What kind of difference it is; null where there is none. */
  tensorKind(q: TensorsAt, s: AbortSignal): Promise<Result<DifferenceKind | null>>
  /** Ways to lay unlike shapes over each other. */
  tensorProposals(q: TensorsAt, s: AbortSignal): Promise<Result<TensorProposals>>
  /** Whether a row's tensors are close: |a − b| ≤ atol + rtol · |b|. */
  closeness(
    q: UnitAt & { readonly row: PairRow; readonly atol: number; readonly rtol: number },
    s: AbortSignal,
  ): Promise<Result<Closeness>>
}
