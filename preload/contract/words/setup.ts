// Why something of what surrounds two runs is worth a sentence, said: for the window and the command line.
import type { SetupFinding } from '../../../main/engine/model/shared.ts'
import { fill, type Language, say, textOf } from './index.ts'

export function setupText(language: Language, { reason, facts }: SetupFinding): string {
  const said = {
    ...facts,
    ...('side' in facts && { side: say(language, `config.side.${facts.side}`) }),
    ...('how' in facts && { how: howText(language, facts.how) }),
    ...('share' in facts && { share: shareText(facts.share) }),
  }
  const named = 'other' in facts && facts.other !== facts.name
  if (named && reason === 'hyper-differs') return fill(textOf(language, 'config.hyper-named'), said)
  if (named && reason === 'env-differs') return fill(textOf(language, 'config.env-named'), said)
  return fill(textOf(language, `config.${reason}`), said)
}

/** How two names were taken for the same. */
export function howText(language: Language, how: string): string {
  if (how.startsWith('similarity')) return say(language, 'config.how.similarity')
  return say(language, how === 'mapping' ? 'config.how.mapping' : 'config.how.name')
}

const shareText = (share: number): string =>
  Number.isFinite(share) ? `${Number((share * 100).toPrecision(3))}%` : '–'
