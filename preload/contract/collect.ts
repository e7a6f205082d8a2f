// What the window may ask of the engine: a config.json while it is edited.
import type {
  CollectSnippet,
  CollectTarget,
  ConfigChange,
  ConfigCheck,
  ConfigDifference,
  ConfigField,
  ConfigHits,
  ConfigValue,
  Experiment,
  PrecheckOrder,
  PrecheckPlan,
  PresetId,
  Side,
  UnitAt,
} from '../../main/engine/model/shared.ts'

export interface CollectView {
  readonly check: ConfigCheck
  readonly fields: readonly ConfigField[]
  /** Beside the opened dump; null where the tool would raise or hits cannot be told. */
  readonly hits: ConfigHits | null
  readonly snippets: readonly CollectSnippet[]
  /** Presets that this version and mode have. */
  readonly presets: readonly PresetId[]
}

export interface CollectApi {
  collectView(
    q: {
      /** The opened dump that it is seen beside; null where none is open. */
      readonly at: UnitAt | null
      readonly text: string
      readonly target: CollectTarget
      readonly side: Side
    },
    s: AbortSignal,
  ): Promise<CollectView>
  /** The text with keys put in, changed or taken out; comments and order of the rest stay. */
  collectEdit(
    q: { readonly text: string; readonly changes: readonly ConfigChange[] },
    s: AbortSignal,
  ): Promise<string>
  /** A whole config as a text. */
  collectText(q: { readonly config: Readonly<Record<string, ConfigValue>> }, s: AbortSignal): Promise<string>
  /** With dump_enable set; null for a text that is no config.json. */
  collectSwitch(q: { readonly text: string; readonly on: boolean }, s: AbortSignal): Promise<string | null>
  /** Null where this version or mode has no such thing. */
  collectPreset(
    q: { readonly preset: PresetId; readonly target: CollectTarget },
    s: AbortSignal,
  ): Promise<string | null>
  /** What one text says otherwise than another, key by key. */
  collectDiff(
    q: { readonly before: string; readonly after: string },
    s: AbortSignal,
  ): Promise<readonly ConfigDifference[]>
  /** How each API of the opened dump, the debug side's, is run on a device; the dump.json is its own. */
  collectPrecheck(
    q: UnitAt & { readonly order: Omit<PrecheckOrder, 'file'> },
    s: AbortSignal,
  ): Promise<PrecheckPlan>
  /** Runs that would split the suspects, the best first, with the config for each. */
  collectNext(q: UnitAt & { readonly target: CollectTarget }, s: AbortSignal): Promise<readonly Experiment[]>
}
