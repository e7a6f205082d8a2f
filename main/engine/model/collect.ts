// What a run is dumped by: a config.json while it is edited, what the tool would do with it, and what to type.
import type { Span, TextEdit } from './mapping.ts'
import type { CollectMode, Side, ToolVersion } from './names.ts'
import type { None } from './problem.ts'

/** Whom a config.json is for. */
export interface CollectTarget {
  readonly mode: CollectMode
  readonly version: ToolVersion
}

/** The facts of each code: what every place that finds it gives, and all that its sentence may name. */
export interface ConfigFacts {
  // The text.
  empty: None
  cut: { line: number }
  syntax: { reason: string }
  'not-utf8': None
  'python-word': { found: string; text: string }
  'single-quotes': None
  backslash: None
  'separator-missing': { sign: string }
  'open-text': None
  'after-end': None
  comment: None
  'trailing-comma': None
  bom: None
  'too-long': { length: number; limit: number }
  'too-deep': { limit: number }
  'no-object': None
  'repeated-key': { key: string }
  'other-tool': { tool: string }
  'is-dump': None
  // Values that the tool refuses.
  'not-bool': { key: string; found: string }
  'not-text': { key: string; found: string }
  'not-list': { key: string; found: string }
  'not-text-list': { key: string; found: string }
  'not-object': { key: string; found: string }
  'not-int': { key: string; found: string }
  'not-number': { key: string; found: string }
  'not-one-of': { key: string; found: string; choices: string }
  'too-small': { key: string; found: string; least: number }
  'out-of-range': { key: string; found: string; range: string }
  'not-ascending': { key: string }
  'not-range': { key: string; found: string; forms: string }
  'range-backwards': { key: string; found: string }
  'too-many': { key: string; limit: number }
  needed: { key: string }
  'needed-task': None
  'task-other-version': { task: string; versions: string }
  'task-not-collecting': { task: string }
  'task-other-framework': { task: string }
  'level-other-version': { level: string; versions: string }
  'all-alone': None
  'too-many-modes': { limit: number }
  'scope-two': { count: number }
  'scope-name': { name: string; form: string }
  'scope-mixed': None
  'scope-one-kind': None
  'scope-and-list': None
  'l2-scope': None
  'l2-list': None
  'l2-scope-one': None
  'l2-task': None
  'async-list': None
  'async-md5': None
  'level-of-task': { task: string; level: string; allowed: string }
  'level-of-mode': { level: string; allowed: string }
  'task-of-mode': { task: string }
  'mode-of-data': { found: string; choices: string }
  'cell-dump-strict': { key: string }
  'nan-output': None
  'fuzz-cpu': None
  'fix-preheat': None
  'fix-stage': None
  'fix-mode': { choices: string }
  'bad-regex': { name: string }
  'load-name': { name: string }
  'load-twice': { name: string }
  'bad-address': { found: string }
  // What the tool takes and leaves out or changes.
  'unknown-key': { key: string }
  'unknown-key-like': { key: string; like: string }
  'foreign-key': { key: string; versions: string }
  'foreign-section': { section: string; task: string }
  'other-framework-key': { key: string }
  'key-of-other-task': { key: string; sections: string }
  'no-effect': { key: string; where: string }
  'level-changed': { level: string; used: string }
  'async-memory': None
  deprecated: { key: string }
  // What is legal and does not do what it seems to.
  'no-level': { used: string }
  'no-task': { used: string }
  'risk-default': None
  'needs-model': { level: string }
  'needs-npu': { task: string }
  'backward-adds': { name: string }
  'needs-path': { key: string; path: string }
  'list-substring': { entry: string; hits: number }
  'list-no-hit': { entry: string }
  'scope-no-hit': { name: string }
  'scope-order': { first: string; second: string }
  'hits-nothing': None
  'rank-alone': None
  'step-beyond': { step: number; steps: number }
  'size-large': { size: string }
  'o2-unsupported': None
  more: { count: number }
}

export interface ConfigFixFacts {
  remove: { key: string }
  'remove-text': None
  rename: { text: string }
  write: { text: string }
  set: { key: string; text: string }
}

export type ConfigFix<Title extends keyof ConfigFixFacts = keyof ConfigFixFacts> =
  Title extends keyof ConfigFixFacts
    ? {
        readonly title: Title
        readonly facts: Readonly<ConfigFixFacts[Title]>
        readonly edits: readonly TextEdit[]
      }
    : never

/** Error: the tool raises. Warning: it leaves out or changes what was asked. Note: it does what may not be meant. */
export type ConfigFinding<Code extends keyof ConfigFacts = keyof ConfigFacts> = Code extends keyof ConfigFacts
  ? Span & {
      readonly severity: 'error' | 'warning' | 'note'
      readonly code: Code
      readonly facts: Readonly<ConfigFacts[Code]>
    }
  : never

export type ConfigDiagnostic = ConfigFinding & { readonly fixes: readonly ConfigFix[] }

/** Values as JSON has them. */
export type ConfigValue =
  null | boolean | number | string | readonly ConfigValue[] | { readonly [key: string]: ConfigValue }

