// What a training script must be changed by so that it dumps: texts to copy, with the user's folders in them.
import { join } from '../../io/index.ts'
import type { Snippet, SnippetKind } from '../../model/index.ts'
import { dataFolders, type DataFolders, type DataLayout } from './data-folders.ts'
import { type DumpKind, dumpVariables } from './variables.ts'

export const snippetKinds = [
  'session',
  'estimator',
  'tf2',
  'tf_debug',
  'saver',
  'fusion',
  'config',
  'graph',
] as const satisfies readonly SnippetKind[]

export interface SnippetFacts {
  readonly root: string
  readonly folders: DataFolders
  /** Steps that are dumped: `0`, `0|5|10`. */
  readonly steps: string
  readonly fusionSwitch: string
}

/** What the user does not say is as precision_tool has it. */
export const snippetFacts = (
  root: string,
  layout: DataLayout,
  said: { readonly steps?: string | undefined; readonly fusionSwitch?: string | undefined } = {},
): SnippetFacts => ({
  root,
  folders: dataFolders(root, layout),
  steps: said.steps ?? '0',
  fusionSwitch: said.fusionSwitch ?? join(root, 'fusion_switch.cfg'),
})

export const snippetsOf = (kind: SnippetKind, facts: SnippetFacts): readonly Snippet[] =>
  tables[kind](facts).map(one => ({ language: 'python', file: null, ...one, kind }))

