// Mappings between two dumps: what a text says, what it does, and what could be added to it.
import type { None } from './problem.ts'

/** Where something stands in a mapping text, as offsets. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface TextEdit extends Span {
  readonly text: string
}

/** The facts of each code: what every place that finds it gives, and all that its sentence may name. */
export interface MappingFacts {
  syntax: { reason: string }
  tab: None
  encoding: None
  alias: { limit: number }
  'too-long': { length: number; limit: number }
  'wrong-form': { expected: string }
  'unknown-key': { key: string }
  'missing-key': { key: string }
  'unknown-name': { name: string }
  'unknown-bench-name': { name: string }
  'uneven-lists': { part: string; mine: number; theirs: number }
  'unknown-index': { index: string; known: string }
  'repeated-index': { index: string }
  'repeated-key': { key: string }
  'matches-nothing': { name: string }
  hidden: { key: string }
  'number-key': { key: string }
  'same-as-built-in': None
  'overrides-built-in': { to: string }
  more: { count: number }
}

export interface MappingFixFacts {
  replace: { text: string }
  'replace-tab': None
  remove: { key: string }
  quote: { text: string }
  'rename-key': { text: string }
  'trim-list': None
}

/** A change of the text that mends what a diagnostic says. */
export type MappingFix<Title extends keyof MappingFixFacts = keyof MappingFixFacts> =
  Title extends keyof MappingFixFacts
    ? {
        readonly title: Title
        readonly facts: Readonly<MappingFixFacts[Title]>
        readonly edits: readonly TextEdit[]
      }
    : never

/** Something wrong with a mapping text, without what mends it. */
export type MappingFinding<Code extends keyof MappingFacts = keyof MappingFacts> =
  Code extends keyof MappingFacts
    ? Span & {
        readonly severity: 'error' | 'warning' | 'note'
        readonly code: Code
        readonly facts: Readonly<MappingFacts[Code]>
      }
    : never

export type MappingDiagnostic = MappingFinding & { readonly fixes: readonly MappingFix[] }

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
  | {
      readonly kind: 'api'
      readonly from: string
      readonly to: string
      readonly args: readonly (readonly [string, string])[]
      readonly outputs: readonly (readonly [string, string])[]
    }

export interface MappingCheck {
  /** In the order of the text; of very many only the first, the gravest before the others. */
  readonly diagnostics: readonly MappingDiagnostic[]
  /** Of all, shown or not. */
  readonly errors: number
  readonly warnings: number
  /** Whether the text has a meaning; without one the last text that had one stays in force. */
  readonly readable: boolean
  /** Of the text, or of what is in force where it cannot be read. */
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

/** Of two calls that somebody else than the mapping holds against each other. */
export interface MappingRule {
  /** They meet in the rows. */
  readonly paired: boolean
  /** What makes them, or the modules around a part and its whole, meet; none: only a match by hand does. */
  readonly changes: readonly MappingChange[]
  /** One of the two does a part of what the other does. */
  readonly part: boolean
}

/** Items of a side under the text as it stands. */
export interface SideCoverage {
  readonly matched: number
  /** Free, though all around them has met and nothing like them is free on the other side. */
  readonly alone: number
  /** Calls of modules that are free and may have a counterpart. */
  readonly modules: number
  readonly all: number
}

export interface MappingCoverage {
  readonly debug: SideCoverage
  readonly bench: SideCoverage
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
  readonly key:
    | 'name'
    | 'built-in'
    | 'place'
    | 'order'
    | 'shapes'
    | 'dtypes'
    | 'values'
    | 'children'
    | 'count'
    | 'calls'
    | 'class'
    /** Speaks against the pair: one call does a part of what the other does. */
    | 'part'
  readonly weight: number
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

export interface MappingPreview {
  /**
   * Pairs of items that the text makes and the mapping in force does not, and the other way round; at most
   * 200 each.
   */
  readonly gained: readonly (readonly [debug: string, bench: string])[]
  readonly lost: readonly (readonly [debug: string, bench: string])[]
  readonly gainedCount: number
  readonly lostCount: number
  readonly coverage: MappingCoverage
}
