// Words about noise that was measured, and about errors that were made here or arrived here.
export const en = {
  'cli.verb.noise': 'measure the noise between two healthy runs; save it as a profile for other pairs',
  'cli.about.noise':
    'Twins are two runs of one model that are both healthy: one side run twice, or a pair of the same two devices on which nothing is wrong. Says for each kind of call (operation, direction, dtype, numbers summed) which error it adds and how much of what comes in it hands on. A saved profile is shown in the same way.',
  'cli.flag.noiseOutput':
    'folder for noise_….json, to be given to --noise for pairs of this model or of others',
  'cli.operands.noise': '<run> <twin>, or a saved profile (.json)',
  'cli.usage.noise': '{command} takes two healthy runs or one saved profile; {count} paths were given',
  'cli.noise.of':
    'noise between {debug} and {bench}: {calls} calls met, {alike} of them equal to the bit; margin {margin}',
  'cli.noise.head':
    'operation | dtype | summed | calls | adds: half, 90 %, 99 %, most | hands on: half, 90 %',
  'cli.noise.row': '{op} | {dtype} | {length} | {calls} | {half}, {ninety}, {most}, {largest} | {gain}',
  'cli.noise.all': '(all operations)',
  'cli.noise.backward': '{op} backward',
  'cli.noise.gain': '× {half}, × {ninety}',

  'made.makes': 'Made here: of a difference of {out}, {made} is its own; {arrived} arrived.',
  'made.amplifies':
    'Arrived here: {arrived} came in, and such calls usually make {gain} of each unit; of a difference of {out}, {made} is its own.',
  'made.hands-on':
    'Arrived here: {arrived} came in and is handed on; of a difference of {out}, {made} is its own.',
  'made.damps': 'Arrived here: {arrived} came in, {out} goes out; {made} of it is its own.',
  'made.none': 'No difference arrived and none was made here.',
  'made.from.noise': 'What such calls make of it is known from twins.',
  'made.from.layers': 'What such calls make of it is known from others of their kind in this pair.',
  'made.from.none': 'What such calls make of it is not known; it is taken to be handed on as it is.',
} as const

export const zh: Record<keyof typeof en, string> = {
  'cli.verb.noise': '测量两次正常运行之间的噪声，并保存为画像供其他对比使用',
  'cli.about.noise':
    '孪生运行是同一模型的两次正常运行：同一侧运行两次，或同样两台设备上没有问题的一对。按调用类别（算子、方向、dtype、累加个数）给出它自身增加的误差，以及把传入误差传出多少。已保存的画像以同样方式显示。',
  'cli.flag.noiseOutput': '存放 noise_….json 的文件夹；该文件可用 --noise 提供给本模型或其他模型的对比',
  'cli.operands.noise': '<运行> <孪生运行>，或已保存的画像（.json）',
  'cli.usage.noise': '{command} 需要两次正常运行或一个已保存的画像；给出了 {count} 个路径',
  'cli.noise.of':
    '{debug} 与 {bench} 之间的噪声：{calls} 个调用相互匹配，其中 {alike} 个逐位一致；余量 {margin}',
  'cli.noise.head': '算子 | dtype | 累加个数 | 调用数 | 自身误差：中位、90 %、99 %、最大 | 传出：中位、90 %',
  'cli.noise.row': '{op} | {dtype} | {length} | {calls} | {half}, {ninety}, {most}, {largest} | {gain}',
  'cli.noise.all': '（全部算子）',
  'cli.noise.backward': '{op} 反向',
  'cli.noise.gain': '× {half}, × {ninety}',

  'made.makes': '误差产生于此：误差 {out} 中有 {made} 是自身产生的；传入 {arrived}。',
  'made.amplifies':
    '误差传入于此：传入 {arrived}，此类调用通常把每单位误差放大为 {gain}；误差 {out} 中有 {made} 是自身产生的。',
  'made.hands-on': '误差传入于此：传入 {arrived} 并原样传出；误差 {out} 中有 {made} 是自身产生的。',
  'made.damps': '误差传入于此：传入 {arrived}，传出 {out}；其中 {made} 是自身产生的。',
  'made.none': '没有误差传入，此处也没有产生误差。',
  'made.from.noise': '此类调用对误差的作用由孪生运行得知。',
  'made.from.layers': '此类调用对误差的作用由本对比中的同类调用得知。',
  'made.from.none': '此类调用对误差的作用未知，按原样传出处理。',
}
