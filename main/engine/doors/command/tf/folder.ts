// The folder that stands behind `tf`.
import { problem, Refusal } from '../../../model/index.ts'
import { absolute } from '../../../io/index.ts'
import type { Tools } from '../tools.ts'

export function folderIn(given: string, { files }: Pick<Tools, 'files'>): string {
  const folder = absolute(given)
  files.allow(folder)
  if (!files.stat(folder)) throw new Refusal(problem('not-found', folder))
  return folder
}
