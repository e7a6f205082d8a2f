// tf dc: a raw dump, a folder of them, or the newest one of an operator as arrays; parse does the rest.
import { rawDumpNamed, type SavedFile } from '../../../../formats/index.ts'
import { absolute, dirOf } from '../../../../io/index.ts'
import { problem, Refusal } from '../../../../model/index.ts'
import { command as parse } from '../../parse/run.ts'
import type { Tools } from '../../tools.ts'
import type { Asked, Command } from '../../verb.ts'
import { openTree } from '../tree.ts'
import type { DcField, DcFlags } from './index.ts'

/** As if it had been typed behind `parse`. */
function parsing({ flags, ...asked }: Asked<DcFlags>, dump: string): Parameters<typeof parse.run>[0] {
  const { layout, type, output } = flags
  return {
    ...asked,
    flags: {
      dump,
      layout,
      type,
      output: output === undefined ? undefined : [output],
      input: undefined,
      shape: undefined,
    },
  }
}

export const command: Command<DcFlags, readonly SavedFile[], DcField> = {
  run: async (asked, tools) => parse.run(parsing(asked, await dumpOf(asked.paths, tools)), tools),
  print: (saved, page, asked) => parse.print(saved, page, parsing(asked, '')),
  json: (saved, asked) => parse.json(saved, parsing(asked, '')),
  outcome: (saved, asked) => parse.outcome?.(saved, parsing(asked, '')) ?? 'ran',
}

/** A path that is there; else the raw dump of that name, else the newest one of that operator. */
async function dumpOf([folder, name]: readonly string[], tools: Tools): Promise<string> {
  const { files } = tools
  const path = absolute(name)
  files.allow(path)
  files.allow(dirOf(path))
  if (files.stat(path)) return path
  const found = rawDumpNamed(await openTree(folder, tools), name)
  if (found === null) throw new Refusal(problem('tf-no-raw', absolute(folder), { name }))
  return found
}
