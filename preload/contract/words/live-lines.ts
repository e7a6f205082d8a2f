// How far a run has been dumped, as lines.
import type { LiveMissing, LiveRank, LiveRun, LiveState } from '../../../main/engine/model/shared.ts'
import { type Language, say } from './index.ts'

const separators: Readonly<Record<Language, string>> = { en: ', ', zh: '，' }

/** A place is said by what it has: without steps by its rank, before ranks are known by its folder. */
export function livePlace(language: Language, { step, rank, name }: LiveRank): string {
  if (step === null) return rank === null ? name : say(language, 'live.place.rank', { rank })
  return rank === null
    ? say(language, 'live.place.step', { step, name })
    : say(language, 'live.place.both', { step, rank })
}

/** What is there of it, beside its state. */
export function liveFacts(language: Language, rank: LiveRank): readonly string[] {
  const { calls, provisional, state, open, last, cut, formerly } = rank
  const hangs = state === 'stalled' && open !== ''
  return [
    ...(calls === null ? [] : [say(language, 'live.calls', { count: calls })]),
    ...(provisional > 0 ? [say(language, 'live.provisional', { count: provisional })] : []),
    ...(hangs ? [say(language, 'live.hangs', { call: open })] : []),
    ...(!hangs && open !== '' ? [say(language, 'live.runs', { call: open })] : []),
    ...(state === 'stalled' && !hangs && last !== '' ? [say(language, 'live.ended', { call: last })] : []),
    ...(cut ? [say(language, 'live.cut')] : []),
    ...(formerly === '' ? [] : [say(language, 'live.formerly', { name: formerly })]),
  ]
}

export const liveText = (language: Language, rank: LiveRank): string =>
  `${livePlace(language, rank)}: ${[say(language, `live.state.${rank.state}`), ...liveFacts(language, rank)].join(separators[language])}`

export const missingText = (language: Language, { step, ranks }: LiveMissing): string =>
  step === null
    ? say(language, 'live.missing-here', { ranks: ranks.join(', ') })
    : say(language, 'live.missing', { step, ranks: ranks.join(', ') })

/** What a run lacks as a whole. */
export const liveRunTexts = (language: Language, run: LiveRun): readonly string[] => [
  ...(run.gone ? [say(language, 'live.gone')] : []),
  ...(!run.gone && run.ranks.length === 0 ? [say(language, 'live.nothing')] : []),
  ...(run.unreadable === '' ? [] : [say(language, 'live.unreadable', { path: run.unreadable })]),
  ...run.missing.map(one => missingText(language, one)),
]

/** How many steps and ranks are in which state: `2 being written, 6 complete`. */
export function liveCounts(
  language: Language,
  ranks: readonly LiveRank[],
  states: readonly LiveState[],
): string {
  const counts = states.flatMap(state => {
    const count = ranks.filter(one => one.state === state).length
    return count === 0
      ? []
      : [say(language, 'live.line.count', { count, state: say(language, `live.state.${state}`) })]
  })
  return counts.join(separators[language])
}
