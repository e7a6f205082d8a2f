// The words of reports in one language: what the engine asks for when it writes texts and pages.
import type { ReportWords } from './engine/doors/window/index.ts'
import {
  adviceLines,
  claimLines,
  evidenceTexts,
  findingText,
  kindText,
  makerLines,
  nothingLines,
} from '../preload/contract/words/advice.ts'
import { findingRecomputedLines } from '../preload/contract/words/recomputed.ts'
import { isPlainKey, say, sayIf, type Language } from '../preload/contract/words/index.ts'
import { takenEffects, takenLine } from '../preload/contract/words/taken.ts'

export const sentences = (language: Language): ReportWords => ({
  language,
  // The file keeps the reference's language in its first lines.
  advice: key => say('en', isPlainKey(key) ? key : 'advice.passed'),
  adviceText: (advice, counts, recomputed) => {
    const whose = recomputed ? findingRecomputedLines(language, recomputed) : []
    const lines = [...adviceLines(language, advice, counts), ...makerLines(language, advice), ...whose]
    return `${lines.join('\n')}\n`
  },
  recomputed: found => findingRecomputedLines(language, found),
  taken: ({ taken }) => (taken ? [takenLine(language, taken), ...takenEffects(language, taken)] : []),
  nothing: (advice, counts) => nothingLines(language, advice, counts),
  say: (key, facts) => sayIf(language, key, facts) ?? key,
  findings: advice =>
    advice.findings.map(finding => ({
      kind: kindText(language, finding),
      sentence: findingText(language, finding),
      evidence: finding.evidence.map(one => ({ ...one, ...evidenceTexts(language, one) })),
      lines: claimLines(language, finding),
    })),
})
