// What kind of difference it is, as sentences.
import type { DifferenceKind } from '../../../main/engine/model/shared.ts'
import { fill, isPlainKey, type Language, say, textOf } from './index.ts'

/** The kind, what is left after it, and on how much it was tested. */
export function differenceLines(language: Language, told: DifferenceKind): readonly string[] {
  const { kind, facts, before, after, whole, elements } = told
  const sampled = whole ? [] : [fill(textOf(language, 'difference.sampled'), { elements })]
  if (kind === null) return [say(language, 'difference.none'), ...sampled]
  const named = Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, worded(language, fact)]),
  )
  const left = {
    mismatched: after?.mismatched ?? 0,
    maxAbs: shown(after?.maxAbs ?? 0),
    before: shown(before?.maxAbs ?? NaN),
  }
  return [
    fill(
      textOf(
        language,
        kind === 'channel' && facts['from'] === facts['to'] ? 'difference.channel-one' : `difference.${kind}`,
      ),
      named,
    ),
    after?.mismatched === 0
      ? say(language, 'difference.equal-after')
      : fill(textOf(language, 'difference.left-after'), left),
    ...sampled,
  ]
}

const shown = (value: number): string => (Number.isNaN(value) ? '-' : String(Number(value.toPrecision(4))))

function worded(language: Language, fact: number | string): string {
  if (typeof fact === 'number') return String(Number(fact.toPrecision(8)))
  const key = `difference.word.${fact}`
  return isPlainKey(key) ? say(language, key) : fact
}
