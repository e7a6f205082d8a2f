// The colour scales of graph files by mode and rule set, and the bucket that an index or error falls
// into.
import { ruleSets } from '../rules/index.ts'
import type { Rules } from '../model/index.ts'
import type { GraphMode } from '../pair/index.ts'

interface ColorBucket {
  readonly color: string
  /** Half open, except that a bucket that ends at 1 holds 1; empty for nodes without partner. */
  readonly value: readonly [number, number] | readonly []
  readonly description: string
  readonly level?: string
}

const grey: ColorBucket = { color: '#C7C7C7', value: [], description: '对端没有与之匹配的节点' }

const shades = ['#FFFCF3', '#FFEDBE', '#FFDC7F', '#FFC62E', '#FF704D'] as const
const scale = (bounds: readonly number[], description: string): ColorBucket[] =>
  shades.map((color, i) => ({ color, value: [bounds[i], bounds[i + 1]] as const, description }))

const shares: Readonly<Record<GraphMode, readonly ColorBucket[]>> = {
  statistics: [...scale([0, 0.2, 0.4, 0.6, 0.8, 1], '输出统计量的最大相对误差，颜色越深误差越大'), grey],
  tensor: [
    ...scale([0, 0.05, 0.1, 0.15, 0.2, 1], '双千分之一指标从输入到输出的下降，颜色越深下降越多'),
    grey,
  ],
  md5: [
    { color: '#FFFCF3', value: [1, 1], description: '输入输出的md5全部相同' },
    { color: '#FF704D', value: [0, 0], description: '输入输出中有md5不同' },
    grey,
  ],
  structure: [grey],
}

const levels: readonly ColorBucket[] = [
  { color: '#FFFCF3', value: [0, 0.3], description: '输入输出没有疑点', level: 'pass' },
  { color: '#FFDC7F', value: [0.3, 0.6], description: '输入输出有可疑的误差', level: 'warning' },
  { color: '#FF704D', value: [0.6, 1], description: '输入输出有错误的误差', level: 'error' },
  { ...grey, level: 'unmatched node' },
]

export const colorsOf = (mode: GraphMode, rules: Rules): readonly ColorBucket[] =>
  ruleSets[rules].graph.levels && mode !== 'structure' ? levels : shares[mode]

/** What the tips of the columns say, per mode. */
export const columnTips: Readonly<Record<GraphMode, Readonly<Record<string, string>>>> = {
  statistics: {
    'Max diff': '最大值之差（调试侧减标杆侧）',
    'Min diff': '最小值之差（调试侧减标杆侧）',
    'Mean diff': '平均值之差（调试侧减标杆侧）',
    'L2norm diff': '2范数之差（调试侧减标杆侧）',
  },
  tensor: {
    'One Thousandth Err Ratio': '相对误差小于千分之一的元素所占比例，越接近1越好',
    'Five Thousandths Err Ratio': '相对误差小于千分之五的元素所占比例，越接近1越好',
    Cosine: '余弦相似度，越接近1越好',
    MaxAbsErr: '最大绝对误差，越接近0越好',
    MaxRelativeErr: '最大相对误差，越接近0越好',
  },
  md5: { md5: '数据的校验和，相同表示数据完全一致' },
  structure: {},
}

/** Buckets of the window: 0 … 5, -1 no measure, -2 no partner, -3 rows that cannot be compared. */
export const noMeasure = -1
export const noPartner = -2
export const notComparable = -3
export const worst = 5

/** From which index on a bucket begins, and which it is. */
export interface BucketScale {
  readonly measure: 'error' | 'made' | 'relative' | 'fall' | 'md5' | 'grade' | 'overflow' | 'none'
  readonly steps: readonly { readonly bucket: number; readonly from: number; readonly to: number }[]
}

const relativeSteps = (bounds: readonly number[]): BucketScale['steps'] => [
  { bucket: 0, from: 0, to: 0 },
  ...bounds.slice(0, -1).map((from, i) => ({ bucket: i + 1, from, to: bounds[i + 1] })),
]

const scales: Readonly<Record<GraphMode, BucketScale>> = {
  statistics: { measure: 'relative', steps: relativeSteps([0, 0.2, 0.4, 0.6, 0.8, 1]) },
  tensor: { measure: 'fall', steps: relativeSteps([0, 0.05, 0.1, 0.15, 0.2, 1]) },
  md5: {
    measure: 'md5',
    steps: [
      { bucket: 0, from: 1, to: 1 },
      { bucket: 5, from: 0, to: 0 },
    ],
  },
  structure: { measure: 'none', steps: [] },
}
const gradeScale: BucketScale = {
  measure: 'grade',
  steps: [
    { bucket: 0, from: 0, to: 0.3 },
    { bucket: 3, from: 0.3, to: 0.6 },
    { bucket: 5, from: 0.6, to: 1 },
  ],
}

/** Our error level; what noise explains is in the first bucket, however large. */
export const errorScale: BucketScale = {
  measure: 'error',
  steps: relativeSteps([0, 0.001, 0.01, 0.05, 0.2, 1]),
}

/** What a call made of its error itself. */
export const madeScale: BucketScale = { ...errorScale, measure: 'made' }

/** Levels of overflow, none to critical, in place of an index. */
export const overflowScale: BucketScale = {
  measure: 'overflow',
  steps: [0, 2, 4, 5].map((bucket, level) => ({ bucket, from: level, to: level })),
}

export const scaleOf = (mode: GraphMode, rules: Rules): BucketScale =>
  ruleSets[rules].graph.levels && mode !== 'structure' ? gradeScale : scales[mode]

/** Bucket of an index; exactly 0 is its own bucket on the scales of shares, and what ends at 1 holds 1. */
export function bucketOf(scale: BucketScale, index: number): number {
  if (Number.isNaN(index)) return noMeasure
  const { steps } = scale
  if (scale.measure === 'md5') return index === 1 ? 0 : 5
  for (let i = steps.length - 1; i > 0; i--)
    if (index > steps[i].from || (index === steps[i].from && i > 1)) return steps[i].bucket
  return steps.length > 0 ? steps[0].bucket : noMeasure
}
