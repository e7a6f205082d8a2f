// How formats name ops and items, one row each.
import type { NameGrammar } from '../model/index.ts'
import { backwardEnd, dottedNames, scopesOf } from './dotted.ts'
import { bodyMark, geNames } from './ge.ts'
import { msprobeNames } from './msprobe.ts'

export { typedPattern, type TypedPattern } from './typed-pattern.ts'
export { callOfGradients } from './gradients.ts'
export { backwardEnd, bodyMark, dottedNames, geNames, msprobeNames, scopesOf }

/** By the id that a packed dump carries. */
export const nameGrammars: Readonly<Record<NameGrammar['id'], NameGrammar>> = {
  msprobe: msprobeNames,
  ge: geNames,
  dotted: dottedNames,
}
