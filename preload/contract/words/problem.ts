// What is wrong as sentences, for the window and the command line: problems, and what a mapping text gets wrong.
import type {
  ConfigFinding,
  ConfigFix,
  MappingFinding,
  MappingFix,
  Problem,
} from '../../../main/engine/model/shared.ts'
import { fill, type Language, textOf } from './index.ts'

export const problemText = (language: Language, problem: Problem): string =>
  fill(textOf(language, `problem.${problem.code}`), {
    path: problem.path,
    ...problem.facts,
    ...wordedFacts(language, problem),
  })

/** Facts that are codes themselves. */
const wordedFacts = (language: Language, { code, facts }: Problem): { readonly reason?: string } =>
  code === 'repro-impossible' ? { reason: textOf(language, `recompute.reason.${facts.reason}`) } : {}

export const diagnosticText = (language: Language, { code, facts }: MappingFinding): string =>
  fill(textOf(language, `mapping.says.${code}`), facts)

export const fixText = (language: Language, { title, facts }: MappingFix): string =>
  fill(textOf(language, `mapping.fix.${title}`), facts)

export const configText = (language: Language, { code, facts }: ConfigFinding): string =>
  fill(textOf(language, `config.says.${code}`), facts)

export const configFixText = (language: Language, { title, facts }: ConfigFix): string =>
  fill(textOf(language, `config.fix.${title}`), facts)
