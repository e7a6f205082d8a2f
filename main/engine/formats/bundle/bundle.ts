// Tensors by name: what one file holds, or the shards that an index joins. Nothing of their elements is read.
import { baseOf, dirOf, type Files, join } from '../../io/index.ts'
import { problem, type Problem, Refusal, type TensorRef } from '../../model/index.ts'
import { openTensorFile, rangeOf } from '../tensors/tensor-file.ts'
import { inFolder } from '../tensors/folder.ts'

export interface BundleTensor {
  /** '' for a file that is one tensor. */
  readonly name: string
  readonly dtype: string
  readonly shape: readonly number[]
  readonly ref: TensorRef | null
  /** Why it cannot be read. */
  readonly problem: Problem | null
}

export interface Bundle {
  readonly path: string
  readonly tensors: readonly BundleTensor[]
  readonly problems: readonly Problem[]
}

const indexLimit = 1 << 27

/** A file with several tensors, an index of shards, or a folder with one of them. */
export function openBundle(files: Files, path: string): Bundle {
  if (files.stat(path)?.kind === 'folder') return ofFolder(files, path)
  if (indexName.test(baseOf(path))) return ofIndex(files, path)
  return { path, tensors: tensorsOf(files, path), problems: [] }
}

export const indexName = /\.(?:safetensors|bin)\.index\.json$/i
export const shardName = /\.(?:safetensors|npz|pt|pth|bin)$/i

/** Refuses a file that is no tensor file. */
function tensorsOf(files: Files, path: string): readonly BundleTensor[] {
  const handle = files.open(path)
  try {
    const held = openTensorFile(handle, path)
    return held.names.map(name => {
      try {
        const layout = held.layout(name)
        const { dtype, shape } = layout
        const part = rangeOf(layout) ?? (name === '' ? undefined : name)
        const ref = { file: path, ...(part !== undefined && { part }) }
        return { name, dtype: dtype.name, shape, ref, problem: null }
      } catch (error) {
        // A file of one tensor is refused as a whole.
        if (!(error instanceof Refusal) || held.names.length === 1) throw error
        return { name, dtype: '', shape: [], ref: null, problem: error.problem }
      }
    })
  } finally {
    handle.close()
  }
}

function ofFolder(files: Files, path: string): Bundle {
  const names = files.list(path).flatMap(({ name, kind }) => (kind === 'folder' ? [] : [name]))
  const index = names.find(name => indexName.test(name))
  if (index !== undefined) return { ...ofIndex(files, join(path, index)), path }
  const shards = names.filter(name => shardName.test(name)).toSorted()
  if (shards.length === 0) throw new Refusal(problem('bundle-empty', path))
  return joined(
    path,
    shards.map(name => [name, null]),
    files,
    path,
  )
}

function ofIndex(files: Files, path: string): Bundle {
  const folder = dirOf(path)
  const shards = new Map<string, Set<string>>()
  for (const [name, file] of weightMap(files, path)) {
    const wanted = shards.get(file)
    if (wanted) wanted.add(name)
    else shards.set(file, new Set([name]))
  }
  return joined(path, [...shards], files, folder)
}

/** The tensors of several files; of an indexed one those that the index names. */
function joined(
  path: string,
  shards: readonly (readonly [name: string, wanted: ReadonlySet<string> | null])[],
  files: Files,
  folder: string,
): Bundle {
  const tensors: BundleTensor[] = []
  const problems: Problem[] = []
  for (const [name, wanted] of shards) {
    const file = inFolder(folder, name)
    const reading = file === '' ? problem('outside-root', name) : shardIn(files, file)
    const held = 'code' in reading ? [] : reading
    if ('code' in reading) problems.push(reading)
    const found = wanted ? held.filter(tensor => wanted.has(tensor.name)) : held
    // A file that is one tensor is called as the file is.
    tensors.push(
      ...found.map(one => (one.name === '' ? { ...one, name: name.replace(/\.[^.]+$/, '') } : one)),
    )
    const missing = [...(wanted ?? [])].filter(one => !held.some(tensor => tensor.name === one))
    for (const lost of missing) {
      const reason = 'code' in reading ? reading : problem('bundle-missing', file, { tensor: lost })
      tensors.push({ name: lost, dtype: '', shape: [], ref: null, problem: reason })
      if (!('code' in reading)) problems.push(reason)
    }
  }
  return { path, tensors, problems }
}

function shardIn(files: Files, file: string): readonly BundleTensor[] | Problem {
  if (!files.stat(file)) return problem('bundle-shard', file)
  try {
    return tensorsOf(files, file)
  } catch (error) {
    if (error instanceof Refusal) return error.problem
    throw error
  }
}

/** Name and file of every tensor. */
function weightMap(files: Files, path: string): readonly (readonly [string, string])[] {
  const text = new TextDecoder().decode(files.readAll(path, indexLimit))
  try {
    const index: unknown = JSON.parse(text)
    const map = typeof index === 'object' && index !== null && 'weight_map' in index ? index.weight_map : null
    if (typeof map === 'object' && map !== null) {
      const entries = Object.entries(map)
      if (entries.every(entry => typeof entry[1] === 'string')) return entries as [string, string][]
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Refusal(problem('bundle-index', path))
}
