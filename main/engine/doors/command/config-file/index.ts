// `config check` and `config make` as they are typed.
import { collectModes, presetIds, toolVersions } from '../../../model/index.ts'
import { needed, numbers, oneOf, someTexts, text, toggle, verb } from '../verb.ts'

const target = {
  tool: oneOf('--tool', toolVersions, 'cli.flag.tool'),
  mode: oneOf('--mode', collectModes, 'cli.flag.collectMode'),
} as const

export type CheckFlags = typeof target
const checkFields = ['file', 'tool', 'mode', 'raises', 'diagnostics', 'ignored', 'effect', 'hits'] as const
export type CheckField = (typeof checkFields)[number]

export const configFileCheck = verb({
  name: 'config check',
  summary: 'cli.verb.config-check-file',
  about: 'cli.about.config-check-file',
  examples: [
    'plumbline config check config.json --tool 26',
    'plumbline config check config.json ./dump/step0/rank0 --mode pynative',
  ],
  operands: { shown: 'cli.operands.configCheck', counts: [1, 2], wrong: 'cli.usage.configCheck' },
  flags: target,
  prints: 'answer',
  fields: checkFields,
  load: () => import('./check.ts'),
})

const makeFlags = {
  ...target,
  preset: oneOf('--preset', presetIds, 'cli.flag.preset'),
  output: text('-o, --output_path', 'cli.value.json', 'cli.flag.configOutput'),
  dumpPath: text('--dump_path', 'cli.value.folder', 'cli.flag.dumpPath'),
  step: numbers('--step', 'cli.flag.configStep'),
  rank: numbers('--rank', 'cli.flag.configRank'),
  list: someTexts('--list', 'cli.value.names', 'cli.flag.configList'),
  scope: someTexts('--scope', 'cli.value.names', 'cli.flag.configScope'),
  code: toggle('--code', 'cli.flag.code'),
} as const
export type MakeFlags = typeof makeFlags
const makeFields = ['tool', 'mode', 'preset', 'text', 'diagnostics', 'snippets', 'files'] as const
export type MakeField = (typeof makeFields)[number]

export const configFileMake = verb({
  name: 'config make',
  summary: 'cli.verb.config-make',
  about: 'cli.about.config-make',
  examples: [
    'plumbline config make --preset layer --list layer1 --step 3 --tool 26 -o config.json',
    'plumbline config make --preset md5 --mode pynative --code',
  ],
  operands: { shown: null, counts: [0], wrong: 'cli.usage.configMake' },
  flags: makeFlags,
  prints: 'answer',
  fields: makeFields,
  load: () => import('./make.ts'),
})

const switchFlags = { dump: needed(oneOf('--dump', ['on', 'off'], 'cli.flag.dumpSwitch')) } as const
export type SwitchFlags = typeof switchFlags
const switchFields = ['file', 'dump_enable', 'changed'] as const
export type SwitchField = (typeof switchFields)[number]

export const configFileSwitch = verb({
  name: 'config switch',
  summary: 'cli.verb.config-switch',
  about: 'cli.about.config-switch',
  examples: ['plumbline config switch config.json --dump off'],
  operands: { shown: 'cli.operands.configSwitch', counts: [1], wrong: 'cli.usage.configSwitch' },
  flags: switchFlags,
  prints: 'summary',
  fields: switchFields,
  load: () => import('./switch.ts'),
})
