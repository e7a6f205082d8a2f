// Words of TensorFlow runs and raw dumps: the commands around precision_tool's data, and what they say.
export const en = {
  'cli.operands.tf': '<folder>',
  'cli.operands.command': '"<command>"',
  'cli.usage.tf': '{command} needs one folder of a TensorFlow run; {count} paths were given.',
  'cli.usage.tfName': '{command} needs a name behind the folder; {count} words were given.',
  'cli.usage.quote': 'A quote is not closed in: {command}',
  'cli.usage.noProgram': 'There is nothing to run.',
  'cli.flag.shell': 'let the shell of the system read the command',
  'cli.verb.tf': 'work on a TensorFlow run of precision_tool: a prompt, or one of its commands',
  'cli.about.tf':
    'Opens a precision_data folder, or any part of one, and asks for commands line by line; with a command behind the folder, does only that. Nothing is written into the folder.',
  'cli.verb.tf-run': 'run a command of your own',
  'cli.about.tf-run':
    'Runs a command of your own without leaving the prompt. Its words are split as a shell splits them, but no shell runs unless --shell asks for one.',
  'cli.tf.layout.r1': 'precision_tool data: {folder}',
  'cli.tf.layout.r0': 'precision_tool data in the layout of 2021: {folder}',
  'cli.tf.layout.msquickcmp': 'msquickcmp output: {folder}',
  'cli.tf.layout.loose': 'folders of a TensorFlow run: {folder}',
  'cli.tf.side': '{name}: graph files {graphs}, runs {runs}',
  'cli.tf.run': '{name}: dumps {files}, device {devices}, graph {graphs}, step {steps}',
  'cli.tf.reference': 'reference tensors: {files} in {folder}',
  'cli.tf.overflow': 'overflow: {run}',
  'cli.tf.more':
    'fusion results {fusion}, TensorFlow graphs {metas}, comparisons {results}, decoded tensors {decoded}',
  'cli.tf.hint': 'help lists the commands, Tab completes, exit leaves.',
} as const
export const zh: Record<keyof typeof en, string> = {
  'cli.operands.tf': '<文件夹>',
  'cli.operands.command': '"<命令>"',
  'cli.usage.tf': '{command} 需要一个 TensorFlow 运行的文件夹；现在给出了 {count} 个路径。',
  'cli.usage.tfName': '{command} 在文件夹之后需要一个名称；现在给出了 {count} 个词。',
  'cli.usage.quote': '引号没有闭合：{command}',
  'cli.usage.noProgram': '没有给出要运行的命令。',
  'cli.flag.shell': '由系统的 shell 解释该命令',
  'cli.verb.tf': '处理 precision_tool 的 TensorFlow 运行数据：交互命令行，或其中一条命令',
  'cli.about.tf':
    '打开 precision_data 文件夹或其中任意一部分，逐行接受命令；文件夹之后给出命令时只执行该命令。不会向该文件夹写入任何内容。',
  'cli.verb.tf-run': '运行自己的命令',
  'cli.about.tf-run':
    '不退出交互命令行而运行自己的命令。按 shell 的方式拆分单词，但只有给出 --shell 时才真正使用 shell。',
  'cli.tf.layout.r1': 'precision_tool 数据：{folder}',
  'cli.tf.layout.r0': 'precision_tool 数据（2021 年的目录结构）：{folder}',
  'cli.tf.layout.msquickcmp': 'msquickcmp 输出：{folder}',
  'cli.tf.layout.loose': 'TensorFlow 运行的文件夹：{folder}',
  'cli.tf.side': '{name}：计算图文件 {graphs} 个，运行 {runs} 次',
  'cli.tf.run': '{name}：dump 文件 {files} 个，device {devices}，图 {graphs}，step {steps}',
  'cli.tf.reference': '标杆张量：{folder} 中 {files} 个',
  'cli.tf.overflow': '溢出检测：{run}',
  'cli.tf.more': '融合结果 {fusion}，TensorFlow 计算图 {metas}，比对结果 {results}，已解析张量 {decoded}',
  'cli.tf.hint': 'help 列出命令，Tab 键补全，exit 退出。',
}
