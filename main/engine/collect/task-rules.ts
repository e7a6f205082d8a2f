// What each task's section must hold, by generation and framework: the checks that its reader makes.
import { type CollectTarget, namedRow, type ToolVersion } from '../model/index.ts'
import type { Value } from './python-json.ts'
import {
  countIfGiven,
  countOrTrueIfGiven,
  dataMode,
  flag,
  intIfGiven,
  intOrFlagIfGiven,
  list,
  listIfGiven,
  listOf,
  maybeFlag,
  maybeText,
  oneMode,
  oneOf,
  oneOfIfGiven,
  oneOfIfSaid,
  oneOrListOf,
  positive,
  rising,
  type Rule,
  type Say,
  slice,
  texts,
  unchecked,
} from './rules.ts'
import { dataModes, graphSummaries, isMindspore, summaries } from './schema.ts'

type Rules = Readonly<Record<string, Rule>>
/** Checks that look at several keys. */
type Cross = (key: (name: string) => Value | undefined, at: Value, say: Say) => void

export interface SectionRules {
  readonly keys: Rules
  readonly cross?: Cross
}

const named: Rules = { scope: texts, list: texts, data_mode: dataMode(dataModes) }
const newNamed: Rules = { ...named, slice, request_id: maybeText }
const perturbations = [
  'add_noise',
  'change_value',
  'improve_precision',
  'no_change',
  'bit_noise',
  'to_cpu',
] as const
const checkModes = ['all', 'aicore', 'atomic'] as const
const gradLevels = ['L0', 'L1', 'L2'] as const
const address = /^([1-9]?\d|1\d{2}|2[0-4]\d|25[0-5])(\.([1-9]?\d|1\d{2}|2[0-4]\d|25[0-5])){3}\n?$/

const onlineCheck: Cross = (key, at, say) => {
  const online = key('online_run_ut')
  if (!online?.truthy) return
  flag(online, 'online_run_ut', say)
  flag(key('online_run_ut_recompute'), 'online_run_ut_recompute', say)
  const shared = key('nfs_path')
  if (shared?.truthy) {
    say(shared, 'note', 'needs-path', { key: 'nfs_path', path: shared.text })
    return
  }
  const tls = key('tls_path')
  if (!tls || tls.truthy)
    say(tls ?? online, 'note', 'needs-path', { key: 'tls_path', path: tls?.text ?? './' })
  const host = key('host')
  if (host?.kind !== 'text' || !address.test(host.text))
    say(host ?? at, 'error', 'bad-address', { found: host?.text ?? '' })
  const port = key('port')
  const whole = port?.kind === 'int' || port?.kind === 'bool'
  if (!whole || !(port.number > 0 && port.number <= 65535))
    say(port ?? at, 'error', 'out-of-range', { key: 'port', found: port?.text ?? '-1', range: '1 … 65535' })
}

const freeBenchmark: Cross = (key, at, say) => {
  const of = (name: string, usual: string): string => {
    const value = key(name)
    if (!value) return usual
    return value.kind === 'text' ? value.text : ''
  }
  const mode = of('pert_mode', 'improve_precision')
  const onCpu = of('fuzz_device', 'npu') === 'cpu'
  if (onCpu !== (mode === 'to_cpu')) say(key('fuzz_device') ?? at, 'error', 'fuzz-cpu', {})
  const preheat = key('if_preheat')
  if (of('handler_type', 'check') === 'fix') {
    if (preheat?.truthy) say(preheat, 'error', 'fix-preheat', {})
    if (of('fuzz_stage', 'forward') !== 'forward') say(key('fuzz_stage') ?? at, 'error', 'fix-stage', {})
    if (mode !== 'improve_precision' && mode !== 'to_cpu')
      say(key('pert_mode') ?? at, 'error', 'fix-mode', { choices: 'improve_precision, to_cpu' })
  }
  if (preheat?.truthy) for (const name of ['preheat_step', 'max_sample']) positive(key(name), name, say)
}

