// config switch: dump_enable of the config.json that a run reads, set in one go.
import { longestConfig, switched } from '../../../collect/index.ts'
import { absolute, baseOf, dirOf, openOutput } from '../../../io/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import type { Tools } from '../tools.ts'
import { writeText } from '../units.ts'
import type { Asked, Command } from '../verb.ts'
import type { SwitchField, SwitchFlags } from './index.ts'

interface Switched {
  readonly file: string
  readonly on: boolean
  readonly changed: boolean
}

export const command: Command<SwitchFlags, Switched, SwitchField> = {
  run: set,
  print({ file, on }, page) {
    page.line(page.say(on ? 'notice.switched-on' : 'notice.switched-off', { path: file }))
  },
  json: ({ file, on, changed }) => ({ file, dump_enable: on, changed }),
}

async function set({ flags, paths }: Asked<SwitchFlags>, tools: Tools): Promise<Switched> {
  const given = absolute(paths[0])
  tools.files.allow(given)
  if (!tools.files.stat(given)) throw new Refusal(problem('not-found', given))
  // What a link leads to is replaced, not the link.
  const file = tools.files.real(given)
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(tools.files.readAll(file, longestConfig))
  const on = flags.dump === 'on'
  const next = switched(text, on)
  if (next === null) throw new Refusal(problem('config-not-switched', given))
  const changed = next !== text
  if (changed) write(file, next)
  return { file: given, on, changed }
}

/** A run that reads half a file stops dumping: the new one takes the place of the old one at once. */
function write(file: string, text: string): void {
  const output = openOutput(dirOf(file), [], true)
  try {
    writeText(output, baseOf(file), text)
    output.commit()
  } finally {
    output.abandon()
  }
}
