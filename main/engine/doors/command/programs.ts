// Programs of the user's that a verb runs: what is asked for, and how a command line becomes words.

import type { Talk } from '../../formats/index.ts'

/** A program to be run. */
export interface ProgramCall {
  /** The program and its arguments, or one text for the system's shell. */
  readonly command: readonly string[] | string
  /** Variables that it gets beside those of this process; null takes one away. */
  readonly variables?: Readonly<Record<string, string | null>>
  /** Answers what the program prints; without it the program has the terminal to itself. */
  readonly talk?: (talk: Talk) => Promise<void>
}

/** Runs a program to its end and answers its exit code; refuses when there is no such program. */
export type RunProgram = (call: ProgramCall, signal: AbortSignal) => Promise<number>

/**
 * The words of a command line: quotes and backslashes keep spaces together, nothing is expanded. Null where a
 * quote is not closed.
 */
export function wordsOf(line: string, backslash = true): readonly string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  for (let i = 0; i < line.length; i++) {
    const char = line[i]
    if (quote !== '' && char === quote) quote = ''
    else if (backslash && char === '\\' && quote !== "'" && i + 1 < line.length) {
      const next = line[++i]
      // Between double quotes a backslash stands for itself before most characters.
      word = (word ?? '') + (quote === '"' && !'"\\$`'.includes(next) ? `\\${next}` : next)
    } else if (quote === '' && (char === '"' || char === "'")) {
      quote = char
      word ??= ''
    } else if (quote === '' && /\s/.test(char)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + char
  }
  if (quote !== '') return null
  return word === null ? words : [...words, word]
}
