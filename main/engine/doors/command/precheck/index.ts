// `run_ut`, `multi_run_ut`, `acc_check` and `multi_acc_check` as they are typed: they need a device, and are written out.
import { numberIn, numbers, needed, someTexts, text, toggle, verb, type Verb } from '../verb.ts'

const flags = {
  file: needed(text('-api_info, --api_info_file', 'cli.value.file', 'cli.flag.precheckInfo')),
  output: text('-o, --out_path', 'cli.value.folder', 'cli.flag.precheckOutput'),
  saves: toggle('-save_error_data', 'cli.flag.precheckSave'),
  jit: toggle('-j, --jit_compile', 'cli.flag.precheckJit'),
  devices: numbers('-d, --device', 'cli.flag.precheckDevices'),
  processes: numberIn('-n, --num_splits', [1, 64], 'cli.flag.precheckProcesses'),
  resume: text('-csv_path, --result_csv_path', 'cli.value.file', 'cli.flag.precheckResume'),
  filters: toggle('-f, --filter_api', 'cli.flag.precheckFilter'),
  white: someTexts('--white-list', 'cli.value.name', 'cli.flag.precheckWhite'),
  black: someTexts('--black-list', 'cli.value.name', 'cli.flag.precheckBlack'),
} as const
export type PrecheckFlags = typeof flags

const fields = ['commands', 'config', 'checks'] as const
export type PrecheckField = (typeof fields)[number]

const verbOf = (
  name: 'run_ut' | 'multi_run_ut' | 'acc_check' | 'multi_acc_check',
  summary: 'cli.verb.run_ut' | 'cli.verb.multi_run_ut' | 'cli.verb.acc_check' | 'cli.verb.multi_acc_check',
): Verb =>
  verb({
    name,
    summary,
    about: 'cli.about.precheck',
    examples: [
      `plumbline ${name} -api_info ./dump/step0/rank0/dump.json -o ./checked --white-list relu,matmul`,
    ],
    operands: { shown: null, counts: [0], wrong: 'cli.usage.extra' },
    flags,
    prints: 'answer',
    fields,
    load: async () => ({ command: (await import('./run.ts')).commandOf(name) }),
  })

export const precheckVerbs: readonly Verb[] = [
  verbOf('run_ut', 'cli.verb.run_ut'),
  verbOf('multi_run_ut', 'cli.verb.multi_run_ut'),
  verbOf('acc_check', 'cli.verb.acc_check'),
  verbOf('multi_acc_check', 'cli.verb.multi_acc_check'),
]
