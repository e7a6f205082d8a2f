// A tensor file that an action of `parse` names.
import { absolute, dirOf } from '../../../io/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import type { Tools } from '../tools.ts'

/** Its path; refuses where there is none. */
export function fileAt(given: string, { files }: Pick<Tools, 'files'>): string {
  const path = absolute(given)
  files.allow(path)
  files.allow(dirOf(path))
  const at = files.stat(path)
  if (!at || at.kind === 'folder') throw new Refusal(problem('not-found', path))
  return path
}