type Written = Pick<Snippet, 'id' | 'text'> & Partial<Snippet>

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`
/** A text of Python: what JSON makes of a path is one as well. */
const py = (text: string): string => JSON.stringify(text)

/** The same script trains, dumps and looks for overflows, as npu_dump and npu_overflow say. */
const switches = [
  'import os',
  '',
  'dump = os.environ.get("PRECISION_TOOL_DUMP") == "True"',
  'overflow = os.environ.get("PRECISION_TOOL_OVERFLOW") == "True"',
]

const tables: Record<SnippetKind, (facts: SnippetFacts) => readonly Written[]> = {
  session: ({ folders, steps }) => [
    {
      id: 'session.own',
      text: lines(
        ...switches,
        '',
        'import tensorflow as tf',
        'from npu_bridge.npu_init import *',
        'from tensorflow.core.protobuf.rewriter_config_pb2 import RewriterConfig',
        '',
        'config = tf.ConfigProto()',
        'options = config.graph_options.rewrite_options.custom_optimizers.add()',
        'options.name = "NpuOptimizer"',
        'options.parameter_map["use_off_line"].b = True',
        'config.graph_options.rewrite_options.remapping = RewriterConfig.OFF',
        'if dump:',
        '    options.parameter_map["enable_dump"].b = True',
        '    options.parameter_map["dump_mode"].s = tf.compat.as_bytes("all")',
        `    options.parameter_map["dump_step"].s = tf.compat.as_bytes(${py(steps)})`,
        `    options.parameter_map["dump_path"].s = tf.compat.as_bytes(${py(folders.dump)})`,
        '    options.parameter_map["op_debug_level"].i = 4',
        'if overflow:',
        '    options.parameter_map["enable_dump_debug"].b = True',
        '    options.parameter_map["dump_debug_mode"].s = tf.compat.as_bytes("all")',
        `    options.parameter_map["dump_path"].s = tf.compat.as_bytes(${py(folders.overflow)})`,
        '    options.parameter_map["op_debug_level"].i = 4',
        '',
        'with tf.Session(config=config) as sess:',
        '    ...',
      ),
    },
    {
      id: 'session.import',
      text: lines(
        'import precision_tool.tf_config as npu_tf_config',
        '',
        'sess = tf.Session(config=npu_tf_config.session_dump_config(config))',
      ),
    },
  ],
  estimator: ({ folders, steps }) => [
    {
      id: 'estimator.own',
      text: lines(
        ...switches,
        '',
        'from npu_bridge.estimator.npu.npu_config import DumpConfig, NPURunConfig',
        '',
        'dump_config = None',
        'if dump:',
        `    dump_config = DumpConfig(enable_dump=True, dump_path=${py(folders.dump)},`,
        `                             dump_step=${py(steps)}, dump_mode="all")`,
        'elif overflow:',
        `    dump_config = DumpConfig(enable_dump_debug=True, dump_path=${py(folders.overflow)},`,
        '                             dump_debug_mode="all")',
        '',
        'run_config = NPURunConfig(dump_config=dump_config)',
      ),
    },
    {
      id: 'estimator.import',
      text: lines(
        'import precision_tool.tf_config as npu_tf_config',
        '',
        'run_config = NPURunConfig(dump_config=npu_tf_config.estimator_dump_config)',
      ),
    },
  ],
  tf2: ({ folders, steps }) => [
    {
      id: 'tf2.own',
      text: lines(
        ...switches,
        '',
        'import npu_device',
        '',
        'options = npu_device.global_options()',
        'if dump:',
        '    options.dump_config.enable_dump = True',
        '    options.dump_config.dump_mode = "all"',
        `    options.dump_config.dump_step = ${py(steps)}`,
        `    options.dump_config.dump_path = ${py(folders.dump)}`,
        'elif overflow:',
        '    options.dump_config.enable_dump_debug = True',
        '    options.dump_config.dump_debug_mode = "all"',
        `    options.dump_config.dump_path = ${py(folders.overflow)}`,
        'npu_device.open().as_default()',
      ),
    },
  ],
  tf_debug: ({ folders }) => [
    {
      id: 'tf_debug.session',
      text: lines(
        'from tensorflow.python import debug as tf_debug',
        '',
        'sess = tf_debug.LocalCLIDebugWrapperSession(sess, ui_type="readline")',
      ),
    },
    {
      id: 'tf_debug.estimator',
      text: lines(
        'from tensorflow.python import debug as tf_debug',
        '',
        'spec = tf.estimator.EstimatorSpec(',
        '    mode, loss=loss, train_op=train_op,',
        '    training_hooks=[tf_debug.LocalCLIDebugHook(ui_type="readline")])',
      ),
    },
    {
      id: 'tf_debug.dumping',
      text: lines(
        'from tensorflow.python import debug as tf_debug',
        '',
        `sess = tf_debug.DumpingDebugWrapperSession(sess, ${py(folders.debugger)})`,
        '',
        `training_hooks = [tf_debug.DumpingDebugHook(${py(folders.debugger)})]`,
      ),
    },
  ],
  saver: ({ folders }) => [
    {
      id: 'saver.save',
      text: lines(
        'with tf.Session() as sess:',
        '    ...',
        `    tf.train.Saver().save(sess, ${py(`${folders.checkpoints}/ckpt`)})`,
        `    tf.train.export_meta_graph(${py(`${folders.meta}/model.meta`)})`,
      ),
    },
    {
      id: 'saver.restore',
      text: lines(
        'with tf.Session() as sess:',
        `    tf.train.Saver().restore(sess, ${py(`${folders.checkpoints}/ckpt`)})`,
        '    ...',
      ),
    },
    {
      id: 'saver.summary',
      text: lines(`writer = tf.summary.FileWriter(logdir=${py(folders.meta)}, graph=sess.graph)`),
    },
    {
      id: 'saver.scale',
      text: lines('scale = sess.run(loss_scale_manager.get_loss_scale())', 'print("loss scale:", scale)'),
    },
  ],
  fusion: ({ fusionSwitch }) => [
    {
      id: 'fusion.file',
      language: 'json',
      file: fusionSwitch,
      text: `${JSON.stringify({ Switch: { GraphFusion: { ALL: 'off' }, UBFusion: { ALL: 'off' } } }, null, 2)}\n`,
    },
    {
      id: 'fusion.one',
      language: 'json',
      file: fusionSwitch,
      text: `${JSON.stringify({ Switch: { GraphFusion: { ConvToFullyConnectionFusionPass: 'off' }, UBFusion: { TbePool2dQuantFusionPass: 'off' } } }, null, 2)}\n`,
    },
    {
      id: 'fusion.session',
      text: lines(`options.parameter_map["fusion_switch_file"].s = tf.compat.as_bytes(${py(fusionSwitch)})`),
    },
    {
      id: 'fusion.estimator',
      text: lines(`run_config = NPURunConfig(fusion_switch_file=${py(fusionSwitch)})`),
    },
  ],
  config: ({ root, steps, fusionSwitch }) => [
    {
      id: 'config.file',
      file: 'precision_tool/config.py',
      text: lines(
        'import os',
        '',
        `TF_DUMP_STEP = ${py(steps)}`,
        `FUSION_SWITCH_FILE = ${py(fusionSwitch)}`,
        'CMD_ROOT_PATH = "/usr/local/"',
        'ASCEND_LOG_PATH = os.path.expanduser("~/ascend/log/plog/")',
        'LOG_LEVEL = "NOTSET"',
        `DATA_ROOT_DIR = ${py(root)}`,
      ),
    },
  ],
  graph: ({ folders }) => [
    { id: 'graph.variables', language: 'sh', text: lines(...exportLines('npu_dump', folders)) },
  ],
}

/** Variables as a shell sets them. */
export const exportLines = (kind: DumpKind, folders: DataFolders): readonly string[] =>
  Object.entries(dumpVariables(kind, folders)).map(([name, value]) =>
    value === null ? `unset ${name}` : `export ${name}=${shellWord(value)}`,
  )

export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
