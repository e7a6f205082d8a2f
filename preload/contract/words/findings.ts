// Words of findings and advice.
import type { FindingFacts, HintFacts } from '../../../main/engine/model/shared.ts'
import { sentences } from './facts.ts'

type Findings = { [Way in keyof FindingFacts as `finding.${Way}`]: FindingFacts[Way] }

export const en = {
  'advice.passed': 'Nothing in this comparison fails.',
  'advice.forwardInput':
    '1. Follow the input of this node back to the node that wrote it.\n2. If an in-place API wrote its result over this input, the calculation of this API is what differs.\n3. Otherwise memory may have been overwritten; compare the bytes at this node and at the one before it.',
  'advice.forwardOutput':
    'The forward calculation of this API differs although its inputs were not flagged. Check how it is implemented on the two sides.',
  'advice.backwardInput':
    'The gradient that comes in differs already. Look first whether the forward result was affected.',
  'advice.backwardOutput':
    'The backward calculation of this API differs. Check how it is implemented on the two sides.',
  'advice.deterministic':
    'This API may give another result on every run. Switch on deterministic calculation, seed_all(mode=True), on both sides and dump again.',
  'advice.batchNorm':
    'Batch norm differs when training and evaluation are mixed up. Check training, affine and deterministic calculation on both sides.',
  ...sentences<Findings, 'node' | 'side'>()({
    'finding.different-input.data':
      'The two sides are given different input: {node} reads data that no operation wrote and that differs. Check data, order, seed and preprocessing. All that follows depends on it.',
    'finding.different-input.constant':
      '{node} starts from a constant or mask that differs between the two sides.',
    'finding.different-weights':
      '{node} uses a parameter that differs between the two sides, while the other parameters agree.',
    'finding.different-weights.several':
      '{node} uses a parameter that differs between the two sides; {several} calls do.',
    'finding.different-weights.whole':
      'The weights are not aligned: {differing} of {all} parameters differ, the first of them in {node}. Load the same weights before comparing further.',
    'finding.origin': 'The difference begins in {node}: all it reads agrees, what it gives does not.',
    'finding.origin.more':
      'What {node} reads differs already, but what it gives differs by far more than that explains.',
    'finding.origin.noise':
      'The difference begins in {node}: what it reads differs by no more than rounding, what it gives by more.',
    'finding.origin.blind':
      '{node} is the first whose result differs. What it reads was not dumped, so it may have entered before it.',
    'finding.precision':
      '{node} works in {debug} on the debug side and in {bench} on the bench side: the data type differs here for the first time.',
    'finding.shape':
      '{node} works on another shape: its {item} is {debug} on the debug side and {bench} on the bench side.',
    'finding.origin.partly':
      'The difference begins in {node}: what it gives differs. What could be compared of all it reads agrees; its {item} could not be compared.',
    'finding.origin.missing':
      'At {node} one side has a tensor where the other has none (missing on the {missing} side): something is not computed, or a gradient does not flow.',
    'finding.origin.gradient':
      'Only the gradient of the parameters of {node} differs: the backward pass that leads to it agrees, so something changes the gradient afterwards.',
    'finding.origin.law':
      'What {node} gives on the {wrong} side cannot follow from what it reads there, whatever came in: its {measure} is {found} and has to be {expected}. The other side keeps to it.',
    'finding.origin.scale':
      'The difference begins in {node}: its {item} is {factor} times what it is on the bench side, all of it alike, while what goes in is not. Rounding moves each number by itself.',
    'finding.origin.rounded':
      'What {node} gives on the {side} side has the digits of {precision} only, while it reads numbers with more and the other side gives more: it is computed there in a lower precision without saying so.',
    'finding.origin.stored':
      '{differing} of {all} tensors differ, furthest apart in {node}. Nothing here reads another, so each stands for itself.',
    'finding.origin.module':
      'The difference begins inside {node}: what goes in agrees but for rounding, what comes out does not, and no recorded call inside explains it.',
    'finding.origin.module-given':
      'The difference begins inside {node}: the tensors that go in agree, but {item} of {module} is {debug} on the debug side and {bench} on the bench side.',
    'finding.argument': '{node} is called with another argument on the two sides, and its result differs.',
    'finding.argument.quiet':
      '{node} is called with another argument on the two sides. Its result differs by no more than rounding.',
    'finding.hidden-producer.overwritten':
      'Between {from} and {node} the tensor was changed on the {lost} side: it was written equal on both and is read different. Look for an in-place operation or one that is not dumped.',
    'finding.hidden-producer.rewired':
      '{node} reads another tensor than its counterpart: the result of {from} on the debug side, of {benchFrom} on the bench side.',
    'finding.uncovered-entry.forward':
      'The difference enters between {before} and {node}, in something that was not dumped.',
    'finding.uncovered-entry.module':
      'The difference enters inside {node}, before {reader}: what the module gets agrees but for rounding, and no recorded call in it made the tensor that differs.',
    'finding.uncovered-entry.module-given':
      'The difference enters inside {node}, before {reader}: the tensors that the module gets agree, but {item} of {module} is {debug} on the debug side and {bench} on the bench side.',
    'finding.uncovered-entry.gradient':
      'The gradient that {node} receives differs, and no recorded call made it: it enters between {before} and {node}.',
    'finding.uncovered-entry.scale':
      'The difference enters before {node}: its {item} is {factor} times what it is on the bench side, all of it alike, while the gradients that it may be the sum of are not. Something that was not recorded adds them up, or changes them.',
    'finding.uncovered-entry.nan':
      '{node} is the first matched node that reads NaN or Inf. They come with {carrier}, a call of one side only, from a tensor that nothing recorded wrote.',
    'finding.uncovered-entry.updated':
      'A weight of {node} agreed at {before} and differs now: it was changed in between, in something that was not dumped. Look at the optimizer, its settings and the gradients.',
    'finding.unmatched-call': 'Only the {side} side calls {node}. What comes after it differs.',
    'finding.unmatched-call.quiet':
      'Only the {side} side calls {node}. What both sides have differs by no more than rounding.',
    'finding.unmatched-call.instead': 'The {side} side calls {node} where the other side calls {instead}.',
    'finding.growth':
      'No single node stands out; the error climbs step by step to {last}. It grows most in {node}.',
    'finding.nan':
      '{node} is the first to make NaN or Inf on one side from input that is finite or equal on both.',
    'finding.communication':
      '{node} hands on a difference from another rank: what this rank gives to it agrees.',
    'finding.communication.nan':
      '{node} hands on NaN or Inf from another rank: what this rank gives to it is as finite as on the other side.',
    'finding.not-decidable.empty': 'One of the dumps holds no operation: there is nothing to compare.',
    'finding.not-decidable.unmatched':
      'No operation of one side met one of the other: check the sides, or give a mapping.',
    'finding.not-decidable.unknown':
      'The dumps hold neither statistics nor checksums that could be compared.',
    'finding.not-decidable.apart':
      'No dumped tensor met one of the other side: graph, dumps or tensors are of different runs. Open those that belong together.',
    'finding.not-decidable.no-entry': '{rows} rows differ, but the place where it enters was not dumped.',
  }),
  'explains.edges': 'explains {rows} of {of} rows that differ',
  'explains.scope': 'stands before {rows} of {of} rows that differ',
  'evidence.row': 'row {row}: {label}, {measure}: debug {debug}, bench {bench}',
  'evidence.item': '{label}, {measure}: debug {debug}, bench {bench}',
  'evidence.cosine': 'row {row}: {label}, {measure}: {debug}',
  'evidence.growth': '{label}, {measure}: {debug} → {bench}',
  'evidence.none': 'none',
  'shown.max': 'max',
  'shown.min': 'min',
  'shown.mean': 'mean',
  'shown.norm': 'L2 norm',
  'shown.md5': 'checksum',
  'shown.cosine': 'cosine similarity',
  'shown.elements': 'L2 norm (elements differ)',
  'shown.value': 'value',
  'shown.shape': 'shape',
  'shown.dtype': 'data type',
  'shown.growth': 'error, in → out',
  'rule.weights': 'Weights',
  'rule.weights.what': 'Are parameters the same on both sides?',
  'rule.arguments': 'Arguments',
  'rule.arguments.what': 'Are numbers and words given to a call the same?',
  'rule.casts': 'Types',
  'rule.casts.what': 'Is a tensor of another type on one side?',
  'rule.calls': 'Calls',
  'rule.calls.what': 'Is a call made by one side alone?',
  'rule.rewired': 'Wiring',
  'rule.rewired.what': 'Does each call read the result of the same call?',
  'rule.overwritten': 'Overwriting',
  'rule.overwritten.what': 'Does a tensor change between being written and being read?',
  'rule.inputs': 'Model inputs',
  'rule.inputs.what': 'Is the model given the same data, masks and constants?',
  'rule.uncovered': 'Unrecorded steps',
  'rule.uncovered.what': 'Does what nothing recorded wrote agree?',
  'rule.missing-results': 'Missing results',
  'rule.missing-results.what': 'Is a result a tensor on one side and nothing on the other?',
  'rule.nan': 'NaN and infinity',
  'rule.nan.what': 'Do they come out of finite inputs?',
  'rule.collectives': 'Collectives',
  'rule.collectives.what': 'Does what other ranks sent agree where this rank’s part does?',
  'rule.laws': 'Sums, means, extremes',
  'rule.laws.what': 'Does each result follow from what its own call read, on either side?',
  'rule.origins': 'Single calls',
  'rule.origins.what': 'Do calls whose inputs agree give what noise allows?',
  'rule.modules': 'Modules',
  'rule.modules.what': 'Do modules whose inside agrees give what noise allows?',
  'rule.scales': 'One factor',
  'rule.scales.what': 'Is a result larger or smaller as a whole, while what its call reads is not?',
  'rule.rounded': 'Silent casts',
  'rule.rounded.what': 'Has a result fewer digits than what its call reads, on one side alone?',
  'rule.further': 'Further faults',
  'rule.further.what': 'Does a call add far more to an error than what it read explains?',
  'rule.gradients': 'Gradients of weights',
  'rule.gradients.what': 'Do they agree where the backward pass above them does?',
  'rule.growth': 'Growth',
  'rule.growth.what': 'Does the error become large step by step?',
  'checked.title': 'Checked: {rules} rules',
  'checked.title.one': 'Checked: {rules} rule',
  'checked.fail': 'found',
  'checked.pass': 'in order',
  'checked.not-applicable': 'not applicable',
  'checked.stopped': 'could not be checked',
  'checked.looked': '{looked} places',
  'checked.looked.one': '{looked} place',
  'checked.found': '{found} findings',
  'checked.found.one': '{found} finding',
  'checked.why': 'This rule failed itself: {why}. All others were checked.',
  'finding-kind.different-input': 'The input differs',
  'finding-kind.different-weights': 'The weights differ',
  'finding-kind.origin': 'Inputs agree, the output does not',
  'finding-kind.origin.more': 'The output differs more than the inputs explain',
  'finding-kind.origin.partly': 'The output differs; not all inputs could be compared',
  'finding-kind.origin.missing': 'A tensor is missing on one side',
  'finding-kind.origin.gradient': 'Only the gradient differs',
  'finding-kind.origin.law': 'Wrong by its own inputs',
  'finding-kind.origin.scale': 'Off by one factor',
  'finding-kind.origin.rounded': 'Computed in a lower precision',
  'finding-kind.origin.stored': 'Stored tensors differ',
  'finding-kind.precision': 'Another precision',
  'finding-kind.shape': 'Another shape',
  'finding-kind.argument': 'An argument differs',
  'finding-kind.hidden-producer': 'Something changed a tensor in between',
  'finding-kind.hidden-producer.rewired': 'Another tensor is read',
  'finding-kind.uncovered-entry': 'It enters where nothing was recorded',
  'finding-kind.unmatched-call': 'A call that only one side makes',
  'finding-kind.growth': 'The error grows bit by bit',
  'finding-kind.nan': 'NaN or Inf is made here',
  'finding-kind.communication': 'It comes from another rank',
  'finding-kind.communication.nan': 'NaN or Inf comes from another rank',
  'finding-kind.not-decidable': 'Not decidable from this dump',
  ...sentences<HintFacts>()({
    'hint.dtype':
      'The data types differ: {debug} against {bench}. A step of that precision is {step} of a value.',
    'hint.rounded': 'The values on the {side} side are rounded to {class}, although stored wider.',
    'hint.argument': '{name} is {debug} on the debug side and {bench} on the bench side.',
    'hint.zero': 'All values are zero on the {side} side: a calculation or a gradient is missing there.',
    'hint.sign': 'The values have the opposite sign.',
    'hint.proportional': 'The values are proportional: debug = {factor} × bench.',
    'hint.permuted':
      'The same values stand in another order: look for a transposed, shuffled or shifted tensor.',
    'hint.overflow': 'Values up to {largest} overflow in {class}.',
    'hint.training':
      'Batch norm uses other statistics: check whether one side trains and the other evaluates.',
    'hint.random': 'This operation draws random numbers: fix the seed or switch it off on both sides.',
    'hint.epsilon':
      'Large relative errors ({relative}) are near zero only (absolute {absolute}): compare the eps of both sides.',
    'hint.accumulation':
      'An error of this size comes from another order of summation over {length} elements.',
    'hint.reduced-product':
      'An error of this size is typical for products in reduced precision (TF32, HF32): compare the switches of both sides.',
    'hint.nondeterministic':
      'This operation may give another result on every run: fix seeds and switch on deterministic calculation on both sides, then dump again.',
    'hint.communication': 'Compare the peers of this collective on the other ranks.',
    'hint.noise-exact':
      'Both sides compute alike to the last bit ({alike} operations with equal input gave equal output), so every difference counts.',
    'hint.noise-twins':
      'Thresholds are measured: {debug} and {bench} are healthy twins, {alike} of {calls} calls give equal bits there. What passes {margin} times their distance, call by call, is no noise.',
    'hint.noise-twins-exact':
      'The twins {debug} and {bench} give equal bits in all {calls} calls, so any difference here counts.',
    'hint.noise-flips.margin':
      'Rounding turned choices: {node} is the first of {calls} such calls, with {flipped} of {of} rows. What the two sides chose there is {margin} of the range apart and noise moved it by {noise}, so each side chose rightly; what only follows from it is no finding.',
    'hint.noise-flips.values':
      'Rounding turned choices: {node} is the first of {calls} such calls. The values that it chose agree within noise, so each side chose rightly; what only follows from it is no finding. Tensors would show which rows.',
    'hint.noise-flips.unknown':
      'Choices differ at {node}, the first of {calls} such calls, whose input differs by noise. Statistics do not show how near the choice was: dump tensors there.',
    'hint.noise-profile':
      'Thresholds come from a noise profile of {classes} kinds of calls, taken from {debug} and {bench}. What passes {margin} times the noise of its kind is no noise.',
    'hint.noise-floor':
      'As its values show, the debug side computes like {debug}, the bench side like {bench}. Errors below {floor} of a tensor’s range are taken as noise.',
    'hint.noise-coarse':
      'At this precision small faults cannot be told from noise. md5s from two runs on one device would show them.',
    'hint.noise-reduced':
      'Products are off by {level} from the first one on, although what they read is equal to the bit: one side seems to multiply in reduced precision (TF32, HF32).',
    'hint.noise-renumbered':
      '{ops} calls carry other numbers on the two sides; they were paired by order and content.',
  }),
} as const
export const zh: Record<keyof typeof en, string> = {
  'advice.passed': '本次比对没有不达标的节点。',
  'advice.forwardInput':
    '1. 沿着该节点的输入，找到写出它的节点。\n2. 如果有原地（in-place）API 用结果覆盖了该输入，则真正有差异的是该 API 的计算。\n3. 否则可能存在内存踩踏，请比较该节点与前一节点的数据字节。',
  'advice.forwardOutput': '该 API 的输入未被标记，但前向计算结果有差异，请检查两侧的实现。',
  'advice.backwardInput': '传入的梯度已有差异，请先检查前向结果是否已受影响。',
  'advice.backwardOutput': '该 API 的反向计算结果有差异，请检查两侧的实现。',
  'advice.deterministic':
    '该 API 每次运行的结果可能不同。请在两侧打开确定性计算 seed_all(mode=True) 后重新采集。',
  'advice.batchNorm':
    '训练与推理模式混用时 batch norm 结果会不同，请检查两侧的 training、affine 以及确定性计算设置。',
  ...sentences<Findings, 'node' | 'side'>()({
    'finding.different-input.data':
      '两侧输入不同：{node} 读取的数据不是任何算子写出的，且存在差异。请检查数据、顺序、随机种子和预处理。后续结论均以此为前提。',
    'finding.different-input.constant': '{node} 所用的常量或掩码两侧不同。',
    'finding.different-weights': '{node} 使用的一个参数两侧不同，而其他参数一致。',
    'finding.different-weights.several': '{node} 使用的一个参数两侧不一致；这样的调用共有 {several} 个。',
    'finding.different-weights.whole':
      '权重未对齐：{all} 个参数中有 {differing} 个不同，最先出现在 {node}。请先加载相同的权重再继续比对。',
    'finding.origin': '差异始于 {node}：它读取的全部一致，给出的结果不一致。',
    'finding.origin.more': '{node} 读取的数据已有差异，但它给出的结果差异远大于输入所能解释的程度。',
    'finding.origin.noise': '差异始于 {node}：它读取的数据差异不超过舍入误差，而它给出的结果超过。',
    'finding.origin.blind':
      '{node} 是第一个结果不一致的节点。它读取的数据没有被 dump，差异也可能在它之前进入。',
    'finding.precision':
      '{node} 在调试侧以 {debug} 计算，在标杆侧以 {bench} 计算：数据类型在此首次出现差异。',
    'finding.shape': '{node} 两侧的形状不同：其 {item} 在调试侧为 {debug}，在标杆侧为 {bench}。',
    'finding.origin.partly':
      '差异始于 {node}：它给出的结果不一致；它读取的数据中能比较的都一致，但 {item} 无法比较。',
    'finding.origin.missing':
      '在 {node}，一侧有张量而另一侧没有（{missing} 侧缺失）：有计算没有执行，或梯度没有传到。',
    'finding.origin.gradient': '只有 {node} 的参数梯度不同：通向它的反向计算一致，说明梯度在此之后被修改。',
    'finding.origin.law':
      '{node} 在 {wrong} 侧给出的结果与它在该侧读取的数据不符，与输入的误差无关：{measure} 为 {found}，应为 {expected}；另一侧是相符的。',
    'finding.origin.scale':
      '差异始于 {node}：其 {item} 整体是标杆侧的 {factor} 倍，而输入并没有这样的比例；舍入只会让每个数各自变化。',
    'finding.origin.rounded':
      '{node} 在 {side} 侧给出的结果只有 {precision} 的位数，而它读取的数与另一侧的结果位数更多：该侧在未声明的情况下以更低精度计算。',
    'finding.origin.stored':
      '{all} 个张量中有 {differing} 个不同，差距最大的是 {node}。这里没有张量读取其他张量，各自独立。',
    'finding.origin.module':
      '差异始于 {node} 内部：输入除舍入外一致、输出不一致，而内部没有任何已采集的调用可以解释。',
    'finding.origin.module-given':
      '差异始于 {node} 内部：输入的张量一致，但 {module} 的 {item} 在调试侧为 {debug}，在标杆侧为 {bench}。',
    'finding.argument': '{node} 两侧的调用参数不同，结果也不同。',
    'finding.argument.quiet': '{node} 两侧的调用参数不同，而结果的差异不超过舍入误差。',
    'finding.hidden-producer.overwritten':
      '在 {from} 与 {node} 之间，{lost} 侧的张量被改写：写出时两侧一致，读取时不同。请查找原地操作或未采集的操作。',
    'finding.hidden-producer.rewired':
      '{node} 与对侧读取的不是同一个张量：调试侧读取 {from} 的结果，标杆侧读取 {benchFrom} 的结果。',
    'finding.uncovered-entry.forward': '差异在 {before} 与 {node} 之间进入，其间的操作没有被采集。',
    'finding.uncovered-entry.module':
      '差异在 {node} 内部、{reader} 之前进入：模块的输入除舍入外一致，而内部没有已采集的调用写出该张量。',
    'finding.uncovered-entry.module-given':
      '差异在 {node} 内部、{reader} 之前进入：模块输入的张量一致，但 {module} 的 {item} 在调试侧为 {debug}，在标杆侧为 {bench}。',
    'finding.uncovered-entry.gradient':
      '{node} 收到的梯度不同，且不是任何已采集的调用写出的：差异在 {before} 与 {node} 之间进入。',
    'finding.uncovered-entry.scale':
      '差异在 {node} 之前进入：其 {item} 整体是标杆侧的 {factor} 倍，而可能相加成它的各个梯度没有这样的比例；有未被记录的操作把它们相加或改动。',
    'finding.uncovered-entry.nan':
      '{node} 是第一个读到 NaN 或 Inf 的已匹配节点。它们随仅一侧存在的调用 {carrier} 进入，来自没有任何已采集算子写出的张量。',
    'finding.uncovered-entry.updated':
      '{node} 的权重在 {before} 时两侧一致，此处不同：其间被未采集的操作改写。请检查优化器、其设置与梯度。',
    'finding.unmatched-call': '只有 {side} 侧调用了 {node}，其后开始出现差异。',
    'finding.unmatched-call.quiet': '只有 {side} 侧调用了 {node}。两侧共有的数据差异不超过舍入误差。',
    'finding.unmatched-call.instead': '{side} 侧调用的是 {node}，另一侧在此处调用的是 {instead}。',
    'finding.growth': '没有单个节点突出，误差逐步累积到 {last}，在 {node} 增长最多。',
    'finding.nan': '{node} 在输入有限或两侧相同的情况下，最先在一侧产生 NaN 或 Inf。',
    'finding.communication': '{node} 传来的是其他 rank 的差异：本 rank 交给它的数据一致。',
    'finding.communication.nan':
      '{node} 传来的是其他 rank 的 NaN 或 Inf：本 rank 交给它的数据与对侧一样是有限的。',
    'finding.not-decidable.empty': '其中一个 dump 没有任何算子，无法比对。',
    'finding.not-decidable.unmatched': '两侧没有匹配上的算子：请检查两侧目录，或提供映射文件。',
    'finding.not-decidable.unknown': 'dump 中既没有可比对的统计量，也没有校验值。',
    'finding.not-decidable.apart':
      '已 dump 的张量没有一个与另一侧对应：计算图、dump 或张量来自不同的运行。请打开属于同一次运行的数据。',
    'finding.not-decidable.no-entry': '有 {rows} 行不一致，但差异进入的位置没有被采集。',
  }),
  'explains.edges': '可解释 {of} 个不一致行中的 {rows} 个',
  'explains.scope': '位于 {of} 个不一致行中的 {rows} 个之前',
  'evidence.row': '第 {row} 行：{label}，{measure}：debug {debug}，bench {bench}',
  'evidence.item': '{label}，{measure}：debug {debug}，bench {bench}',
  'evidence.cosine': '第 {row} 行：{label}，{measure}：{debug}',
  'evidence.growth': '{label}，{measure}：{debug} → {bench}',
  'evidence.none': '无',
  'shown.max': '最大值',
  'shown.min': '最小值',
  'shown.mean': '均值',
  'shown.norm': 'L2 范数',
  'shown.md5': '校验值',
  'shown.cosine': '余弦相似度',
  'shown.elements': 'L2 范数（元素不同）',
  'shown.value': '取值',
  'shown.shape': '形状',
  'shown.dtype': '数据类型',
  'shown.growth': '误差（输入 → 输出）',
  'rule.weights': '权重',
  'rule.weights.what': '两侧参数是否相同？',
  'rule.arguments': '参数值',
  'rule.arguments.what': '传给调用的数值和选项是否相同？',
  'rule.casts': '数据类型',
  'rule.casts.what': '是否有张量只在一侧换了类型？',
  'rule.calls': '调用',
  'rule.calls.what': '是否有只在一侧出现的调用？',
  'rule.rewired': '连接',
  'rule.rewired.what': '各调用读取的是否是同一个调用的结果？',
  'rule.overwritten': '覆写',
  'rule.overwritten.what': '张量从写出到读取之间是否改变？',
  'rule.inputs': '模型输入',
  'rule.inputs.what': '送入模型的数据、掩码和常量是否相同？',
  'rule.uncovered': '未记录的步骤',
  'rule.uncovered.what': '没有记录来源的张量是否一致？',
  'rule.missing-results': '缺失的结果',
  'rule.missing-results.what': '是否有一侧是张量、另一侧为空的结果？',
  'rule.nan': 'NaN 与无穷',
  'rule.nan.what': '有限的输入是否产生了它们？',
  'rule.collectives': '集合通信',
  'rule.collectives.what': '本 rank 一致时，其他 rank 送来的是否也一致？',
  'rule.laws': '求和、均值与极值',
  'rule.laws.what': '每侧的结果是否与该调用自己读取的数据相符？',
  'rule.origins': '单个调用',
  'rule.origins.what': '输入一致的调用，其结果是否在噪声范围内？',
  'rule.modules': '模块',
  'rule.modules.what': '内部一致的模块，其结果是否在噪声范围内？',
  'rule.scales': '整体比例',
  'rule.scales.what': '结果是否整体变大或变小，而该调用读取的数据没有？',
  'rule.rounded': '隐式降精度',
  'rule.rounded.what': '是否只有一侧的结果位数少于该调用读取的数据？',
  'rule.further': '其他故障',
  'rule.further.what': '是否有调用带来的误差远大于其输入所能解释的？',
  'rule.gradients': '权重梯度',
  'rule.gradients.what': '上方反向传播一致之处，权重梯度是否也一致？',
  'rule.growth': '累积',
  'rule.growth.what': '误差是否逐步变大？',
  'checked.title': '已检查：{rules} 条规则',
  'checked.title.one': '已检查：{rules} 条规则',
  'checked.fail': '有发现',
  'checked.pass': '正常',
  'checked.not-applicable': '不适用',
  'checked.stopped': '未能检查',
  'checked.looked': '{looked} 处',
  'checked.looked.one': '{looked} 处',
  'checked.found': '{found} 条结论',
  'checked.found.one': '{found} 条结论',
  'checked.why': '这条规则自身出错：{why}。其他规则均已检查。',
  'finding-kind.different-input': '输入不同',
  'finding-kind.different-weights': '权重不同',
  'finding-kind.origin': '输入一致，输出不一致',
  'finding-kind.origin.more': '输出的差异超出输入所能解释的程度',
  'finding-kind.origin.partly': '输出不一致，部分输入无法比较',
  'finding-kind.origin.missing': '一侧缺少张量',
  'finding-kind.origin.gradient': '只有梯度不同',
  'finding-kind.origin.law': '与自身输入不符',
  'finding-kind.origin.scale': '整体相差一个比例',
  'finding-kind.origin.rounded': '以更低精度计算',
  'finding-kind.origin.stored': '存储的张量不同',
  'finding-kind.precision': '计算精度不同',
  'finding-kind.shape': '形状不同',
  'finding-kind.argument': '参数取值不同',
  'finding-kind.hidden-producer': '张量在中途被改写',
  'finding-kind.hidden-producer.rewired': '读取的不是同一个张量',
  'finding-kind.uncovered-entry': '误差从未采集的位置进入',
  'finding-kind.unmatched-call': '只有一侧存在的调用',
  'finding-kind.growth': '误差逐步累积',
  'finding-kind.nan': '在此产生 NaN 或 Inf',
  'finding-kind.communication': '误差来自其他 rank',
  'finding-kind.communication.nan': 'NaN 或 Inf 来自其他 rank',
  'finding-kind.not-decidable': '仅凭该 dump 无法判断',
  ...sentences<HintFacts>()({
    'hint.dtype': '数据类型不同：{debug} 对 {bench}。该精度的最小步长约为数值的 {step}。',
    'hint.rounded': '{side} 侧的数值被舍入到 {class}，尽管以更宽的类型存储。',
    'hint.argument': '{name} 在调试侧为 {debug}，在标杆侧为 {bench}。',
    'hint.zero': '{side} 侧的数值全部为零：该侧缺少计算或梯度。',
    'hint.sign': '两侧数值符号相反。',
    'hint.proportional': '两侧数值成比例：debug = {factor} × bench。',
    'hint.permuted': '数值相同但顺序不同：请检查转置、打乱或移位。',
    'hint.overflow': '数值最大到 {largest}，在 {class} 下溢出。',
    'hint.training': 'batch norm 使用的统计量不同：请检查是否一侧处于训练、另一侧处于推理模式。',
    'hint.random': '该操作使用随机数：请在两侧固定种子或关闭它。',
    'hint.epsilon': '较大的相对误差（{relative}）只出现在零附近（绝对误差 {absolute}）：请比较两侧的 eps。',
    'hint.accumulation': '这种大小的误差来自 {length} 个元素求和顺序的不同。',
    'hint.reduced-product': '这种大小的误差常见于降精度的矩阵乘（TF32、HF32）：请比较两侧的开关。',
    'hint.nondeterministic': '该操作每次运行结果可能不同：请在两侧固定种子并打开确定性计算后重新采集。',
    'hint.communication': '请比较该集合通信在其他 rank 上的对端。',
    'hint.noise-twins':
      '阈值来自实测：{debug} 与 {bench} 是正常的孪生运行，其中 {calls} 个调用有 {alike} 个逐位一致。逐个调用超过其差距 {margin} 倍的，不算噪声。',
    'hint.noise-twins-exact':
      '孪生运行 {debug} 与 {bench} 的 {calls} 个调用全部逐位一致，因此任何差异都有意义。',
    'hint.noise-flips.margin':
      '舍入改变了选择：{node} 是 {calls} 个此类调用中的第一个，{of} 行中有 {flipped} 行不同。两侧所选的值相差值域的 {margin}，噪声使其移动 {noise}，因此两侧都选对了；仅由此引起的差异不算问题。',
    'hint.noise-flips.values':
      '舍入改变了选择：{node} 是 {calls} 个此类调用中的第一个。所选的值在噪声内一致，因此两侧都选对了；仅由此引起的差异不算问题。采集张量可看出是哪些行。',
    'hint.noise-flips.unknown':
      '{node} 处的选择不同（{calls} 个此类调用中的第一个），其输入的差异属于噪声。统计量无法说明选择有多接近：请在该处采集张量。',
    'hint.noise-profile':
      '阈值来自噪声画像（{classes} 类调用，取自 {debug} 与 {bench}）。超过该类噪声 {margin} 倍的，不算噪声。',
    'hint.noise-exact': '两侧计算逐位一致（{alike} 个输入相同的算子输出相同），因此任何差异都有意义。',
    'hint.noise-floor':
      '从数值推断，调试侧以 {debug} 计算，标杆侧以 {bench} 计算。低于张量取值范围 {floor} 的误差视为噪声。',
    'hint.noise-coarse': '在此精度下，小的错误无法与噪声区分；在同一设备上两次运行并采集 md5 可以看出来。',
    'hint.noise-reduced':
      '从第一个矩阵乘起，结果就有 {level} 的误差，而其输入逐位相同：一侧似乎使用了降精度的乘法（TF32、HF32）。',
    'hint.noise-renumbered': '有 {ops} 个调用两侧编号不同，已按顺序和内容配对。',
  }),
}
