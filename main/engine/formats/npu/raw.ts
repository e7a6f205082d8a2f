// What the header of a raw NPU dump file tells: tensors and blocks with their types and places. Plain data.
import type { Problem, Through } from '../../model/index.ts'

/** The original operation that an output stands for. */
interface RawOrigin {
  readonly name: string
  readonly outputIndex: number
  /** Numbers of `npuTypes` and of `npuFormats`. */
  readonly dtype: number
  readonly format: number
}

export type RawSide = 'input' | 'output'

export interface RawTensor {
  readonly io: RawSide
  readonly index: number
  /** Numbers as the file has them; see `npuTypes` and `formatName`. */
  readonly dtype: number
  readonly format: number
  /** As the elements lie in the file; a dimension that nobody knows is -1. */
  readonly shape: readonly number[]
  /** Before the compiler chose a layout; null where it is not told. Its own layout is not told either. */
  readonly originalShape: readonly number[] | null
  /** Outputs only; null where the file names none. */
  readonly origin: RawOrigin | null
  /** Groups of a grouped convolution's weight; 0 or 1: none. */
  readonly groups: number
  readonly address: bigint
  /** Where the bytes stand in the file, and how many there are, padding included. */
  readonly from: number
  readonly size: number
  /** The file ends before the bytes do. */
  readonly truncated: boolean
  /** It was put together of several files; `from` is 0 then. */
  readonly through?: Through
}

/** Bytes of no tensor: a buffer of L1 fusion, or what a workspace logged. */
export interface RawBlock {
  readonly kind: 'l1buffer' | 'space'
  readonly index: number
  readonly from: number
  readonly size: number
  readonly truncated: boolean
}

export interface RawHeader {
  /** How the file is built: the usual way, as small devices do, or all in one message as of old. */
  readonly form: 'usual' | 'nano' | 'old'
  readonly version: string
  /** With its slashes, where the run was new enough to tell; else ''. */
  readonly opName: string
  /** Microseconds, or milliseconds of older writers. */
  readonly time: bigint
  readonly inputs: readonly RawTensor[]
  readonly outputs: readonly RawTensor[]
  readonly blocks: readonly RawBlock[]
  readonly attrs: readonly { readonly name: string; readonly value: string }[]
  /** Too short (`raw-truncated`) or longer than told (`raw-longer`). */
  readonly problems: readonly Problem[]
}

/** Inputs, then outputs: the order in which they lie in the file. */
export const rawTensors = ({
  inputs,
  outputs,
}: Pick<RawHeader, 'inputs' | 'outputs'>): readonly RawTensor[] => [...inputs, ...outputs]
