// tf: what lies in a folder of precision_tool.
import { problem, Refusal } from '../../../../model/index.ts'
import { absolute } from '../../../../io/index.ts'
import type { Command } from '../../verb.ts'
import type { PromptField } from './index.ts'

export const command: Command<Record<never, never>, string, PromptField> = {
  async run({ paths }, { files }) {
    const folder = absolute(paths[0])
    files.allow(folder)
    if (!files.stat(folder)) throw new Refusal(problem('not-found', folder))
    return folder
  },
  print(folder, page) {
    page.note(page.say('cli.tf.folder', { folder }))
  },
  json: folder => ({ folder }),
}
