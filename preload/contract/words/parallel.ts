// Words of ranks that hold one model together and are put together before they are compared.
export const en = {
  'cli.flag.rankSize': 'how many ranks a step has, per side; checked against the folders',
  'cli.flag.tensorSplit':
    'tensor-parallel ranks that are put together, of both sides or one per side: --tp 2 1',
  'cli.flag.stageSplit': 'pipeline stages that are put together, as --tp',
  'cli.flag.virtualStages': 'pieces of the model that each stage holds, as --tp',
  'cli.flag.contextSplit': 'context-parallel ranks; they stay apart, each is compared with its like',
  'cli.flag.rankOrder': 'in which order the dimensions number the ranks; usual tp-cp-ep-dp-pp',
  'cli.flag.shardRules':
    'yaml of which tensors ranks share along which axis; comes before the built-in rules',
  'cli.value.pairs': 'PAIRS',
  'cli.flag.rankPairs':
    'ranks that meet others than their numbers say: 0=4,1-3=5-7; of ranks that are put together, their copies',
  'cli.usage.sizesMissing': '{option} says how ranks are put together; give --tp or --pp as well.',
} as const
export const zh: Record<keyof typeof en, string> = {
  'cli.flag.rankSize': '每侧一个 step 的 rank 数，会与文件夹核对',
  'cli.flag.tensorSplit': '要合并的张量并行数；两侧相同时给一个值，否则每侧一个：--tp 2 1',
  'cli.flag.stageSplit': '要合并的流水线阶段数，写法同 --tp',
  'cli.flag.virtualStages': '每个阶段持有的模型块数，写法同 --tp',
  'cli.flag.contextSplit': '上下文并行数；各 rank 不合并，分别与对应的比对',
  'cli.flag.rankOrder': '各维度按什么顺序给 rank 编号，通常为 tp-cp-ep-dp-pp',
  'cli.flag.shardRules': '说明各 rank 沿哪个轴共享哪些张量的 yaml，优先于内置规则',
  'cli.value.pairs': 'PAIRS',
  'cli.flag.rankPairs': '与编号不同的 rank 相配：0=4,1-3=5-7；合并的 rank 则指其副本',
  'cli.usage.sizesMissing': '{option} 用于说明如何合并 rank，请同时给出 --tp 或 --pp。',
}
