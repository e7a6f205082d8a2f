// The parameters of both sides: how many differ, and by how much they may without meaning anything.
import { Equal } from '../measure/index.ts'
import type { Case, Links } from './links.ts'
import { floorOf } from '../judge/index.ts'

interface Weights {
  readonly all: number
  readonly differing: number
  /** Differences up to this are what an earlier, noisy step or another precision leaves. */
  readonly tolerance: number
}

const isWeight = (role: ReturnType<Links['role']>): boolean => role === 'parameter' || role === 'placed'

/** `trained`: earlier steps have updated them, each with the noise of its gradients, which some optimizers make as large as any. */
export function weighWeights(c: Case, links: Links, trained: boolean): Weights {
  const { debug, levels, limits, noise, across } = c
  const seen = new Set<number>()
  const differing: number[] = []
  let all = 0
  let coarse = 0
  for (let i = 0; i < levels.toBench.length; i++) {
    const j = levels.toBench[i]
    if (j < 0 || debug.dump.items.tensor[i] === 0 || !isWeight(links.role(i))) continue
    const known = debug.flow.view[i] >= 0 ? debug.flow.view[i] : -1 - i
    if (seen.has(known)) continue
    seen.add(known)
    all++
    if (levels.equal[i] !== Equal.no) continue
    differing.push(Number.isNaN(levels.level[i]) ? 1 : levels.level[i])
    if (debug.precision[i] !== c.bench.precision[j])
      coarse = Math.max(coarse, floorOf(debug.precision[i], limits), floorOf(c.bench.precision[j], limits))
  }
  // Statistics of equal weights differ in their last digits where two frameworks summed them; checksums do
  // not.
  const sums =
    debug.dump.header.hasMd5 && c.bench.dump.header.hasMd5 && differing.length <= limits.weightShare * all
  let tolerance = across && !sums ? 8 * limits.floor32 : 0
  tolerance = Math.max(tolerance, coarse)
  // One that differs alone was not updated.
  if (trained && !noise.exact && differing.length > 1) tolerance = Number.POSITIVE_INFINITY
  differing.sort((x, y) => x - y)
  if (differing.length > limits.weightShare * all) {
    const usual = differing[differing.length >> 1]
    // By how much weights usually differ tells more than what one operation errs by.
    if (usual <= 8 * noise.floor) tolerance = Math.max(tolerance, Math.min(32 * noise.floor, 16 * usual))
  }
  return { all, differing: differing.filter(level => tolerance === 0 || level > tolerance).length, tolerance }
}
