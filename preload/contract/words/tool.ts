// What msprobe's cells say, in Chinese: the window shows them so; hover, copies and exports keep msprobe's words.
import type { Language } from './index.ts'

/** Cells that say one thing. */
const cells: Readonly<Record<string, string>> = {
  Yes: '是',
  No: '否',
  None: '无',
  Unmatched: '形状不同',
  Warning: '警告',
  pass: '通过',
  warning: '警告',
  error: '错误',
  Different: '不同',
  unsupported: '不支持',
  'shape unmatched': '形状不同',
  name: '名称',
  call: '调用',
  True: '是',
  False: '否',
}

/** Sentences and their parts, the longer ones first where one holds another. */
const phrases: readonly (readonly [string | RegExp, string])[] = [
  ['No bench data matched.', '标杆侧没有匹配的数据。'],
  ['Bench does not have data file.', '标杆侧没有数据文件。'],
  [' Fuzzy matching data, the comparison accuracy may be affected.', ' 模糊匹配，比对结果可能受影响。'],
  ['This is empty data, can not compare.', '数据为空，无法比对。'],
  [
    "This is type of 0-d tensor, can not calculate 'Cosine', 'One Thousandth Err Ratio' and 'Five Thousandths Err Ratio'. ",
    '这是 0 维张量，无法计算余弦、双千分之一和双千分之五。',
  ],
  ['Shape of NPU and bench tensor do not match. Skipped.', '两侧张量形状不同，已跳过。'],
  ['Data is unreadable.', '数据无法读取。'],
  ['The position of inf or nan in NPU and bench Tensor do not match.', '两侧张量中 inf 或 nan 的位置不同。'],
  ['Dtype of NPU and bench tensor do not match.', '两侧张量的 dtype 不同。'],
  ['This is a 1-d tensor of length 1.', '这是长度为 1 的一维张量。'],
  [
    'Cannot compare by Cosine Similarity, All the data is Zero in npu dump data.',
    '无法计算余弦：调试侧数据全为零。',
  ],
  [
    'Cannot compare by Cosine Similarity, All the data is Zero in Bench dump data.',
    '无法计算余弦：标杆侧数据全为零。',
  ],
  ['Cannot compare by Cosine Similarity, the dump data has NaN.', '无法计算余弦：数据含 NaN。'],
  [
    'Cannot compare by MaxAbsError, the data contains nan/inf/-inf in dump data.',
    '无法计算最大绝对误差：数据含 nan/inf/-inf。',
  ],
  [
    'Cannot compare by MaxRelativeError, the data contains nan/inf/-inf in dump data.',
    '无法计算最大相对误差：数据含 nan/inf/-inf。',
  ],
  [/Dump file: (.*?) not found\./g, '找不到数据文件 $1。'],
  ['Need double check api accuracy.', '需要复核该 API 的精度。'],
  ['maximum or minimum is nan, -inf, or inf', '最大值或最小值为 nan、-inf 或 inf'],
  [
    'maximum absolute error of both input/parameters and output exceed 1, with the output larger by an order of magnitude',
    '输入/参数与输出的最大绝对误差均大于 1，且输出大一个数量级',
  ],
  ['maximum absolute error exceeds 1e+10', '最大绝对误差超过 1e+10'],
  [
    "The input/parameters's one thousandth err ratio exceeds 0.9, while the output's is below 0.6",
    '输入/参数的双千分之一大于 0.9，而输出低于 0.6',
  ],
  [
    "The output's one thousandth err ratio decreases by more than 0.1 compared to the input/parameters's",
    '输出的双千分之一比输入/参数低 0.1 以上',
  ],
  [
    "The output's cosine decreases by more than 0.1 compared to the input/parameters's",
    '输出的余弦比输入/参数低 0.1 以上',
  ],
  [
    "The output's maximum relative error exceeds 0.1, while the input/parameters's is below 0.01",
    '输出的最大相对误差超过 0.1，而输入/参数低于 0.01',
  ],
  ['maximum relative error exceeds 0.5', '最大相对误差超过 0.5'],
  ['There is nan/inf/-inf in the maximum or minimum value of NPU.', '调试侧最大值或最小值含 nan/inf/-inf。'],
  [
    'The input/parameters of One Thousandth Err Ratio > 0.9 while the output < 0.6.',
    '输入/参数的双千分之一大于 0.9，而输出低于 0.6。',
  ],
  ['The NormRelativeErr of output is greater than 0.5.', '输出的范数相对误差大于 0.5。'],
  ['The Required_Grad of NPU and Bench are inconsistent', '两侧的 requires_grad 不同'],
  ['The dtype of NPU and Bench are inconsistent.', '两侧的 dtype 不同。'],
  ['The shape of NPU and Bench are inconsistent.', '两侧的形状不同。'],
  ['The scalar parameters of NPU and Bench are inconsistent.', '两侧的标量参数不同。'],
  ['The CRC-32 value of NPU differs from that of the bench.', '两侧的 CRC-32 值不同。'],
  ['The parameter of NPU does not match the bench.', '该参数在标杆侧没有匹配项。'],
  ['The norm relative error of output is 10 times that of input.', '输出的范数相对误差是输入的 10 倍以上。'],
  [
    'The input/parameters of Cosine > 0.9, and input/parameters - output > 0.1',
    '输入/参数的余弦大于 0.9，且比输出高 0.1 以上',
  ],
  [/\berror: /g, '错误：'],
  [/\bwarning: /g, '警告：'],
  [/^shape (?=[[(])/g, '形状 '],
]

const mostKnown = 2000
const known = new Map<string, string>()
const isWorded = /[a-z]{2}/i

/** A cell of msprobe's table for reading. */
export function toolText(language: Language, text: string): string {
  if (language === 'en' || !isWorded.test(text)) return text
  let told = known.get(text)
  if (told === undefined) {
    if (known.size >= mostKnown) known.clear()
    known.set(text, (told = cells[text.trim()] ?? translated(text)))
  }
  return told
}

function translated(text: string): string {
  let told = text
  for (const [phrase, chinese] of phrases) told = told.replaceAll(phrase, chinese)
  return told
}
