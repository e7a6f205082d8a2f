// overflow_check --rules msprobe-26: the file that msprobe 26 writes, its answers included.
import { msprobe, wholeOf } from '../../../formats/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import {
  anomalyText,
  type AnomalyRecord,
  namedBy26,
  type RankDump,
  recordOfCall,
} from '../../../overflow/index.ts'
import { portsOf } from '../ports.ts'
import type { Tools } from '../tools.ts'
import type { Given } from '../verb.ts'
import type { OverflowCheckFlags } from './index.ts'
import { stepsAt } from './places.ts'
import { OverflowFiles } from './write.ts'

export async function checkAs26(flags: Given<OverflowCheckFlags>, tools: Tools): Promise<readonly string[]> {
  const [first] = await stepsAt(flags, 'msprobe-26', tools)
  const dumps: RankDump[] = []
  for (const { place, rank } of first.ranks) {
    const dump = await wholeOf(msprobe.open(place, portsOf(tools, 'msprobe-26'), tools.job))
    for (const found of dump.problems) tools.tell(found)
    if (dump.header.framework !== 'pytorch')
      throw new Refusal(problem('overflow-framework', dump.file, { framework: dump.header.framework || '?' }))
    const missing =
      dump.stacks.file === '' ? 'stack.json' : dump.construct.file === '' ? 'construct.json' : ''
    if (missing) throw new Refusal(problem('overflow-file', dump.dir, { file: missing }))
    dumps.push({ rank, dump })
  }
  const found = new Map<number, AnomalyRecord[]>()
  for (const { rank, op } of namedBy26(tools.files, dumps)) {
    const of = dumps.find(one => one.rank === rank)
    if (of) found.set(rank, [...(found.get(rank) ?? []), recordOfCall(tools.files, of.dump, op, true)])
  }
  const files = new OverflowFiles(flags.output, tools)
  try {
    if (found.size > 0) files.anomalies(anomalyText(found))
    return files.commit()
  } finally {
    files.abandon()
  }
}
