// Whether two dumps were taken alike, as one line, and what each difference does to the comparison.
import type { Taken, TakenDifference, TakenWhat } from '../../../main/engine/model/shared.ts'
import { type Language, say } from './index.ts'

const whatText = (language: Language, what: TakenWhat): string => say(language, `taken.what.${what}`)

const separators: Readonly<Record<Language, string>> = { en: ', ', zh: '、' }
const listed = (language: Language, texts: readonly string[]): string => texts.join(separators[language])

/** Values and lists of parts say nothing in a line. */
const unsaid: readonly TakenWhat[] = ['first-values', 'data-mode']

const pairText = (language: Language, { what, debug, bench }: TakenDifference): string =>
  unsaid.includes(what)
    ? whatText(language, what)
    : say(language, 'taken.pair', { what: whatText(language, what), debug, bench })

/** The line that stands above all findings. */
export function takenLine(language: Language, { same, differ }: Taken): string {
  if (differ.length === 0)
    return say(language, 'taken.alike', {
      what: listed(
        language,
        same.map(what => whatText(language, what)),
      ),
    })
  return say(language, 'taken.unlike', {
    what: listed(
      language,
      differ.map(one => pairText(language, one)),
    ),
  })
}

/** What each difference does. */
export const takenEffects = (language: Language, { differ }: Taken): readonly string[] =>
  differ.map(({ what, side }) =>
    what === 'risk' || what === 'data-mode' || what === 'calls'
      ? say(language, `taken.effect.${what}`, {
          side: side === null ? '' : say(language, `config.side.${side}`),
        })
      : say(language, `taken.effect.${what}`),
  )

export const takenUnknown = (language: Language, { unknown }: Taken): string | null =>
  unknown.length === 0
    ? null
    : say(language, 'taken.unknown', {
        what: listed(
          language,
          unknown.map(what => whatText(language, what)),
        ),
      })
