// What the window may ask of the engine: mapping files while they are edited.
import type {
  UnitAt,
  MappingChange,
  MappingCheck,
  MappingCompletion,
  MappingEntry,
  MappingKind,
  MappingMeeting,
  MappingName,
  MappingPreview,
  MappingProposal,
  MappingRule,
  Result,
  Side,
} from '../../main/engine/model/shared.ts'

interface MappingQuestion extends UnitAt {
  readonly kind: MappingKind
  readonly text: string
}

/** A name of the built-in API table; '' where no entry of the user's overrides it. */
export interface BuiltInName {
  readonly from: string
  readonly to: string
  /** Calls in the open dumps. */
  readonly used: number
  readonly overriddenBy: string
}

export interface MappingApi {
  /** A mapping file with the kind that its form says. */
  mappingOpen(
    q: { readonly path: string },
    s: AbortSignal,
  ): Promise<
    Result<{
      readonly kind: MappingKind
      readonly text: string
      readonly encoding: 'utf-8' | 'utf-16' | 'gb18030' | 'latin-1'
    }>
  >
  /** What a new text of a kind begins with. */
  mappingStart(q: UnitAt & { readonly kind: MappingKind }, s: AbortSignal): Promise<string>
  mappingCheck(q: MappingQuestion, s: AbortSignal): Promise<MappingCheck>
  /** The entry at a place of the text, and what it does. */
  mappingEntry(q: MappingQuestion & { readonly at: number }, s: AbortSignal): Promise<MappingEntry | null>
  mappingComplete(
    q: MappingQuestion & { readonly at: number },
    s: AbortSignal,
  ): Promise<MappingCompletion | null>
  mappingNames(
    q: MappingQuestion & {
      readonly side: Side
      readonly find: string
      readonly show: 'all' | MappingName['state']
      readonly open: readonly string[]
      readonly first: number
      readonly count: number
    },
    s: AbortSignal,
  ): Promise<{ readonly total: number; readonly names: readonly MappingName[] }>
  /** What it takes for two names to meet ('': none chosen), and what stands in the text. */
  mappingMeeting(
    q: MappingQuestion & { readonly debug: string; readonly bench: string },
    s: AbortSignal,
  ): Promise<MappingMeeting>
  /** Whether two ops meet, and what would make them. */
  mappingRule(
    q: UnitAt & { readonly debug: string; readonly bench: string },
    s: AbortSignal,
  ): Promise<MappingRule>
  mappingPropose(
    q: MappingQuestion & { readonly limit: number },
    s: AbortSignal,
  ): Promise<readonly MappingProposal[]>
  /** The text with entries added, changed or taken out; comments and order of the rest stay. */
  mappingEdit(
    q: {
      readonly kind: MappingKind
      readonly text: string
      readonly set: readonly MappingChange[]
      readonly remove: readonly MappingChange[]
    },
    s: AbortSignal,
  ): Promise<Result<string>>
  /** A text as a file holds it: one without entries is still yaml of its kind. */
  mappingSaved(q: { readonly kind: MappingKind; readonly text: string }, s: AbortSignal): Promise<string>
  /** What the text pairs otherwise than another text of its kind. */
  mappingPreview(q: MappingQuestion & { readonly saved: string }, s: AbortSignal): Promise<MappingPreview>
  /** The built-in API table as far as these dumps use it, with the user's overrides. */
  mappingBuiltIn(q: MappingQuestion, s: AbortSignal): Promise<readonly BuiltInName[]>
}
