// What surrounds two runs, compared: why something is worth a sentence, and tables whose rows say how much they matter.
import type { SheetLevel } from './names.ts'

type Fact = string | number
interface NamedValues {
  name: Fact
  bench: Fact
  debug: Fact
}
interface OfSide {
  side: 'bench' | 'debug'
}
interface Differing {
  step: number
  rank: number
  differ: number
  of: number
  name: string
  stat: string
  share: number
}
interface Alone extends OfSide {
  count: number
  name: string
  step: number
  rank: number
}

/** The facts of each sentence. */
export interface SetupFacts {
  'part-alone': OfSide & { name: string }
  'part-unreadable': { name: string }
  'weights-differ': Differing
  'weights-alone': Alone
  'dataset-differ': Differing
  'dataset-alone': Alone
  'hyper-differs': NamedValues & { other: Fact; how: string }
  'hyper-alone': OfSide & { name: string; value: Fact; file: string }
  'env-differs': NamedValues & { other: Fact }
  'env-alone': OfSide & { name: string; value: Fact }
  'pip-differs': NamedValues
  'random-count': NamedValues & { rank: number; stack: string }
  'random-alone': OfSide & { name: string; rank: number; count: Fact; stack: string }
  'ckpt-differ': { differ: number; of: number; name: string; share: number }
  'ckpt-shapes': { count: number; name: string }
  'ckpt-only': OfSide & { count: number; name: string }
  'rank-odd': {
    rank: string
    count: number
    of: number
    name: string
    metric: string
    value: Fact
    others: Fact
  }
  'collective-differs': { name: string; rank: string; value: Fact; others: Fact }
}

export type SetupReason = keyof SetupFacts

export type SetupFinding<R extends SetupReason = SetupReason> = R extends SetupReason
  ? {
      /** Id of the table that it speaks of. */
      readonly part: string
      readonly level: Exclude<SheetLevel, 'pass'>
      readonly reason: R
      readonly facts: Readonly<SetupFacts[R]>
    }
  : never

export type SheetsHold = 'package' | 'ranks' | 'settings'

export interface SheetColumn {
  /** Known ones have words; others, such as those of ranks, are called by it. */
  readonly id: string
  /** Numbers are set flush and sorted by their size. */
  readonly numeric: boolean
}

export type SheetCounts = Readonly<Record<SheetLevel, number>>

export interface SheetInfo {
  readonly id: string
  readonly columns: readonly SheetColumn[]
  readonly counts: SheetCounts
}

export interface SheetsInfo {
  readonly holds: SheetsHold
  readonly sheets: readonly SheetInfo[]
  /** What matters most comes first; not all where there are many. */
  readonly findings: readonly SetupFinding[]
  readonly count: number
  /** How many findings are of which level. */
  readonly levels: SheetCounts
}

export interface SheetAsked {
  readonly sheet: number
  /** None: rows of every level. */
  readonly levels: readonly SheetLevel[]
  readonly text: string
  /** Null: what matters most comes first. */
  readonly sort: { readonly column: number; readonly down: boolean } | null
}

export interface SheetRow {
  readonly level: SheetLevel
  /** Null: nothing on that side. */
  readonly cells: readonly (string | number | null)[]
}

export interface SheetPage {
  readonly total: number
  readonly first: number
  readonly rows: readonly SheetRow[]
}
