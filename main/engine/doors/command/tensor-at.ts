// The tensors that a path of the command line holds, and the one that is meant.
import { type Bundle, type BundleTensor, openBundle, rawNameOf, tensorsIn } from '../../formats/index.ts'
import { absolute, baseOf, dirOf } from '../../io/index.ts'
import { problem, Refusal, type TensorRef } from '../../model/index.ts'
import type { Tools } from './tools.ts'

export interface Reading {
  readonly member: string | undefined
  readonly as: string | undefined
}

/** Everything at a path, by name; refuses what holds no tensor. */
export async function bundleAt(
  given: string,
  { files, tell }: Pick<Tools, 'files' | 'tell'>,
): Promise<Bundle> {
  const path = absolute(given)
  files.allow(path)
  files.allow(dirOf(path))
  if (!files.stat(path)) throw new Refusal(problem('not-found', path))
  const raw = rawNameOf(baseOf(path)) ? await tensorsIn(files, path) : null
  const bundle = raw
    ? {
        path,
        problems: raw.flatMap(one => one.problems),
        tensors: raw.map(({ name, ref, problems }) => ({
          name,
          ref,
          dtype: ref && typeof ref.part === 'object' ? ref.part.dtype : '',
          shape: ref && typeof ref.part === 'object' ? ref.part.shape : [],
          problem: problems[0] ?? null,
        })),
      }
    : openBundle(files, path)
  for (const found of bundle.problems) tell(found)
  return bundle
}

export type Chosen = BundleTensor & { readonly ref: TensorRef }

/** The one tensor that is meant; refuses where there are several and none was named. */
export function chosenOf({ tensors, path }: Bundle, { member, as }: Reading): Chosen {
  const found =
    member === undefined && tensors.length === 1 ? tensors[0] : tensors.find(one => one.name === member)
  if (!found) {
    const names = tensors.slice(0, 20).map(one => one.name)
    throw new Refusal(problem('several-tensors', path, { names: names.join(', ') || baseOf(path) }))
  }
  if (!found.ref) throw new Refusal(found.problem ?? problem('tf-no-tensor', path, { name: found.name }))
  return { ...found, ref: as === undefined ? found.ref : readAs(found.ref, as) }
}

/** 16-bit words as another type of their width; all others stay what they are. */
function readAs(ref: TensorRef, dtype: string): TensorRef {
  const { part } = ref
  if (typeof part !== 'object') return { ...ref, dtype }
  return part.dtype === 'uint16' || part.dtype === 'int16' ? { ...ref, part: { ...part, dtype } } : ref
}
