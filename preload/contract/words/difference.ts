// What kind of difference it is, as sentences.
import type { DifferenceKind } from '../../../main/engine/model/shared.ts'
import { fill, isPlainKey, type Language, say, textOf } from './index.ts'

/** What the sides are called where it is said. */
export interface SideNames {
  readonly left: string
  readonly right: string
}

/** The kind, also inside of the place that it names, what is left after it, and on how much it was tested. */
export function differenceLines(
  language: Language,
  told: DifferenceKind,
  sides: SideNames,
): readonly string[] {
  const { kind, before, apart, whole, elements } = told
  const sampled = whole ? [] : [fill(textOf(language, 'difference.sampled'), { elements })]
  if (kind === null) return [say(language, 'difference.none'), ...sampled]
  const chain = chainOf(told)
  const inside = chain.slice(1).map(one => kindText(language, one, sides))
  const mismatched = chain.reduce((sum, { after }) => sum + (after?.mismatched ?? 0), 0)
  const left = chain.every(({ exact }) => exact) ? 'difference.rounding-after' : 'difference.left-after'
  return [
    kindText(language, told, sides),
    ...inside.map(text => fill(textOf(language, 'difference.within'), { text })),
    mismatched === 0
      ? say(language, 'difference.equal-after')
      : fill(textOf(language, left), {
          mismatched,
          maxAbs: shown(Math.max(...chain.map(({ after }) => after?.maxAbs ?? 0))),
          before: shown(before?.maxAbs ?? NaN),
        }),
    ...(apart ? [fill(textOf(language, 'difference.apart'), apart)] : []),
    ...sampled,
  ]
}

const chainOf = (told: DifferenceKind): readonly DifferenceKind[] =>
  told.within ? [told, ...chainOf(told.within)] : [told]

function kindText(language: Language, { kind, facts }: DifferenceKind, sides: SideNames): string {
  const told = Object.entries(facts).map(([name, fact]) => [name, worded(language, fact, sides)])
  const named: Readonly<Record<string, string>> = { ...sides, ...Object.fromEntries(told) }
  const isOne = kind === 'channel' && facts['from'] === facts['to']
  return fill(textOf(language, isOne ? 'difference.channel-one' : `difference.${kind ?? 'none'}`), named)
}

const shown = (value: number): string => (Number.isNaN(value) ? '-' : String(Number(value.toPrecision(4))))

function worded(language: Language, fact: number | string, sides: SideNames): string {
  if (typeof fact === 'number') return String(Number(fact.toPrecision(8)))
  if (fact === 'left' || fact === 'right') return sides[fact]
  const key = `difference.word.${fact}`
  return isPlainKey(key) ? say(language, key) : fact
}
