// The calls of a rank and whether they differ, as msprobe 26 writes them for `-da`: one call after the other.
import type { Sink } from '../io/index.ts'
import { RankDifferences } from '../judge/index.ts'
import type { Comparison } from '../model/index.ts'
import { jsonText } from '../python/index.ts'
import type { Job } from '../work/index.ts'
import { Lines, toSink } from './lines.ts'

const callsPerBreath = 64

export async function writeDifferences(comparison: Comparison, sink: Sink, job: Job): Promise<void> {
  const differences = new RankDifferences(comparison)
  const lines = new Lines(toSink(sink))
  await lines.add('{')
  for (const [i, call] of differences.calls.entries()) {
    const text = `${i === 0 ? '' : ','}\n    ${jsonText(call.name)}: ${jsonText(differences.json(call), '    ')}`
    const wait = lines.add(text)
    if (wait) await wait
    if (i % callsPerBreath === 0) await job.breathe()
  }
  await lines.add('\n}')
  lines.flush()
}
