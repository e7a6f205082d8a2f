// The nouns of Plumbline: sides, levels, states of rows. Types and constants only.

export type Side = 'debug' | 'bench'
export const sides = ['debug', 'bench'] as const

export type Framework = 'mindspore' | 'pytorch' | 'mindtorch' | 'tensorflow' | 'cann'
export type Level = 'L0' | 'L1' | 'L2' | 'mix' | 'debug'
/** What the two sides can be compared by. */
export type Mode = 'tensor' | 'statistics' | 'md5'
export const rulesNames = ['plumbline', 'msprobe-1.2.2', 'msprobe-26'] as const
/** The name of a rule set. */
export type Rules = (typeof rulesNames)[number]
/** Generations of msprobe whose answers are known. */
export type Generation = Exclude<Rules, 'plumbline'>

/** What the advisor checks, in the order in which it is listed. */
export const ruleNames = [
  'weights',
  'arguments',
  'casts',
  'calls',
  'rewired',
  'overwritten',
  'inputs',
  'uncovered',
  'missing-results',
  'nan',
  'collectives',
  'laws',
  'scales',
  'rounded',
  'origins',
  'modules',
  'further',
  'gradients',
  'growth',
] as const
export type RuleName = (typeof ruleNames)[number]

/** What the graphs' colours show: our error level, what of it was made there, msprobe's index, or where NaN and Inf are. */
export const colourMeasures = ['error', 'made', 'msprobe', 'overflow'] as const
export type Colours = (typeof colourMeasures)[number]

/** Part of an op that an item belongs to. `input` includes keyword arguments. */
export const State = { input: 0, output: 1, parameters: 2, parametersGrad: 3 } as const
export type State = (typeof State)[keyof typeof State]
export const stateNames = ['input', 'output', 'parameters', 'parameters_grad'] as const

/** Which way an op goes; `gradients`: what the parameters of a module got, written behind its backward pass. */
export const Direction = { forward: 0, backward: 1, gradients: 2 } as const
export type Direction = (typeof Direction)[keyof typeof Direction]

/** How the value of a cell is to be read: kinds of Python values that JSON can carry. */
export const Kind = {
  /** The field does not exist. */
  absent: 0,
  /** JSON null, Python None. */
  none: 1,
  /** Integer; `value` is exact up to 2^53. */
  int: 2,
  /** Float, NaN and infinities included. */
  float: 3,
  /** Boolean; `value` is 0 or 1. */
  bool: 4,
  /** Text; `value` is a code into the text pool. */
  text: 5,
  /** Integer beyond 2^53; `value` is the code of its digits in the text pool. */
  bigint: 6,
} as const
export type Kind = (typeof Kind)[keyof typeof Kind]

/** Our state of one compared row; what cannot be compared is never counted as equal. */
export const RowState = { incomparable: 0, equal: 1, noise: 2, differs: 3, unpaired: 4 } as const
export type RowState = (typeof RowState)[keyof typeof RowState]
/** Names of the states, by number. */
export const rowStates = ['incomparable', 'equal', 'noise', 'differs', 'unpaired'] as const
export type RowStateName = (typeof rowStates)[number]

/** msprobe's own limits of Reached: beyond the first alone it is No, beyond both seconds together as well. */
export const reachedLimits = { cosine: [0.9, 0.99], maxAbs: [1, 0.001] } as const

/** Row colours of msprobe's highlight. */
export const Fill = { none: 0, yellow: 1, red: 2 } as const
export type Fill = (typeof Fill)[keyof typeof Fill]

/** The four statistics of a tensor, in msprobe's order. */
export const stats = ['max', 'min', 'mean', 'norm'] as const
export type Stat = (typeof stats)[number]
/** msprobe's titles: of a statistic, of its difference and of its relative error. */
export const statTitles: Readonly<
  Record<Stat, readonly [own: string, difference: string, relative: string]>
> = {
  max: ['max', 'Max diff', 'MaxRelativeErr'],
  min: ['min', 'Min diff', 'MinRelativeErr'],
  mean: ['mean', 'Mean diff', 'MeanRelativeErr'],
  norm: ['l2norm', 'L2norm diff', 'NormRelativeErr'],
}

/** Numbers in a row from so many on are named by the first and the last. */
const shortestRun = 5
/** More are counted instead of named. */
const mostRuns = 12

/** Numbers as few words: `0, 1, 4–9`, `2, 6 … 30`. */
export function runsOf(numbers: readonly number[]): string {
  const runs = [...runsIn([...new Set(numbers)].toSorted((a, b) => a - b))].map(runText)
  if (runs.length <= mostRuns) return runs.join(', ')
  return `${runs.slice(0, mostRuns - 1).join(', ')} … (${numbers.length})`
}

interface Run {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly step: number
}

/** Numbers at equal distances, in order: ranks of one place in their groups are so many apart. */
function* runsIn(sorted: readonly number[]): Generator<Run> {
  for (let rest = sorted; ;) {
    const [from, next = NaN] = rest
    if (from === undefined) return
    const step = next - from
    const end = rest.findIndex((number, i) => number !== from + i * step && i > 0)
    const all = end < 0 ? rest.length : end
    const count = all < shortestRun ? 1 : all
    yield { from, to: count === 1 ? from : from + (count - 1) * step, count, step }
    rest = rest.slice(count)
  }
}

function runText({ from, to, count, step }: Run): string {
  if (count === 1) return String(from)
  return step === 1 ? `${from}–${to}` : `${from}, ${from + step} … ${to}`
}

