// Why a row is in its state, said: the rule with its numbers, then what is off by less.
import type { Reason } from '../../../main/engine/model/shared.ts'
import { fill, type Language, say, textOf } from './index.ts'

const hundred = 100
const leastPercent = 1e-4

/** An error for reading: percent where that has few digits, a power of ten below. */
function shareText(language: Language, error: number): string {
  if (error >= 1) return say(language, 'reason.whole')
  if (error > 0 && error < leastPercent) return error.toExponential(0)
  return `${Number((error * hundred).toPrecision(2))}${language === 'zh' ? '%' : ' %'}`
}

export function reasonText(language: Language, { code, facts, errors }: Reason): string {
  const share = (fact: string | number): string =>
    typeof fact === 'number' ? shareText(language, fact) : fact
  const [largest = '', ...smaller] = errors.map(({ of, error }) =>
    say(language, `error-of.${of}`, { error: share(error) }),
  )
  const shares = Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, share(fact)]))
  const rule = fill(textOf(language, `reason.${code}`), { ...shares, largest }).trim()
  return smaller.length === 0
    ? rule
    : `${rule}\n${say(language, 'reason.smaller', { list: smaller.join(language === 'zh' ? '；' : '; ') })}`
}
