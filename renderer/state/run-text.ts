// A run of a pair in a line: when, how many rows differed, where the error entered.
import type { Run } from '../../preload/contract/host.ts'
import { say, type Language } from '../../preload/contract/words/index.ts'
import { nameParts } from './names.ts'

export const runDate = (language: Language, at: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short' }).format(at)

export function runText(language: Language, { differs, node, rank }: Run): string {
  const rows =
    differs === 0 && node === ''
      ? say(language, 'history.agrees')
      : say(language, 'history.differs', { differs })
  const place = rank === null || node === '' ? '' : say(language, 'toolbar.rank-n', { n: rank })
  return [rows, place, node === '' ? '' : nameParts(node).long].filter(Boolean).join(' · ')
}
