// What is wrong as sentences, for the window and the command line: problems, and what a mapping text gets wrong.
import type {
  ConfigFinding,
  ConfigFix,
  MappingFinding,
  MappingFix,
  Problem,
} from '../../../main/engine/model/shared.ts'
import { fill, type Language, textOf } from './index.ts'

export const problemText = (language: Language, { code, path, facts }: Problem): string =>
  fill(textOf(language, `problem.${code}`), { path, ...facts })

export const diagnosticText = (language: Language, { code, facts }: MappingFinding): string =>
  fill(textOf(language, `mapping.says.${code}`), facts)

export const fixText = (language: Language, { title, facts }: MappingFix): string =>
  fill(textOf(language, `mapping.fix.${title}`), facts)

export const configText = (language: Language, { code, facts }: ConfigFinding): string =>
  fill(textOf(language, `config.says.${code}`), facts)

export const configFixText = (language: Language, { title, facts }: ConfigFix): string =>
  fill(textOf(language, `config.fix.${title}`), facts)
