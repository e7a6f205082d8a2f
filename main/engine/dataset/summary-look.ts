// Whether a summary still speaks of what is there.
import { type Files, join } from '../io/index.ts'
import { nodesName, sharesFolder, summaryName } from './names.ts'

/** Whether the files of the last merge speak of what is there now. */
export function isMerged(files: Files, folder: string, planModified: number): boolean {
  const summary = files.stat(join(folder, summaryName))
  const nodes = files.stat(join(folder, nodesName))
  return (
    summary !== null &&
    nodes?.kind === 'file' &&
    summary.modified >= planModified &&
    files.stat(join(folder, sharesFolder)) === null
  )
}
