// What the advisor says: findings with their evidence.
import type { Taken } from './collect.ts'
import type { PairRow, UnitIndex } from './ids.ts'
import type { RowStateName, RuleName, Side, Stat } from './names.ts'
import type { Flip, Made, NodeMade } from './noise.ts'
import type { None } from './problem.ts'

/**
 * The facts of each way in which a difference enters, a kind or `kind.variant`: what every such finding has,
 * and all that its sentence may name besides its node.
 */
export interface FindingFacts {
  'different-input.data': None
  'different-input.constant': None
  'different-weights': None
  'different-weights.several': { several: number }
  'different-weights.whole': { differing: number; all: number }
  origin: None
  'origin.more': None
  'origin.partly': { item: string }
  'origin.noise': None
  'origin.blind': None
  'origin.missing': { missing: Side }
  'origin.gradient': None
  'origin.scale': { item: string; factor: number }
  'origin.rounded': { side: Side; precision: string }
  'origin.law': { wrong: Side; measure: string; found: number; expected: number }
  'origin.module': None
  'origin.module-given': { item: string; module: string; debug: string; bench: string }
  'origin.stored': { differing: number; all: number }
  precision: { debug: string; bench: string }
  shape: { item: string; debug: string; bench: string }
  argument: None
  'argument.quiet': None
  'hidden-producer.overwritten': { from: string; lost: Side }
  'hidden-producer.rewired': { from: string; benchFrom: string }
  'uncovered-entry.forward': { before: string }
  'uncovered-entry.gradient': { before: string }
  'uncovered-entry.module': { reader: string }
  'uncovered-entry.module-given': {
    reader: string
    item: string
    module: string
    debug: string
    bench: string
  }
  'uncovered-entry.scale': { item: string; factor: number }
  'uncovered-entry.nan': { carrier: string }
  'uncovered-entry.updated': { before: string }
  'unmatched-call': None
  'unmatched-call.quiet': None
  'unmatched-call.instead': { instead: string }
  growth: { last: number }
  nan: None
  communication: None
  'communication.nan': None
  'not-decidable.empty': None
  'not-decidable.unmatched': None
  'not-decidable.unknown': None
  'not-decidable.apart': None
  'not-decidable.no-entry': { rows: number }
}

type Way = keyof FindingFacts
type KindOf<Of extends Way> = Of extends `${infer Kind}.${string}` ? Kind : Of
type VariantOf<Of extends Way> = Of extends `${string}.${infer Variant}` ? Variant : ''
export type FindingKind = KindOf<Way>

/** How a difference enters: its kind, the variant of it ('' where there is but one), and the facts of both. */
export type Entry<Of extends Way = Way> = Of extends Way
  ? { readonly kind: KindOf<Of>; readonly variant: VariantOf<Of>; readonly facts: Readonly<FindingFacts[Of]> }
  : never

/** The facts of each likely cause, and of what is said about the noise between two runs. */
export interface HintFacts {
  'hint.dtype': { debug: string; bench: string; step: number }
  'hint.rounded': { side: Side; class: string }
  'hint.argument': { name: string; debug: string; bench: string }
  'hint.zero': { side: Side }
  'hint.sign': None
  'hint.proportional': { factor: number }
  'hint.permuted': None
  'hint.overflow': { class: string; largest: number }
  'hint.training': None
  'hint.random': None
  'hint.epsilon': { relative: number; absolute: number }
  'hint.accumulation': { length: number }
  'hint.reduced-product': None
  'hint.nondeterministic': None
  'hint.communication': None
  'hint.noise-exact': { alike: number }
  'hint.noise-twins': { debug: string; bench: string; calls: number; alike: number; margin: number }
  'hint.noise-twins-exact': { debug: string; bench: string; calls: number }
  'hint.noise-flips.margin': {
    node: string
    calls: number
    flipped: number
    of: number
    margin: number
    noise: number
  }
  'hint.noise-flips.values': { node: string; calls: number }
  'hint.noise-flips.unknown': { node: string; calls: number }
  'hint.noise-profile': { debug: string; bench: string; classes: number; margin: number }
  'hint.noise-floor': { debug: string; bench: string; floor: number }
  'hint.noise-coarse': None
  'hint.noise-reduced': { level: number }
  'hint.noise-renumbered': { ops: number }
}

export type Hint<Key extends keyof HintFacts = keyof HintFacts> = Key extends keyof HintFacts
  ? { readonly key: Key; readonly facts: Readonly<HintFacts[Key]> }
  : never

/**
 * What evidence shows of both sides; `cosine` of both together stands in `debug`; `value` of scalars and of what has no partner, `growth` the error of what
 * came in and of what went out.
 */
