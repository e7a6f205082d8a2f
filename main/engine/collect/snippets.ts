// The code and the commands that a config.json needs around it.
import type {
  CollectCaveat,
  CollectSnippet,
  CollectSnippetId,
  CollectTarget,
  ConfigEffect,
} from '../model/index.ts'
import { isGraph, isMindspore } from './schema.ts'

interface Scene {
  readonly target: CollectTarget
  /** Null where the config cannot be used; then no piece is the one that fits. */
  readonly effect: ConfigEffect | null
  readonly configPath: string
  readonly dumpPath: string
}

const takesModel = ({ level }: ConfigEffect): boolean => level === 'L0' || level === 'mix'

/** The first generation is given the model when it is made, and again with no start. */
const madeWithModel = ({ target, effect }: Scene): boolean =>
  target.version === '1.0' && effect !== null && takesModel(effect)

export function snippetsOf(
  target: CollectTarget,
  effect: ConfigEffect | null,
  dumpPath = './dump_path',
  configPath = './config.json',
): readonly CollectSnippet[] {
  const scene = { target, effect, configPath, dumpPath }
  const code = isMindspore(target.mode) ? mindsporePieces(scene) : torchPieces(scene)
  return [...code.toSorted((a, b) => Number(b.fits) - Number(a.fits)), ...commands(scene)]
}

const piece = (
  id: CollectSnippetId,
  fits: boolean,
  lines: readonly string[],
  caveats: readonly CollectCaveat[] = [],
): CollectSnippet => ({ id, language: 'python', text: `${lines.join('\n')}\n`, fits, caveats })

/** Since 1.2 dropout can be taken out, and what is usual there has changed since. */
const seedLine = ({ target }: Scene): string =>
  target.version === '1.0'
    ? 'seed_all(seed=1234, mode=True)'
    : 'seed_all(seed=1234, mode=True, rm_dropout=True)'

const debuggerLine = ({ configPath }: Scene, more = ''): string =>
  `debugger = PrecisionDebugger(config_path=${JSON.stringify(configPath)}${more})`

const torchHead = (scene: Scene, more = ''): readonly string[] => [
  `from msprobe.pytorch import PrecisionDebugger, seed_all${more}`,
  '',
  seedLine(scene),
  ...(madeWithModel(scene)
    ? ['model = Network()', debuggerLine(scene, ', model=model')]
    : [debuggerLine(scene)]),
]

const torchStart = (scene: Scene): string =>
  scene.effect && takesModel(scene.effect) && !madeWithModel(scene)
    ? 'debugger.start(model)'
    : 'debugger.start()'

const torchLoop = (scene: Scene): readonly string[] => [
  '',
  'for data, label in loader:',
  `    ${torchStart(scene)}`,
  '    loss = loss_fn(model(data), label)',
  '    loss.backward()',
  '    debugger.stop()',
  '    optimizer.step()',
  '    optimizer.zero_grad()',
  '    debugger.step()',
]

function torchPieces(scene: Scene): readonly CollectSnippet[] {
  const { target, effect } = scene
  const gradients = effect?.task === 'grad_probe'
  const kernel = effect?.level === 'L2'
  const debug = effect?.level === 'debug'
  const hooks = effect !== null && !gradients && !kernel && !debug
  const old = target.version !== '26'
  const whole = [...torchHead(scene), ...torchLoop(scene)]
  return [
    piece('torch-loop', hooks, whole, ['no-dropout', 'shuffle', 'singleton']),
    ...torchParts(scene),
    piece('torch-kernel', kernel, whole),
    ...(target.version === '1.0' ? [] : [torchVariables(scene, debug)]),
    old ? torchGradients(scene, gradients) : torchInference(scene),
  ]
}

/** One block, and a group of functions, which the first generation lacks: what a user asks for by hand. */
const torchParts = (scene: Scene): readonly CollectSnippet[] => [
  torchBlock(scene),
  ...(scene.target.version === '1.0' ? [] : [torchGroup(scene)]),
]

const torchBlock = (scene: Scene): CollectSnippet =>
  piece('torch-block', false, [
    ...torchHead(scene),
    '',
    'for data, label in loader:',
    `    ${torchStart(scene)}`,
    '    loss = loss_fn(model(data), label)',
    '    debugger.stop()',
    '    loss.backward()',
    '    debugger.step()',
  ])

