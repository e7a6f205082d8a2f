// The keys of config.json: where each stands, which generation of the tool knows it, and what it takes.
import {
  type CollectMode,
  collectModes,
  type ConfigInput,
  type ConfigValue,
  type ToolVersion,
} from '../model/index.ts'

export const apiPrefixes = [
  'Distributed',
  'Functional',
  'Torch',
  'Tensor',
  'Mint',
  'MintFunctional',
  'Primitive',
  'Aten',
  'VF',
  'NPU',
  'Jit',
] as const

export const levels = ['L0', 'L1', 'L2', 'mix', 'debug'] as const
export const dataModes = ['all', 'input', 'output', 'forward', 'backward'] as const
/** Statistics that a list names: a graph's kernels can be summed up by these. */
export const graphSummaries: Readonly<Record<ToolVersion, readonly string[]>> = {
  '1.0': [],
  '1.2': ['md5', 'max', 'min', 'mean', 'l2norm'],
  '26': [
    'max',
    'min',
    'mean',
    'count',
    'negative zero count',
    'positive zero count',
    'nan count',
    'negative inf count',
    'positive inf count',
    'zero count',
    'l2norm',
    'hash',
    'md5',
  ],
}
export const summaries: Readonly<Record<ToolVersion, readonly string[]>> = {
  '1.0': ['statistics', 'md5'],
  '1.2': ['statistics', 'md5'],
  '26': ['statistics', 'md5', 'xor'],
}

const known: readonly ToolVersion[] = ['1.0', '1.2', '26']
const first: readonly ToolVersion[] = ['1.0']
const old: readonly ToolVersion[] = ['1.0', '1.2']
const later: readonly ToolVersion[] = ['1.2', '26']
const newest: readonly ToolVersion[] = ['26']

const torch: readonly CollectMode[] = ['pytorch']
const mindspore: readonly CollectMode[] = ['pynative', 'graph-o0', 'graph-o2']
const graphs: readonly CollectMode[] = ['graph-o0', 'graph-o2']
const eager: readonly CollectMode[] = ['pytorch', 'pynative']

/** What a task is, where. */
export interface TaskRow {
  readonly task: string
  readonly versions: readonly ToolVersion[]
  readonly modes: readonly CollectMode[]
  /** What it can be dumped at; the rest is refused or changed. */
  readonly levels: readonly string[]
  /** It is a setting of the pre-check; nothing is dumped by it. */
  readonly collects: boolean
}

export const taskRows: readonly TaskRow[] = [
  { task: 'statistics', versions: known, modes: collectModes, levels, collects: true },
  { task: 'tensor', versions: known, modes: collectModes, levels, collects: true },
  { task: 'structure', versions: later, modes: eager, levels: ['L0', 'mix'], collects: true },
  { task: 'overflow_check', versions: old, modes: collectModes, levels: ['L0', 'L1', 'L2'], collects: true },
  { task: 'nan_check', versions: newest, modes: torch, levels: ['L1'], collects: true },
  {
    task: 'exception_dump',
    versions: newest,
    modes: ['pynative', 'graph-o0'],
    levels: ['L2'],
    collects: true,
  },
  { task: 'free_benchmark', versions: old, modes: eager, levels: ['L1'], collects: true },
  { task: 'grad_probe', versions: old, modes: collectModes, levels, collects: true },
  { task: 'diff_check', versions: newest, modes: torch, levels, collects: true },
  { task: 'run_ut', versions: old, modes: torch, levels, collects: false },
  { task: 'acc_check', versions: newest, modes: torch, levels, collects: false },
]

export interface KeyRow {
  readonly key: string
  /** '' for the top of the file. */
  readonly sections: readonly string[]
  readonly versions: readonly ToolVersion[]
  readonly modes: readonly CollectMode[]
  /** It does something at these levels only. */
  readonly levels?: readonly string[]
  readonly input: ConfigInput
  readonly choices?: readonly string[]
  readonly usual: ConfigValue
}

const dumps = ['statistics', 'tensor']
const sliced = ['L0', 'L1', 'mix']

