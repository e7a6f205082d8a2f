// Two dumps laid side by side for the work on a mapping.
import { wholeOf } from '../../../formats/index.ts'
import { dumpFormatOf, planOf } from '../../../layout/index.ts'
import { MappingDesk } from '../../../mapping/index.ts'
import { problem, Refusal, type Rules } from '../../../model/index.ts'
import { engineOf } from '../../../study/index.ts'
import { portsOf } from '../ports.ts'
import type { Tools } from '../tools.ts'

export async function deskOf(
  dumps: readonly [string, string],
  rules: Rules,
  tools: Tools,
): Promise<MappingDesk> {
  const ports = portsOf(tools, rules)
  const plan = await planOf(dumps, { stacks: 'auto', ordered: true }, ports, tools.job)
  for (const found of plan.problems) tools.tell(found)
  const [unit] = plan.units
  if (!unit?.places.bench) throw new Refusal(problem('not-a-dump', plan.debug))
  const format = dumpFormatOf(unit)
  const debug = await wholeOf(format.open(unit.places.debug, ports, tools.job))
  const bench = await wholeOf(format.open(unit.places.bench, ports, tools.job))
  for (const found of [...debug.problems, ...bench.problems]) tools.tell(found)
  return new MappingDesk(debug, bench, { rules, engine: engineOf(debug), fuzzy: false, mapping: {} })
}
