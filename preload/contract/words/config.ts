// Words of what surrounds two runs: packages of configuration, checkpoints, logs, and their verb.
export const en = {
  'config.level.error': 'error',
  'config.level.warning': 'warning',
  'config.level.note': 'note',
  'config.side.bench': 'bench',
  'config.side.debug': 'debug',
  'config.verdict.error': 'The two runs were configured differently; what matters most comes first:',
  'config.verdict.warning':
    'The two runs may have been configured differently; what matters most comes first:',
  'config.verdict.pass': 'Nothing that decides about results differs.',
  'config.same': 'without a difference: {parts}',
  'config.rest': '{count} more ({part}); all of them are in the workbook.',
  'config.part-alone': 'Only the {side} package has {name}; it was not compared.',
  'config.part-unreadable': '{name} could not be read and was not compared.',
  'config.weights-differ':
    'Weights differ from step {step} on: on rank {rank} {differ} of {of}, most of all {name} ({stat}, by {share}). Start both runs from the same weights before anything else is compared.',
  'config.weights-alone':
    'Weights on the {side} side only: {count}, the first of them {name} (step {step}, rank {rank}).',
  'config.dataset-differ':
    'Data differ from step {step} on: on rank {rank} {differ} of {of} inputs, the furthest {name} ({stat}, by {share}). Feed both runs the same data before anything else is compared.',
  'config.dataset-alone':
    'Inputs on the {side} side only: {count}, the first of them {name} (step {step}, rank {rank}).',
  'config.hyper-differs': '{name} is {bench} on the bench side and {debug} on the debug side.',
  'config.hyper-named':
    '{name} is {bench} on the bench side; {other} on the debug side is {debug} (taken for the same: {how}).',
  'config.how.name': 'the same name',
  'config.how.mapping': 'another name of it',
  'config.how.similarity': 'the names are alike',
  'config.hyper-alone': 'Only the {side} side sets {name}, to {value} ({file}).',
  'config.env-differs': 'The variable {name} is {bench} on the bench side and {debug} on the debug side.',
  'config.env-named':
    'The variable {name} is {bench} on the bench side, its counterpart {other} {debug} on the debug side.',
  'config.env-alone': 'Only the {side} side knows the variable {name} ({value}).',
  'config.pip-differs': 'The package {name} is {bench} on the bench side and {debug} on the debug side.',
  'config.random-count':
    'Rank {rank} calls {name} {bench} times on the bench side and {debug} times on the debug side, at: {stack}',
  'config.random-alone': 'Only the {side} side calls {name} on rank {rank}, {count} times, at: {stack}',
  'config.ckpt-differ':
    'Of {of} parameters that both checkpoints hold, {differ} differ, most of all {name} (by {share} of its norm).',
  'config.ckpt-shapes': '{count} parameters have other shapes, the first of them {name}.',
  'config.ckpt-only': 'On the {side} side only: {count} parameters, the first of them {name}.',
  'config.rank-odd':
    '{rank} is far from all other ranks in {count} of {of} rows, from {name} on: {metric} is {value}, on the others {others}.',
  'config.collective-differs':
    '{name} should be the same on every rank, as it is on the bench side: {rank} has {value} where others have {others}.',
  'config.ckpt.same': 'Both checkpoints hold the same {count} parameters with the same values.',
  'config.ckpt.differ': 'Of {of} parameters that both checkpoints hold, {differ} differ; the furthest first:',
  'config.ckpt.row': '{name}: by {share} of its norm, cosine {cosine}, at most {most}',
  'config.ckpt.shape': '{name}: {bench} on the bench side, {debug} on the debug side',
  'config.ckpt.more': '{count} more; all of them are in the file.',
  'config.ckpt.alone': 'On the {side} side only: {count}, such as {names}',
  'cli.value.files': 'FILE…',
  'cli.value.two': 'BENCH DEBUG',
  'cli.flag.configCompare': 'two packages (.zip), or two checkpoint folders; the first is the bench',
  'cli.flag.configDump': 'scripts (.sh, .yaml) whose hyper-parameters go into a package',
  'cli.flag.configOutput': 'where the answer goes: a folder, for checkpoints a JSON file, for -d a .zip',
  'cli.flag.configEnv': "with -d: also this process's environment, its secrets hidden",
  'cli.flag.configFailOn':
    'exit code 1 when something differs (error), or also when something may matter (warning)',
  'cli.verb.config_check':
    'compare how two runs were configured: environment, packages, weights, data, settings',
  'cli.about.config_check':
    'Compares two packages of configuration collected beside the runs, or two checkpoints, and says what matters most first. With -d it collects hyper-parameters from scripts. Nothing is unpacked and nothing in a checkpoint is executed.',
  'cli.usage.configWhat': 'config_check needs one of -c and -d.',
  'cli.usage.several': '{option} takes {count} values, {given} were given.',
} as const
export const zh: Record<keyof typeof en, string> = {
  'config.level.error': '错误',
  'config.level.warning': '警告',
  'config.level.note': '提示',
  'config.side.bench': '标杆侧',
  'config.side.debug': '调试侧',
  'config.verdict.error': '两次运行的配置不同，最重要的在前：',
  'config.verdict.warning': '两次运行的配置可能不同，最重要的在前：',
  'config.verdict.pass': '会影响结果的配置没有差异。',
  'config.same': '没有差异：{parts}',
  'config.rest': '另有 {count} 项（{part}），全部列在工作簿中。',
  'config.part-alone': '只有{side}的包含有 {name}，未比较。',
  'config.part-unreadable': '{name} 无法读取，未比较。',
  'config.weights-differ':
    '权重从 step {step} 起就不同：rank {rank} 上 {of} 个中有 {differ} 个，差异最大的是 {name}（{stat}，相差 {share}）。请先让两次运行从相同的权重开始，再比较其他内容。',
  'config.weights-alone': '只有{side}含有的权重共 {count} 个，第一个是 {name}（step {step}，rank {rank}）。',
  'config.dataset-differ':
    '数据从 step {step} 起就不同：rank {rank} 上 {of} 个输入中有 {differ} 个，差异最大的是 {name}（{stat}，相差 {share}）。请先让两次运行使用相同的数据，再比较其他内容。',
  'config.dataset-alone': '只有{side}含有的输入共 {count} 个，第一个是 {name}（step {step}，rank {rank}）。',
  'config.hyper-differs': '{name}：标杆侧为 {bench}，调试侧为 {debug}。',
  'config.hyper-named': '标杆侧 {name} 为 {bench}；调试侧 {other} 为 {debug}（视为同一项：{how}）。',
  'config.how.name': '名称相同',
  'config.how.mapping': '别名',
  'config.how.similarity': '名称相近',
  'config.hyper-alone': '只有{side}设置了 {name}，值为 {value}（{file}）。',
  'config.env-differs': '环境变量 {name}：标杆侧为 {bench}，调试侧为 {debug}。',
  'config.env-named': '标杆侧环境变量 {name} 为 {bench}，调试侧对应的 {other} 为 {debug}。',
  'config.env-alone': '只有{side}有环境变量 {name}（{value}）。',
  'config.pip-differs': '三方包 {name}：标杆侧为 {bench}，调试侧为 {debug}。',
  'config.random-count':
    'rank {rank} 调用 {name} 的次数：标杆侧 {bench} 次，调试侧 {debug} 次，位于：{stack}',
  'config.random-alone': '只有{side}在 rank {rank} 上调用 {name}，共 {count} 次，位于：{stack}',
  'config.ckpt-differ':
    '两个 checkpoint 共有的 {of} 个参数中有 {differ} 个不同，差异最大的是 {name}（相差其范数的 {share}）。',
  'config.ckpt-shapes': '{count} 个参数的形状不同，第一个是 {name}。',
  'config.ckpt-only': '只在{side}存在的参数有 {count} 个，第一个是 {name}。',
  'config.rank-odd':
    '{rank} 在 {of} 行中的 {count} 行与其他所有 rank 相差很大，从 {name} 开始：{metric} 为 {value}，其他 rank 为 {others}。',
  'config.collective-differs':
    '{name} 在各 rank 上应当相同（标杆侧如此）：{rank} 为 {value}，其他为 {others}。',
  'config.ckpt.same': '两个 checkpoint 的 {count} 个参数及其值完全相同。',
  'config.ckpt.differ': '两个 checkpoint 共有的 {of} 个参数中有 {differ} 个不同，差异最大的在前：',
  'config.ckpt.row': '{name}：相差其范数的 {share}，余弦 {cosine}，最大绝对差 {most}',
  'config.ckpt.shape': '{name}：标杆侧为 {bench}，调试侧为 {debug}',
  'config.ckpt.more': '另有 {count} 个，全部列在文件中。',
  'config.ckpt.alone': '只在{side}存在的有 {count} 个，例如 {names}',
  'cli.value.files': '文件…',
  'cli.value.two': '标杆 调试',
  'cli.flag.configCompare': '两个配置包（.zip）或两个 checkpoint 文件夹，第一个为标杆',
  'cli.flag.configDump': '脚本（.sh、.yaml），其中的超参写入配置包',
  'cli.flag.configOutput': '结果存放位置：文件夹；比较 checkpoint 时为 JSON 文件；-d 时为 .zip',
  'cli.flag.configEnv': '与 -d 一起使用：同时写入当前进程的环境变量，其中的机密被隐藏',
  'cli.flag.configFailOn': '有差异（error），或还有可能有影响的内容（warning）时退出码为 1',
  'cli.verb.config_check': '比较两次运行的配置：环境变量、三方包、权重、数据、超参',
  'cli.about.config_check':
    '比较随运行采集的两个配置包，或两个 checkpoint，并首先指出最重要的差异。-d 从脚本采集超参。不解包任何文件，也不执行 checkpoint 中的任何内容。',
  'cli.usage.configWhat': 'config_check 需要 -c 与 -d 之一。',
  'cli.usage.several': '{option} 需要 {count} 个值，现在给出了 {given} 个。',
}
