// What a training script must be changed by so that it dumps: pieces of text to copy.
export type SnippetKind =
  'session' | 'estimator' | 'tf2' | 'tf_debug' | 'saver' | 'fusion' | 'config' | 'graph'

/** Behind `tf.snippet.`, the key of its title. */
export type SnippetId =
  | 'session.own'
  | 'session.import'
  | 'estimator.own'
  | 'estimator.import'
  | 'tf2.own'
  | 'tf_debug.session'
  | 'tf_debug.estimator'
  | 'tf_debug.dumping'
  | 'saver.save'
  | 'saver.restore'
  | 'saver.summary'
  | 'saver.scale'
  | 'fusion.file'
  | 'fusion.one'
  | 'fusion.session'
  | 'fusion.estimator'
  | 'config.file'
  | 'graph.variables'

export interface Snippet {
  readonly kind: SnippetKind
  readonly id: SnippetId
  readonly language: 'python' | 'json' | 'sh'
  /** The file that it is, where it is a whole one. */
  readonly file: string | null
  readonly text: string
}

/** All of them, with the folder and the steps that stand in them. */
export interface ScriptChanges {
  readonly folder: string
  /** `0`, `0|5|10`. */
  readonly steps: string
  readonly snippets: readonly Snippet[]
}
