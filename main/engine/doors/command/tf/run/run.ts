// tf run: a command of the user's own.
import { UsageError, type Command } from '../../verb.ts'
import { wordsOf } from '../../programs.ts'
import type { RunField, RunFlags } from './index.ts'

export const command: Command<RunFlags, number, RunField> = {
  run({ paths, flags }, { program, job }) {
    const text = paths[1]
    return program({ command: flags.shell ? text : wordsIn(text) }, job.signal)
  },
  print() {},
  json: exitCode => ({ exitCode }),
  outcome: exit => ({ exit }),
}

function wordsIn(text: string): readonly string[] {
  const words = wordsOf(text)
  if (!words) throw new UsageError('cli.usage.quote', { command: text })
  if (words.length === 0) throw new UsageError('cli.usage.noProgram')
  return words
}
