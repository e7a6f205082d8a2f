// Why a row is in its state, as one sentence per rule.
import type { ReasonCode, ReasonFacts } from '../../../main/engine/model/shared.ts'
import { sentences } from './facts.ts'

type Facts = { [Code in ReasonCode as `reason.${Code}`]: ReasonFacts[Code] }

const ruleTexts = {
  en: sentences<Facts, 'largest' | 'grounds'>()({
    'reason.unpaired': 'There is nothing on the other side to compare with.',
    'reason.unpaired-shape': 'No partner: the item of its name has another shape, {debug} / {bench}.',
    'reason.unpaired-dtype': 'No partner: the item of its name has another type, {debug} / {bench}.',
    'reason.unread': 'The values of one side cannot be read: nothing tells whether they are equal.',
    'reason.unknown': 'No numbers and no checksums on both sides: nothing tells whether they are equal.',
    'reason.shapes': 'Another shape: {debug} / {bench}.',
    'reason.equal-bytes': 'All bytes are equal.',
    'reason.equal-md5': 'The checksums are equal.',
    'reason.equal-statistics':
      'All statistics are equal to the last digit; there are no elements to compare.',
    'reason.broken': 'NaN or infinity on one side only.',
    'reason.md5': 'The checksums differ; nothing tells by how much.',
    'reason.hidden-noise':
      'No statistic differs, but the checksums do. Noise explains up to {allowed} here → within noise',
    'reason.hidden': 'No statistic differs, but the checksums do; any difference counts here → differs',
    'reason.noise': 'Largest error: {largest}. Noise explains up to {allowed} here → within noise',
    'reason.tolerance': 'Largest error: {largest}. The tolerance is {allowed} → within noise',
    'reason.beyond': 'Largest error: {largest}. Noise explains up to {allowed} here → differs',
    'reason.beyond-tolerance': 'Largest error: {largest}. The tolerance is {allowed} → differs',
    'reason.bits':
      'Largest error: {largest}. The runs are equal to the bit elsewhere, so any difference counts → differs',
    'reason.evident':
      'Largest error: {largest}. A finding rests on this row, so noise does not explain it → differs',
    'reason.scalar-equal': 'Compared directly: {debug} on both sides.',
    'reason.scalar-noise':
      'Compared directly: {debug} / {bench}, off by {error}. Up to {allowed} is not counted → within noise',
    'reason.scalar': 'Compared directly: {debug} ≠ {bench}.',
  }),
  zh: sentences<Facts, 'largest' | 'grounds'>()({
    'reason.unpaired': '另一侧没有可与之比对的内容。',
    'reason.unpaired-shape': '未匹配：同名条目的形状不同，{debug} / {bench}。',
    'reason.unpaired-dtype': '未匹配：同名条目的类型不同，{debug} / {bench}。',
    'reason.unread': '一侧的数值无法读取，无从判断是否相等。',
    'reason.unknown': '两侧没有可比的数值或校验和，无从判断是否相等。',
    'reason.shapes': '形状不同：{debug} / {bench}。',
    'reason.equal-bytes': '所有字节相等。',
    'reason.equal-md5': '校验和相等。',
    'reason.equal-statistics': '所有统计量完全相同；没有可比对的元素。',
    'reason.broken': '仅一侧出现 NaN 或无穷。',
    'reason.md5': '校验和不同，无从得知相差多少。',
    'reason.hidden-noise': '统计量均相同，但校验和不同。此处噪声可解释 {allowed} → 噪声内',
    'reason.hidden': '统计量均相同，但校验和不同；此处任何差异都计入 → 不一致',
    'reason.noise': '最大误差：{largest}。此处噪声可解释 {allowed} → 噪声内',
    'reason.tolerance': '最大误差：{largest}。容差为 {allowed} → 噪声内',
    'reason.beyond': '最大误差：{largest}。此处噪声只能解释 {allowed} → 不一致',
    'reason.beyond-tolerance': '最大误差：{largest}。容差为 {allowed} → 不一致',
    'reason.bits': '最大误差：{largest}。两次运行在别处逐位相等，因此任何差异都计入 → 不一致',
    'reason.evident': '最大误差：{largest}。有发现以此行为依据，因此不以噪声解释 → 不一致',
    'reason.scalar-equal': '直接比较：两侧均为 {debug}。',
    'reason.scalar-noise': '直接比较：{debug} / {bench}，相差 {error}。不超过 {allowed} 不计 → 噪声内',
    'reason.scalar': '直接比较：{debug} ≠ {bench}。',
  }),
}

export const en = {
  ...ruleTexts.en,
  'reason.smaller': 'Not more than that: {list}.',
  'reason.whole': '100 % or more',
  'error-of.max': 'max, {error} of the range',
  'error-of.min': 'min, {error} of the range',
  'error-of.mean': 'mean, {error} of the range',
  'error-of.norm': 'norm, {error} of itself',
  'error-of.elements': 'elements, {error} of the norm',
} as const

export const zh: Record<keyof typeof en, string> = {
  ...ruleTexts.zh,
  'reason.smaller': '其余更小：{list}。',
  'reason.whole': '100% 以上',
  'error-of.max': '最大值，取值范围的 {error}',
  'error-of.min': '最小值，取值范围的 {error}',
  'error-of.mean': '均值，取值范围的 {error}',
  'error-of.norm': '范数，其自身的 {error}',
  'error-of.elements': '各元素，范数的 {error}',
}