/** What both sides together say of a call; of a dump alone `wrong`, `right` and `skipped` only. */
export const recomputedStates = [
  /** The result of one side does not follow from its inputs, or that of neither. */
  'debugWrong',
  'benchWrong',
  'bothWrong',
  'wrong',
  /** Both are right, and the exact results differ by more than rounding does: the inputs make the difference. */
  'inputs',
  /** Both are right, and so are the exact results beside each other. */
  'rounding',
  /** Both are right and equal to the bit. */
  'equal',
  /** Right, with nothing to be held against. */
  'right',
  'skipped',
] as const
export type RecomputedState = (typeof recomputedStates)[number]

/** What is shown of values of two runs: a side, how far they are apart against the second, or the first over the second. */
export const seriesViews = ['debug', 'bench', 'difference', 'ratio'] as const
export type SeriesViewName = (typeof seriesViews)[number]

/** What a picture of values over steps and ranks has on one place: the others are its axes. */
export const seriesFixed = ['rank', 'step', 'target'] as const
export type SeriesFixed = (typeof seriesFixed)[number]

/** By what ranks share a model. */
export const layoutDimensions = ['tp', 'cp', 'ep', 'dp', 'pp'] as const
/** As Megatron numbers ranks where nobody says otherwise. */
export const usualOrder = 'tp-cp-ep-dp-pp'
export type LayoutDimension = (typeof layoutDimensions)[number]

/** What a cell of such a picture holds. */
export const CellKind = { none: 0, number: 1, nan: 2, inf: 3, minusInf: 4 } as const

/** What of gradients is suspect, what of a monitor is an alert, and when two runs part, where nobody says. */
export const seriesLimits = { first: 0.97, drop: 0.03, threshold: 0.5, floor: 1e-3, factor: 3 } as const

/** Multiplications and additions of a call beyond which rows are sampled, where nobody says otherwise. */
export const usualLimit = 5e9

/** Norms may grow this often from a call's inputs to its outputs. */
export const usualGrowth = 100

/** Generations of msprobe whose config.json is known. */
export const toolVersions = ['1.0', '1.2', '26'] as const
export type ToolVersion = (typeof toolVersions)[number]

/** What a dump is usually taken for. */
export const presetIds = [
  'statistics',
  'layer',
  'graph',
  'md5',
  'overflow',
  'precheck',
  'structure',
  'kernel',
  'gradients',
] as const
export type PresetId = (typeof presetIds)[number]

/** Framework and how it executes: PyTorch, MindSpore step by step, as a graph of kernels, or as one sunk whole. */
export const collectModes = ['pytorch', 'pynative', 'graph-o0', 'graph-o2'] as const
export type CollectMode = (typeof collectModes)[number]

/** Bytes as people say them. */
export function inBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const
  let at = 0
  let value = bytes
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000
    at++
  }
  return `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[at]}`
}

/** What a table of single calls says of a row, the worst first. */
export const verdictStates = ['error', 'warning', 'missing', 'pass', 'skip'] as const
export type VerdictState = (typeof verdictStates)[number]

/**
 * empty: nothing has been written yet. writing: it has just changed. complete: its rank has begun a later step.
 * quiet: nothing changes any more and nothing is left open. stalled: nothing changes any more, and something is left
 * open. gone: the folder was there.
 */
export const liveStates = ['empty', 'writing', 'complete', 'quiet', 'stalled', 'gone'] as const
export type LiveState = (typeof liveStates)[number]

/** How much a row of a table of what surrounds two runs matters, the most first. */
export const sheetLevels = ['error', 'warning', 'note', 'pass'] as const
export type SheetLevel = (typeof sheetLevels)[number]

/** Versions of msprobe whose pre-checks judge otherwise. */
export const precheckGenerations = ['1.2.2', '26'] as const
export type PrecheckGeneration = (typeof precheckGenerations)[number]

/** Commands of msprobe that run each API of a dump on a device. */
export const precheckTools = {
  run_ut: { generation: '1.2.2', isMulti: false },
  multi_run_ut: { generation: '1.2.2', isMulti: true },
  acc_check: { generation: '26', isMulti: false },
  multi_acc_check: { generation: '26', isMulti: true },
} as const
export type PrecheckTool = keyof typeof precheckTools

/** What somebody has to see to before a pre-check says something. */
export const precheckChecks = [
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

/** Limits of the comparison with a GPU that somebody may set otherwise; ratios are those of the strictest calls, too. */
export const verdictLimits = [
  'smallShare',
  'rmse',
  'maxRelative',
  'meanRelative',
  'thousandth',
  'ulpMean',
  'ulpShareSingle',
  'ulpShareNarrow',
] as const
export type VerdictLimit = (typeof verdictLimits)[number]

/** What is known of a step and rank in the picture of all. */
export const cellStates = ['none', 'missing', 'failed', 'done', 'working', 'waiting'] as const
export type CellState = (typeof cellStates)[number]

/** Places of units by run, step and rank: what comes while a run goes on may belong before what is there. */
export function orderOfUnits(
  units: readonly { readonly step: number | null; readonly rank: number | null; readonly name: string }[],
): readonly number[] {
  const runs = [...new Set(units.map(({ name }) => name))]
  return units
    .map(({ name, step, rank }, at) => ({ at, run: runs.indexOf(name), step: step ?? -1, rank: rank ?? -1 }))
    .sort((a, b) => a.run - b.run || a.step - b.step || a.rank - b.rank || a.at - b.at)
    .map(({ at }) => at)
}
