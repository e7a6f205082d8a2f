// Tensors of several files as one, along an axis: rounds in which the files take turns.
import type { Files } from '../../io/index.ts'
import { type ByteRange, Refusal, type TensorRef, type Through } from '../../model/index.ts'
import type { JoinTensors } from '../../parallel/index.ts'
import { plain, type TensorLayout } from '../tensors/tensor.ts'
import { layoutOf } from '../tensors/tensor-file.ts'

type Whole = Parameters<JoinTensors>[1]

export function joinTensors(
  files: Files,
  refs: readonly TensorRef[],
  { shape, axis, blocks }: Whole,
): TensorRef | null {
  const layouts = refs.map(ref => layoutIn(files, ref))
  const known = layouts.filter(layout => layout !== null)
  const [first] = known
  if (known.length < refs.length || !known.every(layout => isPart(layout, first, shape, axis))) return null
  const along = known.reduce((sum, layout) => sum + layout.shape[axis], 0)
  const rounds = shape.slice(0, axis).reduce((product, size) => product * size, 1)
  if (along !== shape[axis] || rounds === 0) return null
  const perRound = known.map(({ size, dtype }) => (size * dtype.bytes) / rounds)
  const even = perRound.every(bytes => (bytes / first.dtype.bytes) % blocks === 0)
  const each = even ? blocks : 1
  const pieces = Array.from({ length: each }, (_, block) =>
    known.map((layout, i) => ({
      file: refs[i].file,
      from: layout.from + (block * perRound[i]) / each,
      bytes: perRound[i] / each,
      ...(each > 1 && { every: perRound[i] }),
    })),
  ).flat()
  const through: Through = { kind: 'pieces', rounds, pieces }
  const part: ByteRange = { from: 0, dtype: first.dtype.name, shape }
  return { file: refs[0].file, through, part }
}

/** Null where a file is missing or cannot be read; measuring says so of the pair. */
function layoutIn(files: Files, ref: TensorRef): TensorLayout | null {
  if (ref.through || !files.stat(ref.file)) return null
  try {
    const handle = files.open(ref.file)
    try {
      return layoutOf(handle, ref)
    } finally {
      handle.close()
    }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

function isPart(layout: TensorLayout, first: TensorLayout, shape: readonly number[], axis: number): boolean {
  return (
    plain(layout) &&
    !layout.strides &&
    layout.dtype === first.dtype &&
    layout.shape.length === shape.length &&
    layout.shape.every((size, i) => i === axis || size === shape[i])
  )
}
