// Words of the command line: help, what it says while it works and when it is done.
export const en = {
  'cli.help': `Plumbline shows where two runs of a model first part ways.

usage: plumbline [-f mindspore|pytorch] <command> [options]

commands
  compare        compare two dumps and write msprobe's table
  graph          write the hierarchical graph of one dump, or of two compared, as .vis
  advise         say where the difference enters, without writing a table
  merge_result   put one metric of several ranks' results side by side
  map            check a mapping file, or propose one

everywhere
  --json         a summary for programs on stdout
  --lang zh|en   language of messages; otherwise the system's
  --quiet        errors only
  --no-color     no colours; NO_COLOR works too
  -h, --help     help, also behind a command
  -v, --version  the version

exit codes
  0  it ran        1  --fail-on found something        2  wrong usage or unreadable input
  3  internal error        130  interrupted

examples
  plumbline compare ./npu_dump/step0/rank0 ./bench_dump/step0/rank0 -o ./output
  plumbline -f mindspore compare -i ./compare.json -o ./output -s
  plumbline advise ./npu_dump/step0 ./bench_dump/step0
  plumbline graph ./npu_dump/step0 ./bench_dump/step0 -o ./output`,
  'cli.help.compare': `usage: plumbline [-f mindspore|pytorch] compare -i compare.json [options]
       plumbline compare <debug> <bench> [options]

Compares two dumps: rank folders, step folders with ranks, whole dump folders, or dump.json files.

  -i, --input_path FILE       compare.json as msprobe reads it
  -o, --output_path FOLDER    where results go; default ./output, made when absent
  -s, --stack_mode            call stacks in the table (needs stack_path in compare.json)
  -c, --compare_only          the table only, no advisor
  -f, --fuzzy_match           also match calls whose names differ in the call number only
  -am, --api_mapping [YAML]   MindSpore against PyTorch: APIs by the built-in table, or by your file first
  -cm, --cell_mapping [YAML]  MindSpore against PyTorch: cells as modules
  -dm, --data_mapping YAML    exactly the listed items
  -lm, --layer_mapping [YAML] layers by name
  --rules NAME                plumbline (default), msprobe-1.2.2 (exact), msprobe-26
  --format LIST               xlsx (default), csv, arrow, parquet; several with commas
  --raw_csv                   leave texts in csv that look like formulas as they are
  --fail-on warning|error     exit code 1 when a row disagrees (error), or is also highlighted, failing by msprobe's rule or without partner (warning)
  --json                      counts, first failing node and written files as JSON on stdout

examples
  plumbline -f mindspore compare -i ./compare.json -o ./output -s
  plumbline -f mindspore compare -i ./compare.json -o ./output -s -am api_mapping.yaml
  plumbline compare ./npu/step0/rank0 ./bench/step0/rank0 --format xlsx,csv --fail-on error
  plumbline compare ./npu ./bench --json > summary.json`,
  'cli.help.graph': `usage: plumbline [-f mindspore|pytorch] graph -i compare.json -o FOLDER [options]
       plumbline graph <debug> [<bench>] [options]

Writes .vis files that the TensorBoard plugin opens: one dump, or two compared; ranks and steps in one go.

  -i, --input_path FILE       compare.json; without bench_path the graph of one side
  -o, --output_path FOLDER    where results go; default ./output
  -lm, --layer_mapping [YAML] layers by name, across frameworks
  -f, --fuzzy_match           match nodes of the same place although their names differ
  -cs, --complete_stack       whole call stacks
  -oc, --overflow_check       mark nodes where values overflow
  --rules NAME                plumbline (default), msprobe-1.2.2, msprobe-26
  --format LIST               vis (default), vis.db

examples
  plumbline -f mindspore graph -i ./compare.json -o ./output
  plumbline graph ./npu/step0 ./bench/step0 -o ./output`,
  'cli.help.advise': `usage: plumbline advise <debug> <bench> [options]
       plumbline advise -i compare.json [options]

Says where the difference enters, what it explains and why; writes nothing.

  -am, -cm, -dm, -lm, -f, --rules, --fail-on   as for compare
  --json                                       {"findings": [...]}, the headline first

examples
  plumbline advise ./npu/step0/rank0 ./bench/step0/rank0
  plumbline advise ./npu/step0 ./bench/step0 --json`,
  'cli.help.merge_result': `usage: plumbline merge_result -i FOLDER -o FOLDER -config YAML

Puts the metrics of compare results of several ranks side by side: one sheet per metric.

  -i, --input_dir FOLDER    results named compare_result_rankN-rankN_….xlsx
  -o, --output_dir FOLDER   where multi_ranks_compare_merge_….xlsx goes
  -config, --config_path    yaml with "api" (names) and, if wanted, "compare_index" (metrics)

example
  plumbline -f pytorch merge_result -i ./output -o ./merged -config ./config.yaml`,
  'cli.help.map': `usage: plumbline map check <yaml> <debug> <bench> [--kind api|cell|data|layer]
       plumbline map propose <debug> <bench> --kind api|cell|data|layer [-o yaml]

Checks a mapping file against two dumps, or proposes one.

examples
  plumbline map check layer_mapping.yaml ./npu/step0/rank0 ./bench/step0/rank0 --kind layer
  plumbline map propose ./npu/step0/rank0 ./bench/step0/rank0 --kind layer -o layer_mapping.yaml`,
  'cli.error': 'error:',
  'cli.warning': 'warning:',
  'cli.left': 'about {seconds} s left',
  'cli.usage.twice': '{option} was given twice; give it once.',
  'cli.usage.noValue': '{option} takes no value.',
  'cli.usage.value': '{option} needs a value behind it.',
  'cli.usage.command': 'There is no command {command}; the commands are {commands}.',
  'cli.usage.command.near': 'There is no command {command}; was {near} meant?',
  'cli.usage.option': 'There is no option {option} here.',
  'cli.usage.option.near': 'There is no option {option} here; was {near} meant?',
  'cli.usage.choice': '{option} must be one of {choices}, not "{value}".',
  'cli.usage.framework': '-f before the command names the framework: {choices}, not "{value}".',
  'cli.usage.paths': '{command} needs two dumps, or -i with a compare.json; {count} paths were given.',
  'cli.usage.graphPaths': 'graph needs one or two dumps, or -i with a compare.json; {count} paths were given.',
  'cli.usage.both': 'Give either -i with a compare.json or paths, not both.',
  'cli.usage.needs': '{command} needs {option}.',
  'cli.usage.extra': '{command} takes no path "{path}".',
  'cli.usage.adviseKernel': 'advise works on dumps of APIs and modules; for static-graph kernels use compare.',
  'cli.usage.map': 'map needs "check" or "propose" behind it.',
  'cli.pytorchLayer': 'The layer mapping is ignored for PyTorch dumps by msprobe 1.2.2; use --rules plumbline for it.',
  'cli.unit': '{debug} against {bench}',
  'cli.rows': '{rows} rows ({mode}): {agree} agree, {disagree} disagree, {unknown} cannot be decided; {unmatchedDebug} without partner, {unmatchedBench} on the bench side only',
  'cli.failing': '{failing} rows fail by the rule of msprobe; {red} are red, {yellow} yellow',
  'cli.first': 'first failing: row {row} (line {line} of the sheet), {node}',
  'cli.firstNone': 'first failing: none',
  'cli.headline': 'origin: {text}',
  'cli.headlineNone': 'origin: none found; what could be compared differs by noise at most, or nothing reads it',
  'cli.none.disagree': 'Rows that disagree all the same: {rows}.',
  'cli.none.unknown': 'Rows that could not be decided and say nothing either way: {rows}. Where names differ, a mapping or fuzzy matching brings them together.',
  'cli.written': 'written: {path}',
  'cli.rules': 'rules: {rules}',
  'cli.mode.tensor': 'tensor data',
  'cli.mode.statistics': 'statistics',
  'cli.mode.md5': 'md5',
  'cli.interrupted': 'Interrupted; nothing was written.',
  'cli.finding.more': 'also: {text}',
  'cli.finding.step': 'step {steps}',
  'cli.finding.rank': 'rank {ranks}',
  'cli.finding.explains': 'explains {rows} of {of} disagreeing rows',
  'cli.finding.row': 'row {row}: {label}, {metric}: {debug} / {bench}',
  'cli.finding.item': '{label}, {metric}: {debug} / {bench}',
  'cli.usage.mapCheck': 'map check needs a mapping file, and both dumps or none.',
  'cli.severity.error': 'error',
  'cli.severity.warning': 'warning',
  'cli.severity.note': 'note',
  'cli.map.fine': '{file}: nothing to complain about',
  'cli.map.coverage': '{debug} of {ofDebug} items matched on the debug side, {bench} of {ofBench} on the bench side',
  'cli.map.taken': 'taken ({score}, {matched} of {all} fit): {what}',
  'cli.map.left': 'left out ({score}): {what}',
  'job.reading': 'Reading',
  'job.comparing': 'Comparing',
  'job.writing': 'Writing',
  'job.done': 'Done',
  'job.advising': 'Looking for causes',
} as const
export const zh: Record<keyof typeof en, string> = {
  'cli.help': `Plumbline：找出一个模型的两次运行从哪里开始出现差异。

用法：plumbline [-f mindspore|pytorch] <命令> [选项]

命令
  compare        比对两份 dump，写出 msprobe 的结果表
  graph          将一份 dump 的分级结构图，或两份 dump 的比对图写为 .vis
  advise         指出差异从哪里进入，不写结果表
  merge_result   将多个 rank 比对结果中的同一指标并排汇总
  map            检查映射文件，或生成建议

通用选项
  --json         在标准输出上给出供程序读取的摘要
  --lang zh|en   提示语言，默认跟随系统
  --quiet        只输出错误
  --no-color     不使用颜色，也可设置 NO_COLOR
  -h, --help     帮助，可写在命令之后
  -v, --version  版本

退出码
  0  已执行        1  --fail-on 命中        2  用法错误或输入无法读取
  3  内部错误      130  被中断

示例
  plumbline compare ./npu_dump/step0/rank0 ./bench_dump/step0/rank0 -o ./output
  plumbline -f mindspore compare -i ./compare.json -o ./output -s
  plumbline advise ./npu_dump/step0 ./bench_dump/step0
  plumbline graph ./npu_dump/step0 ./bench_dump/step0 -o ./output`,
  'cli.help.compare': `用法：plumbline [-f mindspore|pytorch] compare -i compare.json [选项]
      plumbline compare <调试侧> <标杆侧> [选项]

比对两份 dump：rank 文件夹、包含多个 rank 的 step 文件夹、整个 dump 文件夹或 dump.json 文件。

  -i, --input_path 文件       比对文件 compare.json
  -o, --output_path 文件夹    结果存放位置，默认 ./output，不存在时自动创建
  -s, --stack_mode            结果中展示调用栈（需在 compare.json 中配置 stack_path）
  -c, --compare_only          只输出结果表，不做精度分析
  -f, --fuzzy_match           模糊匹配：仅调用次数不同的名称也可匹配
  -am, --api_mapping [YAML]   MindSpore 与 PyTorch：按内置映射或优先按自定义文件匹配 API
  -cm, --cell_mapping [YAML]  MindSpore 与 PyTorch：按 cell 与 module 匹配
  -dm, --data_mapping YAML    只比对列出的数据
  -lm, --layer_mapping [YAML] 按 Layer 名称匹配
  --rules 名称                plumbline（默认）、msprobe-1.2.2（完全一致）、msprobe-26
  --format 列表               xlsx（默认）、csv、arrow、parquet，可用逗号给出多个
  --raw_csv                   csv 中形似公式的文本保持原样
  --fail-on warning|error     有行不一致（error），或有高亮、msprobe 判为不达标、无匹配的行（warning）时退出码为 1
  --json                      在标准输出上以 JSON 给出计数、首个不达标节点和写出的文件

示例
  plumbline -f mindspore compare -i ./compare.json -o ./output -s
  plumbline -f mindspore compare -i ./compare.json -o ./output -s -am api_mapping.yaml
  plumbline compare ./npu/step0/rank0 ./bench/step0/rank0 --format xlsx,csv --fail-on error
  plumbline compare ./npu ./bench --json > summary.json`,
  'cli.help.graph': `用法：plumbline [-f mindspore|pytorch] graph -i compare.json -o 文件夹 [选项]
      plumbline graph <调试侧> [<标杆侧>] [选项]

写出 TensorBoard 插件可打开的 .vis 文件：单图构建或双图比对，支持多 rank、多 step 批量处理。

  -i, --input_path 文件       比对文件，没有 bench_path 时只构建一侧
  -o, --output_path 文件夹    结果存放位置，默认 ./output
  -lm, --layer_mapping [YAML] 跨框架按 Layer 名称匹配
  -f, --fuzzy_match           位置相同而名称不同的节点也可匹配
  -cs, --complete_stack       完整调用栈
  -oc, --overflow_check       标记溢出节点
  --rules 名称                plumbline（默认）、msprobe-1.2.2、msprobe-26
  --format 列表               vis（默认）、vis.db

示例
  plumbline -f mindspore graph -i ./compare.json -o ./output
  plumbline graph ./npu/step0 ./bench/step0 -o ./output`,
  'cli.help.advise': `用法：plumbline advise <调试侧> <标杆侧> [选项]
      plumbline advise -i compare.json [选项]

指出差异从哪里进入、能解释多少以及原因，不写任何文件。

  -am、-cm、-dm、-lm、-f、--rules、--fail-on   与 compare 相同
  --json                                       {"findings": [...]}，首要结论在前

示例
  plumbline advise ./npu/step0/rank0 ./bench/step0/rank0
  plumbline advise ./npu/step0 ./bench/step0 --json`,
  'cli.help.merge_result': `用法：plumbline merge_result -i 文件夹 -o 文件夹 -config YAML

将多个 rank 的比对结果按指标并排汇总，每个指标一个工作表。

  -i, --input_dir 文件夹    名为 compare_result_rankN-rankN_….xlsx 的结果
  -o, --output_dir 文件夹   multi_ranks_compare_merge_….xlsx 的存放位置
  -config, --config_path    yaml 文件，包含 api（名称），可选 compare_index（指标）

示例
  plumbline -f pytorch merge_result -i ./output -o ./merged -config ./config.yaml`,
  'cli.help.map': `用法：plumbline map check <yaml> <调试侧> <标杆侧> [--kind api|cell|data|layer]
      plumbline map propose <调试侧> <标杆侧> --kind api|cell|data|layer [-o yaml]

对照两份 dump 检查映射文件，或生成映射建议。

示例
  plumbline map check layer_mapping.yaml ./npu/step0/rank0 ./bench/step0/rank0 --kind layer
  plumbline map propose ./npu/step0/rank0 ./bench/step0/rank0 --kind layer -o layer_mapping.yaml`,
  'cli.error': '错误：',
  'cli.warning': '警告：',
  'cli.left': '约剩 {seconds} 秒',
  'cli.usage.twice': '{option} 给了两次，请只给一次。',
  'cli.usage.noValue': '{option} 不带值。',
  'cli.usage.value': '{option} 后面需要一个值。',
  'cli.usage.command': '没有命令 {command}，可用命令为 {commands}。',
  'cli.usage.command.near': '没有命令 {command}，是否想输入 {near}？',
  'cli.usage.option': '这里没有选项 {option}。',
  'cli.usage.option.near': '这里没有选项 {option}，是否想输入 {near}？',
  'cli.usage.choice': '{option} 必须是 {choices} 之一，而不是“{value}”。',
  'cli.usage.framework': '命令之前的 -f 表示框架：{choices}，而不是“{value}”。',
  'cli.usage.paths': '{command} 需要两份 dump，或用 -i 指定 compare.json；现在给出了 {count} 个路径。',
  'cli.usage.graphPaths': 'graph 需要一份或两份 dump，或用 -i 指定 compare.json；现在给出了 {count} 个路径。',
  'cli.usage.both': '-i 指定的 compare.json 与路径只能二选一。',
  'cli.usage.needs': '{command} 需要 {option}。',
  'cli.usage.extra': '{command} 不接受路径“{path}”。',
  'cli.usage.adviseKernel': 'advise 只适用于 API 与模块的 dump；静态图 kernel 请使用 compare。',
  'cli.usage.map': 'map 后面需要 check 或 propose。',
  'cli.pytorchLayer': 'msprobe 1.2.2 对 PyTorch 数据忽略 Layer 映射；如需使用请选择 --rules plumbline。',
  'cli.unit': '{debug} 对比 {bench}',
  'cli.rows': '共 {rows} 行（{mode}）：{agree} 行一致，{disagree} 行不一致，{unknown} 行无法判断；{unmatchedDebug} 行没有匹配，{unmatchedBench} 项仅存在于标杆侧',
  'cli.failing': '按 msprobe 规则有 {failing} 行不达标；红色 {red} 行，黄色 {yellow} 行',
  'cli.first': '首个不达标：第 {row} 行（表格第 {line} 行），{node}',
  'cli.firstNone': '首个不达标：无',
  'cli.headline': '差异来源：{text}',
  'cli.headlineNone': '差异来源：未发现；能够比对的部分至多只有噪声差异，或其差异未被任何算子读取',
  'cli.none.disagree': '仍不一致的行数：{rows}。',
  'cli.none.unknown': '无法判断、不能说明任何问题的行数：{rows}。若两侧名称不同，可使用映射文件或模糊匹配。',
  'cli.written': '已写出：{path}',
  'cli.rules': '规则：{rules}',
  'cli.mode.tensor': '真实数据',
  'cli.mode.statistics': '统计量',
  'cli.mode.md5': 'md5',
  'cli.interrupted': '已中断，没有写出任何文件。',
  'cli.finding.more': '另有：{text}',
  'cli.finding.step': 'step {steps}',
  'cli.finding.rank': 'rank {ranks}',
  'cli.finding.explains': '可解释 {of} 个不一致行中的 {rows} 个',
  'cli.finding.row': '第 {row} 行：{label}，{metric}：{debug} / {bench}',
  'cli.finding.item': '{label}，{metric}：{debug} / {bench}',
  'cli.usage.mapCheck': 'map check 需要一个映射文件，以及两份 dump（或都不给）。',
  'cli.severity.error': '错误',
  'cli.severity.warning': '警告',
  'cli.severity.note': '提示',
  'cli.map.fine': '{file}：没有问题',
  'cli.map.coverage': '调试侧 {ofDebug} 项中匹配 {debug} 项，标杆侧 {ofBench} 项中匹配 {bench} 项',
  'cli.map.taken': '采用（{score}，{all} 项中 {matched} 项吻合）：{what}',
  'cli.map.left': '未采用（{score}）：{what}',
  'job.reading': '读取中',
  'job.comparing': '比对中',
  'job.writing': '写出中',
  'job.done': '完成',
  'job.advising': '查找原因中',
}
