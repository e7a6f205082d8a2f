// Pairs among rounding with two healthy runs beside them, dumped by the real tool.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { advise, type Advised } from '../../main/engine/advisor/advise.ts'
import type { Comparison } from '../../main/engine/model/comparison.ts'
import type { NoiseProfile } from '../../main/engine/model/noise.ts'
import { profileOf } from '../../main/engine/noise/index.ts'
import { defaultThresholds } from '../../main/engine/rules/thresholds.ts'
import { job } from '../../main/engine/work/job.ts'
import { compareFolders } from './advised.ts'
import { memoryFiles } from './memory-files.ts'

type Content = Readonly<Record<string, string>>

/** Folders /debug, /bench, /twin-debug and /twin-bench. */
export function twinDumps(name: string): Content {
  const file = path.join(import.meta.dirname, '..', 'fixtures', 'twins', `${name}.json.gz`)
  return z.record(z.string(), z.string()).parse(JSON.parse(gunzipSync(readFileSync(file)).toString()))
}

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
