// config_check: packages or checkpoints compared, packages made of scripts; what was asked for decides which.
import type { CheckpointsCompared, Compared } from '../../../config/index.ts'
import { absolute, dirOf } from '../../../io/index.ts'
import { UsageError, type Command } from '../verb.ts'
import { checkpointsVerdict, compareFolders, printCheckpoints } from './checkpoints.ts'
import type { ConfigField, ConfigFlags } from './index.ts'
import { comparePackages, packagesJson, printPackages } from './packages.ts'
import { packScripts } from './scripts.ts'
import { compareLogs, isLog, printSettings, type SettingsAnswer, verifyLog } from './settings.ts'

interface Answer {
  readonly compared?: Compared
  readonly checkpoints?: CheckpointsCompared
  readonly settings?: SettingsAnswer
  readonly files: readonly string[]
}

export const command: Command<ConfigFlags, Answer, ConfigField> = {
  async run({ flags }, tools) {
    const { compare, dump, verlCompare, slimeCompare, verlVerify } = flags
    const asked = [compare, dump, verlCompare, slimeCompare, verlVerify].filter(one => one !== undefined)
    if (asked.length !== 1) throw new UsageError('cli.usage.configWhat')
    if (dump) return { files: await packScripts(flags, tools) }
    if (verlCompare) return ofSettings(await compareLogs(verlCompare, 'verl', flags, tools))
    if (slimeCompare) return ofSettings(await compareLogs(slimeCompare, 'slime', flags, tools))
    if (verlVerify) return ofSettings(await verifyLog(verlVerify, flags, tools))
    const [first = '', second = ''] = compare ?? []
    // The bench comes first, as with packages.
    if (isLog(first) && isLog(second))
      return ofSettings(await compareLogs([second, first], null, flags, tools))
    const bench = absolute(first)
    tools.files.allow(dirOf(bench))
    return tools.files.stat(bench)?.kind === 'folder'
      ? compareFolders(flags, tools)
      : comparePackages(flags, tools)
  },
  print({ compared, checkpoints, settings }, page) {
    if (compared) printPackages(compared, page)
    if (checkpoints) printCheckpoints(checkpoints, page)
    if (settings) printSettings(settings, page)
  },
  json: ({ compared, checkpoints, settings, files }) => ({
    ...packagesJson(compared ?? null),
    ...(checkpoints && { verdict: checkpointsVerdict(checkpoints) }),
    ...(settings && { verdict: settingsVerdict(settings) }),
    settings: settings?.rows ?? [],
    parameters: checkpoints?.parameters ?? [],
    benchOnly: checkpoints?.benchOnly ?? [],
    debugOnly: checkpoints?.debugOnly ?? [],
    files,
  }),
  outcome({ compared, checkpoints, settings }, { flags }) {
    const ofSome = checkpoints && checkpointsVerdict(checkpoints)
    const verdict = ofSome ?? (settings && settingsVerdict(settings)) ?? compared?.verdict ?? 'pass'
    if (!flags.failOn || verdict === 'pass') return 'ran'
    return flags.failOn === 'warning' || verdict === 'error' ? 'found' : 'ran'
  },
}

const ofSettings = (settings: SettingsAnswer): Answer => ({ settings, files: settings.files })

const settingsVerdict = ({ rows }: SettingsAnswer): 'error' | 'pass' =>
  rows.every(({ same }) => same) ? 'pass' : 'error'
