// Tensor files: one that is a single tensor as the dump of a single call, several by name as a bundle.
import { msprobeNames } from '../../names/index.ts'
import { baseOf, dirOf } from '../../io/index.ts'
import { type Dump, emptyDump, Refusal, State, TextPool } from '../../model/index.ts'
import { type BundleTensor, indexName, openBundle } from '../bundle/bundle.ts'
import { bundleDump, meetByNames } from '../bundle/dump.ts'
import { DumpColumns, noneCell } from '../dump-columns.ts'
import { type Candidate, type FormatOf, placeAt } from '../format.ts'
import { growing } from '../growing.ts'
import { fillStatistics } from '../tensorflow/statistics.ts'
import { folderTensors } from './folder.ts'

export const tensors: FormatOf<'dump'> = {
  id: 'tensors',
  holds: 'dump',
  find: at => (isTensors(at) ? { ...placeAt(at.path), ...(isBundle(at) && { part: severalTensors }) } : null),
  open: ({ path }, { files }, job) =>
    growing(async () => {
      const bundle = openBundle(files, path)
      const [only] = bundle.tensors
      if (bundle.tensors.length === 1 && files.stat(path)?.kind !== 'folder') return oneDump(path, only)
      const dump = bundleDump(bundle)
      await fillStatistics(dump, files.roots(), job)
      return dump
    }),
  // A single tensor meets another whatever the files are called.
  meet: (debug, bench) =>
    debug.items.length === 1 && bench.items.length === 1 ? Int32Array.of(0) : meetByNames(debug, bench),
}

/** The part of a place that holds tensors by name, and not a single one. */
export const severalTensors = 'bundle'

/** What cannot be read is refused where it is opened. */
function isBundle({ kind, name, path, files }: Candidate): boolean {
  if (kind === 'folder' || indexName.test(name)) return true
  if (/\.npy$/i.test(name)) return false
  try {
    return openBundle(files, path).tensors.length > 1
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function isTensors(at: Candidate): boolean {
  if (at.kind !== 'folder')
    return /\.(?:npy|npz|pt|pth|safetensors)$/i.test(at.name) || indexName.test(at.name)
  return at.entries.some(
    ({ name, kind }) => kind !== 'folder' && (indexName.test(name) || /\.safetensors$/i.test(name)),
  )
}

function oneDump(path: string, { dtype, shape }: BundleTensor): Dump {
  const texts = new TextPool()
  const columns = new DumpColumns()
  const name = texts.add(baseOf(path))
  columns.addItem({
    name,
    state: State.output,
    type: -1,
    dtype: texts.add(dtype),
    shape: texts.add(`[${shape.join(', ')}]`),
    stats: [noneCell, noneCell, noneCell, noneCell],
    md5: -1,
    dataName: name,
    requiresGrad: 2,
    tensor: 1,
  })
  columns.addOp(name, 0, 0)
  const blank = emptyDump({
    header: { task: 'tensor', level: '', framework: '', hasMd5: false },
    names: msprobeNames,
  })
  const tables = columns.tables()
  const folder = dirOf(path)
  return { ...blank, texts, ...tables, dir: folder, tensors: folderTensors(folder, tables.items, texts) }
}
