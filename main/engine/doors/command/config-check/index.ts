// `config_check` as it is typed.
import { rules } from '../flags.ts'
import { list, oneOf, text, toggle, verb } from '../verb.ts'

const flags = {
  compare: list('-c, --compare', [2, 2], 'cli.value.two', 'cli.flag.configCompare'),
  dump: list('-d, --dump', [0, Infinity], 'cli.value.files', 'cli.flag.configDump'),
  verlCompare: list('-vc, --verl-compare', [2, 2], 'cli.value.logs', 'cli.flag.verlCompare'),
  slimeCompare: list('-sc, --slime-compare', [2, 2], 'cli.value.logs', 'cli.flag.slimeCompare'),
  verlVerify: list('-vv, --verl-verify', [1, 2], 'cli.value.recipe', 'cli.flag.verlVerify'),
  output: text('-o, --output', 'cli.value.path', 'cli.flag.configOutput'),
  env: toggle('--env', 'cli.flag.configEnv'),
  rules,
  failOn: oneOf('--fail-on', ['warning', 'error'], 'cli.flag.configFailOn'),
} as const
export type ConfigFlags = typeof flags

const fields = [
  'verdict',
  'parts',
  'findings',
  'parameters',
  'settings',
  'benchOnly',
  'debugOnly',
  'files',
] as const
export type ConfigField = (typeof fields)[number]

export const configCheck = verb({
  name: 'config_check',
  summary: 'cli.verb.config_check',
  about: 'cli.about.config_check',
  examples: [
    'plumbline config_check -c bench.zip cmp.zip -o ./config_check_result',
    'plumbline config_check -c ./bench_ckpt ./ckpt -o ckpt_similarity.json',
    'plumbline config_check -vc npu.log bench.log',
    'plumbline config_check -d train.sh config.yaml -o pack.zip',
  ],
  operands: { shown: null, counts: [0], wrong: 'cli.usage.extra' },
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
