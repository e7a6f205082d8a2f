// What overflow_check says to people: where it enters, what was seen first, what could not be told.
import type { NamedFound, OverflowNote } from '../../../model/index.ts'
import { printMerged } from '../dataset-text.ts'
import type { Page } from '../tools.ts'
import type { CheckedParts } from './dataset.ts'
import type { Classed } from './classes.ts'
import type { FoundCall } from './details.ts'
import type { Checked } from './step.ts'

const listed = 20

export function printClasses(ops: readonly Classed[], page: Page): void {
  for (const { api, level, scene, item = '' } of ops)
    page.line(page.say('cli.overflow.class', { level, call: api, scene, item }))
  if (ops.length === 0) page.line(page.say('cli.overflow.nothing'))
}

export function printAnswer({ step, steps, found }: Checked, page: Page): void {
  if (steps.length > 1 && step !== null)
    page.line(page.say('cli.overflow.step', { step, count: steps.length }))
  const { origins, symptoms, later, levels, calls } = found
  page.line(page.say('cli.overflow.levels', { calls, ...levels }))
  for (const origin of origins.slice(0, listed)) printOrigin(origin, page)
  if (origins.length > listed) page.line(page.say('cli.overflow.more', { count: origins.length - listed }))
  if (later > 0) page.line(page.say('cli.overflow.later', { count: later }))
  for (const symptom of symptoms.slice(0, listed)) page.line(symptomLine(symptom, page))
  if (symptoms.length > listed) page.line(page.say('cli.overflow.more', { count: symptoms.length - listed }))
  if (origins.length + symptoms.length === 0) page.line(page.say('cli.overflow.nothing'))
  for (const note of found.notes.slice(0, listed)) page.note(noteLine(note, page))
}

export function printParts({ folder, units, known, failed, merged }: CheckedParts, page: Page): void {
  if (merged) printMerged(merged, page)
  if (folder === '') return
  page.line(page.say('cli.overflow.part', { folder, done: units - known, known, failed }))
}

function printOrigin(origin: FoundCall, page: Page): void {
  const { rank, ranks, op, downstream, reached, stack, explained } = origin
  page.line(page.say('cli.overflow.origin', { rank: ranks.length > 1 ? ranks.join(', ') : rank, call: op }))
  if (downstream !== null)
    page.line(`  ${page.say('cli.overflow.downstream', { calls: downstream, ranks: reached.length })}`)
  if (explained !== null) page.line(`  ${page.say(`cli.overflow.explained.${explained}`)}`)
  if (stack.length > 0) page.line(`  ${stack[0].replace(/\s+/g, ' ')}`)
}

const symptomLine = ({ rank, op, confidence }: NamedFound, page: Page): string =>
  page.say('cli.overflow.symptom', {
    rank,
    call: op,
    why: confidence === 'direct' ? '' : page.say(`overflow.why.${confidence}`),
  })

function noteLine(note: OverflowNote, page: Page): string {
  switch (note.note) {
    case 'rank-missing':
      return page.say('overflow.note.rank-missing', { call: note.op, ranks: note.ranks, count: note.count })
    case 'fewer-calls':
      return page.say('overflow.note.fewer-calls', { call: note.op, rank: note.rank, count: note.count })
    case 'deadlocks':
      return page.say('overflow.note.deadlocks', { count: note.count })
    default:
      return page.say(`overflow.note.${note.note}`, { ranks: note.ranks })
  }
}
