// One tensor or two of them as they are shown.
import type { Problem } from './problem.ts'

/** What a tensor is, without its elements. */
export interface TensorSpec {
  readonly dtype: string
  readonly shape: readonly number[]
}

/** The bench side is looked at with its axes in another order, or in another shape of as many elements. */
export interface TensorAlignment {
  readonly axes?: readonly number[]
  readonly shape?: readonly number[]
}

/** How two tensors of unlike shapes, or whose elements lie otherwise, can be laid over each other. */
export interface TensorProposal extends TensorAlignment {
  /** Shape that the bench side has then. */
  readonly becomes: readonly number[]
  /** Share of the elements looked at that agree. */
  readonly agree: number
}

interface Sides<T> {
  readonly debug: T | null
  readonly bench: T | null
}

export interface TensorProposals extends Sides<TensorSpec> {
  readonly proposals: readonly TensorProposal[]
}

/** Which part of a tensor is shown as numbers. */
export interface NumbersQuery {
  readonly rowAxis: number
  readonly colAxis: number
  /** Index of each axis: of the axes shown the first one. */
  readonly at: readonly number[]
  readonly rows: number
  readonly cols: number
  /** All elements one behind the other, so many in a row, from row `at[0]` on; 0: by axes. */
  readonly wrap: number
}

/** Part of two tensors as numbers: two axes, at an index of the others. */
export interface TensorNumbers {
  readonly rows: number
  readonly cols: number
  readonly debug: TensorCells | null
  readonly bench: TensorCells | null
  /** Steps between the floats of both; null where there is one side or none are counted. */
  readonly ulp: Float64Array | null
}

/** Row by row; NaN where a side has no element. */
export interface TensorCells extends TensorSpec {
  readonly values: Float64Array
  /** Values that doubles do not hold, and complex ones, as text; '' where the number says it. */
  readonly texts: readonly string[]
  /** In hexadecimal, the highest byte first; '' behind the end. */
  readonly bits: readonly string[]
}

export interface TensorWorst {
  readonly index: readonly number[]
  readonly debug: number
  readonly bench: number
  readonly error: number
}

export type HeatMeasure = 'debug' | 'bench' | 'abs' | 'rel' | 'ulp'
/** What becomes of the axes that are not shown, and of elements that share a block: one index of each, or all. */
export type HeatRest = 'slice' | 'max' | 'mean'

export interface HeatQuery {
  readonly measure: HeatMeasure
  readonly rest: HeatRest
  readonly rowAxis: number
  readonly colAxis: number
  /** Index of each axis; those of the axes shown are not looked at. */
  readonly at: readonly number[]
  /** From and to, of the axes shown. */
  readonly rows: readonly [number, number]
  readonly cols: readonly [number, number]
}

/** Two axes of a tensor or of its error as a picture: elements, or the strongest or the mean of blocks of them. */
export interface TensorHeat {
  /** Elements that were looked at; null: all. */
  readonly sampled: number | null
  readonly rows: readonly [number, number]
  readonly cols: readonly [number, number]
  /** Blocks; as many as elements where they fit. */
  readonly height: number
  readonly width: number
  readonly values: Float64Array
}

/** How the values of both sides, and their differences, are spread. */
export interface TensorSpread {
  /** Elements that were looked at; null: all. */
  readonly sampled: number | null
  /** Equal bins over the finite values of both sides; null without any. */
  readonly values: (Sides<Float64Array> & { readonly edges: Float64Array }) | null
  /** Of debug − bench. */
  readonly error: { readonly edges: Float64Array; readonly counts: Float64Array } | null
  /** Octaves of magnitudes, of both sides and of the error on one axis; smaller ones and zero are counted apart. */
  readonly log:
    | (Sides<Float64Array> & {
        readonly edges: Float64Array
        readonly error: Float64Array | null
        readonly below: { readonly debug: number; readonly bench: number; readonly error: number }
      })
    | null
  /** Bins of bench by bins of debug over the edges of the values, bench first. */
  readonly against: { readonly bins: number; readonly counts: Float64Array } | null
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
  readonly worst: readonly TensorWorst[]
}

/** Elements of one kind that are worth a look, and where the first of them stands. */
interface Ailing {
  readonly kind: 'nan' | 'posInf' | 'negInf' | 'subnormal' | 'saturated'
  readonly count: number
  readonly first: readonly number[] | null
}

/** One side over all elements, or over a sample of them. */
export interface TensorHealth extends TensorSpec {
  /** Elements that were looked at. */
  readonly count: number
  readonly zeros: number
  /** Over finite elements; null where there is none. */
  readonly max: number | string | null
  readonly min: number | string | null
  readonly mean: number | null
  readonly norm: number | null
  readonly std: number | null
  readonly ailments: readonly Ailing[]
}

/** The error at each index of an axis, or at stretches of a long one. */
export interface AxisErrors {
  readonly axis: number
  readonly length: number
  readonly max: Float64Array
  readonly mean: Float64Array
  /** How much of the error stands at few indices: 0 as much at each, 1 all at one. */
  readonly unevenness: number
}

/** What the elements of a tensor or a pair say. */
export interface TensorAbout extends Sides<TensorHealth> {
  /** Elements that were looked at; null: all. */
  readonly sampled: number | null
  /** Null where there is one side, and where the shapes differ. */
  readonly pair: {
    readonly mismatched: number
    readonly maxAbs: number | null
    readonly meanAbs: number | null
    readonly maxRel: number | null
    readonly cosine: number | null
    readonly ulp: number | string | null
  } | null
  readonly worst: readonly TensorWorst[]
  readonly along: readonly AxisErrors[]
  /** The axis along which the error shows most structure, if any does. */
  readonly telling: number | null
  /** Python that loads the same. */
  readonly snippet: string
  /** Why a side is not there. */
  readonly problems: readonly Problem[]
}
