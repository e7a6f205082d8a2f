// The words of reports in one language: what the engine asks for when it writes texts and pages.
import type { ReportWords } from './engine/index.ts'
import { adviceLines, findingLines, findingText, nothingLines } from '../preload/contract/words/advice.ts'
import { isWordKey, say, type Language } from '../preload/contract/words/index.ts'

export const sentences = (language: Language): ReportWords => ({
  language,
  // The file keeps the reference's language in its first lines.
  advice: key => say('en', isWordKey(key) ? key : 'advice.passed'),
  adviceText: (advice, counts) => `${adviceLines(language, advice, counts).join('\n')}\n`,
  nothing: (advice, counts) => nothingLines(language, advice, counts),
  say: (key, facts) => (isWordKey(key) ? say(language, key, facts) : key),
  findings: advice => advice.findings.map(finding => ({ title: findingText(language, finding), lines: findingLines(language, finding) })),
})
