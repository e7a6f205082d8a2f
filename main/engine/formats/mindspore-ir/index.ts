// Code mapping of MindSpore's graph mode: from dumped kernels to lines of source, by the IR text of the graph.
import type { Files } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import { problem, type Problem } from '../../model/index.ts'
import { kernelNames, type KernelNames } from './kernels.ts'
import { CodeLookup, type FoundCode } from './lookup.ts'
import { readIr } from './read.ts'

export { kernelNames, type KernelNames }

export interface MappedCode extends KernelNames {
  /** By text code of the kernel's name. */
  readonly code: readonly (FoundCode | null)[]
  readonly problems: readonly Problem[]
}

/** The code of each kernel of a dump, by an IR text. */
export async function mapCode(files: Files, ir: string, dump: string, job: Job): Promise<MappedCode> {
  const kernels = await kernelNames(files, dump, job)
  const read = await readIr(files, ir, job)
  const lookup = new CodeLookup(read)
  const code: (FoundCode | null)[] = []
  for (let name = 0; name < kernels.names.size; name++) {
    code.push(lookup.find(kernels.names.get(name)))
    await job.breathe()
  }
  // Kernels of any run lie below the top.
  const met = code.some(found => found !== null && (found.scope.includes('/') || !lookup.hasLevels))
  const foreign = problem('ir-nothing-met', ir, { dump, kernels: code.length }, 'warning')
  return { ...kernels, code, problems: met ? read.problems : [...read.problems, foreign] }
}
