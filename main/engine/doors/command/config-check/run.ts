// config_check: packages or checkpoints compared, packages made of scripts; what was asked for decides which.
import type { CheckpointsCompared, Compared } from '../../../config/index.ts'
import { absolute, dirOf } from '../../../io/index.ts'
import { UsageError, type Command } from '../verb.ts'
import { checkpointsVerdict, compareFolders, printCheckpoints } from './checkpoints.ts'
import type { ConfigField, ConfigFlags } from './index.ts'
import { comparePackages, packagesJson, printPackages } from './packages.ts'
import { packScripts } from './scripts.ts'

interface Answer {
  readonly compared?: Compared
  readonly checkpoints?: CheckpointsCompared
  readonly files: readonly string[]
}

export const command: Command<ConfigFlags, Answer, ConfigField> = {
  async run({ flags }, tools) {
    if ((flags.compare === undefined) === (flags.dump === undefined))
      throw new UsageError('cli.usage.configWhat')
    if (flags.dump) return { files: await packScripts(flags, tools) }
    const bench = absolute(flags.compare?.[0] ?? '')
    tools.files.allow(dirOf(bench))
    return tools.files.stat(bench)?.kind === 'folder'
      ? compareFolders(flags, tools)
      : comparePackages(flags, tools)
  },
  print({ compared, checkpoints }, page) {
    if (compared) printPackages(compared, page)
    if (checkpoints) printCheckpoints(checkpoints, page)
  },
  json: ({ compared, checkpoints, files }) => ({
    ...packagesJson(compared ?? null),
    ...(checkpoints && { verdict: checkpointsVerdict(checkpoints) }),
    parameters: checkpoints?.parameters ?? [],
    benchOnly: checkpoints?.benchOnly ?? [],
    debugOnly: checkpoints?.debugOnly ?? [],
    files,
  }),
  outcome({ compared, checkpoints }, { flags }) {
    const verdict = checkpoints ? checkpointsVerdict(checkpoints) : (compared?.verdict ?? 'pass')
    if (!flags.failOn || verdict === 'pass') return 'ran'
    return flags.failOn === 'warning' || verdict === 'error' ? 'found' : 'ran'
  },
}
