// A checkpoint of Megatron as a bundle: shards of parallel ranks are read as the whole tensors that they make.
import { problem, type Problem, type TensorRef } from '../../model/index.ts'
import type { BundleTensor } from '../bundle/bundle.ts'
import { bundleDump, meetByNames } from '../bundle/dump.ts'
import { type Candidate, type FormatOf, placeAt } from '../format.ts'
import { growing } from '../growing.ts'
import { fillStatistics } from '../tensorflow/statistics.ts'
import { plain } from '../tensors/tensor.ts'
import { rangeOf } from '../tensors/tensor-file.ts'
import { type Parameter, rankFolder, readCheckpoint, tracker } from './checkpoint.ts'

export const megatron: FormatOf<'dump'> = {
  id: 'megatron',
  holds: 'dump',
  find: at => (isCheckpoint(at) ? placeAt(at.path) : null),
  open: ({ path }, { files }, job) =>
    growing(async () => {
      const problems: Problem[] = []
      const parameters = readCheckpoint(path, { files, exact: false, tell: found => problems.push(found) })
      const tensors = [...parameters].map(([name, parameter]) => tensorOf(name, parameter))
      problems.push(...tensors.flatMap(tensor => (tensor.problem ? [tensor.problem] : [])))
      const dump = bundleDump({ path, tensors, problems })
      await fillStatistics(dump, files.roots(), job)
      return dump
    }),
  ofTensors: () => true,
  meet: meetByNames,
}

const isCheckpoint = (at: Candidate): boolean =>
  at.kind === 'folder' &&
  at.entries.some(({ name, kind }) => (kind === 'folder' ? name.startsWith(rankFolder) : name === tracker))

function tensorOf(name: string, { shape, axis, shards }: Parameter): BundleTensor {
  const [{ file, layout }] = shards
  const dtype = layout.dtype.name
  const ref = axis === null ? wholeIn(shards[0]) : joined(shards, shape, axis)
  return {
    name,
    dtype,
    shape,
    ref,
    problem: ref ? null : problem('ckpt-shards-differ', file, { name }, 'warning'),
  }
}

type Shard = Parameter['shards'][number]

function wholeIn({ file, layout }: Shard): TensorRef | null {
  const part = rangeOf(layout)
  return part && { file, part }
}

/** Along the second axis the shards take turns row by row. */
function joined(shards: readonly Shard[], shape: readonly number[], axis: 0 | 1): TensorRef | null {
  const [{ file, layout: first }] = shards
  const rounds = axis === 0 ? 1 : shape[0]
  const fits = shards.every(({ layout }) => plain(layout) && !layout.strides && layout.dtype === first.dtype)
  if (!fits || rounds === 0) return null
  const pieces = shards.map(({ file: of, layout }) => ({
    file: of,
    from: layout.from,
    bytes: (layout.size * layout.dtype.bytes) / rounds,
  }))
  const part = { from: 0, dtype: first.dtype.name, shape }
  return { file, through: { kind: 'pieces', rounds, pieces }, part }
}
