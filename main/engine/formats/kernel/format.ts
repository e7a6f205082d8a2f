// Dump trees of static graphs: kernels in folders of their own, by rank, network, graph and step.
import { ruleSets } from '../../rules/index.ts'
import { type FormatOf, placeAt } from '../format.ts'
import { growing } from '../growing.ts'
import { isKernelTree, kernelFolders, readKernels } from './kernel-dumps.ts'

export const kernel: FormatOf<'kernels'> = {
  id: 'kernel',
  holds: 'kernels',
  find: async (at, job) => ((await isKernelTree(at, job)) ? placeAt(at.path) : null),
  async parts({ path }, { files }, job) {
    const found = await kernelFolders(files, path, job)
    return {
      parts: found.map(({ rank, step, mode, folders }) => ({
        place: { path, step, rank, folders },
        pair: false,
        mode,
      })),
      problems: [],
    }
  },
  open({ step, rank, folders = [] }, { files, rules }, job) {
    const at = { step: step ?? 0, rank: rank ?? 0, folders }
    return growing(() => readKernels(files, at, ruleSets[rules].deviates['kernel-long-names'], job))
  },
}
