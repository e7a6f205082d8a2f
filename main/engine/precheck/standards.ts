// By which standard an output is judged, and where its limits are: both generations of the tool.
import type { PrecheckGeneration, VerdictLimit } from '../model/index.ts'
import type { MetricId } from './metrics.ts'
import { namedRow } from '../model/index.ts'

export type { PrecheckGeneration }
export const standards = ['benchmark', 'ulp', 'binary', 'absolute', 'thousandth', 'accumulative'] as const
export type Standard = (typeof standards)[number]

/** As the files name them. */
export const standardTexts: Readonly<Record<Standard, string>> = {
  benchmark: '标杆比对法',
  ulp: 'ULP误差比对法',
  binary: '二进制一致法',
  absolute: '绝对阈值法',
  thousandth: '双千指标法',
  accumulative: '累积误差比对法',
}

const names = (text: string): readonly string[] => text.trim().split(/\s+/)

/** The first list that holds a name decides. */
const lists: readonly (readonly [Standard, ReadonlySet<string>])[] = [
  [
    'absolute',
    new Set(
      names(`mul mul_ __mul__ __imul__ __rmul__ add add_ __add__ __iadd__ __radd__ div div_ __div__ __idiv__
      divide divide_ leaky_relu leaky_relu_ prelu reciprocal reciprocal_ rsqrt rsqrt_ square square_ sub sub_ rsub
      __isub__ __sub__`),
    ),
  ],
  [
    'binary',
    new Set(
      names(`abs abs_ absolute absolute_ argmin bitwise_and bitwise_and_ broadcast_to ceil ceil_ equal fill_
      flatten floor floor_ gather greater greater_ greater_equal greater_equal_ histc isfinite isnan less less_
      less_equal less_equal_ logical_and logical_and_ logical_not logical_not_ logical_or logical_or_ masked_fill
      masked_fill_ max_pool3d maximum minimum neg neg_ nonzero not_equal not_equal_ one_hot pad relu reshape round
      round_ select sign sign_ sort tile topk transpose transpose_ tril tril_ triu triu_ type_as`),
    ),
  ],
  [
    'ulp',
    new Set(
      names(`__matmul__ addbmm addbmm_ addmm addmm_ baddbmm baddbmm_ bilinear bmm chain_matmul hspmm linear matmul
      mm mv smm sspaddmm`),
    ),
  ],
  ['thousandth', new Set(names('conv1d conv2d'))],
  ['accumulative', new Set(names('test_api'))],
]

/** The standard that 1.2.2 has for an API by name, and 26 no longer asks for; null for all others. */
export const listedStandard = (api: string): Standard | null =>
  lists.find(([, known]) => known.has(api))?.[0] ?? null

const half = { unit: 2 ** -11, accumulated: 2 ** -20 }
const brain = { unit: 2 ** -8, accumulated: 2 ** -7 }
const single = { unit: 2 ** -14, accumulated: 2 ** -14 }
const widths: Readonly<Record<string, typeof half>> = {
  'torch.float16': half,
  'torch.bfloat16': brain,
  'torch.float32': single,
}

/** The least that a GPU's error counts as, so that a ratio says something. */
export const floorOf = (dtype: string): number => (namedRow(widths, dtype) ?? single).unit
/** How far errors may lean to one side where they add up. */
export const balanceLimitOf = (dtype: string): number => (namedRow(widths, dtype) ?? single).accumulated

const tooWide = new Set(['torch.float64', 'torch.complex64', 'torch.complex128'])
/** Types that no comparison is made for. */
export const isUnsupported = (dtype: string): boolean => tooWide.has(dtype)
export const isFloat = (dtype: string): boolean => namedRow(widths, dtype) !== undefined
const float8 = new Set(['torch.float8_e4m3fn', 'torch.float8_e5m2', 'torch_npu.HiFloat8Tensor'])
/** Eight bits: those of 26 only. */
export const isFloat8 = (dtype: string): boolean => float8.has(dtype)

type RatioLimits = Readonly<
  Record<'smallShare' | 'rmse' | 'maxRelative' | 'meanRelative' | 'balance', number>
>
const common = { smallShare: 2, balance: 2 }
const levels = {
  L0: { ...common, rmse: 2, maxRelative: 10, meanRelative: 2 },
  L1: { ...common, rmse: 1.5, maxRelative: 5, meanRelative: 1.5 },
  L2: { ...common, rmse: 1.2, maxRelative: 2, meanRelative: 1.2 },
} as const
export type Level = keyof typeof levels

const levelNames: readonly (readonly [Level, ReadonlySet<string>])[] = [
  ['L1', new Set(names('embedding npu_fusion_attention npu_fusion_attention_grad scatter_ scatter_add_'))],
  [
    'L2',
    new Set(
      names(`addmm npu_cross_entropy_loss npu_cross_entropy_loss_backward GELU layer_norm matmul mm index one_hot sum
      npu_rms_norm npu_rms_norm_backward nonzero`),
    ),
  ],
]

export const levelOf = (api: string, generation: PrecheckGeneration): Level =>
  generation === '26' ? (levelNames.find(([, known]) => known.has(api))?.[0] ?? 'L0') : 'L0'
export const ratioLimits = (level: Level): RatioLimits => levels[level]

/** Of a rate that has to be nothing, and of others that are no ratios. */
export const limits = {
  thousandth: 0.999,
  ulpMean: 64,
  ulpShare: { single: 0.05, narrow: 0.001 },
  ulpRatio: 1,
} as const

/** As they are called where somebody sets them; ratios are those of calls without a level of their own. */
export const usualLimits: Readonly<Record<VerdictLimit, number>> = {
  smallShare: levels.L0.smallShare,
  rmse: levels.L0.rmse,
  maxRelative: levels.L0.maxRelative,
  meanRelative: levels.L0.meanRelative,
  thousandth: limits.thousandth,
  ulpMean: limits.ulpMean,
  ulpShareSingle: limits.ulpShare.single,
  ulpShareNarrow: limits.ulpShare.narrow,
}

/** Metrics of a standard, in the order in which they are looked at. */
export const metricsOf: Readonly<Record<Standard, readonly MetricId[]>> = {
  benchmark: ['smallShare', 'rmse', 'maxRelative', 'meanRelative', 'balance'],
  ulp: ['ulpMean', 'ulpShare'],
  binary: ['binary'],
  absolute: ['nonFinite', 'relative', 'absolute'],
  thousandth: ['thousandth'],
  accumulative: ['nonFinite', 'relative', 'absolute', 'balance'],
}

interface Judged {
  readonly api: string
  readonly dtype: string
  /** Whether the share of relative errors stands in the row: in 26 the sign of an 8-bit input. */
  readonly relativeFilled: boolean
}

export function standardOf({ api, dtype, relativeFilled }: Judged, generation: PrecheckGeneration): Standard {
  if (generation === '26') {
    if (isFloat8(dtype)) return 'ulp'
    if (relativeFilled) return 'absolute'
    return isFloat(dtype) ? 'benchmark' : 'binary'
  }
  return isFloat(dtype) ? (listedStandard(api) ?? 'benchmark') : 'binary'
}
