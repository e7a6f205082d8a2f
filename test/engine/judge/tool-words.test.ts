// Every phrase of msprobe that the engine can write is told in Chinese, and left alone in English.
import { expect, test } from 'vitest'
import { highlightTexts } from '../../../main/engine/judge/highlight.ts'
import { answerTexts } from '../../../main/engine/judge/answer.ts'
import { gradeReasons, gradeNames } from '../../../main/engine/judge/grading-26.ts'
import {
  fuzzySentence,
  noBenchFile,
  noBenchRow,
  noNumbers,
  noteTexts,
  outcomeMessage,
} from '../../../main/engine/judge/outcomes.ts'
import { emptyMeasured } from '../../../main/engine/measure/metrics.ts'
import { Outcome } from '../../../main/engine/model/measured.ts'
import { toolText } from '../../../preload/contract/words/tool.ts'

const measured = emptyMeasured(1)
const outcomes = Object.values(Outcome).map(outcome => {
  measured.outcome[0] = outcome
  return outcomeMessage(measured, 0, () => 'x.npy')
})
const phrases = [
  ...outcomes,
  noteTexts(255),
  noBenchRow,
  noBenchFile,
  noBenchRow + fuzzySentence,
  noNumbers,
  'shape unmatched',
  'Need double check api accuracy.',
  ...highlightTexts,
  highlightTexts.join('\n'),
  ...gradeNames,
  ...gradeReasons,
  ...answerTexts.filter(text => text !== 'N/A'),
]
/** What stays as it is written in Chinese texts too. */
const terms = /nan|inf|dtype|requires_grad|CRC-32|NaN|API|x\.npy|[\d.e+-]+/gi

test.each(phrases.filter(text => text !== ''))('%s', text => {
  expect(toolText('en', text)).toBe(text)
  expect(toolText('zh', text).replace(terms, '')).not.toMatch(/[a-z]{2}/i)
})
