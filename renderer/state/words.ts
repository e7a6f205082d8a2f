// Texts in the language of the window.
import { useCallback } from 'react'
import { isWordKey, say, type Facts, type Language, type WordKey } from '../../preload/contract/words/index.ts'
import type { Problem } from '../../preload/contract/engine.ts'
import { useWorkbench } from './workbench.ts'

export type { Facts, WordKey }
export type Say = (key: WordKey, facts?: Facts) => string

export function useSay(): Say {
  const language = useWorkbench(s => s.language)
  return useCallback((key, facts) => say(language, key, facts), [language])
}

/** A text whose key comes from the engine; null when this version has none. */
export const sayIf = (language: Language, key: string, facts: Facts = {}): string | null => (isWordKey(key) ? say(language, key, facts) : null)

export function problemText(language: Language, problem: Problem): string {
  const facts = { path: problem.path, ...problem.facts }
  return sayIf(language, `problem.${problem.code}`, facts) ?? say(language, 'problem.unknown', { path: problem.path, code: problem.code, facts: factsText(problem.facts) })
}

const factsText = (facts: Facts): string => Object.entries(facts).map(([key, fact]) => `${key}=${fact}`).join(', ')
