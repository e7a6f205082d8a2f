// What recomputing says of a call as sentences, for the command line and the window.
import type {
  DirectionAnswer,
  FindingRecomputed,
  ItemAnswer,
  RecomputedCall,
  RecomputedState,
  Side,
} from '../../../main/engine/model/shared.ts'
import { say, type Language } from './index.ts'

const sides: readonly Side[] = ['debug', 'bench']

/** A call by the name that the side under test gives it. */
export const recomputedName = ({ debug, bench, direction }: RecomputedCall): string =>
  `${debug?.call ?? bench?.call ?? ''}.${direction}`

export const recomputedStateText = (language: Language, state: RecomputedState): string =>
  say(language, `recompute.state.${state}`)

/** Two telling digits, in full: `3,000`. */
export const timesText = (language: Language, ratio: number): string =>
  Number(ratio.toPrecision(2)).toLocaleString(language, { maximumSignificantDigits: 2 })

/** The answer to "is it this operation, or its inputs?", and what else is to be known of it. */
export const recomputedLines = (language: Language, call: RecomputedCall): readonly string[] => [
  answerText(language, call),
  ...sides.flatMap(side => remarks(language, call, side)),
]

function answerText(language: Language, call: RecomputedCall): string {
  const { state } = call
  if (state === 'debugWrong' || state === 'benchWrong') {
    const side: Side = state === 'debugWrong' ? 'debug' : 'bench'
    return `${say(language, `recompute.answer.${state}`)} ${offText(language, call, side)} ${otherText(language, call, side)}`.trim()
  }
  if (state === 'wrong')
    return `${say(language, 'recompute.answer.wrong')} ${offText(language, call, 'debug')}`
  if (state === 'bothWrong')
    return [
      say(language, 'recompute.answer.bothWrong'),
      ...sides.map(side =>
        say(language, 'recompute.of-side', {
          side: sideText(language, side),
          text: offText(language, call, side),
        }),
      ),
    ].join(' ')
  if (state === 'skipped') return skippedText(language, call)
  if (state !== 'right') return say(language, `recompute.answer.${state}`)
  const right = sides.find(side => call[side]?.status === 'computed') ?? 'debug'
  const other = otherText(language, call, right)
  if (other === '') return say(language, 'recompute.answer.right')
  return `${say(language, 'recompute.answer.right-side', { side: sideText(language, right) })} ${other}`
}

const sideText = (language: Language, side: Side): string => say(language, `side.${side}`)

/** By how much the results of a side are off. */
function offText(language: Language, { outputs }: RecomputedCall, side: Side): string {
  const wrong = outputs.flatMap(output => output[side] ?? []).filter(({ verdict }) => verdict === 'error')
  const [worst] = wrong.toSorted((a, b) => (b.ratio ?? Infinity) - (a.ratio ?? Infinity))
  return worst ? itemOff(language, worst) : ''
}

function itemOff(language: Language, { ratio, note, mismatches, count }: ItemAnswer): string {
  if (note !== '') return say(language, `recompute.note.${note}`)
  if (ratio === null || ratio === 0) return say(language, 'recompute.off.exact', { mismatches, count })
  return say(language, 'recompute.off.times', { times: timesText(language, ratio) })
}

/** What is known of the side that is not the one spoken of; '' where there is none. */
function otherText(language: Language, call: RecomputedCall, than: Side): string {
  const other: Side = than === 'debug' ? 'bench' : 'debug'
  const answer = call[other]
  if (!answer) return ''
  if (answer.status === 'skipped')
    return say(language, 'recompute.other.skipped', {
      side: sideText(language, other),
      reason: reasonText(language, answer),
    })
  return call.outputs.some(output => output[other])
    ? say(language, 'recompute.other.right', { side: sideText(language, other) })
    : ''
}

/** Why a direction was not computed, with what it is about. */
function reasonText(language: Language, { reason, detail }: DirectionAnswer): string {
  const text = say(language, `recompute.reason.${reason === '' ? 'noOutput' : reason}`)
  return detail === '' ? text : say(language, 'recompute.reason-detail', { reason: text, detail })
}

function skippedText(language: Language, { debug, bench }: RecomputedCall): string {
  const answers = [debug, bench].flatMap(answer => (answer?.status === 'skipped' ? [answer] : []))
  const texts = [...new Set(answers.map(answer => reasonText(language, answer)))]
  return say(language, 'recompute.answer.skipped', { reason: texts.join('; ') })
}

/** What else is to be known of the results of a side that were not called wrong. */
function remarks(language: Language, call: RecomputedCall, side: Side): readonly string[] {
  const items = call.outputs.flatMap(output => output[side] ?? [])
  const texts = items.flatMap(({ verdict, note, ratio, sampled, count }) => [
    ...(verdict !== 'error' && note !== '' ? [say(language, `recompute.note.${note}`)] : []),
    ...(verdict === 'warning' && note === '' && ratio !== null
      ? [say(language, 'recompute.off.edge', { times: timesText(language, ratio) })]
      : []),
    ...(sampled === null ? [] : [say(language, 'recompute.sampled', { sampled, count })]),
  ])
  return [...new Set(texts)].map(text =>
    call.bench === null ? text : say(language, 'recompute.of-side', { side: sideText(language, side), text }),
  )
}

/** What recomputing says of where the error enters. */
export function findingRecomputedLines(
  language: Language,
  { call, calls, computed }: FindingRecomputed,
): readonly string[] {
  const [answer = '', ...more] = recomputedLines(language, call)
  if (calls === 1) return [answer, ...more]
  return [say(language, 'recompute.inside', { calls, computed, call: recomputedName(call), answer }), ...more]
}
