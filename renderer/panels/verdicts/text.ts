// What a table of verdicts is called, and the rule that its rows go by.
import type { VerdictDetail, VerdictTable } from '../../../preload/contract/engine.ts'
import type { PlainKey, Say } from '../../state/words.ts'

export function titleOf(say: Say, { holds, generation }: VerdictTable): string {
  if (holds === 'judged') return say('verdicts.holds.judged', { generation: generation ?? '' })
  const title = say(`verdicts.holds.${holds}`)
  return generation ? `${title} · ${say('verdicts.written', { generation })}` : title
}

const floats = /float/
/** The sentence of the rule that a row goes by; null where its file does not say which. */
export function ruleOf({ holds }: VerdictTable, { standard, deviceType }: VerdictDetail): PlainKey | null {
  if (standard) return `verdicts.rule.${standard}`
  if (holds === 'details') return floats.test(deviceType) ? 'verdicts.rule.status' : 'verdicts.rule.exact'
  return holds === 'mindspore' || holds === 'free' || holds === 'compiled' ? `verdicts.rule.${holds}` : null
}
