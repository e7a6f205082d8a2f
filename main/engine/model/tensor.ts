// One tensor or two of them as they are shown.
import type { DifferenceKind } from './difference-kind.ts'
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
  /** Their bits in hexadecimal; '' behind the end. */
  readonly bits: readonly string[]
}

export interface TensorView {
  readonly debug: TensorSideView | null
  readonly bench: TensorSideView | null
  readonly sliceRows: number
  readonly sliceCols: number
  /** Steps between the floats of both slices; null where there is one side. */
  readonly ulp: Float64Array | null
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

/** Elements of one kind that are worth a look, and where the first of them stands. */
interface Ailing {
  readonly kind: 'nan' | 'posInf' | 'negInf' | 'subnormal' | 'saturated'
  readonly count: number
  readonly first: readonly number[] | null
}

export interface TensorHealth {
  readonly count: number
  readonly zeros: number
  /** Null where no element is finite. */
  readonly std: number | null
  readonly ailments: readonly Ailing[]
}

/** The error at each index of an axis, or at stretches of a long one. */
export interface AxisErrors {
  readonly axis: number
  readonly length: number
  readonly max: Float64Array
  readonly mean: Float64Array
}

/** What is known of a tensor or a pair when all elements were seen. */
export interface TensorAbout {
  readonly debug: TensorHealth | null
  readonly bench: TensorHealth | null
  readonly along: readonly AxisErrors[]
  /** Null where the sides are equal, or there is but one. */
  readonly kind: DifferenceKind | null
  /** Python that loads the same. */
  readonly snippet: string
}
