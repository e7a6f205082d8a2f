// Command lines, configuration and checklist of a pre-check, which needs a device: written here, run there.
import {
  type Dump,
  type PrecheckCheck,
  type PrecheckOrder,
  type PrecheckPlan,
  precheckTools,
} from '../model/index.ts'

const configName = './config.json'
const resumable = /(?:^|[\\/])accuracy_checking_result_\d{14}\.csv$/

export function precheckPlan(order: PrecheckOrder, { header }: Pick<Dump, 'header'>): PrecheckPlan {
  const { generation } = precheckTools[order.tool]
  const isMindSpore = header.framework === 'mindspore'
  const framed = generation === '1.2.2' ? ['-f', isMindSpore ? 'mindspore' : 'pytorch'] : []
  const line = (words: readonly string[]): string => ['msprobe', ...framed, ...words].map(quoted).join(' ')
  const npu = line(wordsOf(order, isMindSpore))
  const compare = [
    'api_precision_compare',
    '-npu',
    '<NPU details>.csv',
    '-gpu',
    '<GPU details>.csv',
    '-o',
    './compared',
  ]
  return {
    commands: {
      npu,
      // MindSpore measures against the CPU alone.
      gpu: isMindSpore ? null : npu,
      compare: isMindSpore ? null : line(compare),
    },
    config: configOf(order, generation),
    checks: checksOf(order, header),
  }
}

function wordsOf(order: PrecheckOrder, isMindSpore: boolean): readonly string[] {
  const { generation, isMulti } = precheckTools[order.tool]
  const isPyTorch = !isMindSpore
  const devices = isMulti ? order.devices : order.devices.slice(0, 1)
  const switches: readonly (readonly [boolean, readonly string[]])[] = [
    [order.output !== undefined, ['-o', order.output ?? '']],
    [order.savesErrors && (isPyTorch || generation === '26'), ['-save_error_data']],
    [order.jit && isPyTorch, ['-j']],
    [devices.length > 0 && (isPyTorch || isMulti), ['-d', ...devices.map(String)]],
    [isMulti && isPyTorch && order.processes !== undefined, ['-n', String(order.processes ?? '')]],
    [order.resume !== undefined, ['-csv_path', order.resume ?? '']],
    [order.filters && isPyTorch, ['-f']],
    [configOf(order, generation) !== null && isPyTorch, ['-config', configName]],
  ]
  return [order.tool, '-api_info', order.file, ...switches.flatMap(([on, words]) => (on ? words : []))]
}

function configOf({ white, black }: PrecheckOrder, generation: string): PrecheckPlan['config'] {
  if (white.length === 0 && black.length === 0) return null
  const task = generation === '26' ? 'acc_check' : 'run_ut'
  return { task, [task]: { white_list: white, black_list: black, error_data_path: './' } }
}

function checksOf(
  order: PrecheckOrder,
  { level, task, framework }: Dump['header'],
): readonly PrecheckCheck[] {
  const { isMulti } = precheckTools[order.tool]
  return [
    { id: 'level', holds: level === '' ? null : level === 'L1' },
    { id: 'inputs', holds: task === 'tensor' },
    { id: 'framework', holds: framework === '' ? null : true },
    { id: 'mode', holds: null },
    ...(framework === 'mindspore'
      ? []
      : ([
          { id: 'copy', holds: null },
          { id: 'generation', holds: null },
        ] as const)),
    ...(order.resume === undefined ? [] : [{ id: 'resume' as const, holds: resumable.test(order.resume) }]),
    ...(!isMulti && order.devices.length > 1 ? [{ id: 'device' as const, holds: false }] : []),
    ...(isMulti ? [{ id: 'folder' as const, holds: null }] : []),
  ]
}

/** A word as a shell takes it. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) || /^<.*>\.csv$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
