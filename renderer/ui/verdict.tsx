// A verdict of single calls: a pill in the pre-check's own words, and what decided as a sentence.
import type { JSX } from 'react'
import type { VerdictCheck, VerdictLine, VerdictReason, VerdictState } from '../../preload/contract/engine.ts'
import { shortNumber } from '../state/format.ts'
import { useSay, type Say } from '../state/words.ts'

const marks: Readonly<Record<VerdictState, readonly [mark: string, look: string]>> = {
  error: ['✕', 'differs'],
  warning: ['!', 'may'],
  missing: ['∅', 'unpaired'],
  pass: ['✓', 'equal'],
  skip: ['?', 'incomparable'],
}

export function VerdictPill({ is }: { readonly is: VerdictState }): JSX.Element {
  const say = useSay()
  const [mark, look] = marks[is]
  return (
    <span className={`row-state ${look}`} data-verdict={is}>
      <span aria-hidden="true">{mark}</span>
      {say(`verdicts.state.${is}`)}
    </span>
  )
}

/** Limits are round numbers. */
export const limitText = (value: number): string => String(Number(value.toPrecision(3)))

function checkText(say: Say, { metric, npu, ratio, limit }: VerdictCheck): string {
  const isRatio = limit ? limit.of === 'ratio' : ratio !== null
  const value = (isRatio ? ratio : npu) ?? NaN
  const facts = { metric: say(`precision.metric.${metric}`), value: shortNumber(value) }
  if (!limit) return say(isRatio ? 'verdicts.ratio-told' : 'verdicts.told', facts)
  const limited = { ...facts, sign: limit.sign, limit: limitText(limit.value) }
  return say(isRatio ? 'verdicts.ratio-of' : 'verdicts.alone', limited)
}

export function verdictReason(say: Say, reason: VerdictReason): string {
  if (reason.why !== 'blank') return say(`verdicts.why.${reason.why}`)
  const { metric, side } = reason
  return say('verdicts.why.blank', {
    metric: say(`precision.metric.${metric}`),
    side: say(`verdicts.${side}`),
  })
}

/** What stands below a name. */
export function verdictText(say: Say, { check, reason, standard, status, state }: VerdictLine): string {
  const rule = standard === null ? '' : say(`precision.standard.${standard}`)
  const told = check
    ? checkText(say, check)
    : reason
      ? verdictReason(say, reason)
      : state === 'skip'
        ? status
        : ''
  return [rule, told].filter(Boolean).join(' · ')
}
