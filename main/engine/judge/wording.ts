// How msprobe 1.2.2 spells None, NaN and rows without partner: in three ways, by which of its comparisons wrote
// the table.
import type { Wording } from '../pair/index.ts'
import { Answer } from './answer.ts'

export interface WordingRules {
  /** What stands for None, and for a stack that is not known. */
  readonly none: 'None' | 'N/A'
  /** NaN among the statistics of a row with a partner, and of one without. */
  readonly nan: string
  readonly nanAlone: string
  /** A relative error where the bench is 0. */
  readonly byZero: 'N/A' | 'Nan'
  /** Rows without partner show neither Data_name nor, by the rules of 1.2.2, their md5. */
  readonly hidesUnmatched: boolean
  /** Rows without partner say so. */
  readonly saysUnmatched: boolean
  readonly unmatched: { readonly statistics: Answer; readonly md5: Answer }
  /** Statistics that are not finite are texts by the time that the highlight looks at them. */
  readonly infiniteIsText: boolean
  /** By the rules of 1.2.2: statistics are printed and read again, and warn only if all four are off. */
  readonly readsAgain: boolean
}

const notThere = { statistics: Answer.notThere, md5: Answer.notThere }

export const wordings: Readonly<Record<Wording, WordingRules>> = {
  pytorch: {
    none: 'None',
    nan: 'Nan',
    nanAlone: 'nan\t',
    byZero: 'N/A',
    hidesUnmatched: true,
    saysUnmatched: true,
    unmatched: notThere,
    infiniteIsText: true,
    readsAgain: false,
  },
  mindspore: {
    none: 'N/A',
    nan: 'Nan',
    nanAlone: 'Nan',
    byZero: 'Nan',
    hidesUnmatched: false,
    saysUnmatched: true,
    unmatched: notThere,
    infiniteIsText: false,
    readsAgain: true,
  },
  mapped: {
    none: 'None',
    nan: 'nan\t',
    nanAlone: 'nan\t',
    byZero: 'N/A',
    hidesUnmatched: false,
    saysUnmatched: false,
    unmatched: { statistics: Answer.blank, md5: Answer.different },
    infiniteIsText: true,
    readsAgain: false,
  },
}