export const keyRows: readonly KeyRow[] = [
  { key: 'task', sections: [''], versions: known, modes: collectModes, input: 'choice', usual: 'statistics' },
  {
    key: 'dump_path',
    sections: [''],
    versions: known,
    modes: collectModes,
    input: 'text',
    usual: './dump_path',
  },
  {
    key: 'level',
    sections: [''],
    versions: known,
    modes: collectModes,
    input: 'choice',
    choices: levels,
    usual: 'L1',
  },
  { key: 'step', sections: [''], versions: known, modes: collectModes, input: 'ranges', usual: [] },
  { key: 'rank', sections: [''], versions: known, modes: collectModes, input: 'ranges', usual: [] },
  { key: 'seed', sections: [''], versions: first, modes: collectModes, input: 'number', usual: 1234 },
  {
    key: 'is_deterministic',
    sections: [''],
    versions: first,
    modes: collectModes,
    input: 'flag',
    usual: false,
  },
  { key: 'acl_config', sections: [''], versions: first, modes: torch, input: 'text', usual: '' },
  {
    key: 'backward_input',
    sections: dumps,
    versions: first,
    modes: torch,
    levels: ['L2'],
    input: 'texts',
    usual: [],
  },
  { key: 'async_dump', sections: [''], versions: later, modes: collectModes, input: 'flag', usual: false },
  { key: 'enable_dataloader', sections: [''], versions: old, modes: torch, input: 'flag', usual: false },
  { key: 'extra_info', sections: [''], versions: newest, modes: collectModes, input: 'flag', usual: true },
  { key: 'dump_enable', sections: [''], versions: newest, modes: torch, input: 'flag', usual: null },
  {
    key: 'precision',
    sections: [''],
    versions: newest,
    modes: collectModes,
    input: 'choice',
    choices: ['low', 'high'],
    usual: 'low',
  },
  {
    key: 'risk_level',
    sections: [''],
    versions: newest,
    modes: torch,
    levels: ['L1', 'mix'],
    input: 'choice',
    choices: ['ALL', 'FOCUS', 'CORE'],
    usual: 'FOCUS',
  },
  {
    key: 'custom_op_namespaces',
    sections: [''],
    versions: newest,
    modes: torch,
    input: 'texts',
    usual: ['_C_ascend'],
  },
  { key: 'load', sections: [''], versions: newest, modes: torch, input: 'json', usual: null },
  {
    key: 'scope',
    sections: dumps,
    versions: first,
    modes: eager,
    levels: ['L0', 'L1', 'mix', 'L2'],
    input: 'texts',
    usual: [],
  },
  {
    key: 'scope',
    sections: dumps,
    versions: later,
    modes: eager,
    levels: ['L0', 'L1', 'mix'],
    input: 'texts',
    usual: [],
  },
  {
    key: 'scope',
    sections: ['structure', 'nan_check'],
    versions: later,
    modes: eager,
    input: 'texts',
    usual: [],
  },
  { key: 'scope', sections: ['overflow_check'], versions: old, modes: eager, input: 'texts', usual: [] },
  { key: 'scope', sections: ['free_benchmark'], versions: old, modes: torch, input: 'texts', usual: [] },
  {
    key: 'list',
    sections: [...dumps, 'structure', 'nan_check', 'overflow_check', 'free_benchmark', 'diff_check'],
    versions: known,
    modes: collectModes,
    input: 'texts',
    usual: [],
  },
  {
    key: 'data_mode',
    sections: [...dumps, 'nan_check'],
    versions: known,
    modes: collectModes,
    input: 'choices',
    choices: dataModes,
    usual: ['all'],
  },
  {
    key: 'summary_mode',
    sections: ['statistics'],
    versions: known,
    modes: collectModes,
    input: 'choice',
    usual: 'statistics',
  },
  {
    key: 'summary_mode',
    sections: ['tensor'],
    versions: newest,
    modes: torch,
    input: 'choice',
    usual: 'statistics',
  },
  {
    key: 'tensor_list',
    sections: ['statistics', 'nan_check'],
    versions: newest,
    modes: eager,
    levels: sliced,
    input: 'texts',
    usual: [],
  },
  {
    key: 'device',
    sections: ['statistics'],
    versions: newest,
    modes: graphs,
    levels: ['L2'],
    input: 'choice',
    choices: ['host', 'device'],
    usual: 'host',
  },
  {
    key: 'precision',
    sections: ['statistics'],
    versions: newest,
    modes: graphs,
    levels: ['L2'],
    input: 'choice',
    choices: ['high', 'low'],
    usual: 'high',
  },
  { key: 'slice', sections: dumps, versions: newest, modes: torch, levels: sliced, input: 'json', usual: [] },
  {
    key: 'request_id',
    sections: dumps,
    versions: newest,
    modes: torch,
    levels: sliced,
    input: 'text',
    usual: null,
  },
  { key: 'bench_path', sections: ['tensor'], versions: newest, modes: torch, input: 'text', usual: null },
  {
    key: 'diff_nums',
    sections: ['tensor', 'diff_check'],
    versions: newest,
    modes: torch,
    input: 'number',
    usual: 1,
  },
  {
    key: 'file_format',
    sections: ['tensor'],
    versions: old,
    modes: ['graph-o2'],
    levels: ['L2'],
    input: 'choice',
    choices: ['npy', 'bin'],
    usual: 'npy',
  },
  { key: 'online_run_ut', sections: ['tensor'], versions: old, modes: torch, input: 'flag', usual: false },
  { key: 'nfs_path', sections: ['tensor', 'run_ut'], versions: old, modes: torch, input: 'text', usual: '' },
  { key: 'host', sections: ['tensor', 'run_ut'], versions: old, modes: torch, input: 'text', usual: '' },
  { key: 'port', sections: ['tensor', 'run_ut'], versions: old, modes: torch, input: 'number', usual: -1 },
  {
    key: 'tls_path',
    sections: ['tensor', 'run_ut'],
    versions: old,
    modes: torch,
    input: 'text',
    usual: './',
  },
  {
    key: 'online_run_ut_recompute',
    sections: ['tensor'],
    versions: old,
    modes: torch,
    input: 'flag',
    usual: false,
  },
  {
    key: 'overflow_nums',
    sections: ['overflow_check'],
    versions: old,
    modes: eager,
    input: 'number',
    usual: 1,
  },
  {
    key: 'check_mode',
    sections: ['overflow_check'],
    versions: old,
    modes: graphs,
    input: 'choice',
    choices: ['all', 'aicore', 'atomic'],
    usual: 'all',
  },
  {
    key: 'fuzz_device',
    sections: ['free_benchmark'],
    versions: old,
    modes: eager,
    input: 'choice',
    choices: ['npu', 'cpu'],
    usual: 'npu',
  },
  {
    key: 'pert_mode',
    sections: ['free_benchmark'],
    versions: old,
    modes: eager,
    input: 'choice',
    choices: ['improve_precision', 'add_noise', 'bit_noise', 'no_change', 'change_value', 'to_cpu'],
    usual: 'improve_precision',
  },
  {
    key: 'handler_type',
    sections: ['free_benchmark'],
    versions: old,
    modes: eager,
    input: 'choice',
    choices: ['check', 'fix'],
    usual: 'check',
  },
  {
    key: 'fuzz_level',
    sections: ['free_benchmark'],
    versions: old,
    modes: eager,
    input: 'choice',
    choices: ['L1'],
    usual: 'L1',
  },
  {
    key: 'fuzz_stage',
    sections: ['free_benchmark'],
    versions: old,
    modes: eager,
    input: 'choice',
    choices: ['forward', 'backward'],
    usual: 'forward',
  },
  {
    key: 'if_preheat',
    sections: ['free_benchmark'],
    versions: old,
    modes: torch,
    input: 'flag',
    usual: false,
  },
  {
    key: 'preheat_step',
    sections: ['free_benchmark'],
    versions: old,
    modes: torch,
    input: 'number',
    usual: 15,
  },
  {
    key: 'max_sample',
    sections: ['free_benchmark'],
    versions: old,
    modes: torch,
    input: 'number',
    usual: 20,
  },
  {
    key: 'grad_level',
    sections: ['grad_probe'],
    versions: old,
    modes: collectModes,
    input: 'choice',
    choices: ['L0', 'L1', 'L2'],
    usual: 'L1',
  },
  {
    key: 'param_list',
    sections: ['grad_probe'],
    versions: old,
    modes: collectModes,
    input: 'texts',
    usual: [],
  },
  {
    key: 'bounds',
    sections: ['grad_probe'],
    versions: old,
    modes: collectModes,
    input: 'json',
    usual: [-1, 0, 1],
  },
  {
    key: 'white_list',
    sections: ['run_ut', 'acc_check'],
    versions: known,
    modes: torch,
    input: 'texts',
    usual: [],
  },
  {
    key: 'black_list',
    sections: ['run_ut', 'acc_check'],
    versions: known,
    modes: torch,
    input: 'texts',
    usual: [],
  },
  {
    key: 'error_data_path',
    sections: ['run_ut', 'acc_check'],
    versions: known,
    modes: torch,
    input: 'text',
    usual: './',
  },
  { key: 'is_online', sections: ['run_ut'], versions: old, modes: torch, input: 'flag', usual: false },
  { key: 'rank_list', sections: ['run_ut'], versions: old, modes: torch, input: 'json', usual: [] },
]