const freeBenchmarkOfGraphs: Cross = (key, at, say) => {
  const fixes = key('handler_type')?.text === 'fix'
  const mode = key('pert_mode')
  if (fixes && mode?.truthy && mode.text !== 'improve_precision')
    say(mode, 'error', 'fix-mode', { choices: 'improve_precision' })
  if (fixes && key('fuzz_stage')?.text === 'backward') say(key('fuzz_stage') ?? at, 'error', 'fix-stage', {})
}

const errorPath: Cross = (key, _, say) => {
  for (const name of ['error_data_path', 'nfs_path', 'tls_path']) {
    const value = key(name)
    if (value?.truthy && value.text !== './')
      say(value, 'note', 'needs-path', { key: name, path: value.text })
  }
}

const torchOld: Readonly<Record<string, SectionRules>> = {
  statistics: { keys: { ...named, summary_mode: oneOfIfSaid(summaries['1.2']) } },
  tensor: { keys: { ...named, file_format: oneOfIfGiven(['npy', 'bin']) }, cross: onlineCheck },
  overflow_check: { keys: { overflow_nums: intIfGiven, check_mode: oneOfIfGiven(checkModes) } },
  structure: { keys: {} },
  free_benchmark: {
    keys: {
      pert_mode: oneOf(perturbations),
      fuzz_device: oneOf(['npu', 'cpu']),
      handler_type: oneOf(['check', 'fix']),
      fuzz_stage: oneOf(['forward', 'backward']),
      fuzz_level: oneOf(['L1']),
      if_preheat: flag,
    },
    cross: freeBenchmark,
  },
  run_ut: { keys: { white_list: texts, black_list: texts }, cross: errorPath },
  grad_probe: { keys: { grad_level: oneOf(gradLevels), param_list: list, bounds: rising(true) } },
}

const mindsporeOld: Readonly<Record<string, SectionRules>> = {
  statistics: { keys: { ...named, summary_mode: oneOrListOf(summaries['1.2'], graphSummaries['1.2']) } },
  tensor: { keys: { ...named, file_format: oneOfIfSaid(['npy', 'bin']) } },
  overflow_check: { keys: { overflow_nums: countIfGiven, check_mode: oneOfIfSaid(checkModes) } },
  structure: { keys: {} },
  free_benchmark: {
    keys: {
      fuzz_device: oneOfIfSaid(['npu']),
      pert_mode: oneOfIfSaid(perturbations.filter(one => one !== 'to_cpu')),
      handler_type: oneOfIfSaid(['check', 'fix']),
      fuzz_level: oneOfIfSaid(['L1']),
      fuzz_stage: oneOfIfSaid(['forward', 'backward']),
    },
    cross: freeBenchmarkOfGraphs,
  },
  grad_probe: { keys: { grad_level: oneOf(gradLevels), param_list: list, bounds: rising(false) } },
}

const listed: Rules = { scope: listIfGiven, list: listIfGiven }
const looseModes: Rules = { ...listed, data_mode: listOf(unchecked(dataMode(dataModes))) }
const keysThere: Cross = (key, _, say) => {
  const tls = key('tls_path')
  if (tls?.truthy) say(tls, 'note', 'needs-path', { key: 'tls_path', path: tls.text })
}

