// What a rule set is: whose tables it shows, where it deviates, what it does with graphs.
import type { ZeroRule } from '../measure/index.ts'
import type { Generation, Rules, TableFormat } from '../model/index.ts'
import type { AskingRules } from './asking-rules.ts'
import type { Deviations } from './deviations.ts'
import type { GraphRules } from './graph-rules.ts'

/** How results are written where nobody says. */
export interface Writing {
  readonly table: TableFormat
  readonly graph: 'vis' | 'vis.db'
  /** Results of ranks are named by both folders, where there are several, or always by that of the debug side. */
  readonly ranks: 'several' | 'debug'
  readonly cells: {
    /** Name of the sheet, and whether truth values are cells of their own type in it. */
    readonly sheet: { readonly name: string; readonly truths: boolean }
    /** Csv holds numbers with all their digits, not the 16 of a sheet. */
    readonly shown: boolean
  }
}

/** Until 26.x. */
export const writtenBefore26: Writing = {
  table: 'xlsx',
  graph: 'vis',
  ranks: 'several',
  cells: { sheet: { name: 'Sheet', truths: false }, shown: false },
}

export interface RuleSet {
  readonly id: Rules
  /** The msprobe whose columns, texts and answers it shows. */
  readonly generation: Generation
  /** Where our way is taken instead of that of msprobe 1.2.2. */
  readonly deviates: Deviations
  /** What relative errors of tensors do where the bench is zero. */
  readonly zeros: ZeroRule
  /** Axes of one element of a .pt do not count. */
  readonly squeezes: boolean
  readonly graph: GraphRules
  readonly asking: AskingRules
  readonly writing: Writing
  /** Files hold our own columns behind msprobe's, and a sheet of what only the bench has. */
  readonly extras: boolean
}