export const isMindspore = (mode: CollectMode): boolean => mindspore.includes(mode)
export const isGraph = (mode: CollectMode): boolean => graphs.includes(mode)

/** Keys that a section's reader asks for whatever the task is, and those that it asks for besides. */
const commonReads: Readonly<Record<ToolVersion, readonly string[]>> = {
  '1.0': [
    'task',
    'dump_path',
    'rank',
    'step',
    'level',
    'seed',
    'acl_config',
    'is_deterministic',
    'enable_dataloader',
  ],
  '1.2': ['task', 'dump_path', 'rank', 'step', 'level', 'enable_dataloader', 'async_dump'],
  '26': [
    'task',
    'dump_path',
    'rank',
    'step',
    'level',
    'dump_enable',
    'extra_info',
    'async_dump',
    'precision',
    'risk_level',
    'custom_op_namespaces',
    'load',
  ],
}
const oldSection = [
  'scope',
  'list',
  'data_mode',
  'file_format',
  'summary_mode',
  'overflow_nums',
  'check_mode',
  'fuzz_device',
  'pert_mode',
  'handler_type',
  'fuzz_level',
  'fuzz_stage',
  'if_preheat',
  'preheat_step',
  'max_sample',
]
const newSection = ['scope', 'list', 'data_mode', 'slice', 'request_id', 'summary_mode', 'diff_nums']
const online = ['online_run_ut', 'nfs_path', 'host', 'port', 'tls_path', 'online_run_ut_recompute']

