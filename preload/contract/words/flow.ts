// Words of the dataflow view and of matching by hand.
export const en = {
  'inspector.flow': 'Dataflow',
  'flow.reach': 'steps',
  'flow.none': 'No edges could be inferred here',
  'flow.none.what': 'Nothing that was dumped writes or reads the same tensors. Dumps with md5s or tensors tell more.',
  'flow.cut': 'More than {most} calls; the rest is left out.',
  'flow.inferred': 'Dumps hold no edges. These are inferred from equal bytes, md5s or statistics; dashed ones had other candidates.',
  'matching.title': 'Match by hand',
  'matching.below': 'with everything below',
  'matching.undo': 'Undo this match',
  'matching.with': 'Name on the other side',
  'matching.match': 'Match',
  'matching.save': 'Save matches made by hand…',
} as const
export const zh: Record<keyof typeof en, string> = {
  'inspector.flow': '数据流',
  'flow.reach': '步数',
  'flow.none': '这里推断不出数据流',
  'flow.none.what': '没有其他已采集的调用写出或读取相同的张量。采集 md5 或张量可以得到更多信息。',
  'flow.cut': '超过 {most} 个调用，其余未画出。',
  'flow.inferred': 'dump 中没有边。这些边由相同的数据、md5 或统计量推断；虚线表示还有其他可能。',
  'matching.title': '手动匹配',
  'matching.below': '包括其下所有节点',
  'matching.undo': '取消这个匹配',
  'matching.with': '另一侧的名称',
  'matching.match': '匹配',
  'matching.save': '保存手动匹配…',
}
