// The folder that commands of `tf` work on.
import { scanTensorFlow, type TensorFlowTree } from '../../../formats/index.ts'
import { absolute } from '../../../io/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import type { Tools } from '../tools.ts'

export async function openTree(
  path: string,
  { files, job }: Pick<Tools, 'files' | 'job'>,
): Promise<TensorFlowTree> {
  const folder = absolute(path)
  files.allow(folder)
  const at = files.stat(folder)
  if (!at) throw new Refusal(problem('not-found', folder))
  if (at.kind === 'file') throw new Refusal(problem('not-a-folder', folder))
  return scanTensorFlow(files, folder, job)
}