const besides: readonly (readonly [
  task: string,
  versions: readonly ToolVersion[],
  modes: readonly CollectMode[],
  keys: readonly string[],
])[] = [
  ['tensor', old, torch, online],
  ['tensor', newest, torch, ['bench_path']],
  ['statistics', newest, collectModes, ['tensor_list']],
  ['statistics', newest, mindspore, ['device', 'precision']],
  ['nan_check', newest, torch, ['tensor_list']],
  ['grad_probe', old, collectModes, ['grad_level', 'param_list', 'bounds']],
  [
    'run_ut',
    old,
    torch,
    [
      'white_list',
      'black_list',
      'error_data_path',
      'is_online',
      'nfs_path',
      'host',
      'port',
      'rank_list',
      'tls_path',
    ],
  ],
  ['acc_check', newest, torch, ['white_list', 'black_list', 'error_data_path']],
]

export const loadKeys = ['path', 'modules', 'step', 'rank', 'dump_after_load'] as const

export const readAtTop = (version: ToolVersion): readonly string[] => commonReads[version]

export const readInSection = (task: string, version: ToolVersion, mode: CollectMode): readonly string[] => [
  ...(version === '26' ? newSection : oldSection),
  ...(version === '1.0' ? ['backward_input'] : []),
  ...besides
    .filter(([of, versions, modes]) => of === task && versions.includes(version) && modes.includes(mode))
    .flatMap(([, , , keys]) => keys)
    .filter(key => version !== '1.0' || key !== 'online_run_ut_recompute'),
]
