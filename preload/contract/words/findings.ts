// Words of findings and advice.
export const en = {
  'advice.passed': 'Nothing in this comparison fails.',
  'advice.forwardInput': '1. Follow the input of this node back to the node that wrote it.\n2. If an in-place API wrote its result over this input, the calculation of this API is what differs.\n3. Otherwise memory may have been overwritten; compare the bytes at this node and at the one before it.',
  'advice.forwardOutput': 'The forward calculation of this API differs although its inputs were not flagged. Check how it is implemented on the two sides.',
  'advice.backwardInput': 'The gradient that comes in differs already. Look first whether the forward result was affected.',
  'advice.backwardOutput': 'The backward calculation of this API differs. Check how it is implemented on the two sides.',
  'advice.deterministic': 'This API may give another result on every run. Switch on deterministic calculation, seed_all(mode=True), on both sides and dump again.',
  'advice.batchNorm': 'Batch norm differs when training and evaluation are mixed up. Check training, affine and deterministic calculation on both sides.',
} as const
export const zh: Record<keyof typeof en, string> = {
  'advice.passed': '本次比对没有不达标的节点。',
  'advice.forwardInput': '1. 沿着该节点的输入，找到写出它的节点。\n2. 如果有原地（in-place）API 用结果覆盖了该输入，则真正有差异的是该 API 的计算。\n3. 否则可能存在内存踩踏，请比较该节点与前一节点的数据字节。',
  'advice.forwardOutput': '该 API 的输入未被标记，但前向计算结果有差异，请检查两侧的实现。',
  'advice.backwardInput': '传入的梯度已有差异，请先检查前向结果是否已受影响。',
  'advice.backwardOutput': '该 API 的反向计算结果有差异，请检查两侧的实现。',
  'advice.deterministic': '该 API 每次运行的结果可能不同。请在两侧打开确定性计算 seed_all(mode=True) 后重新采集。',
  'advice.batchNorm': '训练与推理模式混用时 batch norm 结果会不同，请检查两侧的 training、affine 以及确定性计算设置。',
}
