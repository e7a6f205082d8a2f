// What a rule is: it names the tables that it sees, is asked at moments of the walk over both sides, and answers
// with how a difference enters there.
import type { BenchOp, BenchItem, DebugItem, DebugOp, Entry, RuleName, TimeStep } from '../../model/index.ts'
import type { Expectation } from '../expect.ts'
import type { Case, Links, Meeting, Role } from '../links.ts'

/** All that can be known of a pair; a rule gets the tables that it names and no other. */
export interface Tables extends Case {
  readonly links: Links
  readonly expect: Expectation
  /** Up to this, weights may differ without meaning anything. */
  readonly weightTolerance: number
  /** The sides are of different dtypes from the start: that says how one was run. */
  readonly castRun: boolean
}

/** How a difference enters; what is not said is that of the moment. */
export interface Entered {
  readonly entry: Entry
  readonly debug?: DebugOp
  readonly bench?: BenchOp
  readonly at?: TimeStep
  /** Debug items that it rests on, and others that show it. */
  readonly items?: readonly DebugItem[]
  readonly proof?: readonly DebugItem[]
  /** Error over what was to be expected; not said: evidence that no noise makes. */
  readonly jump?: number
  /** False where what comes later need not follow from it. */
  readonly spreads?: false
}

/** `pass`: it was looked at and is in order; null: nothing that this rule is about. */
export type Verdict = Entered | 'pass' | null

/** Where on both sides a rule is asked. */
interface Place {
  readonly debug: DebugOp
  readonly bench: BenchOp
  readonly at: TimeStep
  /** A difference has been seen before: what nothing explains may come from it. */
  readonly dirty: boolean
}

/** A value that is no tensor, of a call that both sides make. */
export interface ArgumentSeen extends Place {
  readonly item: DebugItem
  readonly differs: boolean
}

/** A tensor that a call reads. */
export interface InputSeen extends Place {
  readonly item: DebugItem
  readonly partner: BenchItem
  readonly role: Role
  /** Neither weight nor statistic, and of a call inside which nothing was recorded. */
  readonly isData: boolean
  readonly differs: boolean
  /** What a module gets, whose calls do not all meet. */
  readonly entering: boolean
  /** It differs by more than what came before explains. */
  readonly stands: boolean
  /** The edge to what made it holds to the bit on one side alone, and noise acts inside calls. */
  readonly broken: boolean
  readonly meeting: Meeting
}

/** What a call gives. */
export interface OutputsSeen extends Place {
  /** Results that stand out, and by how much the worst of them; none where all is in order. */
  readonly hit: readonly DebugItem[]
  readonly jump: number
  /** It is here that they came to differ. */
  readonly enters: boolean
  /** No noise makes it. */
  readonly exact: boolean
  /** NaN or infinity that did not come in. */
  readonly nonFinite: boolean
  /** A call behind the last gradient: of an optimizer, or of the next pass. */
  readonly settled: boolean
  /** A result of another type, -1: none. */
  readonly cast: DebugItem
  /** Results that one side alone has. */
  readonly oneSided: readonly DebugItem[]
}

/** The gradient of a parameter. */
export interface GradientSeen extends Place {
  readonly item: DebugItem
  readonly differs: boolean
}

/** The whole pair, where nothing else was found. */
export type QuietSeen = Place

export interface Moments {
  readonly argument: ArgumentSeen
  readonly input: InputSeen
  readonly outputs: OutputsSeen
  readonly gradient: GradientSeen
  readonly quiet: QuietSeen
}
export type Moment = keyof Moments

/** Several where one moment shows several. */
export type Verdicts = Verdict | readonly Entered[]

export type Handlers = { readonly [At in Moment]?: (seen: Moments[At]) => Verdicts }

export interface Rule {
  readonly name: RuleName
  /** Null where it says nothing of such a pair. */
  begin(tables: Tables): Handlers | null
}

/** A rule whose tables are those that it needs: another one is not even there. */
export const rule = <const Needs extends keyof Tables>(
  name: RuleName,
  needs: readonly Needs[],
  begin: (tables: Pick<Tables, Needs>) => Handlers | null,
): Rule => ({
  name,
  begin: tables =>
    begin(Object.fromEntries(needs.map(need => [need, tables[need]])) as unknown as Pick<Tables, Needs>),
})
