// Words of `code_mapping`: from kernels of MindSpore's graph mode to lines of source.
export const en = {
  'cli.verb.code_mapping': 'say which lines of source the kernels of a MindSpore graph came from',
  'cli.about.code_mapping':
    'Reads the IR text of a graph, finds the scope of each dumped kernel in its name, and writes the call stacks into a csv of its own; a statistic.csv stays as it is. Of scopes that hold each other the longest counts.',
  'cli.flag.codeIr': 'the IR text, best the one named anf_after_graph_build',
  'cli.flag.codeDump': 'a folder of npy files or statistic.csv, or one such file',
  'cli.flag.codeOutput': 'where code_mapping_….csv goes; default ./output',
  'cli.codeMapping.done': 'Kernels: {kernels}; lines of source for {mapped}, none for {missing}.',
  'cli.codeMapping.missing': 'No lines of source: {names}',
  'cli.codeMapping.more': '{names} and {count} more',
} as const
export const zh: Record<keyof typeof en, string> = {
  'cli.verb.code_mapping': '查找 MindSpore 图模式的 kernel 对应的源码行',
  'cli.about.code_mapping':
    '读取图的 IR 文本，按 kernel 名称找到其 scope，把调用栈写入单独的 csv；statistic.csv 不会被改动。scope 互相包含时以最长的为准。',
  'cli.flag.codeIr': 'IR 文本，建议使用名称含 anf_after_graph_build 的文件',
  'cli.flag.codeDump': '包含 npy 文件或 statistic.csv 的文件夹，或单个这样的文件',
  'cli.flag.codeOutput': 'code_mapping_….csv 的存放位置，默认 ./output',
  'cli.codeMapping.done': 'kernel 共 {kernels} 个：{mapped} 个找到源码行，{missing} 个没有。',
  'cli.codeMapping.missing': '没有源码行：{names}',
  'cli.codeMapping.more': '{names} 等，另有 {count} 个',
}
