// What the advisor says of packed pairs with twins.
import { advise, type Advised } from '../../main/engine/advisor/advise.ts'
import type { Comparison } from '../../main/engine/model/comparison.ts'
import type { NoiseProfile } from '../../main/engine/model/noise.ts'
import { profileOf } from '../../main/engine/noise/index.ts'
import { defaultThresholds } from '../../main/engine/rules/thresholds.ts'
import { job } from '../../main/engine/work/job.ts'
import { compareFolders } from './advised.ts'
import { memoryFiles } from './memory-files.ts'
import type { Content } from './twin-dumps.ts'

export const compareIn = (content: Content, debug: string, bench: string): Promise<Comparison> =>
  compareFolders(debug, bench, {}, memoryFiles(content))

export const profileIn = async (
  content: Content,
  debug = '/twin-debug',
  bench = '/twin-bench',
): Promise<NoiseProfile> => profileOf(await compareIn(content, debug, bench))

export async function advisedIn(
  content: Content,
  noise: NoiseProfile | null,
): Promise<Advised & { readonly rows: Comparison }> {
  const comparison = await compareIn(content, '/debug', '/bench')
  const advised = await advise({ comparison, noise }, job())
  return { ...advised, rows: comparison.judged(defaultThresholds, advised.explained) }
}
