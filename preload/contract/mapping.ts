// Mappings between two dumps: what a text says, what it does, and what could be added to it.
import type { MappingKind } from './engine.ts'
import type { SessionId } from '../../main/engine/model.ts'

/** Where something stands in a mapping text, as offsets. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface TextEdit extends Span {
  readonly text: string
}

export type MappingDiagnosticCode =
  | 'syntax' | 'tab' | 'encoding' | 'alias' | 'too-long' | 'wrong-form' | 'unknown-key' | 'missing-key' | 'unknown-name' | 'unknown-bench-name' | 'uneven-lists'
  | 'unknown-index' | 'repeated-index' | 'repeated-key' | 'matches-nothing' | 'hidden' | 'number-key' | 'same-as-built-in' | 'overrides-built-in' | 'more'

export type MappingFixTitle = 'replace' | 'replace-tab' | 'remove' | 'quote' | 'rename-key' | 'trim-list'

export interface MappingDiagnostic extends Span {
  readonly severity: 'error' | 'warning' | 'note'
  readonly code: MappingDiagnosticCode
  readonly facts: Readonly<Record<string, string | number>>
  readonly fixes: readonly { readonly facts: Readonly<Record<string, string | number>>; readonly title: MappingFixTitle; readonly edits: readonly TextEdit[] }[]
}

/** One entry of a mapping text and what it does to the two dumps. */
export interface MappingEntry extends Span {
  /** What the entry is about, in the form that edits take. */
  readonly change: MappingChange
  /** Calls (layer, api), cells or items that it pairs. */
  readonly matches: number
  readonly examples: readonly (readonly [debug: string, bench: string])[]
  /** Largest error level among the rows it pairs, NaN when unknown. */
  readonly worst: number
}

/** What a mapping of one kind can say; also how the visual editor speaks. */
export type MappingChange =
  | { readonly kind: 'layer'; readonly scope: string; readonly from: string; readonly to: string }
  | { readonly kind: 'cell'; readonly from: string; readonly to: string }
  | { readonly kind: 'data'; readonly from: string; readonly to: string }
  | { readonly kind: 'api'; readonly from: string; readonly to: string; readonly args: readonly (readonly [string, string])[]; readonly outputs: readonly (readonly [string, string])[] }

export interface MappingCheck {
  /** In the order of the text; of very many only the first, the gravest before the others. */
  readonly diagnostics: readonly MappingDiagnostic[]
  /** Of all, shown or not. */
  readonly errors: number
  readonly warnings: number
  readonly coverage: MappingCoverage
}

/** Two names that might meet, and what the text says of them. */
export interface MappingMeeting {
  /** What has to stand in the text so that they meet; null where no text of the kind can say it. */
  readonly change: MappingChange | null
  /** What stands there of the debug name. */
  readonly entry: MappingEntry | null
  readonly debug: MappingName | null
  /** The given name, or the one that the entry says. */
  readonly bench: MappingName | null
}

/** Items with a partner, of all, under the text as it stands. */
export interface MappingCoverage {
  readonly debug: { readonly matched: number; readonly all: number }
  readonly bench: { readonly matched: number; readonly all: number }
}

export interface MappingCompletion {
  readonly from: number
  readonly to: number
  readonly options: readonly { readonly text: string; readonly detail: string }[]
}

export interface MappingProposal {
  readonly id: string
  readonly changes: readonly MappingChange[]
  /** In [0,1]. */
  readonly score: number
  /** How many children, calls or items it would pair, of how many there are. */
  readonly fits: { readonly matched: number; readonly all: number }
  readonly reasons: readonly MappingReason[]
}

/** Why two things are thought to be the same; `weight` is its share of the score. */
export interface MappingReason {
  readonly key: 'name' | 'built-in' | 'place' | 'order' | 'shapes' | 'dtypes' | 'values' | 'children' | 'calls' | 'class'
  readonly weight: number
  readonly facts: Readonly<Record<string, string | number>>
}

/** One thing of a side that a mapping speaks of: a layer below its class, a cell, an api, an item. */
export interface MappingName {
  /** Of a layer: its path. */
  readonly name: string
  /** Of a layer: how deep it lies, whether there is something below, whether that is in the list. */
  readonly depth: number
  readonly below: number
  readonly open: boolean
  readonly scope: string
  readonly detail: string
  readonly count: number
  /** Ambiguous: only some calls have partners, or partners of several names. */
  readonly state: 'matched' | 'unmatched' | 'ambiguous'
  /** Calls with a partner. */
  readonly matched: number
  readonly partner: string
  /** Arguments or outputs of an api: index and shape. */
  readonly inputs: readonly { readonly index: string; readonly detail: string }[]
  readonly outputs: readonly { readonly index: string; readonly detail: string }[]
}

export interface MappingQuestion {
  readonly session: SessionId
  readonly unit: number
  readonly kind: MappingKind
  readonly text: string
}

export interface MappingPreview {
  /** Pairs of items that the text makes and the mapping in force does not, and the other way round; at most 200 each. */
  readonly gained: readonly (readonly [debug: string, bench: string])[]
  readonly lost: readonly (readonly [debug: string, bench: string])[]
  readonly gainedCount: number
  readonly lostCount: number
  readonly coverage: MappingCoverage
}
