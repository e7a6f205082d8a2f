// Where the values of a dump lie, as plain data: whoever reads opens a reference with the files that it may
// read, in any thread, and closes it again. A dump holds no open file.
import type { ItemRow } from './ids.ts'

/** Where the elements of one tensor lie in a file; nothing said, they are little-endian and in C order. */
export interface ByteRange {
  readonly from: number
  readonly dtype: string
  readonly shape: readonly number[]
  /** Steps in elements per axis, where they are not those of C order. */
  readonly strides?: readonly number[]
  readonly bigEndian?: boolean
  /** Elements of less than a byte, and how they share one; read as the type above. */
  readonly packing?: Packing
  /** Where the elements lie instead, if not in C order. */
  readonly tiling?: Tiling
}

/** Two elements in a byte, the first one in its low half; eight, the first one in its highest bit. */
export type Packing = 'int4' | 'uint1'

/**
 * Elements in the order that a device computes on, with padding between: each index of each axis adds its
 * share to the place of an element.
 */
export interface Tiling {
  /** Elements that lie there, padding included. */
  readonly size: number
  /** In C order of the tensor's shape, of which an axis may be cut in two. */
  readonly axes: readonly TiledAxis[]
}

/** Index i adds `i ÷ block · outer + i mod block · inner`. */
export interface TiledAxis {
  readonly length: number
  readonly block: number
  readonly outer: number
  readonly inner: number
  /** The index is counted on by `times · (index of another axis mod modulo)` first. */
  readonly shift?: { readonly axis: number; readonly modulo: number; readonly times: number }
}

/** What stands between a file and the bytes of a tensor. */
export type Through =
  /** The bytes are written as base64 from one place of the file to another. */
  | { readonly kind: 'base64'; readonly from: number; readonly to: number }
  /** So many times the pieces follow each other, each from where it was left the last time. */
  | { readonly kind: 'pieces'; readonly rounds: number; readonly pieces: readonly Piece[] }

interface Piece {
  readonly file: string
  readonly from: number
  /** In each round. */
  readonly bytes: number
  /** From one round to the next, where that is more: others of the same file take the rest. */
  readonly every?: number
}

export interface TensorRef {
  readonly file: string
  /** What `part` speaks of is not the file itself. */
  readonly through?: Through
  /** Type as the dump tells it: raw 16-bit files of bfloat16 are known by nothing else. */
  readonly dtype?: string
  /** Which tensor of a file that holds several: its name, or where its elements lie. Absent: the only one. */
  readonly part?: string | ByteRange
}

export interface TensorStore {
  /** Folder or file that the values lie in, as reports name it; '' where there are none. */
  readonly place: string
  /** Null where an item has no values that may be read. */
  ref(item: ItemRow): TensorRef | null
}

export const noTensors: TensorStore = { place: '', ref: () => null }