const torchGroup = (scene: Scene): CollectSnippet =>
  piece('torch-group', false, [
    ...torchHead(scene, ', module_dump, module_dump_end'),
    '',
    'for data, label in loader:',
    `    ${torchStart(scene)}`,
    '    module_dump(model.layer1, "layer1")',
    '    hidden = model.layer1(data)',
    '    module_dump_end()',
    '    loss = loss_fn(model.rest(hidden), label)',
    '    loss.backward()',
    '    debugger.stop()',
    '    debugger.step()',
  ])

/** Only the newest tells the steps of single variables apart. */
const torchVariables = (scene: Scene, fits: boolean): CollectSnippet =>
  piece('torch-debug', fits, [
    ...torchHead(scene),
    '',
    'for data, label in loader:',
    '    hidden = model.layer1(data)',
    '    debugger.save(hidden, "layer1.output", save_backward=True)',
    '    loss = loss_fn(model.rest(hidden), label)',
    '    loss.backward()',
    ...(scene.target.version === '26' ? ['    debugger.step()'] : []),
  ])

const torchGradients = (scene: Scene, fits: boolean): CollectSnippet =>
  piece('torch-gradients', fits, [
    ...torchHead(scene),
    'debugger.monitor(model)',
    '',
    'for data, label in loader:',
    '    loss = loss_fn(model(data), label)',
    '    loss.backward()',
    '    optimizer.step()',
    '    optimizer.zero_grad()',
  ])

const torchInference = (scene: Scene): CollectSnippet =>
  piece('torch-inference', false, [
    ...torchHead(scene),
    '',
    'debugger.start(model=model, token_range=[1, 3])',
    'output = model.generate(**inputs)',
    'debugger.stop()',
    'debugger.step()',
  ])

const context = (mode: 'PYNATIVE' | 'GRAPH', level?: string): readonly string[] => [
  'import mindspore as ms',
  `ms.set_context(mode=ms.${mode}_MODE, device_target="Ascend"${level === undefined ? '' : `, jit_config={"jit_level": "${level}"}`})`,
  '',
]

function mindsporePieces(scene: Scene): readonly CollectSnippet[] {
  const { target, effect } = scene
  return isGraph(target.mode) ? graphPieces(scene) : pynativePieces(scene, effect)
}

/** The first generation has no seed of its own for MindSpore. */
const seedLines = (scene: Scene): readonly string[] =>
  scene.target.version === '1.0'
    ? ['ms.set_seed(1234)', 'ms.set_context(deterministic="ON")']
    : [seedLine(scene)]

const mindsporeHead = (scene: Scene, imports: readonly string[] = []): readonly string[] => [
  `from msprobe.mindspore import PrecisionDebugger${scene.target.version === '1.0' ? '' : ', seed_all'}`,
  ...imports,
  '',
  ...seedLines(scene),
  debuggerLine(scene),
]

function pynativePieces(scene: Scene, effect: ConfigEffect | null): readonly CollectSnippet[] {
  const { target } = scene
  const kernel = effect?.level === 'L2'
  const debug = effect?.level === 'debug'
  const gradients = effect?.task === 'grad_probe'
  const model = effect !== null && takesModel(effect)
  const hooks = effect !== null && !kernel && !debug && !gradients
  const skipsFirst = effect !== null && effect.step.length > 0 && !effect.step.some(([from]) => from === 0)
  return [
    piece(
      'ms-loop',
      hooks,
      [
        ...context('PYNATIVE'),
        ...mindsporeHead(scene),
        '',
        'model = Network()',
        'for data, label in loader:',
        model ? '    debugger.start(model)' : '    debugger.start()',
        '    loss, grads = ms.value_and_grad(forward, None, model.trainable_params())(data, label)',
        '    debugger.stop()',
        '    optimizer(grads)',
        '    debugger.step()',
      ],
      ['no-dropout', 'shuffle', ...(model ? [] : (['model-needed'] as const))],
    ),
    piece(
      'ms-model',
      false,
      [
        ...context('PYNATIVE'),
        'from mindspore.train import Model',
        ...mindsporeHead(scene, ['from msprobe.mindspore.common.utils import MsprobeStep']),
        '',
        'model = Network()',
        ...(model ? ['debugger.start(model)'] : []),
        'trainer = Model(model, loss_fn=loss_fn, optimizer=optimizer)',
        'trainer.train(1, train_dataset, callbacks=[MsprobeStep(debugger)])',
      ],
      skipsFirst && model ? ['model-api-step'] : [],
    ),
    kernelPiece(scene, kernel),
    ...(target.version === '1.0'
      ? []
      : [
          piece('ms-debug', debug, [
            ...context('PYNATIVE'),
            ...mindsporeHead(scene),
            '',
            'for data, label in loader:',
            '    hidden = model.layer1(data)',
            '    debugger.save(hidden, "layer1.output", save_backward=True)',
          ]),
        ]),
    ...gradientPieces(scene, gradients),
  ]
}