export type EvidenceMetric = Stat | 'md5' | 'elements' | 'cosine' | 'value' | 'shape' | 'dtype' | 'growth'

/** One number or pair of numbers that a finding rests on. */
export interface Evidence {
  /** -1 where no row shows it. */
  readonly row: PairRow
  /** Name of the item, or of the op. */
  readonly label: string
  readonly metric: EvidenceMetric
  readonly debug: string
  readonly bench: string
  /** That of its row; of a pair that only the advisor makes, what its row would have. */
  readonly state: RowStateName
  /** Error level of the row in [0,1], NaN when unknown. */
  readonly level: number
}

export interface Explains {
  readonly rows: number
  readonly of: number
  readonly by: 'edges' | 'scope' | 'none'
}

export type Finding = Entry & {
  /** Op key as in dump.json of `side`. */
  readonly node: string
  readonly side: Side
  /** What it was held against, on the other side; '' where there is none. */
  readonly partner: string
  readonly step: number | null
  readonly rank: number | null
  /** All that share it, where there are several. */
  readonly steps?: string
  readonly ranks?: string
  /** Place on the line of time, of how many, behind how many collectives. */
  readonly at: number
  readonly of: number
  readonly collectives: number
  /** Error over what was to be expected where it enters; Infinity where no noise makes it. */
  readonly jump: number
  /** Rows of the comparison that it rests on. */
  readonly rows: readonly PairRow[]
  /** How many of the rows that differ follow from it: along edges, or because they come later. */
  readonly explains: Explains
  readonly evidence: readonly Evidence[]
  /** Of the evidence, rows of its own node that show it: those that differ first, none that agrees. */
  readonly proof: readonly PairRow[]
  readonly hints: readonly Hint[]
  /** What arrived at its node and what the node made itself; null where that is not known. */
  readonly made: Made | null
}

/** What became of a rule: `not-applicable` where the pair has nothing that it is about, `stopped` where it failed itself. */
export interface Checked {
  readonly rule: RuleName
  readonly state: 'pass' | 'fail' | 'not-applicable' | 'stopped'
  /** Places that it looked at, and findings that it has. */
  readonly looked: number
  readonly found: number
  /** What it stopped at, else ''. */
  readonly why: string
}

/** Error level over execution order, thinned to what a plot can show. */
export interface LevelCurve {
  readonly position: Float64Array
  readonly level: Float64Array
  readonly nodes: readonly string[]
  readonly floor: Float64Array
  /** Of the error, what the call made itself. */
  readonly made: Float64Array
  /** Index of the headline in the arrays, -1 when there is none. */
  readonly origin: number
}

/** A tensor that goes to one other rank or comes from it, at a place on the line of time. */
export interface Transfer {
  readonly at: number
  readonly peer: number
  readonly gives: boolean
  readonly tag: number
}

export interface Advice {
  /** Tensors of files were compared, not runs: nothing enters anywhere. */
  readonly stored: boolean
  readonly first: { readonly line: number; readonly node: string; readonly advice: string } | null
  readonly findings: readonly Finding[]
  readonly curve: LevelCurve
  readonly noise: readonly Hint[]
  readonly checked: readonly Checked[]
  /** Calls that make the largest errors of their own, and those that make most of what arrives. */
  readonly makers: readonly NodeMade[]
  readonly amplifiers: readonly NodeMade[]
  /** Choices that rounding turned; what follows from them is no fault. */
  readonly flips: readonly Flip[]
  readonly transfers: readonly Transfer[]
  readonly dumpNext: Readonly<Record<string, unknown>> | null
  /** Calls that the other side does not have. */
  readonly alone: Readonly<Record<Side, number>>
  /** Whether both dumps were taken alike: what differs there is no finding about the runs. Null where msprobe took neither. */
  readonly taken: Taken | null
}

/** How all steps and ranks of a study stand, as far as they are known. */
export interface Overall {
  /** Where to look first: where the earliest or plainest finding is, or else the largest error; null where all agree. */
  readonly first: UnitIndex | null
  /** The same of the run that is shown first alone, where there are several. */
  readonly start: UnitIndex | null
  /** The headline over all that are known; it lies in `first`. */
  readonly finding: Finding | null
  readonly differ: readonly UnitIndex[]
  readonly agree: readonly UnitIndex[]
  /** Nothing differs, but not everything could be decided. */
  readonly undecided: readonly UnitIndex[]
  readonly failed: readonly UnitIndex[]
  /** Still waited for. */
  readonly coming: readonly UnitIndex[]
}