/** It looks at little: most values are taken as they are. */
const torchFirst: Readonly<Record<string, SectionRules>> = {
  statistics: { keys: { ...looseModes, summary_mode: oneOfIfSaid(summaries['1.0']) } },
  tensor: { keys: { ...looseModes, file_format: oneOfIfGiven(['npy', 'bin']) }, cross: keysThere },
  overflow_check: { keys: { overflow_nums: intOrFlagIfGiven, check_mode: oneOfIfGiven(checkModes) } },
  free_benchmark: {
    keys: {
      pert_mode: unchecked(oneOfIfSaid(perturbations)),
      fuzz_device: unchecked(oneOfIfSaid(['npu', 'cpu'])),
      handler_type: unchecked(oneOfIfSaid(['check', 'fix'])),
      fuzz_stage: unchecked(oneOfIfSaid(['forward', 'backward'])),
      fuzz_level: unchecked(oneOfIfSaid(['L1'])),
      if_preheat: unchecked(maybeFlag),
    },
    cross: (key, _, say) => {
      const preheat = key('if_preheat')
      if (preheat?.truthy && key('handler_type')?.text === 'fix') say(preheat, 'error', 'fix-preheat', {})
    },
  },
  run_ut: torchOld.run_ut,
  grad_probe: { keys: { grad_level: oneOf(gradLevels), param_list: list, bounds: rising(false) } },
}

const oneSide: Rules = { ...listed, data_mode: oneMode(['all', 'input', 'output']) }
const mindsporeFirst: Readonly<Record<string, SectionRules>> = {
  statistics: { keys: { ...oneSide, summary_mode: oneOfIfSaid(summaries['1.0']) } },
  tensor: { keys: { ...oneSide, file_format: oneOfIfSaid(['npy', 'bin']) } },
  overflow_check: { keys: { overflow_nums: countOrTrueIfGiven, check_mode: oneOfIfSaid(checkModes) } },
  free_benchmark: {
    keys: { ...mindsporeOld.free_benchmark.keys, fuzz_stage: oneOfIfSaid(['forward']) },
    cross: freeBenchmarkOfGraphs,
  },
  grad_probe: mindsporeOld.grad_probe,
}

const torchNew: Readonly<Record<string, SectionRules>> = {
  statistics: { keys: { ...newNamed, summary_mode: oneOfIfSaid(summaries['26']), tensor_list: texts } },
  tensor: { keys: { ...newNamed, summary_mode: oneOfIfSaid(summaries['26']), bench_path: maybeText } },
  structure: { keys: {} },
  nan_check: { keys: { ...newNamed, tensor_list: texts } },
  diff_check: { keys: { diff_nums: countIfGiven } },
  acc_check: { keys: { white_list: texts, black_list: texts }, cross: errorPath },
}

const mindsporeNew: Readonly<Record<string, SectionRules>> = {
  statistics: {
    keys: {
      ...newNamed,
      summary_mode: oneOrListOf(summaries['26'], graphSummaries['26']),
      device: oneOf(['device', 'host']),
      precision: oneOf(['high', 'low']),
      tensor_list: texts,
    },
  },
  tensor: { keys: { ...newNamed, summary_mode: oneOfIfSaid(summaries['26']) } },
  structure: { keys: {} },
  exception_dump: { keys: {} },
}

const torchTables = { '1.0': torchFirst, '1.2': torchOld, '26': torchNew } as const
const mindsporeTables = { '1.0': mindsporeFirst, '1.2': mindsporeOld, '26': mindsporeNew } as const

/** Undefined for a task that this framework does not know. */
export function rulesOf(task: string, { version, mode }: CollectTarget): SectionRules | undefined {
  const table = (isMindspore(mode) ? mindsporeTables : torchTables)[version]
  return namedRow(table, task)
}

const tasksOf: Readonly<Record<ToolVersion, readonly string[]>> = {
  '1.0': ['tensor', 'statistics', 'overflow_check', 'free_benchmark', 'run_ut', 'grad_probe'],
  '1.2': ['tensor', 'statistics', 'overflow_check', 'free_benchmark', 'run_ut', 'grad_probe', 'structure'],
  '26': ['tensor', 'statistics', 'acc_check', 'structure', 'diff_check', 'exception_dump', 'nan_check'],
}
/** Tasks that the tool knows at all, whatever the framework. */
export const tasksKnown = (version: ToolVersion): readonly string[] => tasksOf[version]