const kernelPiece = (scene: Scene, fits: boolean): CollectSnippet =>
  piece(
    'ms-kernel',
    fits,
    [
      ...context('PYNATIVE'),
      ...mindsporeHead(scene),
      'debugger.start()',
      '',
      'model = Network()',
      'for data, label in loader:',
      '    train_step(data, label)',
      ...(scene.target.version === '26' ? ['    debugger.step()'] : []),
    ],
    ['before-model'],
  )

const gradientPieces = (scene: Scene, fits: boolean): readonly CollectSnippet[] =>
  scene.target.version === '26'
    ? []
    : [
        piece('ms-gradients', fits, [
          ...context(isGraph(scene.target.mode) ? 'GRAPH' : 'PYNATIVE'),
          ...mindsporeHead(scene),
          'optimizer = ms.nn.SGD(model.trainable_params())',
          'debugger.monitor(optimizer)',
          '',
          'train(model, optimizer)',
          ...(isGraph(scene.target.mode) ? ['debugger.stop()'] : []),
        ]),
      ]

function graphPieces(scene: Scene): readonly CollectSnippet[] {
  const { target, effect } = scene
  const jit = target.mode === 'graph-o2' ? 'O2' : 'O0'
  const cells = target.version === '26' && target.mode === 'graph-o0'
  const gradients = effect?.task === 'grad_probe'
  return [
    piece(
      'ms-graph',
      effect !== null && !gradients && effect.level !== 'L0',
      [
        ...context('GRAPH', jit),
        ...mindsporeHead(scene),
        'debugger.start()',
        '',
        'model = Network()',
        'train(model)',
      ],
      ['before-model'],
    ),
    ...(cells
      ? [
          piece('ms-cells', effect?.level === 'L0', [
            ...context('GRAPH', jit),
            ...mindsporeHead(scene),
            '',
            'model = Network()',
            'debugger.start(model)',
            'for data, label in loader:',
            '    train_step(data, label)',
            '    debugger.step()',
          ]),
        ]
      : []),
    ...gradientPieces(scene, gradients),
  ]
}

const packageVersions = { '1.0': '1.0.4', '1.2': '1.2.2', '26': '26.2.0' } as const

function commands({ target, configPath, dumpPath }: Scene): readonly CollectSnippet[] {
  const sh = (id: CollectSnippetId, lines: readonly string[]): CollectSnippet => ({
    id,
    language: 'sh',
    text: `${lines.join('\n')}\n`,
    fits: true,
    caveats: [],
  })
  const name = dumpPath.replace(/\/+$/, '').split('/').at(-1) || 'dump_path'
  return [
    sh('install', [
      `pip install mindstudio-probe==${packageVersions[target.version]}`,
      'pip show mindstudio-probe',
    ]),
    sh('put', ['umask 027', `scp config.json user@server:${quoted(configPath)}`]),
    sh('run', ['bash train.sh 2>&1 | tee train.log']),
    sh('look', [
      `find ${quoted(dumpPath)} -maxdepth 3 -name dump.json | sort`,
      `du -sh ${quoted(dumpPath)}`,
      'grep -n "msprobe" train.log | tail',
    ]),
    sh('fetch', [
      `tar -C ${quoted(parentOf(dumpPath))} -czf ${quoted(`${name}.tar.gz`)} ${quoted(name)}`,
      `scp user@server:${quoted(`${name}.tar.gz`)} .`,
    ]),
  ]
}

const parentOf = (path: string): string => {
  const trimmed = path.replace(/\/+$/, '')
  const at = trimmed.lastIndexOf('/')
  if (at < 0) return '.'
  return at === 0 ? '/' : trimmed.slice(0, at)
}

/** As a shell takes it for one word. */
const quoted = (text: string): string =>
  /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
