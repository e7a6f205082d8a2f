// Flags that several verbs share.
import { rulesNames } from '../../model/index.ts'
import { list, maybeText, numbers, oneOf, share, text, toggle, type Operands } from './verb.ts'

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
 * in several folders is given by three: dump, reference, graph.
 */
export const pairOrFile: Operands = { ...twoDumps, shown: 'cli.operands.pairOrFile', counts: [1, 2, 3] }

/** Where results go when nobody says. */
export const defaultOutput = './output'

/** Which tensor of a file is meant, and how it is read. */
export const memberFlags = {
  member: text('-m, --member', 'cli.value.name', 'cli.flag.member'),
  as: oneOf('--as', ['bfloat16'], 'cli.flag.as'),
} as const
