// Tensors of a run by their names: npy files that are there, and those that would be decoded from raw dumps.
import { baseOf, type Files, join } from '../../io/index.ts'
import type { Problem, TensorRef } from '../../model/index.ts'
import { type RawWish, rawNameOf, rawReading, rawTensors, readRawHeader, unsliced } from '../npu/index.ts'
import { decodedNameOf, fileNameOf } from './names.ts'
import type { DumpRun, TensorFlowTree } from './tree.ts'

export interface NamedTensor {
  /** As its npy file is called, or would be. */
  readonly name: string
  /** Null where it cannot be read; `problems` say why. */
  readonly ref: TensorRef | null
  /** The layout that a raw tensor is read in; '' of an npy file. */
  readonly layout: string
  readonly problems: readonly Problem[]
}

/** A file that a name may mean. */
interface Named {
  readonly name: string
  readonly path: string
  readonly raw: boolean
}

/** Raw files that a part of a name is looked for in: each of them has to be opened. */
const mostRaw = 64

/**
 * The tensors that a name means: the file that is called so, else all whose names begin so, with `/` as `_`.
 * Decoded ones come first, then the reference, then raw dumps.
 */
export async function tensorsNamed(
  files: Files,
  tree: TensorFlowTree,
  asked: string,
  wish: RawWish = {},
): Promise<readonly NamedTensor[]> {
  const arrays = [...tree.decoded, ...tree.reference].flatMap(folder =>
    namedIn(folder.path, folder.files, folder.renamed, false),
  )
  const dumps = [...tree.npu.flatMap(({ runs }) => runs), ...tree.overflow].flatMap(dumpsIn)
  const inRaw = decodedNameOf(asked)
  const exact = arrays.find(({ name }) => name === asked)
  if (exact) return [arrayOf(exact)]
  const whole = dumps.find(({ name }) => name === asked || name === inRaw?.raw)
  if (whole) {
    const all = await tensorsOf(files, whole, wish)
    return inRaw
      ? all.filter(({ name }) => decodedNameOf(name)?.index === inRaw.index && name.includes(`.${inRaw.io}.`))
      : all
  }
  const start = asked.replaceAll('/', '_').replace(/\.npy$/, '')
  const begun = arrays.filter(({ name }) => name.startsWith(start))
  if (begun.length > 0) return begun.map(arrayOf)
  const raws = dumps.filter(({ name }) => name.startsWith(start)).slice(0, mostRaw)
  return (await Promise.all(raws.map(raw => tensorsOf(files, raw, wish)))).flat()
}

/** The raw dump of this name, else the newest one of the operator of this name; null where there is none. */
export function rawDumpNamed(tree: TensorFlowTree, asked: string): string | null {
  const dumps = [...tree.npu.flatMap(({ runs }) => runs), ...tree.overflow].flatMap(dumpsIn)
  const exact = dumps.find(({ name }) => name === asked)
  if (exact) return exact.path
  const op = unsliced(fileNameOf(asked))
  const [newest] = dumps
    .flatMap(({ name, path }) => {
      const raw = rawNameOf(name)
      return raw && unsliced(raw.op) === op ? [{ path, time: raw.time }] : []
    })
    .toSorted((a, b) => (a.time < b.time ? 1 : -1))
  return newest?.path ?? null
}

/** The tensors of one file: an npy, or a raw dump. */
export async function tensorsIn(
  files: Files,
  path: string,
  wish: RawWish = {},
): Promise<readonly NamedTensor[]> {
  const name = baseOf(path)
  return rawNameOf(name)
    ? tensorsOf(files, { name, path, raw: true }, wish)
    : [arrayOf({ name, path, raw: false })]
}

const arrayOf = ({ name, path }: Named): NamedTensor => ({
  name,
  ref: { file: path },
  layout: '',
  problems: [],
})

function namedIn(
  folder: string,
  files: readonly string[],
  renamed: readonly (readonly [string, string])[],
  raw: boolean,
): readonly Named[] {
  const real = new Map(renamed)
  return files.map(file => ({ name: real.get(file) ?? file, path: join(folder, file), raw }))
}

const dumpsIn = ({ folders }: DumpRun): readonly Named[] =>
  folders
    .flatMap(({ path, files, renamed }) => namedIn(path, files, renamed, true))
    .filter(({ name }) => rawNameOf(name))

async function tensorsOf(
  files: Files,
  { name, path }: Named,
  wish: RawWish,
): Promise<readonly NamedTensor[]> {
  const handle = files.open(path)
  try {
    const header = await readRawHeader(handle, path)
    return rawTensors(header).map(tensor => {
      const { range, layout, problems } = rawReading(path, tensor, wish)
      return {
        name: `${name}.${tensor.io}.${tensor.index}.npy`,
        ref: range && { file: path, part: range },
        layout,
        problems,
      }
    })
  } finally {
    handle.close()
  }
}
