// Problems as sentences: each once, and of many alike only the first few.
import type { Problem } from '../engine/model/shared.ts'
import type { Language } from '../../preload/contract/words/index.ts'
import { problemText } from '../../preload/contract/words/problem.ts'
import type { Terminal } from './terminal.ts'

/** Problems of a kind that are spelled out; `--json` holds all. */
const spelledOut = 20

export interface Problems {
  readonly all: readonly (Problem & { readonly text: string })[]
  tell(problem: Problem): void
  /** How many more of each kind there were. */
  sum(): void
}

export function openProblems(terminal: Terminal): Problems {
  const all: (Problem & { readonly text: string })[] = []
  const told = new Set<string>()
  const kinds = new Map<string, number>()
  return {
    all,
    tell(problem) {
      const text = lineOf(terminal.language, problem)
      if (told.has(text)) return
      told.add(text)
      all.push({ ...problem, text })
      const count = (kinds.get(problem.code) ?? 0) + 1
      kinds.set(problem.code, count)
      if (count <= spelledOut) terminal.note(text, problem.severity)
    },
    sum() {
      for (const [code, count] of kinds) {
        const example = all.find(one => one.code === code)
        if (example && count > spelledOut)
          terminal.note(
            terminal.say('cli.more', { count: count - spelledOut, text: example.text }),
            example.severity,
          )
      }
    },
  }
}

/** The sentence in one line. */
function lineOf(language: Language, problem: Problem): string {
  const line = problemText(language, problem)
    .replace(/\s*\n\s*(?!at )/g, ' ')
    .trim()
  // Mappings are told about in the window beside their text, here by their file.
  return problem.code.startsWith('mapping') && !line.includes(problem.path)
    ? `${problem.path}: ${line}`
    : line
}
