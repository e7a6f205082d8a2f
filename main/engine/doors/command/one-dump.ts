// A verb that works on one dump: a folder with dump.json, or that file.
import { Candidate, msprobe, wholeOf } from '../../formats/index.ts'
import { absolute, dirOf } from '../../io/index.ts'
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
  const place = await msprobe.find(new Candidate(files, path, at.kind), job)
  if (!place) throw new Refusal(problem('not-a-dump', path))
  const dump = await wholeOf(msprobe.open(place, portsOf(tools, 'plumbline'), job))
  for (const found of dump.problems) tools.tell(found)
  return dump
}
