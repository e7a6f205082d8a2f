// Texts in the language of the window.
import { useCallback } from 'react'
import { say, sayIf, type FactsOf, type PlainKey, type WordKey } from '../../preload/contract/words/index.ts'
import { problemText } from '../../preload/contract/words/problem.ts'
import { useWorkbench } from './workbench.ts'

export { problemText, sayIf, type PlainKey }
export type Say = <Key extends WordKey>(key: Key, ...facts: FactsOf<Key>) => string

export function useSay(): Say {
  const language = useWorkbench(s => s.language)
  return useCallback((key, ...facts) => say(language, key, ...facts), [language])
}
