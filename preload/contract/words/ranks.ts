// Words of many ranks: datasets, their merge, questions over them.
export const en = {
  'cli.verb.merge': 'check that all parts of a dataset are there, and sum them up',
  'cli.about.merge':
    'Takes the folder that the shares of compare, advise or overflow_check wrote into, names what is missing and which share did not end, and writes what all steps and ranks come to together.',
  'cli.verb.query': 'ask a dataset of many ranks a question in SQL',
  'cli.about.query':
    'Answers one SELECT over the tables rows, nodes, units and findings of a dataset. It can read nothing else and writes nothing but the file that -o names.',
  'cli.operands.dataset': '<dataset>',
  'cli.operands.query': '<dataset> "<select …>"',
  'cli.usage.oneDataset': '{command} takes the folder of one dataset; {count} paths were given.',
  'cli.usage.query':
    '{command} takes the folder of a dataset and one question in quotes; {count} words were given.',
  'cli.usage.queryOne': 'query takes either a question or --built-in with the name of one.',
  'cli.usage.queryParquet': '--format parquet needs -o with the file to write.',
  'cli.usage.datasetKernels':
    'Dumps of static-graph kernels have no hierarchy to ask about; give --format xlsx or csv for them.',
  'cli.usage.shareTold': 'Which share is meant cannot be told from {index} and {count}; type --shard i/n.',
  'cli.flag.adviseOutput': 'a folder that gets the findings of each step and rank as parts of one dataset',
  'cli.flag.queryFormat': 'how the answer is written; on a terminal a table',
  'cli.flag.queryOutput': 'the file to write; its ending says the format',
  'cli.flag.builtIn': 'one of the questions that come along',
  'cli.dataset.share': 'share {index} of {of} (counted from 0), as {by} says',
  'cli.dataset.part':
    'written into {folder}: {done} steps and ranks compared, {known} were there already, {failed} could not be',
  'cli.dataset.units': '{units} steps and ranks: {done} compared, {failed} could not be, {missing} missing',
  'cli.dataset.rows':
    '{rows} rows: {equal} equal, {noise} within noise, {differs} differ, {incomparable} cannot be compared; {unmatchedDebug} without partner, {unmatchedBench} on the bench side only',
  'cli.dataset.differ': '{count} differ, most of all {units}',
  'cli.dataset.finding': '{kind}: {node} ({where})',
  'cli.query.rows': '{count} rows',
  'cli.query.cut': 'the first {count} rows; give -o to have all',
}

export const zh: Record<keyof typeof en, string> = {
  'cli.verb.merge': '检查数据集的各部分是否齐全并汇总',
  'cli.about.merge':
    '读取 compare、advise 或 overflow_check 各分片写入的目录，指出缺少的部分和未结束的分片，并写出所有 step 与 rank 的汇总。',
  'cli.verb.query': '用 SQL 查询多 rank 数据集',
  'cli.about.query':
    '对数据集的 rows、nodes、units、findings 表执行一条 SELECT。不能读取其他内容；除 -o 指定的文件外不写任何内容。',
  'cli.operands.dataset': '<数据集>',
  'cli.operands.query': '<数据集> "<select …>"',
  'cli.usage.oneDataset': '{command} 需要一个数据集目录，而给出了 {count} 个路径。',
  'cli.usage.query': '{command} 需要一个数据集目录和一条加引号的查询，而给出了 {count} 项。',
  'cli.usage.queryOne': 'query 需要一条查询，或用 --built-in 指定一条内置查询，二者取一。',
  'cli.usage.queryParquet': '--format parquet 需要用 -o 指定要写的文件。',
  'cli.usage.datasetKernels': '静态图 kernel dump 没有可查询的层级；请使用 --format xlsx 或 csv。',
  'cli.usage.shareTold': '无法从 {index} 和 {count} 得知分片；请写明 --shard i/n。',
  'cli.flag.adviseOutput': '写入每个 step 与 rank 的诊断结果的目录，作为同一数据集的一部分',
  'cli.flag.queryFormat': '结果的格式；终端上默认为表格',
  'cli.flag.queryOutput': '要写的文件；格式由扩展名决定',
  'cli.flag.builtIn': '一条内置查询',
  'cli.dataset.share': '分片 {index}/{of}（从 0 起），来自 {by}',
  'cli.dataset.part': '已写入 {folder}：比对了 {done} 个 step/rank，{known} 个此前已有，{failed} 个无法比对',
  'cli.dataset.units': '{units} 个 step/rank：{done} 个已比对，{failed} 个无法比对，{missing} 个缺失',
  'cli.dataset.rows':
    '{rows} 行：{equal} 相等，{noise} 在噪声内，{differs} 不同，{incomparable} 无法比较；{unmatchedDebug} 无对应，{unmatchedBench} 仅标杆侧有',
  'cli.dataset.differ': '{count} 个不同，最严重的为 {units}',
  'cli.dataset.finding': '{kind}：{node}（{where}）',
  'cli.query.rows': '{count} 行',
  'cli.query.cut': '仅显示前 {count} 行；用 -o 写出全部',
}
