// A folder that a verb reads, and beside which nothing else is reached.
import { absolute } from '../../io/index.ts'
import { problem, Refusal } from '../../model/index.ts'
import type { Tools } from './tools.ts'

/** Its path; an archive is read as if it were a folder. */
export async function folderAt(given: string, { files, job }: Pick<Tools, 'files' | 'job'>): Promise<string> {
  const path = absolute(given)
  files.allow(path)
  await files.mount(path, job)
  const at = files.stat(path)
  if (!at) throw new Refusal(problem('not-found', path))
  if (at.kind === 'file') throw new Refusal(problem('not-a-folder', path))
  return path
}
