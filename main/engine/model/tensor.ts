// One tensor or two of them as they are shown.
import type { Problem } from './problem.ts'

export interface TensorSideView {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly max: number
  readonly min: number
  readonly mean: number
  readonly norm: number
  readonly nan: number
  readonly inf: number
  readonly zero: number
  /** Values of the slice, row-major, NaN padded. */
  readonly slice: Float64Array
}

export interface TensorView {
  readonly debug: TensorSideView | null
  readonly bench: TensorSideView | null
  readonly sliceRows: number
  readonly sliceCols: number
  readonly histogram: {
    readonly edges: Float64Array
    readonly debug: Float64Array
    readonly bench: Float64Array
  } | null
  /** Heat map of the absolute error over the whole tensor, block maxima, at most 64 × 256. */
  readonly heat: {
    readonly rows: number
    readonly cols: number
    readonly abs: Float64Array
    readonly rel: Float64Array
    readonly ulp: Float64Array
  } | null
  readonly worst: readonly {
    readonly index: readonly number[]
    readonly debug: number
    readonly bench: number
    readonly error: number
  }[]
  readonly problems: readonly Problem[]
}

/** Two tensors by hand, as numpy.isclose has it. */
export interface Closeness {
  readonly dtypes: readonly [string, string]
  readonly shapes: readonly [readonly number[], readonly number[]]
  readonly elements: number
  /** Elements that are not close; all of them when the shapes differ. */
  readonly apart: number
  readonly maxAbs: number
  readonly maxRel: number
  readonly worst: TensorView['worst']
}
