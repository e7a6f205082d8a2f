// How results are written where nobody says: as the msprobe does whose command line was typed.
import type { Rules } from '../../model/index.ts'
import { ruleSets, type Writing } from '../../rules/index.ts'

interface Typed {
  readonly rules?: Rules | undefined
  /** `-tp`, which 26.x began. */
  readonly target?: string | undefined
}

export const writingOf = ({ rules, target }: Typed): Writing =>
  ruleSets[rules ?? (target === undefined ? 'plumbline' : 'msprobe-26')].writing