/** What the run would be dumped by, defaults filled in. */
export interface ConfigEffect {
  readonly task: string
  readonly level: string
  /** As ranges; none: all. */
  readonly step: readonly (readonly [from: number, to: number])[]
  readonly rank: readonly (readonly [from: number, to: number])[]
  readonly scope: readonly string[]
  readonly list: readonly string[]
  readonly dataMode: readonly string[]
  /** Calls below this are left out where neither scope nor list chooses; ALL leaves out none. */
  readonly risk: 'ALL' | 'FOCUS' | 'CORE'
}

export interface ConfigCheck {
  readonly diagnostics: readonly ConfigDiagnostic[]
  /** Whether the text is JSON with an object on top: the form can show and change it. */
  readonly readable: boolean
  /** Keys that the tool never reads, `section/key` where they stand in one. */
  readonly ignored: readonly string[]
  /** Null where the tool would raise. */
  readonly effect: ConfigEffect | null
}

/** How the form lets a value be typed. */
export type ConfigInput = 'choice' | 'flag' | 'text' | 'texts' | 'choices' | 'ranges' | 'number' | 'json'

/** One choice and, where the tool would refuse it here, why. */
export interface ConfigChoice {
  readonly value: string
  readonly refused: ConfigFinding | null
}

/** A line of the form. */
export interface ConfigField {
  /** `level`, or `statistics/list`. */
  readonly path: string
  readonly key: string
  readonly input: ConfigInput
  readonly choices: readonly ConfigChoice[]
  /** What the text says; undefined where it says nothing. */
  readonly value?: ConfigValue
  /** What counts where nothing is said. */
  readonly usual: ConfigValue
  /** What the tool does with it as it is; of the worst severity. */
  readonly says: readonly ConfigFinding[]
}

export interface ConfigChange {
  readonly path: string
  /** Undefined takes the key out. */
  readonly value?: ConfigValue
}

/** What a config would have dumped of a run that was dumped before. */
export interface ConfigHits {
  readonly calls: number
  readonly hit: number
  /** Of those that are hit, the first ones. */
  readonly names: readonly string[]
  /** Of one step and rank. */
  readonly bytes: number
  readonly files: number
  /** Tensors whose shape the dump does not hold. */
  readonly unsized: number
  /** Names of the scope and entries of the list that nothing bears. */
  readonly missing: readonly string[]
  /** The second name of the scope runs before the first. */
  readonly backwards: boolean
}

/** A piece of code or a command; behind `collect.snippet.`, the key of its title. */
export type CollectSnippetId =
  | 'torch-loop'
  | 'torch-block'
  | 'torch-group'
  | 'torch-kernel'
  | 'torch-debug'
  | 'torch-inference'
  | 'torch-gradients'
  | 'ms-loop'
  | 'ms-model'
  | 'ms-kernel'
  | 'ms-graph'
  | 'ms-cells'
  | 'ms-debug'
  | 'ms-gradients'
  | 'install'
  | 'put'
  | 'run'
  | 'look'
  | 'fetch'

export type CollectCaveat =
  'model-api-step' | 'model-needed' | 'before-model' | 'no-dropout' | 'shuffle' | 'singleton'

export interface CollectSnippet {
  readonly id: CollectSnippetId
  readonly language: 'python' | 'sh'
  readonly text: string
  /** It is what this config asks for. */
  readonly fits: boolean
  readonly caveats: readonly CollectCaveat[]
}

/** What two dumps must have in common for their difference to be that of the runs. */
export type TakenWhat =
  | 'level'
  | 'task'
  | 'framework'
  | 'tool'
  | 'summary'
  | 'risk'
  | 'data-mode'
  | 'first-shapes'
  | 'first-values'
  | 'dtype'
  | 'parallel'
  | 'calls'
  | 'ranks'
  | 'precision'
  | 'slice'
  | 'seed'

export interface TakenDifference {
  readonly what: TakenWhat
  /** As it is said of each side. */
  readonly debug: string
  readonly bench: string
  /** The side that lacks something, where it is one. */
  readonly side: Side | null
}

/** Whether two dumps were taken alike. */
export interface Taken {
  readonly same: readonly TakenWhat[]
  readonly differ: readonly TakenDifference[]
  /** What neither file tells. */
  readonly unknown: readonly TakenWhat[]
}

/** A key that two texts say differently; absent where one does not say it. */
export interface ConfigDifference {
  readonly path: string
  readonly before?: ConfigValue
  readonly after?: ConfigValue
}

/** A run that would tell suspects apart; behind `experiment.`, the keys of its words. */
export type ExperimentId =
  | 'same-inputs'
  | 'take-alike'
  | 'tensors-here'
  | 'one-on-cpu'
  | 'twin'
  | 'md5-twin'
  | 'deterministic'
  | 'other-seed'

export interface Experiment {
  readonly id: ExperimentId
  /** How sharply it splits the suspects, up to 1. */
  readonly weight: number
  /** The suspect that it is about; '' for the whole run. */
  readonly node: string
  /** The config.json for it; null where the one at hand serves. */
  readonly text: string | null
}
