// Walks over one tensor file, or over two of the same shape, in stretches of doubles.
import { problem, Refusal, type TensorRef } from '../../model/index.ts'
import { decode, type Dtype } from './dtype.ts'
import { type TensorLayout, type TensorReader, tensorReader } from './tensor.ts'
import { layoutOf } from './tensor-file.ts'
import { openRef } from './through.ts'
import type { Handle, QuickFiles } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'

/** Elements that are read at once. */
export const stretch = 1 << 14

/** Memory of somebody else that elements are read into. */
export interface Room {
  /** As many as a stretch of the widest type has. */
  readonly bytes: Uint8Array
  readonly values: Float64Array
  /** Makes bytes values; false for a type that it does not know. */
  widen(dtype: Dtype, count: number): boolean
}

export class OpenTensor {
  readonly file: string
  readonly layout: TensorLayout
  readonly values: Float64Array
  readonly bytes: Uint8Array
  readonly #handle: Handle
  readonly #reader: TensorReader
  readonly #room: Room | null

  constructor(files: QuickFiles, ref: TensorRef, room: Room | null = null) {
    const { file } = ref
    const handle = openRef(files, ref)
    if (!handle) throw new Refusal(problem('not-found', file))
    this.#handle = handle
    this.file = file
    this.#room = room
    this.values = room?.values ?? new Float64Array(stretch)
    try {
      this.layout = layoutOf(handle, ref)
      const size = stretch * this.layout.dtype.bytes
      this.bytes = room?.bytes.subarray(0, size) ?? new Uint8Array(size)
      this.#reader = tensorReader(handle, this.layout, file)
    } catch (error) {
      handle.close()
      throw error
    }
  }

  /** Puts elements into `values`, at most `stretch`; returns how many. */
  read(first: number, count: number): number {
    const got = this.readBytes(first, count)
    if (!this.#room?.widen(this.layout.dtype, got)) decode(this.layout.dtype, this.bytes, got, this.values)
    return got
  }

  /** Puts elements into `bytes` alone; returns how many. */
  readBytes(first: number, count: number): number {
    return this.#reader.read(
      first,
      this.bytes.subarray(0, Math.min(count, stretch) * this.layout.dtype.bytes),
    )
  }

  close(): void {
    this.#handle.close()
  }
}

/**
 * Reads all given tensors side by side. `visit` sees where a stretch begins and how long it is; `report` the
 * share done in [0, 1].
 */
export function* walk(
  tensors: readonly OpenTensor[],
  visit: (first: number, count: number) => void,
  report: (share: number) => void,
): Generator<void, void, void> {
  const size = tensors[0]?.layout.size ?? 0
  for (let first = 0; first < size;) {
    let count = Math.min(stretch, size - first)
    for (const tensor of tensors) count = Math.min(count, tensor.read(first, count))
    visit(first, count)
    first += count
    report(first / size)
    yield
  }
}

/** All values of one tensor; null when it has more than `most` elements or cannot be read. */
export async function readWhole(
  files: QuickFiles,
  of: TensorRef,
  most: number,
  job: Job,
): Promise<Float64Array | null> {
  let tensor: OpenTensor | null = null
  try {
    tensor = new OpenTensor(files, of)
    if (tensor.layout.size > most) return null
    const { values } = tensor
    const all = new Float64Array(tensor.layout.size)
    let filled = 0
    for (const _ of walk(
      [tensor],
      (first, count) => {
        all.set(values.subarray(0, count), first)
        filled = first + count
      },
      () => {},
    ))
      await job.breathe()
    return filled === all.length ? all : null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  } finally {
    tensor?.close()
  }
}

/** The indices of an element, one per axis. */
export function indexOf(element: number, shape: readonly number[]): readonly number[] {
  const index = shape.map(() => 0)
  for (let axis = shape.length - 1, rest = element; axis >= 0; axis--) {
    index[axis] = rest % shape[axis]
    rest = Math.floor(rest / shape[axis])
  }
  return index
}

export const sameShape = (a: TensorLayout, b: TensorLayout): boolean =>
  a.shape.length === b.shape.length && a.shape.every((dim, axis) => dim === b.shape[axis])
