// The text that msprobe's advisor writes, with our findings below it.
import { adviceKey, advisorText, firstFailing } from '../judge/index.ts'
import type { Comparison } from '../model/index.ts'

/** `sentence` says what a key of msprobe's advisor means; `findings` are ours. */
export function advisorFile(
  comparison: Comparison,
  sentence: (key: string) => string,
  findings: string,
): string {
  const first = firstFailing(comparison)
  return advisorText(first, sentence(adviceKey(first))) + findings
}
