// Flags that several verbs share.
import { rulesNames } from '../../model/index.ts'
import {
  anyway,
  list,
  maybeText,
  numbers,
  oneOf,
  onlyMode,
  refused,
  share,
  sizes,
  text,
  toggle,
  type Operands,
} from './verb.ts'

export const mappingKinds = ['api', 'cell', 'data', 'layer'] as const

/** msprobe-26 names both sides by flags. */
const sides = {
  target: text('-tp, --target_path', 'cli.value.path', 'cli.flag.target'),
  golden: text('-gp, --golden_path', 'cli.value.path', 'cli.flag.golden'),
} as const

export const pairOfDumps = {
  input: text('-i, --input_path', 'cli.value.file', 'cli.flag.input'),
  ...sides,
} as const

/** Two dumps as paths, by flags, or in a compare.json. */
export const twoDumps: Operands = {
  shown: 'cli.operands.pair',
  counts: [2],
  wrong: 'cli.usage.paths',
  also: Object.keys(sides),
  or: ['input', 'compare.json'],
}

export const output = maybeText('-o, --output_path', 'cli.value.folder', 'cli.flag.output')
/** Findings alone, as parts of one dataset. */
export const adviseOutput = maybeText('-o, --output_path', 'cli.value.folder', 'cli.flag.adviseOutput')
/** Where nothing is written unless somebody says where. */
export const maybeOutput = text('-o, --output_path', 'cli.value.folder', 'cli.flag.recomputeOutput')
export const layer = maybeText('-lm, --layer_mapping', 'cli.value.yaml', 'cli.flag.layer')
export const rules = oneOf('--rules', rulesNames, 'cli.flag.rules')
export const failOn = oneOf('--fail-on', ['warning', 'error'], 'cli.flag.failOn')
export const fuzzy = toggle('-f, -fm, --fuzzy_match', 'cli.flag.fuzzy')

export const mappings = {
  api: maybeText('-am, --api_mapping', 'cli.value.yaml', 'cli.flag.api'),
  cell: maybeText('-cm, --cell_mapping', 'cli.value.yaml', 'cli.flag.cell'),
  data: text('-dm, --data_mapping', 'cli.value.yaml', 'cli.flag.data'),
  layer,
} as const

/** Two healthy runs, or a profile that was saved of such. */
export const noise = list('--noise', [1, 2], 'cli.value.path', 'cli.flag.noise')

/** Some of the steps and ranks of what was given. */
export const someUnits = {
  ranks: numbers('--rank', 'cli.flag.rank'),
  steps: numbers('--step', 'cli.flag.step'),
  shard: share('--shard', 'cli.flag.shard'),
} as const

/**
 * The same, or one path that holds both sides: a finished result, a graph file, a folder of two dumps. A run that lies
 * in several folders is given by all of them: dump, reference, graph, overflow records.
 */
export const pairOrFile: Operands = {
  ...twoDumps,
  shown: 'cli.operands.pairOrFile',
  counts: [1, 2],
  orMore: true,
}

/** Sizes of parallel ranks that are put together, of one side or of both: as `graph_visualize` of 26.x spells them. */
export const parallelSizes = {
  rankSize: sizes('--rank_size', 'cli.flag.rankSize'),
  tensorSplit: sizes('--tp', 'cli.flag.tensorSplit'),
  stageSplit: sizes('--pp', 'cli.flag.stageSplit'),
  virtualStages: sizes('--vpp', 'cli.flag.virtualStages'),
  contextSplit: sizes('--cp', 'cli.flag.contextSplit'),
  order: list('--order', [1, 2], 'cli.value.name', 'cli.flag.rankOrder'),
  shardRules: text('--shard_rules', 'cli.value.yaml', 'cli.flag.shardRules'),
  rankPairs: text('--rank_pairs', 'cli.value.pairs', 'cli.flag.rankPairs'),
} as const

/** What 26.x's `compare` takes beside. */
export const beside26 = {
  mode: onlyMode('-m, --mode', 'auto', {
    offline_data: 'cli.usage.offlineData',
    torchair: 'cli.usage.otherDumps',
    atb: 'cli.usage.otherDumps',
    offline_model: 'cli.usage.onDevice',
  }),
  log: anyway('-tensor_log, --is_print_compare_log'),
  fusion: refused('-fr, --fusion_rule_file', 'value', 'cli.usage.offlineData'),
  quantFusion: refused('-qfr, --quant_fusion_rule_file', 'value', 'cli.usage.offlineData'),
  closeFusion: refused('-cfr, --close_fusion_rule_file', 'value', 'cli.usage.offlineData'),
  inputData: refused('--input_data', 'value', 'cli.usage.onDevice'),
  inputShape: refused('--input_shape', 'value', 'cli.usage.onDevice'),
  outputSize: refused('--output_size', 'value', 'cli.usage.onDevice'),
  shapeRange: refused('--dym_shape_range', 'value', 'cli.usage.onDevice'),
  onnxSwitch: refused('-ofs, --onnx_fusion_switch', 'value', 'cli.usage.onDevice'),
  consistent: refused('--consistent_check', 'nothing', 'cli.usage.trainAndInfer'),
  backend: refused('--backend', 'value', 'cli.usage.trainAndInfer'),
  calibration: refused('--config', 'value', 'cli.usage.calibration'),
} as const

/** What 26.x's `graph_visualize` takes beside. */
export const graphBeside26 = {
  log: anyway('-tensor_log, --is_print_compare_log'),
  progress: anyway('-progress_log, --is_print_progress_log'),
  fileType: onlyMode('--file_type', 'db', { json: 'cli.usage.graphJson' }),
} as const

/** Where results go when nobody says. */
export const defaultOutput = './output'

/** Which tensor of a file is meant, and how it is read. */
export const memberFlags = {
  member: text('-m, --member', 'cli.value.name', 'cli.flag.member'),
  as: oneOf('--as', ['bfloat16'], 'cli.flag.as'),
} as const
