// overflow_check: where NaN and infinity enter a step of many ranks, or every call of one rank classified.
import type { Command } from '../verb.ts'
import { type Classed, classesOf } from './classes.ts'
import type { OverflowCheckField, OverflowCheckFlags } from './index.ts'
import { type CheckedParts, checkIntoDataset } from './dataset.ts'
import { printAnswer, printClasses, printParts } from './print.ts'
import { checkAs26 } from './reference.ts'
import { checkStep, type Checked } from './step.ts'

type Answer =
  | { readonly is: 'parts'; readonly parts: CheckedParts }
  | { readonly is: 'classes'; readonly ops: readonly Classed[] }
  | { readonly is: 'step'; readonly checked: Checked }
  | { readonly is: 'files'; readonly files: readonly string[] }

export const command: Command<OverflowCheckFlags, Answer, OverflowCheckField> = {
  async run({ flags }, tools) {
    if (flags.classes) return { is: 'classes', ops: await classesOf(flags.input, flags, tools) }
    if (flags.format === 'dataset' || flags.shard)
      return { is: 'parts', parts: await checkIntoDataset(flags, tools) }
    if (flags.rules === 'msprobe-26') return { is: 'files', files: await checkAs26(flags, tools) }
    return { is: 'step', checked: await checkStep(flags, tools) }
  },
  print(answer, page) {
    if (answer.is === 'classes') printClasses(answer.ops, page)
    else if (answer.is === 'parts') printParts(answer.parts, page)
    else if (answer.is === 'step') printAnswer(answer.checked, page)
    else if (answer.files.length === 0) page.line(page.say('cli.overflow.nothing'))
  },
  json(answer) {
    const { found = null, steps = [], step = null } = answer.is === 'step' ? answer.checked : {}
    return {
      step,
      steps,
      origins: found?.origins ?? [],
      symptoms: found?.symptoms ?? [],
      later: found?.later ?? 0,
      arrivals: found?.arrivals ?? [],
      levels: found?.levels ?? {},
      notes: found?.notes ?? [],
      ops: answer.is === 'classes' ? answer.ops : [],
      dataset: answer.is === 'parts' ? answer.parts : null,
      files: answer.is === 'files' ? answer.files : answer.is === 'step' ? answer.checked.files : [],
    }
  },
  outcome(answer, { flags }) {
    if (answer.is === 'parts' && answer.parts.outcome !== 'ran') return answer.parts.outcome
    if (flags.failOn === undefined) return 'ran'
    if (answer.is === 'parts') {
      const { merged } = answer.parts
      return merged?.summary.overflow?.some(({ answer: { origins } }) => origins.length > 0) ? 'found' : 'ran'
    }
    if (answer.is === 'classes') return answer.ops.some(({ level }) => level === 'critical') ? 'found' : 'ran'
    if (answer.is === 'files') return answer.files.length > 0 ? 'found' : 'ran'
    const { origins, symptoms } = answer.checked.found
    const counted = flags.failOn === 'warning' ? origins.length + symptoms.length : origins.length
    return counted > 0 ? 'found' : 'ran'
  },
}
