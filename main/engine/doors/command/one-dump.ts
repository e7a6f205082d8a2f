// A verb that works on one dump: a folder with dump.json, that file, or a folder of steps and ranks that holds just one.
import { Candidate, msprobe, type Place, wholeOf } from '../../formats/index.ts'
import { absolute, dirOf } from '../../io/index.ts'
import { planOf } from '../../layout/index.ts'
import { type Dump, problem, Refusal } from '../../model/index.ts'
import { portsOf } from './ports.ts'
import type { Tools } from './tools.ts'

export async function openOne(given: string, tools: Tools): Promise<Dump> {
  const path = absolute(given)
  const { files, job } = tools
  files.allow(path)
  files.allow(dirOf(path))
  const at = files.stat(path)
  if (!at) throw new Refusal(problem('not-found', path))
  const place =
    (await msprobe.find(new Candidate(files, path, at.kind), job)) ?? (await theOnlyIn(path, tools))
  const dump = await wholeOf(msprobe.open(place, portsOf(tools, 'plumbline'), job))
  for (const found of dump.problems) tools.tell(found)
  return dump
}

async function theOnlyIn(path: string, tools: Tools): Promise<Place> {
  const asked = { stacks: 'auto', ordered: true, alone: true } as const
  const { units } = await planOf([path], asked, portsOf(tools, 'plumbline'), tools.job)
  const [first, second] = units.filter(({ format }) => format === msprobe.id)
  if (!first) throw new Refusal(problem('not-a-dump', path))
  if (second) throw new Refusal(problem('one-dump', path, { count: units.length, example: first.debug }))
  return first.places.debug
}
