// What stands in the way of an answer, as a sentence.
import type { OverflowNote } from '../../../preload/contract/engine.ts'
import { say, type Language } from '../../../preload/contract/words/index.ts'

export function noteText(language: Language, note: OverflowNote): string {
  switch (note.note) {
    case 'rank-missing':
      return say(language, 'overflow.note.rank-missing', {
        call: note.op,
        ranks: note.ranks,
        count: note.count,
      })
    case 'fewer-calls':
      return say(language, 'overflow.note.fewer-calls', { call: note.op, rank: note.rank, count: note.count })
    case 'deadlocks':
      return say(language, 'overflow.note.deadlocks', { count: note.count })
    default:
      return say(language, `overflow.note.${note.note}`, { ranks: note.ranks })
  }
}
