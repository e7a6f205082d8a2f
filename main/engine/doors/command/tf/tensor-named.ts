// The one tensor that somebody means by a path or a name.
import { type NamedTensor, type RawWish, tensorsIn, tensorsNamed } from '../../../formats/index.ts'
import { absolute, baseOf, dirOf } from '../../../io/index.ts'
import { problem, Refusal, type TensorRef } from '../../../model/index.ts'
import type { Tools } from '../tools.ts'
import { openTree } from './tree.ts'

/** A path of a file, the name of a file in the folder, or the beginning of one; refuses where several fit. */
export async function tensorNamed(
  folder: string,
  name: string,
  tools: Tools,
  wish: RawWish = {},
): Promise<NamedTensor & { readonly ref: TensorRef }> {
  const path = absolute(name)
  const own = fileAt(path, tools)
  const found = own ? await tensorsIn(tools.files, path, wish) : await named(folder, name, tools, wish)
  if (found.length === 0) throw new Refusal(problem('tf-no-tensor', absolute(folder), { name }))
  if (found.length > 1) {
    const names = found.slice(0, 20).map(one => one.name)
    const more = found.length > names.length ? ' …' : ''
    throw new Refusal(problem('tf-several-tensors', name, { names: names.join(', ') + more }))
  }
  const [one] = found
  if (!one.ref) throw new Refusal(one.problems[0] ?? problem('tf-no-tensor', path, { name }))
  for (const told of one.problems) tools.tell(told)
  return { ...one, ref: one.ref }
}

function fileAt(path: string, { files }: Tools): boolean {
  files.allow(path)
  files.allow(dirOf(path))
  return files.stat(path) !== null && files.stat(path)?.kind !== 'folder'
}

async function named(
  folder: string,
  name: string,
  tools: Tools,
  wish: RawWish,
): Promise<readonly NamedTensor[]> {
  const tree = await openTree(folder, tools)
  return tensorsNamed(tools.files, tree, baseOf(name) === name ? name : name.replace(/^\.\//, ''), wish)
}
