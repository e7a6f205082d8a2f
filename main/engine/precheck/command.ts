// Command lines, configuration and checklist of a pre-check, which needs a device: written here, run there.
import type { Dump } from '../model/index.ts'

export const precheckTools = {
  run_ut: { generation: '1.2.2', isMulti: false },
  multi_run_ut: { generation: '1.2.2', isMulti: true },
  acc_check: { generation: '26', isMulti: false },
  multi_acc_check: { generation: '26', isMulti: true },
} as const
export type PrecheckTool = keyof typeof precheckTools

export interface PrecheckOrder {
  readonly tool: PrecheckTool
  /** The dump.json, as it was typed. */
  readonly file: string
  readonly output?: string
  readonly savesErrors: boolean
  readonly jit: boolean
  readonly filters: boolean
  readonly devices: readonly number[]
  readonly processes?: number
  /** A result to go on with. */
  readonly resume?: string
  readonly white: readonly string[]
  readonly black: readonly string[]
}

/** What has to hold so that the answer says something; null where the dump does not tell. */
export interface PrecheckCheck {
  readonly id: (typeof checkIds)[number]
  readonly holds: boolean | null
}
export const checkIds = [
  'level',
  'inputs',
  'framework',
  'mode',
  'copy',
  'generation',
  'resume',
  'device',
  'folder',
] as const

export interface PrecheckPlan {
  readonly commands: { readonly npu: string; readonly gpu: string | null; readonly compare: string | null }
  /** Null where nothing is to be configured. */
  readonly config: Readonly<Record<string, unknown>> | null
  readonly checks: readonly PrecheckCheck[]
}

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
