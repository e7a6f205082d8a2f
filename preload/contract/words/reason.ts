// Why a row is in its state, said: the rule with its numbers, then what is off by less.
import type { Reason, ToldCheck, ToldGrounds } from '../../../main/engine/model/shared.ts'
import { fill, type Language, say, textOf } from './index.ts'

const hundred = 100
const leastPercent = 1e-4

/** An error for reading: percent where that has few digits, a power of ten below. */
function shareText(language: Language, error: number): string {
  if (error >= 1) return say(language, 'reason.whole')
  if (error > 0 && error < leastPercent) return error.toExponential(0)
  return `${Number((error * hundred).toPrecision(2))}${language === 'zh' ? '%' : ' %'}`
}

/** What a finished table rests on; its own texts behind the numbers, as they are. */
function groundsText(language: Language, { checks, standard, texts }: ToldGrounds): string {
  const rule = standard === null ? [] : [say(language, `precision.standard.${standard}`)]
  const said = [...rule, ...checks.map(check => checkText(language, check)), ...texts]
  return said.join(language === 'zh' ? '；' : '; ')
}

function checkText(language: Language, { metric, isRatio, value, limit, verdict }: ToldCheck): string {
  const plain = say(language, `precision.metric.${metric}`)
  const name = isRatio ? say(language, 'precision.told.ratio', { metric: plain }) : plain
  if (limit) return `${name} ${value} ${limit.sign} ${limit.value}`
  return verdict === '' ? `${name} ${value}` : `${name} ${value} (${verdict})`
}

export function reasonText(language: Language, { code, facts, errors, grounds }: Reason): string {
  const share = (fact: string | number): string =>
    typeof fact === 'number' ? shareText(language, fact) : fact
  const [largest = '', ...smaller] = errors.map(({ of, error }) =>
    say(language, `error-of.${of}`, { error: share(error) }),
  )
  const shares = Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, share(fact)]))
  const rule = fill(textOf(language, `reason.${code}`), {
    ...shares,
    largest,
    grounds: grounds ? groundsText(language, grounds) : '',
  }).trim()
  return smaller.length === 0
    ? rule
    : `${rule}\n${say(language, 'reason.smaller', { list: smaller.join(language === 'zh' ? '；' : '; ') })}`
}
