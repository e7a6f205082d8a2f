// Where the values of a dump lie, as plain data: whoever reads opens a reference with the files that it may
// read, in any thread, and closes it again. A dump holds no open file.
import type { ItemRow } from './ids.ts'

/** A stretch of a file with nothing in it but the elements of one tensor: little-endian, in C order. */
export interface ByteRange {
  readonly from: number
  readonly dtype: string
  readonly shape: readonly number[]
}

export interface TensorRef {
  readonly file: string
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
